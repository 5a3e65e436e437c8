/* Files from the page: the drawing as PNG or SVG, what is chosen or shown as CSV, JSON or Turtle. */

function download(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

class Saving {
  constructor(graph, painter, camera) {
    this.graph = graph;
    this.painter = painter;
    this.camera = camera;
  }

  /** The ways to save, by the name of their file ending. */
  get ways() {
    return {
      png: ["Picture, PNG", () => this.png()],
      svg: ["Picture, SVG", () => download("graph.svg", "image/svg+xml", this.svg())],
      csv: ["Relations, CSV", async () => download("graph.csv", "text/csv", await this.csv())],
      json: ["Graph, JSON", async () => download("graph.json", "application/json", await this.json())],
      ttl: ["Graph, Turtle", () => download("graph.ttl", "text/turtle", this.turtle())],
    };
  }

  /** The drawing as it stands in the window, on its ground. */
  png() {
    const source = this.camera.canvas;
    const copy = element("canvas", { width: source.width, height: source.height });
    const context = copy.getContext("2d");
    context.fillStyle = this.painter.colours.ground;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(source, 0, 0);
    copy.toBlob((blob) => download("graph.png", "image/png", blob));
  }

  svg() {
    const { view } = this.camera;
    const recorder = new Recorder(view.width, view.height);
    this.painter.frame(recorder, view, true);
    const [width, height] = [view.width / view.ratio, view.height / view.ratio];
    return [
      `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${view.width} ${view.height}">`,
      `<rect width="100%" height="100%" fill="${this.painter.colours.ground}"/>`,
      ...recorder.parts,
      "</svg>",
    ].join("\n");
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
        [...new Set(proof.map((parts) => parts.join("")))].join(" | "),
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
    const address = (node) => `<${base}${graph.key[node]}>`;
    const lines = Object.entries(prefixes).map(([name, iri]) => `@prefix ${name}: <${iri}> .`);
    for (const node of nodes) lines.push(`${address(node)} ${this.#facts(node, nodes, address).join(" ;\n  ")} .`);
    for (const i of relations) {
      const ends = [address(graph.relations.from[i]), address(graph.relations.to[i])];
      lines.push(`${ends[0]} schema:mentions ${ends[1]} .`);
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
    if (graph.isPaper(node)) return ["a schema:ScholarlyArticle", `dcterms:title ${turtleText(graph.label[node])}`];
    return [
      `a <${graph.types[graph.type[node]].iri}>`,
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

function turtleText(text) {
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (c) => {
    const short = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
    return short ?? `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** Stands in for a canvas and writes down as SVG what the painter draws. */
class Recorder {
  constructor(width, height) {
    this.canvas = { width, height };
    this.parts = [];
    this.path = [];
    this.globalAlpha = 1;
    this.dash = [];
    this.measure = document.createElement("canvas").getContext("2d");
  }

  save() {}
  restore() {}
  setTransform() {}
  clearRect() {}

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${short(x)} ${short(y)}`);
  }

  closePath() {
    this.path.push("Z");
  }

  arc(x, y, radius) {
    const r = short(radius);
    this.path.push(
      `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`,
    );
  }

  stroke() {
    if (this.path.length)
      this.#add(
        `<path d="${this.path.join("")}" fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}" stroke-dasharray="${this.dash.map(short).join(" ")}"`,
      );
  }

  fill() {
    if (this.path.length) this.#add(`<path d="${this.path.join("")}" fill="${this.fillStyle}"`);
  }

  fillRect(x, y, width, height) {
    this.#add(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${this.fillStyle}"`);
  }

  measureText(text) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  strokeText(text, x, y) {
    this.#text(
      text,
      x,
      y,
      `fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}" stroke-linejoin="round"`,
    );
  }

  fillText(text, x, y) {
    this.#text(text, x, y, `fill="${this.fillStyle}"`);
  }

  #text(text, x, y, look) {
    const [, weight, size, family] = this.font.match(/^(\S+) ([\d.]+)px (.*)$/);
    this.parts.push(
      `<text x="${short(x)}" y="${short(y + 0.82 * size)}" text-anchor="middle" font-family="${markupText(family)}" font-size="${size}" font-weight="${weight}" ${look}>${markupText(text)}</text>`,
    );
  }

  #add(start) {
    this.parts.push(`${start} opacity="${this.globalAlpha}"/>`);
  }
}

function short(value) {
  return Number(value).toFixed(1);
}

function markupText(text) {
  return text.replace(
    /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "",
  );
}
