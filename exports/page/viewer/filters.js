/* What of the graph is shown: from the state to masks over nodes and one compact list of edges. */

class Shown {
  /** `pick` chooses the part of a big graph that is shown: a mask over the nodes, chosen among those that pass; or null. */
  constructor(graph, state, pick) {
    this.graph = graph;
    this.state = state;
    this.view = state.get("view");
    this.off = state.names("off");
    this.relation = this.#relations();
    this.papers = this.#papersOf();
    this.passing = this.#nodes();
    this.part = pick ? pick(this) : this.passing;
    this.node = this.#inView();
    this.edges = this.#edges();
    this.#focus();
    this.list = this.#list();
    this.most = Math.max(1, ...this.list.slice(0, 1).map((node) => this.rank(node)));
    this.counts = this.#counts();
  }

  /** Whether the year of a paper lies in the chosen range; papers without a year lie in the whole range only. */
  #inTime(paper) {
    const { from, to } = this.state.values;
    const year = this.graph.yearOf(paper);
    if (!from && !to) return true;
    return year > 0 && year >= (Number(from) || 0) && year <= (Number(to) || 9999);
  }

  #relations() {
    const { graph, off } = this;
    const { from, to, label, sure, known, count } = graph.relations;
    const roleOff = graph.roles.map((role) => off.has(role.name));
    const knownOff = off.has(KNOWN);
    const typeOff = graph.types.map((type) => off.has(type.name));
    const least = this.state.number("sure");
    this.inTime = new Uint8Array(graph.size);
    for (let node = graph.entityCount; node < graph.size; node++) this.inTime[node] = this.#inTime(node);
    const mask = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const open = !roleOff[label[i]] && !typeOff[graph.type[to[i]]] && !(known[i] && knownOff);
      mask[i] = open && sure[i] >= least && this.inTime[from[i]];
    }
    return mask;
  }

  /** How many papers name each thing, by the relations that pass. */
  #papersOf() {
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

  /** The nodes that pass the filters, whatever the view. */
  #nodes() {
    const { graph, off, papers } = this;
    const least = Math.max(1, this.state.number("papers"));
    const mask = new Uint8Array(graph.size);
    for (let node = 0; node < graph.entityCount; node++) {
      const enough = papers[node] >= least || (least === 1 && graph.uses[node] === 0);
      mask[node] = enough && !off.has(graph.types[graph.type[node]].name);
    }
    const { from, to, count } = graph.relations;
    for (let i = 0; i < count; i++) {
      this.relation[i] &= mask[to[i]];
      if (this.relation[i]) mask[from[i]] = 1;
    }
    for (let node = graph.entityCount; node < graph.size; node++) {
      if (graph.uses[node] === 0 && least === 1) mask[node] = this.inTime[node];
      if (off.has(graph.isStub(node) ? STUB : PAPER)) mask[node] = 0;
    }
    return mask;
  }

  #inView() {
    const { graph, view, part } = this;
    const mask = this.passing.slice();
    if (view === "things") mask.fill(0, graph.entityCount);
    if (view === "papers") mask.fill(0, 0, graph.entityCount);
    this.possible = mask.reduce((sum, on) => sum + on, 0);
    return mask.map((on, node) => on & part[node]);
  }

  #edges() {
    const rows = {
      things: () => [...this.#together(), ...this.#kin()],
      papers: () => [...this.#picked(this.graph.links, this.#linkPasses()), ...this.#references()],
      both: () => [...this.#picked(this.graph.relations, (i) => this.relation[i]), ...this.#kin()],
    };
    return new Edges(this.graph.size, (rows[this.view] ?? rows.both)());
  }

  #linkPasses() {
    const { graph, off, papers } = this;
    const { label, via, sure } = graph.links;
    const kindOff = graph.kinds.map((kind) => off.has(`link ${kind.name}`));
    const least = this.state.number("sure");
    return (i) => !kindOff[label[i]] && sure[i] >= least && (papers[via[i]] > 0 || graph.uses[via[i]] === 0);
  }

  /** The edges of a set that pass and whose ends are both shown; parallel ones become one with its weight. */
  #picked(set, passes) {
    const { size } = this.graph;
    const known = new Map();
    const rows = [];
    for (let i = 0; i < set.count; i++) {
      const [from, to] = [set.from[i], set.to[i]];
      if (!this.node[from] || !this.node[to] || !passes(i)) continue;
      const row = known.get(from * size + to);
      if (row) row[2]++;
      else {
        rows.push([from, to, 1, set.label[i]]);
        known.set(from * size + to, rows[rows.length - 1]);
      }
    }
    return rows;
  }

  /** Papers joined to those on their lists of references. */
  #references() {
    return this.off.has("reference") ? [] : this.#picked(this.graph.citations, () => true);
  }

  /** Variants joined to the wider thing. */
  #kin() {
    const { from, to } = this.graph.families;
    if (this.off.has("variant")) return [];
    return Array.from(from, (variant, i) => [variant, to[i], 1, VARIANT]).filter(
      ([variant, wide]) => this.node[variant] && this.node[wide],
    );
  }

  /** Things joined by the papers that name both. */
  #together() {
    const { size } = this.graph;
    const weights = new Map();
    for (let paper = this.graph.entityCount; paper < size; paper++) {
      const things = [...this.thingsOf(paper)].filter((thing) => this.node[thing]).sort((a, b) => a - b);
      for (let i = 0; i < things.length; i++) {
        for (let j = i + 1; j < things.length; j++) {
          const pair = things[i] * size + things[j];
          weights.set(pair, (weights.get(pair) ?? 0) + 1);
        }
      }
    }
    return Array.from(weights, ([pair, weight]) => [Math.floor(pair / size), pair % size, weight, TOGETHER]);
  }

  /** The things that a paper at hand names by relations that pass, each once. */
  thingsOf(paper) {
    if (this.graph.isStub(paper)) return new Set();
    const { to } = this.graph.relations;
    const relations = Array.from(this.graph.relationsOf.of(paper)).filter((i) => this.relation[i]);
    return new Set(relations.map((i) => to[i]));
  }

  /** Keep the neighbourhood of the focus only. */
  #focus() {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return;
    const near = this.#reach(focus, this.state.number("steps"));
    for (let node = 0; node < this.graph.size; node++) this.node[node] &= near.has(node);
    this.edges = this.edges.within(this.graph.size, this.node);
  }

  /** The nodes within so many steps, each with its number of steps. */
  #reach(node, steps) {
    const far = new Map([[node, 0]]);
    for (const here of far.keys()) {
      if (far.get(here) === steps) break;
      const beside = this.node[here] ? this.edges.neighbours(here) : this.#related(here);
      for (const next of beside) if (!far.has(next)) far.set(next, far.get(here) + 1);
    }
    return far;
  }

  /** What relations that pass join with a node that the view leaves out: the papers of an entity, the entities of a paper. */
  #related(node) {
    const { from, to } = this.graph.relations;
    const passing = Array.from(this.graph.relationsOf.of(node)).filter((i) => this.relation[i]);
    return passing.map((i) => (from[i] === node ? to[i] : from[i]));
  }

  /** The nodes on a shortest way from a to b, both included; empty where there is none. */
  path(a, b) {
    const before = new Map([[a, -1]]);
    for (let layer = [a]; layer.length && !before.has(b);) {
      const next = this.#nextLayer(layer, before);
      for (const [node, { from }] of next) before.set(node, from);
      layer = [...next].sort((p, q) => p[1].cost - q[1].cost).map(([node]) => node);
    }
    if (!before.has(b)) return [];
    const way = [];
    for (let node = b; node >= 0; node = before.get(node)) way.unshift(node);
    return way;
  }

  /** The nodes one step on; of ways equally long, those with strong claims and few other uses win. */
  #nextLayer(layer, before) {
    const next = new Map();
    layer.forEach((here, order) => {
      for (const edge of this.edges.at.of(here)) {
        const node = this.edges.other(edge, here);
        const cost =
          order / layer.length + Math.min(this.edges.label[edge], 9) + Math.log2(this.edges.at.of(node).length);
        if (!before.has(node) && !(next.get(node)?.cost <= cost)) next.set(node, { from: here, cost });
      }
    });
    return next;
  }

  /** What a node weighs: the papers that name a thing; for a paper, how often others take it up. */
  rank(node) {
    if (!this.graph.isPaper(node)) return this.papers[node];
    return this.view === "papers" ? this.graph.influence(node) + 0.1 * this.edges.at.of(node).length : 0;
  }

  /** The shown nodes, weightiest first: the order in which names are given out. */
  #list() {
    const ranks = new Map();
    for (let node = 0; node < this.graph.size; node++) if (this.node[node]) ranks.set(node, this.rank(node));
    return [...ranks.keys()].sort((a, b) => ranks.get(b) - ranks.get(a) || a - b);
  }

  /** Of every type, role and kind of link, how many pass and how many of these belong to the part that is shown. */
  #counts() {
    const [all, some] = [this.#countsIn(this.passing, true), this.#countsIn(this.part, false)];
    const pairs = (name) => all[name].map((count, i) => [some[name][i], count]);
    return Object.fromEntries(Object.keys(all).map((name) => [name, pairs(name)]));
  }

  /** The counts among the nodes of a mask, whatever the view; relations that pass count `whole`, or with both ends. */
  #countsIn(mask, whole) {
    const { graph } = this;
    const types = new Array(graph.types.length + 2).fill(0);
    for (let node = 0; node < graph.size; node++) types[graph.type[node]] += mask[node];
    const inside = (set) => (i) => mask[set.from[i]] && mask[set.to[i]];
    const tally = (size, set, passes) => {
      const counts = new Array(size).fill(0);
      for (let i = 0; i < set.count; i++) if (passes(i)) counts[set.label[i]]++;
      return counts;
    };
    const { relations, links, families, citations } = graph;
    const drawn = inside(relations);
    const said = (known) => (i) => this.relation[i] && relations.known[i] === known && (whole || drawn(i));
    const linkPasses = this.#linkPasses();
    return {
      types,
      roles: tally(graph.roles.length, relations, said(0)),
      known: [countOf(relations, said(1))],
      variants: [countOf(families, inside(families))],
      references: [countOf(citations, inside(citations))],
      kinds: tally(graph.kinds.length, links, (i) => inside(links)(i) && linkPasses(i)),
    };
  }

  /** What joins the nodes of the drawing: how many of each kind, in the words of the legend and of `kg build`. */
  joined() {
    const { graph, node, off, edges } = this;
    const inside = (set) => (i) => node[set.from[i]] && node[set.to[i]];
    const number = (set, passes) => countOf(set, (i) => inside(set)(i) && passes(i));
    const said = (known) => number(graph.relations, (i) => this.relation[i] && graph.relations.known[i] === known);
    const kin = off.has("variant") ? 0 : number(graph.families, () => true);
    const cited = off.has("reference") ? 0 : number(graph.citations, () => true);
    const pairs = edges.label.reduce((sum, label) => sum + (label === TOGETHER), 0);
    const named = {
      things: [[pairs, "pair named together", "pairs named together"], [kin, "variant"]],
      papers: [[number(graph.links, this.#linkPasses()), "link"], [cited, "reference"]],
      both: [[said(0), "relation"], [said(1), "known introduction"], [kin, "variant"]],
    };
    return (named[this.view] ?? named.both).filter(([many]) => many).map((row) => plural(...row));
  }
}

/** How many edges of a set pass. */
function countOf(set, passes) {
  let many = 0;
  for (let i = 0; i < set.count; i++) if (passes(i)) many++;
  return many;
}
