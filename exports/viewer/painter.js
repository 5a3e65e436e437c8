/* Draws what is shown: a still picture of all of it, and over that what the reader points at. */

const LABELS = 90; // at most so many names at once
const LIVELY = 2500; // below so many marks every frame is drawn anew; above, a moving frame is a moved picture
const MARGIN = 0.2; // how far the picture reaches beyond the window, so that a move uncovers something
const SEGMENTS = 400; // lines in one stroke: very long paths are slow to fill
const LEGIBLE = 6; // the radius in pixels from which on a thing of a single paper is named, too
const CLOSE = 1.6; // the zoom from which on papers are named beside their things

/** The colours of the page, as the style sheet has them for the theme in force. */
function palette(types) {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    types: Array.from({ length: types + 1 }, (_, i) => value(i === types ? "--paper" : `--type-${i % 8}`)),
    scale: Array.from({ length: STEPS }, (_, i) => value(`--scale-${i}`)),
    unknown: value("--paper"),
    linked: value("--linked"),
    ground: value("--ground"),
    ink: value("--ink"),
    quiet: value("--quiet"),
    edge: value("--edge"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** Where the drawing lies in the window: device pixels a unit, and the offset of its origin. */
class View {
  constructor(scale, x, y, width, height, ratio) {
    Object.assign(this, { scale, x, y, width, height, ratio });
  }

  same(other) {
    return Boolean(other) && ["scale", "x", "y", "width", "height"].every((name) => this[name] === other[name]);
  }

  /** The same view of a wider window. */
  widened(by) {
    const [dx, dy] = [Math.round(this.width * by), Math.round(this.height * by)];
    return new View(this.scale, this.x + dx, this.y + dy, this.width + 2 * dx, this.height + 2 * dy, this.ratio);
  }

  /** CSS pixels a unit. */
  get zoom() {
    return this.scale / this.ratio;
  }

  /** Pixels for a radius in units: discs shrink more slowly than the drawing, and never vanish. */
  radius(units) {
    return Math.max(1.1, units * (this.zoom < 1 ? this.zoom ** 0.8 : this.zoom ** 0.5)) * this.ratio;
  }

  outside(x, y, margin) {
    return x < -margin || y < -margin || x > this.width + margin || y > this.height + margin;
  }
}

class Painter {
  constructor(graph) {
    this.graph = graph;
    this.still = document.createElement("canvas");
    this.hover = -1;
    this.chosen = new Set();
    this.focus = -1;
    this.way = [];
    this.widths = new Map();
    this.names = graph.label.map((label, node) => (label.length > 16 && graph.short(node)) || label);
    this.dress("type", "papers");
  }

  /** Take colours and sizes anew: the theme, or what they stand for, has changed. */
  dress(colour, size) {
    this.colours = palette(this.graph.types.length);
    this.colour = colour;
    this.size = size;
    this.scale = colour === "type" ? null : scaled(this.graph, colour);
    this.widths.clear();
    if (this.shown) this.show(this.shown);
  }

  show(shown) {
    this.shown = shown;
    this.radii = sized(this.graph, this.size, shown.view);
    this.paint = this.#painted();
    this.discs = this.#discGroups();
    this.lines = this.#lineGroups();
    this.stale = true;
  }

  #painted() {
    const { graph, colours, scale, shown } = this;
    if (scale) return Array.from(scale.steps, (step) => (step < 0 ? colours.unknown : colours.scale[step]));
    const paint = Array.from(graph.type, (type) => colours.types[type]);
    if (shown.view === "papers") {
      for (const node of shown.list) if (shown.edges.at.of(node).length) paint[node] = colours.linked;
    }
    return paint;
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
    const sorted = [...groups.keys()].sort().map((group) => groups.get(group));
    for (const { nodes } of sorted) nodes.sort((a, b) => this.radii[b] - this.radii[a]);
    return sorted;
  }

  /** The edges of one colour and width together. */
  #lineGroups() {
    const { from, to, weight, count } = this.shown.edges;
    const groups = new Map();
    for (let i = 0; i < count; i++) {
      const heavy = weight[i] > 2 && this.shown.view === "things";
      const colour = this.#lineColour(from[i], to[i]);
      const group = `${heavy} ${colour}`;
      if (!groups.has(group)) groups.set(group, { colour, width: heavy ? 1.8 : 0.8, edges: [] });
      groups.get(group).edges.push(i);
    }
    return [...groups.values()];
  }

  /** The edges from papers to things take the colour of the thing; between equals they are grey. */
  #lineColour(from, to) {
    return this.graph.isPaper(from) && this.shown.view === "both" ? this.paint[this.graph.isPaper(to) ? from : to] : this.colours.edge;
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
    this.#labels(context, view, lit);
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
    for (const group of this.lines) this.#draw(context, view, group);
    context.globalAlpha = 1;
    for (const { nodes, type, colour } of this.discs) this.#disc(context, view, nodes, type, colour);
  }

  #place(node, view) {
    return [this.graph.x[node] * view.scale + view.x, this.graph.y[node] * view.scale + view.y];
  }

  #draw(context, view, { colour, width, edges }) {
    const { from, to } = this.shown.edges;
    const { x, y } = this.graph;
    const { scale } = view;
    context.strokeStyle = colour;
    context.lineWidth = width * view.ratio;
    context.beginPath();
    let open = 0;
    for (const edge of edges) {
      const [a, b] = [from[edge], to[edge]];
      const [x1, y1] = [x[a] * scale + view.x, y[a] * scale + view.y];
      const [x2, y2] = [x[b] * scale + view.x, y[b] * scale + view.y];
      if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > view.width && x2 > view.width) || (y1 > view.height && y2 > view.height)) continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      if (++open % SEGMENTS) continue;
      context.stroke();
      context.beginPath();
    }
    context.stroke();
  }

  #disc(context, view, nodes, type, colour) {
    const shape = shapeOf(type, this.graph.types.length);
    context.fillStyle = colour;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = view.ratio;
    context.beginPath();
    for (const node of nodes) {
      const [x, y] = this.#place(node, view);
      const radius = view.radius(this.radii[node]);
      if (!view.outside(x, y, radius)) trace(context, radius < 1.6 ? 1 : shape, x, y, radius);
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
    for (const edge of lit.edges) this.#stroke(context, view, edge);
    for (const node of lit.nodes) this.#disc(context, view, [node], this.graph.type[node], this.paint[node]);
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
  #stroke(context, view, edge) {
    const { from, to, label } = this.shown.edges;
    const directed = label[edge] !== TOGETHER;
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
    if (directed) this.#arrow(context, view, start, end, view.radius(this.radii[to[edge]]));
  }

  #arrow(context, view, [x1, y1], [x2, y2], radius) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const reach = radius + view.ratio;
    const tip = [x2 - reach * Math.cos(angle), y2 - reach * Math.sin(angle)];
    const barb = (turn) => [tip[0] - 7 * view.ratio * Math.cos(angle + turn), tip[1] - 7 * view.ratio * Math.sin(angle + turn)];
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.moveTo(...tip);
    context.lineTo(...barb(0.4));
    context.lineTo(...barb(-0.4));
    context.closePath();
    context.fill();
  }

  /** Names for as many nodes as there is room for, weightiest first. */
  #labels(context, view, lit) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    const taken = [];
    let tries = 0;
    for (const node of lit ? lit.order : this.shown.list) {
      if (taken.length >= LABELS || tries > 6 * LABELS) break;
      if (!lit && !this.#worthy(node, view)) continue;
      const box = this.#box(context, view, node, lit);
      if (box.right < 0 || box.bottom < 0 || box.left > view.width || box.top > view.height) continue;
      tries++;
      if (taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      this.#label(context, view, box);
    }
  }

  /** Whether a node is named where nothing is lit: what one paper alone names only from near. */
  #worthy(node, view) {
    if (this.shown.list.length < LABELS) return true;
    if (this.graph.isPaper(node)) return view.zoom > CLOSE || (this.shown.view === "papers" && this.shown.rank(node) > 0);
    return this.shown.papers[node] > 1 || view.radius(this.radii[node]) > LEGIBLE * view.ratio;
  }

  #box(context, view, node, lit) {
    const paper = this.graph.isPaper(node);
    const strong = lit?.roots.includes(node);
    const grown = paper ? 0 : 6 * Math.sqrt(this.shown.papers[node] / this.shown.most);
    const size = Math.round((strong ? 14 : 10 + grown) * view.ratio);
    const text = shortened(strong ? this.graph.label[node] : this.names[node], strong ? 44 : paper ? 36 : 26);
    const font = `${strong || grown > 3.2 ? 600 : 400} ${size}px ${this.colours.font}`;
    const width = this.#width(context, text, font);
    const [x, y] = this.#place(node, view);
    const top = y + view.radius(this.radii[node]) + 2 * view.ratio;
    return { node, text, font, x, top, left: x - width / 2, right: x + width / 2, bottom: top + size * 1.1 };
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

  /** The node under a point of the window in CSS pixels, or -1; the one whose middle is nearest wins. */
  nodeAt(left, top, view) {
    let [best, least] = [-1, Infinity];
    const [px, py] = [left * view.ratio, top * view.ratio];
    for (const node of this.shown?.list ?? []) {
      const [x, y] = this.#place(node, view);
      if (Math.abs(x - px) > 200 || Math.abs(y - py) > 200) continue;
      const gap = Math.hypot(x - px, y - py) - view.radius(this.radii[node]);
      if (gap < 3 * view.ratio && gap < least) [best, least] = [node, gap];
    }
    return best;
  }

  /** The ends of the edge under a point, or null; where some are lit, only these answer. */
  edgeAt(left, top, view) {
    const { from, to, count } = this.shown.edges;
    const candidates = this.#lit()?.edges ?? Array.from({ length: count }, (_, i) => i);
    let [best, least] = [-1, 5 * view.ratio];
    for (const edge of candidates) {
      const gap = distance([left * view.ratio, top * view.ratio], this.#place(from[edge], view), this.#place(to[edge], view));
      if (gap < least) [best, least] = [edge, gap];
    }
    return best < 0 ? null : [from[best], to[best]];
  }
}

function overlap(a, b) {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** From a point to the line between two others. */
function distance([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const part = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x1 + part * dx - x, y1 + part * dy - y);
}

function shortened(text, length) {
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join("").trimEnd()}…`;
}
