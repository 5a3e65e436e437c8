/* The names in the drawing: the weightiest first, as many as there is room for. */

const LABELS = 90; // at most so many at once
const LEGIBLE = 6; // the radius in pixels from which on a thing of a single paper is named, too
const CLOSE = 1.6; // the zoom from which on papers are named beside their things

class Labels {
  constructor(graph) {
    this.graph = graph;
    this.names = graph.label.map((label, node) => (label.length > 16 && graph.short(node)) || label);
    this.widths = new Map();
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
    let tries = 0;
    for (const node of lit ? lit.order : painter.shown.list) {
      if (taken.length >= LABELS || tries > 6 * LABELS) break;
      if (!lit && !this.#worthy(node, view, painter)) continue;
      const box = this.#box(context, view, painter, node, lit?.roots.includes(node));
      if (box.right < 0 || box.bottom < 0 || box.left > view.width || box.top > view.height) continue;
      tries++;
      if (taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      this.#write(context, view, box);
    }
  }

  /** Whether a node is named where nothing is lit: what one paper alone names only from near. */
  #worthy(node, view, { shown, radii }) {
    if (shown.list.length < LABELS) return true;
    if (this.graph.isPaper(node)) return view.zoom > CLOSE || (shown.view === "papers" && shown.rank(node) > 0);
    return shown.papers[node] > 1 || view.radius(radii[node]) > LEGIBLE * view.ratio;
  }

  /** What a label says, how, and the room it takes below its node. */
  #box(context, view, { shown, radii }, node, strong) {
    const paper = this.graph.isPaper(node);
    const grown = paper ? 0 : 6 * Math.sqrt(shown.papers[node] / shown.most);
    const size = Math.round((strong ? 14 : 10 + grown) * view.ratio);
    const text = strong ? shortened(this.graph.label[node], 44) : shortened(this.names[node], paper ? 36 : 26);
    const font = `${strong || grown > 3.2 ? 600 : 400} ${size}px ${this.colours.font}`;
    const half = this.#width(context, text, font) / 2;
    const [x, y] = view.place(this.graph.x[node], this.graph.y[node]);
    const top = y + view.radius(radii[node]) + 2 * view.ratio;
    return { paper, text, font, x, top, left: x - half, right: x + half, bottom: top + size * 1.1 };
  }

  #width(context, text, font) {
    const known = `${font} ${text}`;
    if (!this.widths.has(known)) {
      context.font = font;
      this.widths.set(known, context.measureText(text).width);
    }
    return this.widths.get(known);
  }

  #write(context, view, { paper, text, font, x, top }) {
    context.font = font;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 3.5 * view.ratio;
    context.strokeText(text, x, top);
    context.fillStyle = paper ? this.colours.quiet : this.colours.ink;
    context.fillText(text, x, top);
  }
}
