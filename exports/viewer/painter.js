/* Draws what is shown: a still picture of all of it, and over that what the reader points at. */

const LABELS = 90; // at most so many names at once
const LIVELY = 2500; // below so many marks every frame is drawn anew; above, a moving frame is a moved picture
const MARGIN = 0.2; // how far the picture reaches beyond the window, so that a move uncovers something
const SEGMENTS = 400; // lines in one stroke: very long paths are slow to fill

/** The colours of the page, as the style sheet has them for the theme in force. */
function palette(types) {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    types: Array.from({ length: types + 1 }, (_, i) => value(i === types ? "--paper" : `--type-${i % 8}`)),
    ground: value("--ground"),
    ink: value("--ink"),
    quiet: value("--quiet"),
    edge: value("--edge"),
    accent: value("--accent"),
    scale: [0, 1, 2, 3, 4].map((i) => value(`--scale-${i}`)),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** Where the drawing lies in the window: device pixels a unit, and the offset of its origin. */
class View {
  constructor(scale, x, y, width, height, ratio) {
    Object.assign(this, { scale, x, y, width, height, ratio });
  }

  same(other) {
    return other && this.scale === other.scale && this.x === other.x && this.y === other.y &&
      this.width === other.width && this.height === other.height;
  }

  /** The same view of a wider window. */
  widened(by) {
    const dx = this.width * by;
    const dy = this.height * by;
    return new View(this.scale, this.x + dx, this.y + dy, this.width + 2 * dx, this.height + 2 * dy, this.ratio);
  }

  /** Pixels for a radius in units: discs shrink more slowly than the drawing, and never vanish. */
  radius(units) {
    const zoom = this.scale / this.ratio;
    return Math.max(1.1, units * (zoom < 1 ? zoom ** 0.75 : zoom ** 0.5)) * this.ratio;
  }
}

class Painter {
  constructor(graph) {
    this.graph = graph;
    this.still = document.createElement("canvas");
    this.hover = -1;
    this.chosen = new Set();
    this.way = [];
    this.widths = new Map();
    this.dress({ colour: "type", size: "papers" });
  }

  /** Take colours and sizes anew: the theme or what they stand for has changed. */
  dress(look) {
    this.colours = palette(this.graph.types.length);
    this.look = look;
    this.paint = painted(this.graph, look.colour, this.colours);
    this.radii = sized(this.graph, look.size);
    this.widths.clear();
    this.stale = true;
  }

  show(shown) {
    this.shown = shown;
    this.batches = this.#batches();
    this.stale = true;
  }

  /** The nodes of one shape and colour together, papers first, wide ones under narrow ones. */
  #batches() {
    const groups = new Map();
    for (const node of this.shown.list) {
      const type = this.graph.type[node];
      const group = `${this.graph.isPaper(node) ? 0 : 1} ${type} ${this.paint[node]}`;
      if (!groups.has(group)) groups.set(group, { type, colour: this.paint[node], nodes: [] });
      groups.get(group).nodes.push(node);
    }
    const sorted = [...groups.keys()].sort().map((group) => groups.get(group));
    for (const { nodes } of sorted) nodes.sort((a, b) => this.radii[b] - this.radii[a]);
    return sorted;
  }

  /** Draw one frame on the camera's canvas; true where a sharper picture should follow at rest. */
  frame(context, view) {
    context.save();
    const blurred = this.#everything(context, view);
    const lit = this.#lit();
    if (lit) this.#veil(context, view, lit);
    this.#labels(context, view, lit ? lit.labels : this.shown.list, lit);
    context.restore();
    return blurred;
  }

  #everything(context, view) {
    if (this.shown.list.length + this.shown.edges.count < LIVELY) {
      this.#picture(context, view);
      return false;
    }
    const moving = this.before && !view.same(this.before);
    this.before = view;
    if (this.stale || !this.kept || (!moving && !view.same(this.keptFor))) this.#keep(view);
    const factor = view.scale / this.kept.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const [x, y] = [view.x - this.kept.x * factor, view.y - this.kept.y * factor];
    context.drawImage(this.still, x, y, this.still.width * factor, this.still.height * factor);
    return !view.same(this.keptFor);
  }

  /** Draw the picture that is moved about until the camera rests. */
  #keep(view) {
    const wide = view.widened(MARGIN);
    this.still.width = Math.round(wide.width);
    this.still.height = Math.round(wide.height);
    this.#picture(this.still.getContext("2d"), wide);
    this.kept = wide;
    this.keptFor = view;
    this.stale = false;
  }

  #picture(context, view) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    this.#edges(context, view);
    for (const batch of this.batches) this.#discs(context, view, batch.nodes, batch.type, batch.colour);
  }

  #edges(context, view) {
    const { from, to, weight, count } = this.shown.edges;
    context.strokeStyle = this.colours.edge;
    context.globalAlpha = Math.max(0.16, Math.min(0.8, 26 / Math.sqrt(count + 1)));
    const heavy = [];
    context.lineWidth = 0.8 * view.ratio;
    this.#lines(context, view, count, (i) => (weight[i] > 2 && this.shown.view !== "both" ? heavy.push(i) && -1 : from[i]), to);
    context.lineWidth = 1.8 * view.ratio;
    this.#lines(context, view, heavy.length, (i) => from[heavy[i]], heavy.map((i) => to[i]));
    context.globalAlpha = 1;
  }

  #lines(context, view, count, from, to) {
    const { x, y } = this.graph;
    const { scale } = view;
    let open = 0;
    context.beginPath();
    for (let i = 0; i < count; i++) {
      const start = from(i);
      if (start < 0) continue;
      const [x1, y1] = [x[start] * scale + view.x, y[start] * scale + view.y];
      const [x2, y2] = [x[to[i]] * scale + view.x, y[to[i]] * scale + view.y];
      if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > view.width && x2 > view.width) || (y1 > view.height && y2 > view.height)) continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      if (++open % SEGMENTS === 0) {
        context.stroke();
        context.beginPath();
      }
    }
    context.stroke();
  }

  #discs(context, view, nodes, type, colour) {
    const { x, y } = this.graph;
    const shape = shapeOf(type, this.graph.types.length);
    context.fillStyle = colour;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = view.ratio;
    context.beginPath();
    for (const node of nodes) {
      const [px, py] = [x[node] * view.scale + view.x, y[node] * view.scale + view.y];
      const radius = view.radius(this.radii[node]);
      if (px < -radius || py < -radius || px > view.width + radius || py > view.height + radius) continue;
      trace(context, radius < 1.6 ? 1 : shape, px, py, radius);
    }
    context.stroke();
    context.fill();
  }

  /** What is lit: the way, or what the pointer is on, or what is chosen, with its neighbours. */
  #lit() {
    if (!this.shown) return null;
    if (this.way.length > 1) return this.#litWay();
    const roots = this.hover >= 0 ? [this.hover] : [...this.chosen].filter((node) => this.shown.node[node]);
    if (!roots.length) return null;
    const edges = roots.length === 2 && this.hover < 0 ? this.#edgesBetween(...roots) : [...this.shown.edges.of.of(roots[0])];
    const nodes = new Set(roots);
    for (const edge of edges) nodes.add(this.shown.edges.from[edge]).add(this.shown.edges.to[edge]);
    return { roots, edges, nodes, labels: [...roots, ...this.#byRank(nodes)] };
  }

  #litWay() {
    const edges = this.way.slice(1).flatMap((node, i) => this.#edgesBetween(this.way[i], node).slice(0, 1));
    return { roots: this.way, edges, nodes: new Set(this.way), labels: this.way };
  }

  #edgesBetween(a, b) {
    return [...this.shown.edges.of.of(a)].filter((edge) => this.shown.edges.other(edge, a) === b);
  }

  #byRank(nodes) {
    const rank = (node) => (this.graph.isPaper(node) ? 0 : this.graph.uses[node]);
    return [...nodes].sort((a, b) => rank(b) - rank(a) || a - b);
  }

  #veil(context, view, lit) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.78;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
    for (const edge of lit.edges) this.#stroke(context, view, edge);
    for (const node of lit.nodes) this.#discs(context, view, [node], this.graph.type[node], this.paint[node]);
    context.strokeStyle = this.colours.ink;
    context.lineWidth = 2 * view.ratio;
    for (const node of lit.roots) this.#ring(context, view, node);
  }

  #ring(context, view, node) {
    const { graph } = this;
    const radius = view.radius(this.radii[node]) + 3 * view.ratio;
    context.beginPath();
    trace(context, shapeOf(graph.type[node], graph.types.length), graph.x[node] * view.scale + view.x, graph.y[node] * view.scale + view.y, radius);
    context.stroke();
  }

  /** One lit edge in the stroke of its role, with an arrow at its end where it has a direction. */
  #stroke(context, view, edge) {
    const { from, to, label } = this.shown.edges;
    const { x, y } = this.graph;
    const style = STROKES[this.shown.view === "things" ? 2 : label[edge] % STROKES.length];
    const point = (node) => [x[node] * view.scale + view.x, y[node] * view.scale + view.y];
    const [[x1, y1], [x2, y2]] = [point(from[edge]), point(to[edge])];
    context.strokeStyle = this.paint[this.graph.isPaper(to[edge]) ? from[edge] : to[edge]];
    context.lineWidth = style.width * view.ratio;
    context.setLineDash(style.dash.map((length) => length * view.ratio));
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.setLineDash([]);
    if (this.shown.view !== "things") this.#arrow(context, view, [x1, y1], [x2, y2], view.radius(this.radii[to[edge]]));
  }

  #arrow(context, view, [x1, y1], [x2, y2], radius) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const reach = radius + view.ratio;
    const [tipX, tipY] = [x2 - reach * Math.cos(angle), y2 - reach * Math.sin(angle)];
    const back = (turn) => [tipX - 7 * view.ratio * Math.cos(angle + turn), tipY - 7 * view.ratio * Math.sin(angle + turn)];
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.moveTo(tipX, tipY);
    context.lineTo(...back(0.4));
    context.lineTo(...back(-0.4));
    context.fill();
  }

  /** Names for as many nodes as there is room for, in the given order. */
  #labels(context, view, order, lit) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    const taken = [];
    let tries = 0;
    for (const node of order) {
      if (taken.length >= LABELS || tries > 6 * LABELS) break;
      if (!lit && this.graph.isPaper(node) && view.scale / view.ratio < 1.6 && this.shown.view !== "papers") continue;
      const box = this.#box(context, view, node, lit);
      if (box.right < 0 || box.bottom < 0 || box.left > view.width || box.top > view.height) continue;
      tries++;
      if (taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)) continue;
      taken.push(box);
      this.#label(context, view, box);
    }
  }

  #box(context, view, node, lit) {
    const paper = this.graph.isPaper(node);
    const strong = lit?.roots.includes(node);
    const grown = paper ? 0 : Math.min(5, Math.log2(1 + this.shown.papers[node]));
    const size = Math.round((11 + (strong ? 3 : grown)) * view.ratio);
    const text = shortened(this.graph.label[node], strong ? 70 : paper ? 34 : 28);
    const font = `${strong || grown > 3 ? 600 : 400} ${size}px ${this.colours.font}`;
    const width = this.#width(context, text, font);
    const x = this.graph.x[node] * view.scale + view.x;
    const top = this.graph.y[node] * view.scale + view.y + view.radius(this.radii[node]) + 2 * view.ratio;
    return { node, text, font, size, x, top, left: x - width / 2, right: x + width / 2, bottom: top + size * 1.1 };
  }

  #width(context, text, font) {
    const known = `${font} ${text}`;
    if (!this.widths.has(known)) {
      context.font = font;
      this.widths.set(known, context.measureText(text).width);
    }
    return this.widths.get(known);
  }

  #label(context, view, box) {
    context.font = box.font;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 3.5 * view.ratio;
    context.strokeText(box.text, box.x, box.top);
    context.fillStyle = this.graph.isPaper(box.node) ? this.colours.quiet : this.colours.ink;
    context.fillText(box.text, box.x, box.top);
  }

  /** The node under a point of the window in CSS pixels, or -1; small ones win over large ones. */
  nodeAt(px, py, view) {
    if (!this.shown) return -1;
    let [best, least] = [-1, Infinity];
    const reach = 3 * view.ratio;
    const [x, y] = [px * view.ratio, py * view.ratio];
    for (const node of this.shown.list) {
      const dx = this.graph.x[node] * view.scale + view.x - x;
      if (dx > 200 || dx < -200) continue;
      const dy = this.graph.y[node] * view.scale + view.y - y;
      const gap = Math.hypot(dx, dy) - view.radius(this.radii[node]);
      if (gap < reach && gap < least) [best, least] = [node, gap];
    }
    return best;
  }

  /** The ends of the edge under a point, or null; only lit edges answer where some are lit. */
  edgeAt(px, py, view) {
    const { from, to, count } = this.shown.edges;
    const candidates = this.#lit()?.edges ?? Array.from({ length: count }, (_, i) => i);
    const [x, y] = [px * view.ratio, py * view.ratio];
    let [best, least] = [-1, 5 * view.ratio];
    for (const edge of candidates) {
      const gap = this.#gap(view, from[edge], to[edge], x, y);
      if (gap < least) [best, least] = [edge, gap];
    }
    return best < 0 ? null : [from[best], to[best]];
  }

  #gap(view, a, b, x, y) {
    const [x1, y1] = [this.graph.x[a] * view.scale + view.x, this.graph.y[a] * view.scale + view.y];
    const [dx, dy] = [(this.graph.x[b] - this.graph.x[a]) * view.scale, (this.graph.y[b] - this.graph.y[a]) * view.scale];
    const part = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x1 + part * dx - x, y1 + part * dy - y);
  }
}

function shortened(text, length) {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join("").trimEnd()}…`;
}

/** The radius of each node in units of the drawing. */
function sized(graph, by) {
  const measure = measured(graph, by);
  return Float32Array.from({ length: graph.size }, (_, node) => {
    if (graph.isPaper(node)) return by === "papers" ? 3 : 3 + 1.2 * Math.sqrt(measure(node));
    return by === "same" ? 4.5 : 2.5 + 2.5 * Math.sqrt(measure(node));
  });
}

/** A number for each node: papers that name it, papers that build on what a paper introduced, or one. */
function measured(graph, by) {
  if (by === "influence") return (node) => graph.influence(node);
  if (by === "same") return () => 1;
  return (node) => graph.uses[node];
}

/** The colour of each node: by type, or on a scale by year, number of papers or influence. */
function painted(graph, by, colours) {
  if (by === "type") return Array.from(graph.type, (type) => colours.types[type]);
  const measure = by === "year" ? (node) => graph.firstYear(node) : measured(graph, by);
  const values = Array.from({ length: graph.size }, (_, node) => measure(node));
  const known = [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b);
  const step = (value) => Math.floor((known.indexOf(value) / known.length) * colours.scale.length);
  const steps = new Map(known.map((value) => [value, step(value)]));
  return values.map((value) => (value > 0 ? colours.scale[steps.get(value)] : colours.paper ?? colours.quiet));
}
