/* Downloads of the selected or shown part of the graph: CSV, JSON and Turtle. */

class GraphFiles {
  /** @param {Graph} graph @param {Painter} painter */
  constructor(graph, painter) {
    this.graph = graph;
    this.painter = painter;
  }

  /** Return the nodes of a file: the selected nodes with their neighbours, or all shown nodes. */
  nodes() {
    const { shown, path, selected } = this.painter;
    if (path.length) return new Set(path);
    if (!selected.size) return new Set(shown.list);
    return new Set([...selected].flatMap((node) => [node, ...shown.edges.neighbours(node)]));
  }

  /**
   * Return the relations, links and references between nodes; an entity on its own adds the papers that mention it.
   * @param {Set<number>} nodes
   */
  #edgesBetween(nodes) {
    const { relations, links, citations } = this.graph;
    const { shown } = this.painter;
    /** @param {PairSet} set @returns {(i: number) => boolean} */
    const both = (set) => (i) => nodes.has(set.from[i]) && nodes.has(set.to[i]);
    /** @param {PairSet} set */
    const numbers = (set) => Array.from({ length: set.count }, (_, i) => i);
    /** @param {number} i */
    const isIncluded = (i) =>
      shown.relation[i] &&
      (shown.view === "both" ? both(relations)(i) : nodes.has(relations.to[i]) || nodes.has(relations.from[i]));
    const kept = numbers(relations).filter(isIncluded);
    for (const i of kept) nodes.add(relations.from[i]).add(relations.to[i]);
    /** @param {PairSet} set */
    const between = (set) => numbers(set).filter(both(set));
    return { relations: kept, links: between(links), citations: between(citations) };
  }

  async csv() {
    const { graph } = this;
    const { relations } = graph;
    /** @type {(string | number | boolean)[][]} */
    const rows = [["paper", "title", "date", "role", "entity", "name", "type", "confidence", "tentative", "sentences"]];
    for (const i of this.#edgesBetween(this.nodes()).relations) {
      const [paper, entity] = [relations.from[i], relations.to[i]];
      const sentences = await graph.sentences(paper, relations.evidence[i]);
      rows.push([
        graph.key[paper],
        graph.label[paper],
        graph.dateOf(paper),
        graph.roles[relations.label[i]].name,
        graph.key[entity],
        graph.label[entity],
        graph.typeName(entity),
        relations.confidence[i] / 100,
        relations.tentative[i] === 1,
        sentences.map((parts) => parts.join("")).join(" | "),
      ]);
    }
    return csvTable(rows);
  }

  /** Return the results as CSV; the names in a slot are separated by `|`. */
  async resultsCsv() {
    const nodes = this.nodes();
    this.#edgesBetween(nodes);
    const names = ["paper", "title", "date", "measure", "value", "on", "system", "versus", "from"];
    /** @type {(string | number | boolean)[][]} */
    const rows = [[...names, "confidence", "tentative", "sentence"]];
    for (const one of await this.#results(nodes)) {
      const slots = [one.on, one.system, one.versus].map((texts) => texts.join(" | "));
      const paper = [one.paper, one.title, one.date];
      rows.push([...paper, one.measure, one.value, ...slots, one.from, one.confidence, one.tentative, one.sentence]);
    }
    return csvTable(rows);
  }

  /** Return node-link JSON for networkx, with the node names, kinds and keys of `kg export`. */
  async json() {
    const { graph } = this;
    const nodes = this.nodes();
    const { relations, links, citations } = this.#edgesBetween(nodes);
    const edges = await Promise.all([
      ...relations.map((i) => this.#edge(graph.relations, i, ...this.#relationKey(i))),
      ...links.map((i) => this.#edge(graph.links, i, "link", this.#linkKey(i))),
    ]);
    const lists = this.graph.citations;
    const references = citations.map((i) => this.#ends(lists.from[i], lists.to[i], "citation", "reference"));
    const variants = this.#variantPairs(nodes).map(([node, broader]) => this.#ends(node, broader, "family", "broader"));
    const records = Array.from(nodes, (node) => this.#record(node));
    const result = {
      directed: true,
      multigraph: true,
      graph: {},
      nodes: records,
      edges: [...edges, ...references, ...variants],
      results: await this.#results(nodes),
    };
    return `${JSON.stringify(result, null, 1)}\n`;
  }

  /** Return the results that the papers among the nodes report. @param {Set<number>} nodes */
  #results(nodes) {
    const numbers = [...nodes].filter((node) => this.graph.isPaper(node)).flatMap((node) => this.graph.results.of(node));
    return Promise.all(numbers.map((i) => this.#result(i)));
  }

  /** @param {number} i */
  async #result(i) {
    const { columns, measures } = this.graph.results;
    const [paper, measure] = [columns.paper[i], columns.measure[i]];
    const sentence = await this.graph.markedSentence(paper, columns.span[i]);
    return {
      paper: this.graph.key[paper],
      title: this.graph.label[paper],
      date: this.graph.dateOf(paper),
      measure: measures.title[measure],
      value: columns.label[i],
      on: textsOf(measures.on[measure]),
      system: textsOf(columns.systems[i]),
      versus: textsOf(columns.versus[i]),
      from: columns.previous[i],
      confidence: columns.confidence[i] / 100,
      tentative: columns.tentative[i] === 1,
      sentence: sentence.join(""),
    };
  }

  /** @param {number} i @returns {[string, string]} */
  #relationKey(i) {
    const { roles, relations } = this.graph;
    return relations.evidence[i].length ? ["relation", roles[relations.label[i]].name] : ["introduction", "known"];
  }

  /** @param {number} i */
  #linkKey(i) {
    const { kinds, links, key } = this.graph;
    return `${kinds[links.label[i]].name} ${key[links.via[i]]}`;
  }

  /** @param {number} from @param {number} to @param {string} kind @param {string} key */
  #ends(from, to, kind, key) {
    return { source: this.graph.key[from], target: this.graph.key[to], key, kind };
  }

  /** @param {ClaimSet} set @param {number} i @param {string} kind @param {string} key */
  async #edge(set, i, kind, key) {
    const sentences = await this.graph.sentences(set.from[i], set.evidence[i]);
    const claim = { confidence: set.confidence[i] / 100, tentative: set.tentative[i] === 1 };
    const texts = sentences.map((parts) => parts.join(""));
    return { ...this.#ends(set.from[i], set.to[i], kind, key), ...claim, sentences: texts };
  }

  /** @param {number} node */
  #record(node) {
    const { graph } = this;
    const common = { id: graph.key[node], label: graph.label[node] };
    if (!graph.isPaper(node)) {
      return { ...common, kind: "entity", type: graph.typeName(node), aliases: graph.entities.aliases[node] };
    }
    const facts = {
      date: graph.dateOf(node),
      authors: graph.paper(node, "authors"),
      url: graph.paper(node, "url"),
    };
    return { ...common, kind: graph.isStub(node) ? "stub" : "paper", ...facts };
  }

  /** Return pairs of a variant and its broader entity among the nodes. @param {Set<number>} nodes */
  #variantPairs(nodes) {
    /** @param {number} node */
    const broader = (node) => this.graph.broaderOf(node).filter((broader) => nodes.has(broader));
    return [...nodes].flatMap((node) => broader(node).map((broader) => [node, broader]));
  }

  /** Return Turtle with the terms and addresses of the RDF export, without evidence. */
  turtle() {
    const { prefixes } = this.graph.about;
    const nodes = this.nodes();
    const { relations, links, citations } = this.#edgesBetween(nodes);
    const lines = [
      ...Object.entries(prefixes).map(([name, iri]) => `@prefix ${name}: <${iri}> .`),
      ...Array.from(nodes, (node) => `${this.#address(node)} ${this.#facts(node).join(" ;\n  ")} .`),
      ...relations.flatMap((i) => this.#statements(i)),
      ...links.map((i) => this.#statement(this.graph.links, i, this.graph.kinds[this.graph.links.label[i]].iri)),
      ...citations.flatMap((i) =>
        ["ckg:hasReference", "cito:cites"].map((property) => this.#triple(this.graph.citations, i, property)),
      ),
      ...this.#variantPairs(nodes).map((ends) => ends.map((node) => this.#address(node)).join(" skos:broader ") + " ."),
    ];
    return `${[...new Set(lines)].join("\n")}\n`;
  }

  /** @param {number} node */
  #address(node) {
    return turtleAddress(this.graph.about.base + this.graph.key[node]);
  }

  /**
   * Return the triples of a relation, and `schema:mentions` where the text of the paper mentions the entity.
   * @param {number} i
   */
  #statements(i) {
    const { relations, roles, about } = this.graph;
    const isIncluded = relations.evidence[i].length ? [`${about.prefixes.schema}mentions`] : [];
    return [...isIncluded, roles[relations.label[i]].iri].map((iri) => this.#statement(relations, i, iri));
  }

  /** @param {EdgeSet} set @param {number} i @param {string} iri */
  #statement(set, i, iri) {
    return this.#triple(set, i, `<${iri}>`);
  }

  /** @param {EdgeSet} set @param {number} i @param {string} property */
  #triple(set, i, property) {
    return `${this.#address(set.from[i])} ${property} ${this.#address(set.to[i])} .`;
  }

  /** @param {number} node */
  #facts(node) {
    const { graph } = this;
    if (graph.isPaper(node)) {
      const kind = graph.isStub(node) ? "ckg:StubPaper" : "schema:ScholarlyArticle";
      return [`a ${kind}`, `dcterms:title ${turtleText(graph.label[node])}`];
    }
    return [
      `a ${turtleAddress(graph.types[graph.type[node]].iri)}`,
      `skos:prefLabel ${turtleText(graph.label[node])}`,
      ...graph.entities.aliases[node].map((alias) => `skos:altLabel ${turtleText(alias)}`),
    ];
  }
}

/** @param {ResultName[]} names */
function textsOf(names) {
  return names.map((name) => (typeof name === "string" ? name : name[0]));
}

/** Return CSV, marked as UTF-8 for spreadsheets. @param {(string | number | boolean)[][]} rows */
function csvTable(rows) {
  return `\ufeff${rows.map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
}

/**
 * Return a CSV field that no spreadsheet evaluates as a formula, as in `kg export -f csv`.
 * @param {string | number | boolean} value
 */
function csvField(value) {
  const separated = String(value).replace(/(?<=[;\t\r\n])(?=['"]*[=+\-@＝＋－＠])/g, " ");
  const safe = /^'*[=+\-@\t\r\n＝＋－＠]/.test(separated) && typeof value !== "number" ? `'${separated}` : separated;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {string} iri */
function turtleAddress(iri) {
  return `<${iri.replace(/[\u0000-\u0020<>"{}|^`\\]/g, encodeURIComponent)}>`;
}

/** @param {string} text */
function turtleText(text) {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (c) => {
    const short = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
    return short ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}
