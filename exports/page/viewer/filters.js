/* The visible part of the graph: computes masks over the nodes and a compact edge list from the state. */

class VisibleGraph {
  /**
   * `pick` selects the excerpt of a large graph: it returns a mask over the nodes that pass the filters; or it is null.
   * @param {Graph} graph
   * @param {State} state
   * @param {((shown: VisibleGraph) => Uint8Array) | null} pick
   */
  constructor(graph, state, pick) {
    this.graph = graph;
    this.state = state;
    this.view = state.get("view");
    this.off = state.names("off");
    this.topic = graph.topics.find(state.get("topic"));
    this.isInYears = this.#yearMask();
    this.relation = this.#relations();
    this.papers = this.#countPapers();
    this.passing = this.#nodes();
    this.part = pick ? pick(this) : this.passing;
    const inView = this.#inView();
    this.passingCount = countOfOnes(inView);
    this.node = inView.map((on, node) => on & this.part[node]);
    this.edges = this.#edges();
    this.#focus();
    this.list = this.#list();
    this.maxRank = Math.max(1, ...this.list.slice(0, 1).map((node) => this.rank(node)));
    this.counts = this.#counts();
    this.topicPapers = topicPapers(graph, this.passing);
  }

  /**
   * Whether the year of a paper lies in the selected range; papers without a year pass only if no range is selected.
   * @param {number} paper
   */
  #isInYears(paper) {
    const { from, to } = this.state.values;
    const year = this.graph.yearOf(paper);
    if (!from && !to) return true;
    return year > 0 && year >= (Number(from) || 0) && year <= (Number(to) || 9999);
  }

  #yearMask() {
    const { entityCount, size } = this.graph;
    const mask = new Uint8Array(size);
    for (let paper = entityCount; paper < size; paper++) mask[paper] = Number(this.#isInYears(paper));
    return mask;
  }

  /** Whether a node belongs to the chosen topic, if one is chosen. @param {number} node */
  #isInTopic(node) {
    return this.topic < 0 || this.graph.topics.of[node] === this.topic;
  }

  /**
   * Whether both ends of a relation belong to the chosen topic; papers outside the corpus belong to every topic.
   * @param {number} from
   * @param {number} to
   */
  #joinsTopic(from, to) {
    return this.#isInTopic(to) && (this.#isInTopic(from) || this.graph.isStub(from));
  }

  #relations() {
    const { graph, off } = this;
    const { from, to, label, confidence, known, count } = graph.relations;
    const roleOff = graph.roles.map((role) => off.has(role.name));
    const isKnownOff = off.has(KNOWN);
    const typeOff = graph.types.map((type) => off.has(type.name));
    const minimum = this.state.number("confidence");
    const mask = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const isOn = !roleOff[label[i]] && !typeOff[graph.type[to[i]]] && !(known[i] && isKnownOff);
      const isPassing = isOn && confidence[i] >= minimum && this.isInYears[from[i]] === 1;
      mask[i] = Number(isPassing && this.#joinsTopic(from[i], to[i]));
    }
    return mask;
  }

  /** Return the number of papers that mention each entity, over the relations that pass the filters. */
  #countPapers() {
    const { from, to, known, count } = this.graph.relations;
    const papers = new Int32Array(this.graph.size);
    const last = new Int32Array(this.graph.size).fill(-1);
    for (let i = 0; i < count; i++) {
      if (!this.relation[i] || last[to[i]] === from[i] || known[i]) continue;
      last[to[i]] = from[i];
      papers[to[i]]++;
    }
    return papers;
  }

  /** Return the mask of the nodes that pass the filters, regardless of the view. */
  #nodes() {
    const { graph, off, papers } = this;
    const minimum = Math.max(1, this.state.number("papers"));
    const mask = new Uint8Array(graph.size);
    for (let node = 0; node < graph.entityCount; node++) {
      const enough = papers[node] >= minimum || (minimum === 1 && graph.mentionCounts[node] === 0);
      const isOn = !graph.hidden[node] && !off.has(graph.types[graph.type[node]].name);
      mask[node] = Number(enough && isOn && this.#isInTopic(node));
    }
    const { from, to, count } = graph.relations;
    for (let i = 0; i < count; i++) {
      this.relation[i] &= mask[to[i]];
      if (this.relation[i]) mask[from[i]] = 1;
    }
    for (let node = graph.entityCount; node < graph.size; node++) {
      if (graph.mentionCounts[node] === 0 && minimum === 1 && this.#isInTopic(node)) mask[node] = this.isInYears[node];
      if (graph.hidden[node] || off.has(graph.isStub(node) ? STUB : PAPER)) mask[node] = 0;
    }
    return mask;
  }

  /** Return the mask of the passing nodes that the view draws. */
  #inView() {
    const { graph, view } = this;
    const mask = this.passing.slice();
    if (view === "entities") mask.fill(0, graph.entityCount);
    if (view === "papers") mask.fill(0, 0, graph.entityCount);
    return mask;
  }

  #edges() {
    /** @type {Record<string, () => number[][]>} */
    const rows = {
      entities: () => [...this.#coMentionEdges(), ...this.#variantEdges()],
      papers: () => [...this.#mergedEdges(this.graph.links, this.#linkPasses()), ...this.#referenceEdges()],
      both: () => [...this.#mergedEdges(this.graph.relations, (i) => this.relation[i]), ...this.#variantEdges()],
    };
    return new Edges(this.graph.size, (rows[this.view] ?? rows.both)());
  }

  /** @returns {EdgeTest} */
  #linkPasses() {
    const { graph, off, papers } = this;
    const { label, via, confidence } = graph.links;
    const kindOff = graph.kinds.map((kind) => off.has(`link ${kind.name}`));
    const minimum = this.state.number("confidence");
    return (i) =>
      !kindOff[label[i]] && confidence[i] >= minimum && (papers[via[i]] > 0 || graph.mentionCounts[via[i]] === 0);
  }

  /**
   * Return the edges of a set that pass and whose ends are both shown. Parallel edges are merged and weighted; the
   * merged edge has the strongest label.
   * @param {EdgeSet} set
   * @param {EdgeTest} passes
   */
  #mergedEdges(set, passes) {
    const { size } = this.graph;
    /** @type {Map<number, number[]>} */
    const known = new Map();
    /** @type {number[][]} */
    const rows = [];
    for (let i = 0; i < set.count; i++) {
      const [from, to] = [set.from[i], set.to[i]];
      if (!this.node[from] || !this.node[to] || !passes(i)) continue;
      const row = known.get(from * size + to);
      if (row) {
        row[2]++;
        row[3] = Math.min(row[3], set.label[i]);
      } else {
        rows.push([from, to, 1, set.label[i]]);
        known.set(from * size + to, rows[rows.length - 1]);
      }
    }
    return rows;
  }

  /** Return the edges from papers to the papers in their reference lists. */
  #referenceEdges() {
    return this.off.has("reference") ? [] : this.#mergedEdges(this.graph.citations, () => true);
  }

  /** Return the edges from variants to the broader entity. */
  #variantEdges() {
    const { from, to } = this.graph.families;
    if (this.off.has("variant")) return [];
    return Array.from(from, (variant, i) => [variant, to[i], 1, VARIANT]).filter(
      ([variant, broader]) => this.node[variant] && this.node[broader],
    );
  }

  /** Return the edges between entities that the same paper mentions. */
  #coMentionEdges() {
    const { size } = this.graph;
    /** @type {Map<number, number>} */
    const weights = new Map();
    for (let paper = this.graph.entityCount; paper < size; paper++) {
      const entities = [...this.entitiesOf(paper)].filter((entity) => this.node[entity]).sort((a, b) => a - b);
      for (let i = 0; i < entities.length; i++) {
        for (let j = i + 1; j < entities.length; j++) {
          const pair = entities[i] * size + entities[j];
          weights.set(pair, (weights.get(pair) ?? 0) + 1);
        }
      }
    }
    return Array.from(weights, ([pair, weight]) => [Math.floor(pair / size), pair % size, weight, CO_MENTION]);
  }

  /**
   * Return the entities that a corpus paper mentions, over the relations that pass the filters.
   * @param {number} paper
   * @returns {Set<number>}
   */
  entitiesOf(paper) {
    if (this.graph.isStub(paper)) return new Set();
    const { to } = this.graph.relations;
    const relations = Array.from(this.graph.relationsOf.of(paper)).filter((i) => this.relation[i]);
    return new Set(relations.map((i) => to[i]));
  }

  /** Restrict the drawing to the neighbourhood of the focused node. */
  #focus() {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return;
    const nearby = this.#neighbourhood(focus, this.state.number("steps"));
    for (let node = 0; node < this.graph.size; node++) this.node[node] &= Number(nearby.has(node));
    this.edges = this.edges.within(this.graph.size, this.node);
  }

  /**
   * Return the nodes within a number of steps, each with its distance (breadth-first search).
   * @param {number} node
   * @param {number} steps
   */
  #neighbourhood(node, steps) {
    const distances = new Map([[node, 0]]);
    for (const [here, distance] of distances) {
      if (distance === steps) break;
      const neighbours = this.node[here] ? this.edges.neighbours(here) : this.#relatedNodes(here);
      for (const next of neighbours) if (!distances.has(next)) distances.set(next, distance + 1);
    }
    return distances;
  }

  /**
   * Return the neighbours of a node that the view leaves out: the papers of an entity, the entities of a paper.
   * @param {number} node
   */
  #relatedNodes(node) {
    const { from, to } = this.graph.relations;
    const passing = Array.from(this.graph.relationsOf.of(node)).filter((i) => this.relation[i]);
    return passing.map((i) => (from[i] === node ? to[i] : from[i]));
  }

  /**
   * Return the nodes on a shortest path from a to b, both included; empty if there is none.
   * @param {number} a
   * @param {number} b
   */
  path(a, b) {
    const previous = new Map([[a, -1]]);
    for (let layer = [a]; layer.length && !previous.has(b);) {
      const next = this.#nextLayer(layer, previous);
      for (const [node, { from }] of next) previous.set(node, from);
      layer = [...next].sort((p, q) => p[1].cost - q[1].cost).map(([node]) => node);
    }
    if (!previous.has(b)) return [];
    const path = [];
    for (let node = b; node >= 0; node = previous.get(node) ?? -1) path.unshift(node);
    return path;
  }

  /**
   * Return the next layer of the search; among equally short paths, strong roles and low-degree nodes are preferred.
   * @param {number[]} layer
   * @param {Map<number, number>} previous
   */
  #nextLayer(layer, previous) {
    /** @type {Map<number, Arrival>} */
    const next = new Map();
    layer.forEach((here, order) => {
      for (const edge of this.edges.incidence.of(here)) {
        const node = this.edges.other(edge, here);
        const cost =
          order / layer.length + Math.min(this.edges.label[edge], 9) + Math.log2(this.edges.incidence.of(node).length);
        if (!previous.has(node) && cost < (next.get(node)?.cost ?? Infinity)) next.set(node, { from: here, cost });
      }
    });
    return next;
  }

  /** Return the rank of a node: the papers that mention an entity; the influence of a paper. @param {number} node */
  rank(node) {
    if (!this.graph.isPaper(node)) return this.papers[node];
    return this.view === "papers" ? this.graph.influence(node) + 0.1 * this.edges.incidence.of(node).length : 0;
  }

  /** Return the shown nodes by descending rank, which is the order of labelling. */
  #list() {
    /** @type {Map<number, number>} */
    const ranks = new Map();
    for (let node = 0; node < this.graph.size; node++) if (this.node[node]) ranks.set(node, this.rank(node));
    return [...ranks].sort(([a, m], [b, n]) => n - m || a - b).map(([node]) => node);
  }

  /** Return pairs (shown, passing) for each type, role and kind of link. @returns {Counts} */
  #counts() {
    const [all, some] = [this.#countsIn(this.passing, true), this.#countsIn(this.part, false)];
    /** @param {keyof Tallies} name */
    const pairs = (name) => all[name].map((count, i) => [some[name][i], count]);
    return {
      types: pairs("types"),
      roles: pairs("roles"),
      known: pairs("known"),
      variants: pairs("variants"),
      references: pairs("references"),
      kinds: pairs("kinds"),
    };
  }

  /**
   * Count within a mask, regardless of the view; `whole` also counts relations with only one end in the mask.
   * @param {Uint8Array} mask
   * @param {boolean} whole
   * @returns {Tallies}
   */
  #countsIn(mask, whole) {
    const { graph } = this;
    /** @type {number[]} */
    const types = new Array(graph.types.length + 2).fill(0);
    for (let node = 0; node < graph.size; node++) types[graph.type[node]] += mask[node];
    /** @param {PairSet} set @returns {EdgeTest} */
    const inside = (set) => (i) => mask[set.from[i]] && mask[set.to[i]];
    /** @param {number} size @param {EdgeSet} set @param {EdgeTest} passes */
    const tally = (size, set, passes) => {
      /** @type {number[]} */
      const counts = new Array(size).fill(0);
      for (let i = 0; i < set.count; i++) if (passes(i)) counts[set.label[i]]++;
      return counts;
    };
    const { relations, links, families, citations } = graph;
    const drawn = inside(relations);
    /** @param {number} known @returns {EdgeTest} */
    const relationCount = (known) => (i) => this.relation[i] && relations.known[i] === known && (whole || drawn(i));
    const linkPasses = this.#linkPasses();
    return {
      types,
      roles: tally(graph.roles.length, relations, relationCount(0)),
      known: [countOf(relations, relationCount(1))],
      variants: [countOf(families, inside(families))],
      references: [countOf(citations, inside(citations))],
      kinds: tally(graph.kinds.length, links, (i) => inside(links)(i) && linkPasses(i)),
    };
  }

  /** Return the number of edges of each kind in the drawing, in the words of the legend and of `kg build`. */
  edgeCounts() {
    const { graph, node, off, edges } = this;
    /** @param {PairSet} set @returns {EdgeTest} */
    const inside = (set) => (i) => node[set.from[i]] && node[set.to[i]];
    /** @param {PairSet} set @param {EdgeTest} passes */
    const number = (set, passes) => countOf(set, (i) => inside(set)(i) && passes(i));
    /** @param {number} known */
    const relationCount = (known) =>
      number(graph.relations, (i) => this.relation[i] && graph.relations.known[i] === known);
    const variants = off.has("variant") ? 0 : number(graph.families, () => true);
    const references = off.has("reference") ? 0 : number(graph.citations, () => true);
    const pairs = edges.label.filter((label) => label === CO_MENTION).length;
    /** @type {Record<string, [number, string, string?][]>} */
    const byView = {
      entities: [
        [pairs, "pair mentioned together", "pairs mentioned together"],
        [variants, "variant"],
      ],
      papers: [
        [number(graph.links, this.#linkPasses()), "link"],
        [references, "reference"],
      ],
      both: [
        [relationCount(0), "relation"],
        [relationCount(1), "known introduction"],
        [variants, "variant"],
      ],
    };
    return (byView[this.view] ?? byView.both).filter(([count]) => count).map((row) => plural(...row));
  }
}

/** Return how many edges of a set pass. @param {{ count: number }} set @param {EdgeTest} passes */
function countOf(set, passes) {
  let count = 0;
  for (let i = 0; i < set.count; i++) if (passes(i)) count++;
  return count;
}
