/* Draws what is shown: a still picture of all of it, and over that what the reader points at. */

const LIVELY = 2500; // below so many marks every frame is drawn anew; above, a moving frame is a moved picture
const MARGIN = 0.2; // how far the picture reaches beyond the window, so that a move uncovers something
const SEGMENTS = 400; // lines in one stroke: very long paths are slow to draw

class Painter {
  constructor(graph) {
    this.graph = graph;
    this.still = document.createElement("canvas");
    this.labels = new Labels(graph);
    this.hover = -1;
    this.focus = -1;
    this.chosen = new Set();
    this.way = [];
    this.dress("type", "papers");
  }

  /** Take colours and sizes anew: the theme, or what they stand for, has changed. */
  dress(colour, size) {
    this.colours = palette(this.graph.types.length);
    this.size = size;
    this.scale = colour === "type" ? null : scaled(this.graph, colour);
    this.labels.dress(this.colours);
    if (this.shown) this.show(this.shown);
  }

  show(shown) {
    this.shown = shown;
    this.labels.show(shown.list);
    this.radii = sized(this.graph, this.size, shown.view);
    this.paint = painted(this.graph, shown, this.colours, this.scale);
    this.discs = this.#discGroups();
    this.lines = this.#lineGroups();
    this.stale = true;
  }

  /** The nodes of one shape and colour together, papers below things, wide ones below narrow ones. */
  #discGroups() {
    const groups = new Map();
    for (const node of this.shown.list) {
      const type = this.graph.type[node];
      const group = `${this.graph.isPaper(node) ? 0 : 1} ${type} ${this.paint[node]}`;
      if (!groups.has(group)) groups.set(group, { type, colour: this.paint[node], nodes: [] });
      groups.get(group).nodes.push(node);
    }
    for (const { nodes } of groups.values()) nodes.sort((a, b) => this.radii[b] - this.radii[a]);
    return [...groups.keys()].sort().map((group) => groups.get(group));
  }

  /** The edges of one colour and width together. */
  #lineGroups() {
    const { from, to, weight, count } = this.shown.edges;
    const groups = new Map();
    for (let i = 0; i < count; i++) {
      const width = weight[i] > 2 && this.shown.view === "things" ? 1.8 : 0.8;
      const colour = this.#lineColour(from[i], to[i]);
      const group = `${width} ${colour}`;
      if (!groups.has(group)) groups.set(group, { colour, width, edges: [] });
      groups.get(group).edges.push(i);
    }
    return [...groups.values()];
  }

  /** An edge from a paper to a thing takes the colour of the thing; between equals it is grey. */
  #lineColour(from, to) {
    return this.graph.isPaper(from) && !this.graph.isPaper(to) ? this.paint[to] : this.colours.edge;
  }

  /**
   * Draw one frame; true where a sharper picture should follow at rest. `whole` draws everything anew,
   * for a context that cannot take a picture.
   */
  frame(context, view, whole = false) {
    context.save();
    const blurred = this.#everything(context, view, whole);
    const lit = this.#lit();
    if (lit) this.#light(context, view, lit);
    this.#rings(context, view, lit?.roots ?? []);
    this.labels.draw(context, view, this, lit);
    context.restore();
    return blurred;
  }

  #everything(context, view, whole) {
    if (whole || this.shown.list.length + this.shown.edges.count < LIVELY) {
      this.#picture(context, view);
      return false;
    }
    const moving = this.before && !view.same(this.before);
    this.before = view;
    if (this.stale || (!moving && !view.same(this.keptFor))) this.#keep(view);
    const factor = view.scale / this.kept.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const [x, y] = [view.x - this.kept.x * factor, view.y - this.kept.y * factor];
    context.drawImage(this.still, x, y, this.still.width * factor, this.still.height * factor);
    return !view.same(this.keptFor);
  }

  /** Draw the picture that is moved about until the camera rests. */
  #keep(view) {
    this.kept = view.widened(MARGIN);
    this.keptFor = view;
    this.still.width = this.kept.width;
    this.still.height = this.kept.height;
    this.#picture(this.still.getContext("2d"), this.kept);
    this.stale = false;
  }

  #picture(context, view) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.globalAlpha = Math.max(0.14, Math.min(0.7, 22 / Math.sqrt(this.shown.edges.count + 1)));
    for (const group of this.lines) this.#drawLines(context, view, group);
    context.globalAlpha = 1;
    for (const { nodes, type, colour } of this.discs) this.#drawDiscs(context, view, nodes, type, colour);
  }

  #place(node, view) {
    return view.place(this.graph.x[node], this.graph.y[node]);
  }

  #drawLines(context, view, { colour, width, edges }) {
    const { from, to } = this.shown.edges;
    context.strokeStyle = colour;
    context.lineWidth = width * view.ratio;
    context.beginPath();
    let open = 0;
    for (const edge of edges) {
      const [x1, y1] = this.#place(from[edge], view);
      const [x2, y2] = this.#place(to[edge], view);
      if (view.missesLine(x1, y1, x2, y2)) continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      if (++open % SEGMENTS) continue;
      context.stroke();
      context.beginPath();
    }
    context.stroke();
  }

  #drawDiscs(context, view, nodes, type, colour) {
    const shape = shapeOf(type, this.graph.types.length);
    const hollow = type > this.graph.types.length; // papers that are not at hand
    context.fillStyle = hollow ? this.colours.ground : colour;
    context.strokeStyle = hollow ? colour : this.colours.ground;
    context.lineWidth = view.ratio * (hollow ? 2 : 1);
    context.beginPath();
    for (const node of nodes) {
      const [x, y] = this.#place(node, view);
      const radius = view.radius(this.radii[node]);
      if (!view.misses(x, y, radius)) trace(context, radius < 1.6 ? CIRCLE : shape, x, y, radius);
    }
    context.stroke();
    context.fill();
  }

  /** What is lit: the way, or what the pointer is on, or what is chosen, with its neighbours. */
  #lit() {
    const { shown } = this;
    if (this.way.length > 1) return this.#litWay();
    const pointed = this.hover >= 0 && shown.node[this.hover];
    const roots = pointed ? [this.hover] : [...this.chosen].filter((node) => shown.node[node]);
    if (!roots.length) return null;
    const edges = roots.length === 2 ? this.#edgesBetween(...roots) : [...shown.edges.at.of(roots[0])];
    const nodes = new Set(roots);
    for (const edge of edges) nodes.add(shown.edges.from[edge]).add(shown.edges.to[edge]);
    const others = [...nodes].slice(roots.length).sort((a, b) => shown.rank(b) - shown.rank(a) || a - b);
    return { roots, edges, nodes, order: [...roots, ...others] };
  }

  #litWay() {
    const edges = this.way.slice(1).flatMap((node, i) => this.#edgesBetween(this.way[i], node));
    return { roots: this.way, edges, nodes: new Set(this.way), order: this.way };
  }

  #edgesBetween(a, b) {
    return [...this.shown.edges.at.of(a)].filter((edge) => this.shown.edges.other(edge, a) === b);
  }

  /** Veil the picture and draw what is lit over it. */
  #light(context, view, lit) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.8;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
    for (const edge of lit.edges) this.#drawLit(context, view, edge);
    for (const node of lit.nodes) this.#drawDiscs(context, view, [node], this.graph.type[node], this.paint[node]);
  }

  /** Rings about the focus and what the light falls from. */
  #rings(context, view, roots) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.strokeStyle = this.colours.ink;
    context.lineWidth = 2 * view.ratio;
    for (const node of [...roots, this.focus]) {
      if (!this.shown.node[node]) continue;
      const shape = shapeOf(this.graph.type[node], this.graph.types.length);
      context.beginPath();
      trace(context, shape, ...this.#place(node, view), view.radius(this.radii[node]) + 3 * view.ratio);
      context.stroke();
    }
  }

  /** One lit edge in the stroke of its role, with an arrow at its end where it has a direction. */
  #drawLit(context, view, edge) {
    const { from, to, label } = this.shown.edges;
    const style = strokeOf(label[edge]);
    const [start, end] = [this.#place(from[edge], view), this.#place(to[edge], view)];
    context.strokeStyle = this.paint[this.graph.isPaper(to[edge]) ? from[edge] : to[edge]];
    context.lineWidth = style.width * view.ratio;
    context.setLineDash(style.dash.map((length) => length * view.ratio));
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
    context.setLineDash([]);
    if (label[edge] !== TOGETHER) this.#arrow(context, view, start, end, view.radius(this.radii[to[edge]]));
  }

  #arrow(context, view, [x1, y1], [x2, y2], radius) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const back = ([x, y], length, turn) => [x - length * Math.cos(angle + turn), y - length * Math.sin(angle + turn)];
    const tip = back([x2, y2], radius + view.ratio, 0);
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.moveTo(...tip);
    context.lineTo(...back(tip, 7 * view.ratio, 0.4));
    context.lineTo(...back(tip, 7 * view.ratio, -0.4));
    context.closePath();
    context.fill();
  }

  /**
   * The node under a point of the window in CSS pixels, or -1: the one whose name it is, or whose rim is nearest.
   * A target is at least `size` pixels high and wide.
   */
  nodeAt(left, top, view, size) {
    const point = [left * view.ratio, top * view.ratio];
    const named = this.labels.nodeAt(...point, view, this.hover);
    if (named >= 0) return named;
    const near = this.#discAt(point, view, size * view.ratio);
    return near >= 0 ? near : this.labels.nodeAt(...point, view, this.hover, size * view.ratio);
  }

  #discAt([px, py], view, size) {
    let [best, least] = [-1, Infinity];
    for (const node of this.shown?.list ?? []) {
      const [x, y] = this.#place(node, view);
      const radius = view.radius(this.radii[node]);
      const gap = Math.hypot(x - px, y - py) - radius;
      if (gap < least && gap < Math.max(3 * view.ratio, size / 2 - radius)) [best, least] = [node, gap];
    }
    return best;
  }

  /** The ends of the edge under a point, or null; where some are lit, only these answer. */
  edgeAt(left, top, view) {
    const { from, to, count } = this.shown.edges;
    const candidates = this.#lit()?.edges ?? Array.from({ length: count }, (_, i) => i);
    const point = [left * view.ratio, top * view.ratio];
    let [best, least] = [-1, 5 * view.ratio];
    for (const edge of candidates) {
      const gap = distance(point, this.#place(from[edge], view), this.#place(to[edge], view));
      if (gap < least) [best, least] = [edge, gap];
    }
    return best < 0 ? null : [from[best], to[best]];
  }
}
