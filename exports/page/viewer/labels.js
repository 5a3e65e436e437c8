/*
 * Node labels: large nodes first, as many as the window has room for. No label lies over another label, over the disc
 * of another node or over the edge of the window. A label is also a click target of its node.
 */

const LONG_LABEL = 16; // number of characters above which a label is shortened
const ATTEMPTS = 1500; // the limit of labels that are tried in a frame
const FEW = 90; // the number of nodes up to which all are tried
const LEGIBLE = 2.4; // the radius in pixels from which entities of a single paper are labelled
const CLOSE = 1.6; // the zoom from which papers are labelled beside entities
const BUCKET = 48; // the side in CSS pixels of the squares in which discs are looked up

class Labels {
  /** @param {Graph} graph @param {Palette} colours */
  constructor(graph, colours) {
    this.graph = graph;
    this.colours = colours;
    /** @type {Map<number, string>} */
    this.shortNames = new Map();
    /** The text of the label of each drawn node. @type {Map<number, string>} */
    this.names = new Map();
    /** @type {number[]} */
    this.order = [];
    /** @type {Map<string, number>} */
    this.widthCache = new Map();
    /** @type {DrawnLabels} */
    this.drawn = { boxes: [] };
    this.unhovered = this.drawn;
  }

  /**
   * Choose the text and the order of the labels: a short name if no other drawn node has the same, large nodes first.
   * @param {number[]} nodes
   * @param {Float32Array} radii
   */
  show(nodes, radii) {
    const { label } = this.graph;
    this.order = [...nodes].sort((a, b) => radii[b] - radii[a]);
    const entities = this.order.filter((node) => !this.graph.isPaper(node));
    const sized = entities.length ? entities : this.order;
    this.largest = radii[sized[0]] ?? 1;
    this.smallest = radii[sized[sized.length - 1]] ?? 0;
    /** @type {Map<string, number>} */
    const counts = new Map();
    /** @param {string} name */
    const count = (name) => counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
    for (const node of nodes) for (const name of new Set([label[node], this.#shortName(node)])) count(name);
    for (const node of nodes) {
      const short = this.#shortName(node);
      this.names.set(node, short && counts.get(short.toLowerCase()) === 1 ? short : label[node]);
    }
  }

  /** Return the short name of a long one, or "". @param {number} node */
  #shortName(node) {
    const known = this.shortNames.get(node);
    if (known !== undefined) return known;
    const name = this.graph.label[node].length > LONG_LABEL ? this.graph.shortName(node) : "";
    this.shortNames.set(node, name);
    return name;
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
   * @param {Obstacles} obstacles
   */
  draw(context, view, painter, highlight, obstacles) {
    /** @type {Label[]} */
    const placed = [];
    this.drawn = { view, boxes: placed };
    if (painter.hover < 0) this.unhovered = this.drawn;
    const nodes = highlight ? highlight.order : this.order;
    let attempts = 0;
    for (const node of nodes) {
      if (attempts > ATTEMPTS) break;
      if (!highlight && !this.#isLabelled(node, view, painter)) continue;
      const [x, y] = view.toPixels(this.graph.x[node], this.graph.y[node]);
      if (view.isOutside(x, y, 0)) continue;
      attempts++;
      const box = this.#box(context, view, painter, node, highlight?.roots);
      const gap = view.radius(painter.radii[node]) + 2 * view.ratio;
      const moves = movesAround(box, gap);
      const free = moves.find((move) => obstacles.isFree(shifted(box, move, view)));
      const move = free ?? (highlight?.roots.includes(node) ? moves[0] : null);
      if (!move) continue;
      const label = shifted(box, move, view);
      placed.push(label);
      obstacles.addBox(padded(label, 2 * view.ratio));
      this.#write(context, view, label);
    }
  }

  /**
   * Draw the labels of the last frame at their new places, while the camera moves.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   */
  move(context, view) {
    const { view: before, boxes } = this.drawn;
    if (!before) return;
    const moved = boxes.map((box) => {
      const [x, y] = view.toPixels(this.graph.x[box.node], this.graph.y[box.node]);
      const [dx, dy] = [x - box.x, y - box.y];
      const { left, right, top, bottom } = box;
      return { ...box, x, y, left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy };
    });
    this.drawn = { view, boxes: moved };
    for (const box of moved) if (isInside(box, view)) this.#write(context, view, box);
  }

  /**
   * Whether a node may be labelled while nothing is highlighted; entities of one paper only when zoomed in.
   * @param {number} node
   * @param {Viewport} view
   * @param {Painter} painter
   */
  #isLabelled(node, view, { shown, radii }) {
    if (shown.list.length < FEW) return true;
    if (this.graph.isPaper(node)) return view.zoom > CLOSE || (shown.view === "papers" && shown.rank(node) > 0);
    return shown.papers[node] > 1 || view.radius(radii[node]) > LEGIBLE * view.ratio;
  }

  /**
   * Return the text, style and box of a label centred on its node; highlighted roots get longer texts.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   * @param {number} node
   * @param {number[]} [roots]
   */
  #box(context, view, { shown, radii }, node, roots = []) {
    const strong = roots.includes(node);
    const range = (this.largest ?? 1) - (this.smallest ?? 0);
    const grown = range ? (6 * Math.max(0, radii[node] - (this.smallest ?? 0))) / range : 1;
    const size = Math.round((strong ? 14 : 10 + grown) * view.ratio);
    const text = strong && roots.length === 1 ? truncated(this.graph.label[node], 44) : truncated(this.names.get(node) ?? "", 28);
    const bold = strong || grown > 3;
    const font = `${bold ? 600 : 400} ${size}px ${this.colours.font}`;
    const halfWidth = this.#width(context, text, font) / 2;
    const [x, y] = view.toPixels(this.graph.x[node], this.graph.y[node]);
    const quiet = this.graph.isPaper(node) && !strong && shown.view !== "papers";
    const [top, bottom] = [y - size * 0.55, y + size * 0.55];
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
  #write(context, view, { quiet, text, font, left, right, top }) {
    const x = (left + right) / 2;
    context.font = font;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 3.5 * view.ratio;
    context.strokeText(text, x, top);
    context.fillStyle = quiet ? this.colours.quiet : this.colours.ink;
    context.fillText(text, x, top);
  }
}

/**
 * Return the moves of a label from the centre of its node to places around it, the best first.
 * @param {Label} label centred on its node
 * @param {number} gap between the centre of the node and the label
 * @returns {Point[]}
 */
function movesAround(label, gap) {
  const [halfWidth, halfHeight] = [(label.right - label.left) / 2, (label.bottom - label.top) / 2];
  const [down, aside] = [gap + halfHeight, gap + halfWidth];
  const steps = label.bold ? [1, 1.5, 2] : [1];
  return steps.flatMap((step) => [
    [0, step * down],
    [0, -step * down],
    [aside, (step - 1) * down],
    [-aside, (step - 1) * down],
    [0.6 * halfWidth, step * down],
    [-0.6 * halfWidth, step * down],
    [0.6 * halfWidth, -step * down],
    [-0.6 * halfWidth, -step * down],
  ]);
}

/**
 * Return a label after a move; at the edge of the window it moves inwards.
 * @param {Label} label
 * @param {Point} move
 * @param {Viewport} view
 * @returns {Label}
 */
function shifted(label, [dx, dy], view) {
  const [width, height] = [label.right - label.left, label.bottom - label.top];
  const margin = 3 * view.ratio;
  const x = view.clampInside(label.x + dx, width / 2 + margin);
  const top = Math.max(margin, Math.min(view.height - margin - height, label.top + dy));
  return { ...label, left: x - width / 2, right: x + width / 2, top, bottom: top + height };
}

/** What labels must not cover: discs, and boxes of other labels, by squares of the window. */
class Obstacles {
  /**
   * @param {Viewport} view
   * @param {number[]} nodes
   * @param {Graph} graph
   * @param {Float32Array} radii
   */
  constructor(view, nodes, graph, radii) {
    this.view = view;
    this.side = BUCKET * view.ratio;
    this.columns = Math.ceil(view.width / this.side) + 1;
    /** @type {Map<number, Disc[]>} */
    this.discs = new Map();
    /** @type {Map<number, Box[]>} */
    this.boxes = new Map();
    for (const node of nodes) {
      const [x, y] = view.toPixels(graph.x[node], graph.y[node]);
      const radius = view.radius(radii[node]);
      if (view.isOutside(x, y, radius)) continue;
      const box = { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
      this.#add(this.discs, box, { node, x, y, radius });
    }
  }

  /** @param {Box} box */
  addBox(box) {
    this.#add(this.boxes, box, box);
  }

  /** @template T @param {Map<number, T[]>} squares @param {Box} box @param {T} item */
  #add(squares, box, item) {
    for (const square of this.#squares(box)) {
      const items = squares.get(square);
      if (items) items.push(item);
      else squares.set(square, [item]);
    }
  }

  /** Yield the numbers of the squares that a box touches. @param {Box} box */
  *#squares({ left, right, top, bottom }) {
    /** @param {number} position */
    const at = (position) => Math.max(-1, Math.floor(position / this.side));
    for (let row = at(top); row <= at(Math.min(bottom, this.view.height)); row++) {
      for (let column = at(left); column <= at(Math.min(right, this.view.width)); column++) {
        yield row * this.columns + column;
      }
    }
  }

  /** Whether a label is inside the window and covers no other label, and no disc of another node. @param {Label} label */
  isFree(label) {
    if (!this.isClear(label)) return false;
    for (const square of this.#squares(label)) {
      if (this.discs.get(square)?.some((disc) => disc.node !== label.node && covers(label, disc))) return false;
    }
    return true;
  }

  /** Whether a box is inside the window and covers no other label. @param {Box} box */
  isClear(box) {
    if (!isInside(box, this.view)) return false;
    for (const square of this.#squares(box)) {
      if (this.boxes.get(square)?.some((other) => overlaps(box, other))) return false;
    }
    return true;
  }

  /** Return the share of a box that discs cover; discs that overlap count each. @param {Box} box */
  coverage(box) {
    /** @type {Set<Disc>} */
    const found = new Set();
    for (const square of this.#squares(box)) for (const disc of this.discs.get(square) ?? []) found.add(disc);
    let area = 0;
    for (const { x, y, radius } of found) {
      const width = Math.min(box.right, x + radius) - Math.max(box.left, x - radius);
      const height = Math.min(box.bottom, y + radius) - Math.max(box.top, y - radius);
      area += Math.max(0, width) * Math.max(0, height);
    }
    return area / ((box.right - box.left) * (box.bottom - box.top));
  }
}

/** Whether a box lies over a disc by more than its border. @param {Box} box @param {Disc} disc */
function covers({ left, right, top, bottom }, { x, y, radius }) {
  const dx = Math.max(left - x, 0, x - right);
  const dy = Math.max(top - y, 0, y - bottom);
  return dx * dx + dy * dy < radius * radius * 0.9;
}
