/* The names in the drawing: the weightiest first, as many as there is room for; each is part of its node's target. */

const LABELS = 90; // at most so many at once
const LEGIBLE = 6; // the radius in pixels from which on a thing of a single paper is named, too
const CLOSE = 1.6; // the zoom from which on papers are named beside their things

class Labels {
  constructor(graph) {
    this.graph = graph;
    this.shorts = graph.label.map((label, node) => (label.length > 16 ? graph.short(node) : ""));
    this.names = [...graph.label];
    this.widths = new Map();
    this.drawn = { boxes: [] };
    this.calm = this.drawn;
  }

  /** A long name is drawn short where no other node of the drawing would bear the same name. */
  show(nodes) {
    const [{ label }, shorts] = [this.graph, this.shorts];
    const bearers = new Map();
    const bear = (name) => bearers.set(name.toLowerCase(), (bearers.get(name.toLowerCase()) ?? 0) + 1);
    for (const node of nodes) for (const name of new Set([label[node], shorts[node]])) bear(name);
    for (const node of nodes) {
      this.names[node] = bearers.get(shorts[node].toLowerCase()) === 1 ? shorts[node] : label[node];
    }
  }

  dress(colours) {
    this.colours = colours;
    this.widths.clear();
  }

  draw(context, view, painter, lit) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    const taken = [];
    this.drawn = { view, boxes: taken };
    if (painter.hover < 0) this.calm = this.drawn;
    let tries = 0;
    for (const node of lit ? lit.order : painter.shown.list) {
      if (taken.length >= LABELS || tries > 6 * LABELS) break;
      if (!lit && !this.#worthy(node, view, painter)) continue;
      const box = this.#box(context, view, painter, node, lit?.roots);
      if (box.right < 0 || box.bottom < 0 || box.left > view.width || box.top > view.height) continue;
      tries++;
      const places = lit || box.bold ? [box, above(box)] : [box];
      const room = places.find((place) => !taken.some((other) => overlap(place, other)));
      if (!room) continue;
      taken.push(room);
      this.#write(context, view, room);
    }
  }

  /** Whether a node is named where nothing is lit: what one paper alone names only from near. */
  #worthy(node, view, { shown, radii }) {
    if (shown.list.length < LABELS) return true;
    if (this.graph.isPaper(node)) return view.zoom > CLOSE || (shown.view === "papers" && shown.rank(node) > 0);
    return shown.papers[node] > 1 || view.radius(radii[node]) > LEGIBLE * view.ratio;
  }

  /** What a label says, how, and the room it takes below its node; what the light falls from is said more fully. */
  #box(context, view, { shown, radii }, node, roots = []) {
    const strong = roots.includes(node);
    const grown = 6 * Math.sqrt(shown.rank(node) / shown.most);
    const size = Math.round((strong ? 14 : 10 + grown) * view.ratio);
    const text = strong && roots.length === 1 ? shortened(this.graph.label[node], 44) : shortened(this.names[node], 28);
    const bold = strong || grown > 3.2;
    const font = `${bold ? 600 : 400} ${size}px ${this.colours.font}`;
    const half = this.#width(context, text, font) / 2;
    const [place, y] = view.place(this.graph.x[node], this.graph.y[node]);
    const x = strong ? view.inside(place, half + 4 * view.ratio) : place;
    const gap = view.radius(radii[node]) + 2 * view.ratio;
    const quiet = this.graph.isPaper(node) && !strong && shown.view !== "papers";
    const [top, bottom] = [y + gap, y + gap + size * 1.1];
    return { node, bold, quiet, text, font, x, y, top, bottom, left: x - half, right: x + half };
  }

  #width(context, text, font) {
    const known = `${font} ${text}`;
    if (!this.widths.has(known)) {
      context.font = font;
      this.widths.set(known, context.measureText(text).width);
    }
    return this.widths.get(known);
  }

  /**
   * The node whose name lies under a point in device pixels, or -1; a name counts as at least `least` high and wide.
   * What the pointer lights up keeps the place where its name was before.
   */
  nodeAt(x, y, view, hover, least = 0) {
    const before = view.same(this.calm.view) ? this.calm.boxes.filter(({ node }) => node === hover) : [];
    const holds = (middle, from, to) => Math.abs(middle - (from + to) / 2) <= Math.max(to - from, least) / 2;
    const under = ({ left, right, top, bottom }) => holds(x, left, right) && holds(y, top, bottom);
    return [...this.drawn.boxes, ...before].find(under)?.node ?? -1;
  }

  #write(context, view, { quiet, text, font, x, top }) {
    context.font = font;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 3.5 * view.ratio;
    context.strokeText(text, x, top);
    context.fillStyle = quiet ? this.colours.quiet : this.colours.ink;
    context.fillText(text, x, top);
  }
}

/** The same label on the other side of its node. */
function above({ y, top, bottom, ...box }) {
  return { ...box, y, top: 2 * y - bottom, bottom: 2 * y - top };
}
