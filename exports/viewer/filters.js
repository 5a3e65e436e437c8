/* What of the graph is shown: from the state to masks over nodes and one compact list of edges. */

/** The edges of the current view: `from` and `to` are nodes, `weight` counts what stands behind each. */
class Edges {
  constructor(size, from, to, weight, label) {
    Object.assign(this, { from, to, weight, label, count: from.length });
    this.of = new Incidence(size, from, to);
  }

  other(edge, node) {
    return this.from[edge] === node ? this.to[edge] : this.from[edge];
  }

  neighbours(node) {
    return new Set(Array.from(this.of.of(node), (edge) => this.other(edge, node)));
  }
}

class Shown {
  constructor(graph, state, admitted) {
    this.graph = graph;
    this.state = state;
    this.view = state.get("view");
    this.off = state.names("off");
    this.admitted = admitted;
    this.relation = this.#relations();
    this.papers = this.#papersOf();
    this.node = this.#nodes();
    this.edges = this.#edges();
    this.#focus();
    this.list = this.#list();
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
    const { from, to, label, sure, count } = graph.relations;
    const roleOff = graph.roles.map((role) => off.has(role.name));
    const typeOff = graph.types.map((type) => off.has(type.name));
    const least = this.state.number("sure");
    const inTime = new Uint8Array(graph.size);
    for (let node = graph.entityCount; node < graph.size; node++) inTime[node] = this.#inTime(node);
    this.inTime = inTime;
    const mask = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      mask[i] = !roleOff[label[i]] && !typeOff[graph.type[to[i]]] && sure[i] >= least && inTime[from[i]];
    }
    return mask;
  }

  /** How many papers name each thing, by the relations that pass. */
  #papersOf() {
    const { from, to, count } = this.graph.relations;
    const papers = new Int32Array(this.graph.size);
    const last = new Int32Array(this.graph.size).fill(-1);
    for (let i = 0; i < count; i++) {
      if (!this.relation[i] || last[to[i]] === from[i]) continue;
      last[to[i]] = from[i];
      papers[to[i]]++;
    }
    return papers;
  }

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
      if (off.has("Paper")) mask[node] = 0;
    }
    return this.#inView(mask);
  }

  #inView(mask) {
    const { graph, view, admitted } = this;
    if (view === "things") mask.fill(0, graph.entityCount);
    if (view === "papers") mask.fill(0, 0, graph.entityCount);
    this.possible = mask.reduce((sum, on) => sum + on, 0);
    if (admitted) for (let node = 0; node < graph.size; node++) mask[node] &= admitted[node];
    return mask;
  }

  #edges() {
    if (this.view === "things") return this.#together();
    if (this.view === "papers") return this.#pick(this.graph.links, this.#linkPasses());
    return this.#pick(this.graph.relations, (i) => this.relation[i]);
  }

  #linkPasses() {
    const { graph, off, papers } = this;
    const { label, via, sure } = graph.links;
    const kindOff = graph.kinds.map((kind) => off.has(`link ${kind.name}`));
    const least = this.state.number("sure");
    return (i) => !kindOff[label[i]] && sure[i] >= least && (papers[via[i]] > 0 || graph.uses[via[i]] === 0);
  }

  /** The edges of a set that pass and whose ends are both shown; parallel ones become one with its weight. */
  #pick(set, passes) {
    const ends = new Map();
    const kept = [];
    for (let i = 0; i < set.count; i++) {
      if (!this.node[set.from[i]] || !this.node[set.to[i]] || !passes(i)) continue;
      const pair = set.from[i] * this.graph.size + set.to[i];
      const known = ends.get(pair);
      if (known === undefined) ends.set(pair, kept.push([set.from[i], set.to[i], 1, set.label[i]]) - 1);
      else kept[known][2]++;
    }
    return this.#compact(kept);
  }

  /** Things joined by the papers that name both. */
  #together() {
    const { graph } = this;
    const weights = new Map();
    for (let paper = graph.entityCount; paper < graph.size; paper++) {
      const things = [...new Set(this.#thingsOf(paper))].sort((a, b) => a - b);
      for (let i = 0; i < things.length; i++) {
        for (let j = i + 1; j < things.length; j++) {
          const pair = things[i] * graph.size + things[j];
          weights.set(pair, (weights.get(pair) ?? 0) + 1);
        }
      }
    }
    const size = graph.size;
    return this.#compact(Array.from(weights, ([pair, weight]) => [Math.floor(pair / size), pair % size, weight, 0]));
  }

  *#thingsOf(paper) {
    for (const i of this.graph.relationsOf.of(paper)) {
      if (this.relation[i] && this.node[this.graph.relations.to[i]]) yield this.graph.relations.to[i];
    }
  }

  #compact(rows) {
    const column = (at, Kind) => Kind.from(rows, (row) => row[at]);
    return new Edges(
      this.graph.size,
      column(0, Int32Array),
      column(1, Int32Array),
      column(2, Int32Array),
      column(3, Uint8Array),
    );
  }

  /** Keep the neighbourhood of the focus only. */
  #focus() {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return;
    const near = this.reach(focus, this.state.number("steps"));
    for (let node = 0; node < this.graph.size; node++) if (!near.has(node)) this.node[node] = 0;
    const { from, to, weight, label } = this.edges;
    const rows = [];
    for (let i = 0; i < from.length; i++) {
      if (this.node[from[i]] && this.node[to[i]]) rows.push([from[i], to[i], weight[i], label[i]]);
    }
    this.edges = this.#compact(rows);
  }

  /** The nodes within so many steps, each with its number of steps. */
  reach(node, steps) {
    const far = new Map([[node, 0]]);
    for (const here of far.keys()) {
      if (far.get(here) === steps) continue;
      for (const next of this.edges.neighbours(here)) if (!far.has(next)) far.set(next, far.get(here) + 1);
    }
    return far;
  }

  /** The nodes on a shortest way from a to b, both included; empty where there is none. */
  path(a, b) {
    const before = new Map([[a, -1]]);
    for (const here of before.keys()) {
      if (here === b) break;
      for (const next of this.edges.neighbours(here)) if (!before.has(next)) before.set(next, here);
    }
    if (!before.has(b)) return [];
    const way = [];
    for (let node = b; node >= 0; node = before.get(node)) way.unshift(node);
    return way;
  }

  /** The shown nodes, most used first: the order in which labels are given out. */
  #list() {
    const nodes = [];
    for (let node = 0; node < this.graph.size; node++) if (this.node[node]) nodes.push(node);
    const { graph } = this;
    const rank = (node) => (graph.isPaper(node) ? graph.uses[node] / 1000 : this.papers[node]);
    return nodes.sort((a, b) => rank(b) - rank(a) || a - b);
  }

  #counts() {
    const { graph } = this;
    const types = new Array(graph.types.length + 1).fill(0);
    for (const node of this.list) types[graph.type[node]]++;
    const tally = (size, set, passes) => {
      const counts = new Array(size).fill(0);
      for (let i = 0; i < set.count; i++) if (passes(i)) counts[set.label[i]]++;
      return counts;
    };
    const linkPasses = this.#linkPasses();
    const both = (set, i) => this.node[set.from[i]] && this.node[set.to[i]];
    return {
      types,
      roles: tally(graph.roles.length, graph.relations, (i) => this.relation[i]),
      kinds: tally(graph.kinds.length, graph.links, (i) => linkPasses(i) && both(graph.links, i)),
    };
  }
}
