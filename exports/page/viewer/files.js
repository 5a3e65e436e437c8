/* What is chosen or shown as a file of its own: CSV, JSON or Turtle. */

class Files {
  constructor(graph, painter) {
    this.graph = graph;
    this.painter = painter;
  }

  /** The nodes that a file is about: the chosen ones and what they are joined to, or everything that is shown. */
  nodes() {
    const { shown, way, chosen } = this.painter;
    if (way.length) return new Set(way);
    if (!chosen.size) return new Set(shown.list);
    return new Set([...chosen].flatMap((node) => [node, ...shown.edges.neighbours(node)]));
  }

  /** The relations, links and references between these nodes; a thing that stands alone brings the papers that name it. */
  #claims(nodes) {
    const { relations, links, citations } = this.graph;
    const { shown } = this.painter;
    const both = (set) => (i) => nodes.has(set.from[i]) && nodes.has(set.to[i]);
    const numbers = (set) => Array.from({ length: set.count }, (_, i) => i);
    const said = (i) =>
      shown.relation[i] &&
      (shown.view === "both" ? both(relations)(i) : nodes.has(relations.to[i]) || nodes.has(relations.from[i]));
    const kept = numbers(relations).filter(said);
    for (const i of kept) nodes.add(relations.from[i]).add(relations.to[i]);
    const between = (set) => numbers(set).filter(both(set));
    return { relations: kept, links: between(links), citations: between(citations) };
  }

  async csv() {
    const { graph } = this;
    const { relations } = graph;
    const rows = [["paper", "title", "date", "role", "thing", "name", "type", "confidence", "sentences"]];
    for (const i of this.#claims(this.nodes()).relations) {
      const [paper, thing] = [relations.from[i], relations.to[i]];
      const proof = await graph.sentences(paper, relations.evidence[i]);
      rows.push([
        graph.key[paper],
        graph.label[paper],
        graph.paper(paper, "date"),
        graph.roles[relations.label[i]].name,
        graph.key[thing],
        graph.label[thing],
        graph.typeName(thing),
        relations.sure[i] / 100,
        proof.map((parts) => parts.join("")).join(" | "),
      ]);
    }
    return `\ufeff${rows.map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
  }

  /** Node-link JSON as networkx reads it, with the names of nodes, kinds and keys that `kg export` writes. */
  async json() {
    const { graph } = this;
    const nodes = this.nodes();
    const { relations, links, citations } = this.#claims(nodes);
    const edges = await Promise.all([
      ...relations.map((i) => this.#edge(graph.relations, i, ...this.#relationKey(i))),
      ...links.map((i) => this.#edge(graph.links, i, "link", this.#linkKey(i))),
    ]);
    const lists = this.graph.citations;
    const listed = citations.map((i) => this.#ends(lists.from[i], lists.to[i], "citation", "reference"));
    const kin = this.#families(nodes).map(([node, wide]) => this.#ends(node, wide, "family", "broader"));
    const records = Array.from(nodes, (node) => this.#record(node));
    const told = { directed: true, multigraph: true, graph: {}, nodes: records, edges: [...edges, ...listed, ...kin] };
    return `${JSON.stringify(told, null, 1)}\n`;
  }

  #relationKey(i) {
    const { roles, relations } = this.graph;
    return relations.evidence[i].length ? ["relation", roles[relations.label[i]].name] : ["introduction", "known"];
  }

  #linkKey(i) {
    const { kinds, links, key } = this.graph;
    return `${kinds[links.label[i]].name} ${key[links.via[i]]}`;
  }

  #ends(from, to, kind, key) {
    return { source: this.graph.key[from], target: this.graph.key[to], key, kind };
  }

  async #edge(set, i, kind, key) {
    const sentences = await this.graph.sentences(set.from[i], set.evidence[i]);
    const proof = { confidence: set.sure[i] / 100, sentences: sentences.map((parts) => parts.join("")) };
    return { ...this.#ends(set.from[i], set.to[i], kind, key), ...proof };
  }

  #record(node) {
    const { graph } = this;
    const common = { id: graph.key[node], label: graph.label[node] };
    if (!graph.isPaper(node)) {
      return { ...common, kind: "entity", type: graph.typeName(node), aliases: graph.entities.aliases[node] };
    }
    const facts = Object.fromEntries(["date", "authors", "url"].map((field) => [field, graph.paper(node, field)]));
    return { ...common, kind: graph.isStub(node) ? "stub" : "paper", ...facts };
  }

  /** The variants among these nodes, each with the wider thing. */
  #families(nodes) {
    const wider = (node) => this.graph.widerOf(node).filter((wide) => nodes.has(wide));
    return [...nodes].flatMap((node) => wider(node).map((wide) => [node, wide]));
  }

  /** The same terms and addresses as in the RDF export, without the proof. */
  turtle() {
    const { prefixes } = this.graph.about;
    const nodes = this.nodes();
    const { relations, links, citations } = this.#claims(nodes);
    const lines = [
      ...Object.entries(prefixes).map(([name, iri]) => `@prefix ${name}: <${iri}> .`),
      ...Array.from(nodes, (node) => `${this.#address(node)} ${this.#facts(node).join(" ;\n  ")} .`),
      ...relations.flatMap((i) => this.#statements(i)),
      ...links.map((i) => this.#statement(this.graph.links, i, this.graph.kinds[this.graph.links.label[i]].iri)),
      ...citations.flatMap((i) =>
        ["ckg:hasReference", "cito:cites"].map((property) => this.#told(this.graph.citations, i, property)),
      ),
      ...this.#families(nodes).map((ends) => ends.map((node) => this.#address(node)).join(" skos:broader ") + " ."),
    ];
    return `${[...new Set(lines)].join("\n")}\n`;
  }

  #address(node) {
    return turtleAddress(this.graph.about.base + this.graph.key[node]);
  }

  /** A relation, and that the paper mentions the thing where its text says so. */
  #statements(i) {
    const { relations, roles, about } = this.graph;
    const said = relations.evidence[i].length ? [`${about.prefixes.schema}mentions`] : [];
    return [...said, roles[relations.label[i]].iri].map((iri) => this.#statement(relations, i, iri));
  }

  #statement(set, i, iri) {
    return this.#told(set, i, `<${iri}>`);
  }

  #told(set, i, property) {
    return `${this.#address(set.from[i])} ${property} ${this.#address(set.to[i])} .`;
  }

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

/** A cell of CSV that no spreadsheet takes for a formula, as `kg export -f csv` writes it. */
function csvField(value) {
  const parted = String(value).replace(/(?<=[;\t\r\n])(?=['"]*[=+\-@＝＋－＠])/g, " ");
  const safe = /^'*[=+\-@\t\r\n＝＋－＠]/.test(parted) && typeof value !== "number" ? `'${parted}` : parted;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function turtleAddress(iri) {
  return `<${iri.replace(/[\u0000-\u0020<>"{}|^`\\]/g, encodeURIComponent)}>`;
}

function turtleText(text) {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (c) => {
    const short = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
    return short ?? `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}
