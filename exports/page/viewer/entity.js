/* The details of an entity: names, family, papers by role, comparisons and co-mentioned entities. */

const ALIASES = 6;

class EntityDetails {
  /** @param {Graph} graph @param {EvidenceView} evidence @param {ResultsView} results @param {Actions} actions */
  constructor(graph, evidence, results, actions) {
    this.graph = graph;
    this.evidence = evidence;
    this.results = results;
    this.actions = actions;
  }

  /** Return the sections below the header. @param {number} node */
  parts(node) {
    return [
      this.#timeline(node),
      this.results.sections(node),
      this.#roles(node),
      this.#comparisons(node),
      this.#coMentions(node),
    ];
  }

  /** @param {number} node */
  kind(node) {
    return `${this.graph.typeLabel(node)} · ${plural(this.graph.mentionCounts[node], "paper")}`;
  }

  /** Return the aliases, one spelling of each, and the family. @param {number} node */
  facts(node) {
    const broader = this.#linkList("Variant of ", this.graph.broaderOf(node));
    return [this.#aliases(node), broader, this.#linkList("Variants: ", this.graph.variantsOf(node))];
  }

  /** @param {number} node */
  #aliases(node) {
    const spellings = new Map([[folded(this.graph.label[node]), ""]]);
    for (const alias of this.graph.entities.aliases[node]) {
      if (!spellings.has(folded(alias))) spellings.set(folded(alias), alias);
    }
    const names = [...spellings.values()].filter(Boolean).sort((a, b) => a.length - b.length);
    const rest = names.splice(ALIASES);
    const more = rest.length ? ` and ${rest.length} more` : "";
    return names.length
      ? element("p.quiet", { title: rest.join(", ") }, `Also called ${names.join(", ")}${more}`)
      : null;
  }

  /** @param {string} start @param {number[]} nodes */
  #linkList(start, nodes) {
    const links = nodes.map((node) => this.actions.link(node));
    return nodes.length ? element("p", start, intersperse(links, ", ")) : null;
  }

  /** Return a chart of papers per year, if at least two years are known. @param {number} node */
  #timeline(node) {
    const { graph } = this;
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const paper of graph.mentionPartners(node)) {
      const year = graph.yearOf(paper);
      if (year) counts.set(year, (counts.get(year) ?? 0) + 1);
    }
    return counts.size > 1 ? section("Papers by year", 0, timeline(counts, graph.type[node])) : null;
  }

  /**
   * Return the papers by role, newest first; the most confident introduction comes first, with its evidence open.
   * @param {number} node
   */
  #roles(node) {
    const { roles, relations } = this.graph;
    /** @param {number} i */
    const date = (i) => this.graph.dateOf(relations.from[i]);
    /** @param {number} a @param {number} b */
    const newest = (a, b) => date(b).localeCompare(date(a)) || a - b;
    /** @param {number} a @param {number} b */
    const mostConfident = (a, b) => relations.confidence[b] - relations.confidence[a] || newest(a, b);
    return byRole(this.graph, node).map(([role, claims], at) => {
      const sorted = claims.sort(roles[role].name === "introduces" ? mostConfident : newest);
      /** @param {number} i */
      const row = (i) => this.evidence.relationRow(relations.from[i], i, !at && i === sorted[0]);
      return section(roleHeading(roles[role].label), sorted.length, longList(sorted, row), roleIcon(role));
    });
  }

  /** Return the entities it is compared with, by papers that introduce either of the two. @param {number} node */
  #comparisons(node) {
    const comparisons = [...this.#comparedEntities(node)].sort(
      ([, a], [, b]) => b.confidence - a.confidence || a.claim - b.claim,
    );
    /** @param {[number, Comparison]} comparison */
    const row = ([other, { claim, outcome }]) => this.#comparison(other, claim, outcome);
    return comparisons.length ? section("Compared with", comparisons.length, longList(comparisons, row)) : null;
  }

  /**
   * Map each compared entity to the most confident relation that compares the two, and its outcome.
   * @param {number} node
   */
  #comparedEntities(node) {
    const { relations, relationsOf } = this.graph;
    /** @type {Map<number, Comparison>} */
    const found = new Map();
    /** @param {number} other @param {number} claim @param {string} outcome */
    const add = (other, claim, outcome) => {
      const confidence = relations.confidence[claim];
      if (other !== node && (found.get(other)?.confidence ?? -1) < confidence)
        found.set(other, { claim, confidence, outcome });
    };
    for (const i of relationsOf.of(node)) {
      for (const j of relationsOf.of(relations.from[i])) {
        if (this.#isIntroduction(i) && this.#isComparison(j))
          add(relations.to[j], j, this.#isOutperforming(j) ? "is outperformed by it" : "");
        if (this.#isComparison(i) && this.#isIntroduction(j))
          add(relations.to[j], i, this.#isOutperforming(i) ? "outperforms it" : "");
      }
    }
    return found;
  }

  /** @param {number} relation */
  #role(relation) {
    return this.graph.roles[this.graph.relations.label[relation]].name;
  }

  /** @param {number} relation */
  #isIntroduction(relation) {
    return this.#role(relation) === "introduces";
  }

  /** @param {number} relation */
  #isOutperforming(relation) {
    return this.#role(relation) === "outperforms";
  }

  /** @param {number} relation */
  #isComparison(relation) {
    return this.#isOutperforming(relation) || (this.#role(relation) === "comparesTo" && !this.graph.isImplied(relation));
  }

  /** @param {number} other @param {number} claim @param {string} outcome */
  #comparison(other, claim, outcome) {
    const { relations } = this.graph;
    const facts = element("span.quiet", outcome ? ` ${outcome}` : "", confidenceLabel(relations, claim));
    const content = [this.actions.link(other), facts];
    return this.evidence.row(content, relations.from[claim], relations.evidence[claim], roleSubject(claim));
  }

  /** Return the entities that the same papers mention, most frequent first. @param {number} node */
  #coMentions(node) {
    const { graph } = this;
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const paper of graph.mentionPartners(node)) {
      for (const other of graph.mentionPartners(paper)) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    counts.delete(node);
    if (!counts.size) return null;
    const sorted = [...counts].sort(
      ([a, m], [b, n]) => n - m || graph.mentionCounts[b] - graph.mentionCounts[a] || a - b,
    );
    return section(
      "Mentioned together with",
      sorted.length,
      longList(sorted, ([other, papers]) => this.#coMention(node, other, papers)),
    );
  }

  /** @param {number} node @param {number} other @param {number} papers */
  #coMention(node, other, papers) {
    const both = { className: "count", title: "Show the papers that mention both" };
    const open = button(plural(papers, "paper"), () => this.actions.edge(node, other), both);
    return element("li", this.actions.link(other), open);
  }
}

/**
 * Return the heading of a list of papers, such as "Papers that evaluate on it" for the role "evaluates on".
 * @param {string} label
 */
function roleHeading(label) {
  const [verb, ...rest] = label.split(" ");
  return ["Papers that", verb.replace(/s$/, ""), ...rest, "it"].join(" ");
}
