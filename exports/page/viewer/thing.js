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
    return [this.#timeline(node), this.#roles(node), this.#rivals(node), this.#company(node)];
  }

  kind(node) {
    return `${this.graph.typeLabel(node)} · ${plural(this.graph.uses[node], "paper")}`;
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

  /** How many papers a year, where at least two years are known. */
  #timeline(node) {
    const { graph } = this;
    const counts = new Map();
    for (const paper of graph.namers(node)) {
      const year = graph.yearOf(paper);
      if (year) counts.set(year, (counts.get(year) ?? 0) + 1);
    }
    return counts.size > 1 ? section("Papers by year", 0, timeline(counts, graph.type[node])) : null;
  }

  /** The papers by what they do with the thing, newest first, but the surest introduction first of all, and open. */
  #roles(node) {
    const { roles, relations } = this.graph;
    const date = (i) => this.graph.paper(relations.from[i], "date");
    const newest = (a, b) => date(b).localeCompare(date(a)) || a - b;
    const surest = (a, b) => relations.sure[b] - relations.sure[a] || newest(a, b);
    return byRole(this.graph, node).map(([role, claims], at) => {
      const sorted = claims.sort(roles[role].name === "introduces" ? surest : newest);
      const row = (i) => this.proof.relationRow(relations.from[i], i, !at && i === sorted[0]);
      return section(saidOfMany(roles[role].label), sorted.length, longList(sorted, row), roleSign(role));
    });
  }

  /** The things it is compared with: by the papers that introduce it, or for what other papers introduce. */
  #rivals(node) {
    const rivals = [...this.#compared(node)].sort(([, a], [, b]) => b.sure - a.sure || a.claim - b.claim);
    const row = ([other, { claim, how }]) => this.#rival(other, claim, how);
    return rivals.length ? section("Compared with", rivals.length, longList(rivals, row)) : null;
  }

  /** For each such thing the surest claim that compares the two, and how it comes out. */
  #compared(node) {
    const { relations, relationsOf } = this.graph;
    const found = new Map();
    const add = (other, claim, how) => {
      const sure = relations.sure[claim];
      if (other !== node && !(found.get(other)?.sure >= sure)) found.set(other, { claim, sure, how });
    };
    for (const i of relationsOf.of(node)) {
      for (const j of relationsOf.of(relations.from[i])) {
        if (this.#introduces(i) && this.#compares(j)) add(relations.to[j], j, this.#beats(j) ? "outperformed" : "");
        if (this.#compares(i) && this.#introduces(j)) add(relations.to[j], i, this.#beats(i) ? "outperforms it" : "");
      }
    }
    return found;
  }

  #role(relation) {
    return this.graph.roles[this.graph.relations.label[relation]].name;
  }

  #introduces(relation) {
    return this.#role(relation) === "introduces";
  }

  #beats(relation) {
    return this.#role(relation) === "outperforms";
  }

  #compares(relation) {
    return this.#beats(relation) || this.#role(relation) === "comparesTo";
  }

  #rival(other, claim, how) {
    const { from, sure, evidence } = this.graph.relations;
    const facts = element("span.quiet", how ? ` ${how}` : "", confidence(sure[claim]));
    return this.proof.row([this.actions.link(other), facts], from[claim], evidence[claim]);
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
