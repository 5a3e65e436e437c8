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

  /** The relations and links between these nodes; a thing that stands alone brings the papers that name it. */
  #claims(nodes) {
    const { relations, links } = this.graph;
    const { shown } = this.painter;
    const both = (set) => (i) => nodes.has(set.from[i]) && nodes.has(set.to[i]);
    const numbers = (set) => Array.from({ length: set.count }, (_, i) => i);
    const said = (i) =>
      shown.relation[i] &&
      (shown.view === "both" ? both(relations)(i) : nodes.has(relations.to[i]) || nodes.has(relations.from[i]));
    const kept = numbers(relations).filter(said);
    for (const i of kept) nodes.add(relations.from[i]).add(relations.to[i]);
    return { relations: kept, links: numbers(links).filter(both(links)) };
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

  /** Node-link JSON as networkx reads it. */
  async json() {
    const { graph } = this;
    const nodes = this.nodes();
    const { relations, links } = this.#claims(nodes);
    const edge = async (set, i, key, more) => ({
      source: graph.key[set.from[i]],
      target: graph.key[set.to[i]],
      key,
      ...more,
      confidence: set.sure[i] / 100,
      sentences: (await graph.sentences(set.from[i], set.evidence[i])).map((parts) => parts.join("")),
    });
    const edges = await Promise.all([
      ...relations.map((i) =>
        edge(graph.relations, i, graph.roles[graph.relations.label[i]].name, { kind: "relation" }),
      ),
      ...links.map((i) =>
        edge(graph.links, i, `${graph.kinds[graph.links.label[i]].name} ${graph.key[graph.links.via[i]]}`, {
          kind: "link",
        }),
      ),
    ]);
    for (const node of nodes) {
      for (const wide of graph.widerOf(node))
        if (nodes.has(wide))
          edges.push({ source: graph.key[node], target: graph.key[wide], key: "broader", kind: "family" });
    }
    return `${JSON.stringify({ directed: true, multigraph: true, graph: {}, nodes: [...nodes].map((node) => this.#record(node)), edges }, null, 1)}\n`;
  }

  #record(node) {
    const { graph } = this;
    const common = { id: graph.key[node], kind: graph.isPaper(node) ? "paper" : "entity", label: graph.label[node] };
    if (graph.isPaper(node))
      return {
        ...common,
        date: graph.paper(node, "date"),
        authors: graph.paper(node, "authors"),
        url: graph.paper(node, "url"),
      };
    return { ...common, type: graph.typeName(node), aliases: graph.entities.aliases[node] };
  }

  /** The same terms and addresses as in the RDF export, without the proof. */
  turtle() {
    const { graph } = this;
    const { prefixes, base } = graph.about;
    const nodes = this.nodes();
    const { relations, links } = this.#claims(nodes);
    const address = (node) => turtleAddress(base + graph.key[node]);
    const lines = Object.entries(prefixes).map(([name, iri]) => `@prefix ${name}: <${iri}> .`);
    for (const node of nodes) lines.push(`${address(node)} ${this.#facts(node, nodes, address).join(" ;\n  ")} .`);
    for (const i of relations) {
      const ends = [address(graph.relations.from[i]), address(graph.relations.to[i])];
      const named = graph.relations.evidence[i].length > 0; // what no text says is known and no mention
      if (named) lines.push(`${ends[0]} schema:mentions ${ends[1]} .`);
      const { iri } = graph.roles[graph.relations.label[i]];
      if (iri !== `${prefixes.schema}mentions`) lines.push(`${ends[0]} <${iri}> ${ends[1]} .`);
    }
    for (const i of links)
      lines.push(
        `${address(graph.links.from[i])} <${graph.kinds[graph.links.label[i]].iri}> ${address(graph.links.to[i])} .`,
      );
    return `${[...new Set(lines)].join("\n")}\n`;
  }

  #facts(node, nodes, address) {
    const { graph } = this;
    if (graph.isPaper(node)) return [`a ${graph.isStub(node) ? "ckg:StubPaper" : "schema:ScholarlyArticle"}`, `dcterms:title ${turtleText(graph.label[node])}`];
    return [
      `a ${turtleAddress(graph.types[graph.type[node]].iri)}`,
      `skos:prefLabel ${turtleText(graph.label[node])}`,
      ...graph.entities.aliases[node].map((alias) => `skos:altLabel ${turtleText(alias)}`),
      ...graph
        .widerOf(node)
        .filter((wide) => nodes.has(wide))
        .map((wide) => `skos:broader ${address(wide)}`),
    ];
  }
}

function csvField(value) {
  const text = String(value);
  const safe = /^[=+@-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text; // no formula for a spreadsheet
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
