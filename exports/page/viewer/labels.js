/* Node labels: nodes of high rank first, as many as fit without overlap; a label is also a click target of its node. */

const LABELS = 90; // the limit of labels drawn at once
const LEGIBLE = 6; // the radius in pixels from which entities of a single paper are labelled
const CLOSE = 1.6; // the zoom from which papers are labelled beside entities

class Labels {
  /** @param {Graph} graph @param {Palette} colours */
  constructor(graph, colours) {
    this.graph = graph;
    this.colours = colours;
    this.shortNames = graph.label.map((label, node) => (label.length > 16 ? graph.shortName(node) : ""));
    this.names = [...graph.label];
    /** @type {Map<string, number>} */
    this.widthCache = new Map();
    /** @type {DrawnLabels} */
    this.drawn = { boxes: [] };
    this.unhovered = this.drawn;
  }

  /** Choose the text of each label: a short name if no other drawn node has the same name. @param {number[]} nodes */
  show(nodes) {
    const [{ label }, shortNames] = [this.graph, this.shortNames];
    /** @type {Map<string, number>} */
    const counts = new Map();
    /** @param {string} name */
    const count = (name) => counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
    for (const node of nodes) for (const name of new Set([label[node], shortNames[node]])) count(name);
    for (const node of nodes) {
      this.names[node] = counts.get(shortNames[node].toLowerCase()) === 1 ? shortNames[node] : label[node];
    }
  }

  /** @param {Palette} colours */
  setColours(colours) {
    this.colours = colours;
    this.widthCache.clear();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   * @param {Highlighted | null} highlight
   */
  draw(context, view, painter, highlight) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    /** @type {Label[]} */
    const placed = [];
    this.drawn = { view, boxes: placed };
    if (painter.hover < 0) this.unhovered = this.drawn;
    let attempts = 0;
    for (const node of highlight ? highlight.order : painter.shown.list) {
      if (placed.length >= LABELS || attempts > 6 * LABELS) break;
      if (!highlight && !this.#isLabelled(node, view, painter)) continue;
      const box = this.#box(context, view, painter, node, highlight?.roots);
      if (box.right < 0 || box.bottom < 0 || box.left > view.width || box.top > view.height) continue;
      attempts++;
      const positions = highlight || box.bold ? [box, above(box)] : [box];
      const free = positions.find((position) => !placed.some((other) => overlaps(position, other)));
      if (!free) continue;
      placed.push(free);
      this.#write(context, view, free);
    }
  }

  /**
   * Whether a node may be labelled while nothing is highlighted; entities of one paper only when zoomed in.
   * @param {number} node
   * @param {Viewport} view
   * @param {Painter} painter
   */
  #isLabelled(node, view, { shown, radii }) {
    if (shown.list.length < LABELS) return true;
    if (this.graph.isPaper(node)) return view.zoom > CLOSE || (shown.view === "papers" && shown.rank(node) > 0);
    return shown.papers[node] > 1 || view.radius(radii[node]) > LEGIBLE * view.ratio;
  }

  /**
   * Return the text, style and box of a label below its node; highlighted roots get longer texts.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   * @param {number} node
   * @param {number[]} [roots]
   */
  #box(context, view, { shown, radii }, node, roots = []) {
    const strong = roots.includes(node);
    const grown = 6 * Math.sqrt(shown.rank(node) / shown.maxRank);
    const size = Math.round((strong ? 14 : 10 + grown) * view.ratio);
    const text = strong && roots.length === 1 ? truncated(this.graph.label[node], 44) : truncated(this.names[node], 28);
    const bold = strong || grown > 3.2;
    const font = `${bold ? 600 : 400} ${size}px ${this.colours.font}`;
    const halfWidth = this.#width(context, text, font) / 2;
    const [position, y] = view.toPixels(this.graph.x[node], this.graph.y[node]);
    const x = strong ? view.clampInside(position, halfWidth + 4 * view.ratio) : position;
    const gap = view.radius(radii[node]) + 2 * view.ratio;
    const quiet = this.graph.isPaper(node) && !strong && shown.view !== "papers";
    const [top, bottom] = [y + gap, y + gap + size * 1.1];
    return { node, bold, quiet, text, font, x, y, top, bottom, left: x - halfWidth, right: x + halfWidth };
  }

  /** @param {CanvasRenderingContext2D} context @param {string} text @param {string} font */
  #width(context, text, font) {
    const key = `${font} ${text}`;
    const known = this.widthCache.get(key);
    if (known !== undefined) return known;
    context.font = font;
    const { width } = context.measureText(text);
    this.widthCache.set(key, width);
    return width;
  }

  /**
   * Return the node whose label lies under a point in device pixels, or -1; a label counts as at least `minimum` high
   * and wide. The label of a hovered node also keeps the box that it had before.
   * @param {number} x
   * @param {number} y
   * @param {Viewport} view
   * @param {number} hover
   */
  nodeAt(x, y, view, hover, minimum = 0) {
    const previous = view.equals(this.unhovered.view) ? this.unhovered.boxes.filter(({ node }) => node === hover) : [];
    /** @param {number} middle @param {number} from @param {number} to */
    const contains = (middle, from, to) => Math.abs(middle - (from + to) / 2) <= Math.max(to - from, minimum) / 2;
    /** @param {Label} label */
    const under = ({ left, right, top, bottom }) => contains(x, left, right) && contains(y, top, bottom);
    return [...this.drawn.boxes, ...previous].find(under)?.node ?? -1;
  }

  /** @param {CanvasRenderingContext2D} context @param {Viewport} view @param {Label} label */
  #write(context, view, { quiet, text, font, x, top }) {
    context.font = font;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 3.5 * view.ratio;
    context.strokeText(text, x, top);
    context.fillStyle = quiet ? this.colours.quiet : this.colours.ink;
    context.fillText(text, x, top);
  }
}

/** Return the same label above its node. @returns {Label} @param {Label} label */
function above({ y, top, bottom, ...box }) {
  return { ...box, y, top: 2 * y - bottom, bottom: 2 * y - top };
}
