/* What the panel says of a thing: its names, its family, who does what with it, what it goes with. */

const ALIASES = 6;

class ThingDetails {
  constructor(graph, proof, actions) {
    this.graph = graph;
    this.proof = proof;
    this.actions = actions;
  }

  /** The parts below the head. */
  parts(node) {
    return [this.#timeline(node), this.#roles(node), this.#company(node)];
  }

  kind(node) {
    return `${this.graph.typeName(node)} · ${plural(this.graph.uses[node], "paper")}`;
  }

  /** Other names, spellings of one name once, and the family. */
  facts(node) {
    const wider = this.#others("A kind of ", this.graph.widerOf(node));
    return [this.#aliases(node), wider, this.#others("Variants: ", this.graph.variantsOf(node))];
  }

  #aliases(node) {
    const spellings = new Map([[folded(this.graph.label[node]), ""]]);
    for (const alias of this.graph.entities.aliases[node]) {
      if (!spellings.has(folded(alias))) spellings.set(folded(alias), alias);
    }
    const names = [...spellings.values()].filter(Boolean).sort((a, b) => a.length - b.length);
    const rest = names.splice(ALIASES);
    const more = rest.length ? ` and ${rest.length} more` : "";
    return names.length ? element("p.quiet", { title: rest.join(", ") }, `Also ${names.join(", ")}${more}`) : null;
  }

  #others(start, nodes) {
    const links = nodes.map((node) => this.actions.link(node));
    return nodes.length ? element("p", start, between(links, ", ")) : null;
  }

  /** Papers a year, as bars, where at least two years are known. */
  #timeline(node) {
    const { graph } = this;
    const counts = new Map();
    for (const paper of graph.namers(node)) {
      const year = graph.yearOf(paper);
      if (year) counts.set(year, (counts.get(year) ?? 0) + 1);
    }
    return counts.size > 1 ? section("Papers by year", 0, timeline(counts, graph.type[node])) : null;
  }

  /** The papers by what they do with the thing, newest first. */
  #roles(node) {
    const { label, from } = { label: this.graph.roles, from: this.graph.relations.from };
    const date = (i) => this.graph.paper(from[i], "date");
    return byRole(this.graph, node).map(([role, relations]) => {
      const newest = relations.sort((a, b) => date(b).localeCompare(date(a)) || a - b);
      const rows = longList(newest, (i) => this.proof.relationRow(from[i], i));
      return section(saidOfMany(label[role].label), newest.length, rows, roleSign(role));
    });
  }

  /** The things that the same papers name, most often shared first. */
  #company(node) {
    const { graph } = this;
    const together = new Map();
    for (const paper of graph.namers(node)) {
      for (const other of graph.namers(paper)) together.set(other, (together.get(other) ?? 0) + 1);
    }
    together.delete(node);
    if (!together.size) return null;
    const most = [...together].sort(([a, m], [b, n]) => n - m || graph.uses[b] - graph.uses[a] || a - b);
    return section(
      "Named together with",
      most.length,
      longList(most, ([other, papers]) => this.#companion(node, other, papers)),
    );
  }

  #companion(node, other, papers) {
    const both = { className: "count", title: "The papers that name both" };
    const open = button(plural(papers, "paper"), () => this.actions.edge(node, other), both);
    return element("li", this.actions.link(other), open);
  }
}

/** A heading over papers for a role such as "evaluates on": "Papers that evaluate on it". */
function saidOfMany(label) {
  const [verb, ...rest] = label.split(" ");
  return ["Papers that", verb.replace(/s$/, ""), ...rest, "it"].join(" ");
}

/** Bars of papers a year, with the first and the last year below. */
function timeline(counts, type) {
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  const most = Math.max(...counts.values());
  const words = [...counts].sort(([a], [b]) => a - b).map(([year, count]) => `${year}: ${count}`);
  const chart = document.createElementNS(SVG, "svg");
  const told = {
    viewBox: `0 0 ${(last - first + 1) * 10} 40`,
    preserveAspectRatio: "none",
    class: `timeline type-${type % 8}`,
    role: "img",
    "aria-label": `Papers by year: ${words.join(", ")}`,
  };
  for (const [name, value] of Object.entries(told)) chart.setAttribute(name, value);
  for (const [year, count] of counts) chart.append(bar((year - first) * 10 + 1, (38 * count) / most));
  const ends = [element("span", String(first)), element("span", String(last))];
  return [chart, element("p.years-below.quiet", { ariaHidden: "true" }, ends)];
}

function bar(x, height) {
  const made = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y: 40 - height, width: 8, height })) made.setAttribute(name, value);
  return made;
}
