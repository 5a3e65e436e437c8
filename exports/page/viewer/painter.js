/* Draws the graph: a buffered image of all nodes and edges, with the highlighted ones on top. */

const BUFFERED_FROM = 2500; // nodes and edges from which a moving frame moves a buffered image
const BUFFER_MARGIN = 0.2; // by how much the buffer exceeds the window on each side, as a share of its size
const SEGMENTS_PER_STROKE = 400; // limit of lines in one stroke: very long paths are slow to draw

class Painter {
  /** @type {VisibleGraph | null} */
  #shown = null;

  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    this.colours = palette(graph.types.length);
    this.colour = "type";
    this.size = "papers";
    /** @type {ColourScale | null} */
    this.scale = null;
    this.radii = new Float32Array();
    /** @type {string[]} */
    this.fills = [];
    /** @type {DiscGroup[]} */
    this.discGroups = [];
    /** @type {LineGroup[]} */
    this.lineGroups = [];
    this.buffer = document.createElement("canvas");
    /** @type {Viewport | null} */
    this.buffered = null;
    /** @type {Viewport | null} */
    this.bufferedFor = null;
    /** @type {Viewport | null} */
    this.previous = null;
    this.labels = new Labels(graph, this.colours);
    this.regions = new Regions(graph, []);
    this.topicLabels = new TopicLabels(graph);
    /** Returns the boxes of the controls over the drawing, in CSS pixels. @type {() => Box[]} */
    this.controls = () => [];
    this.hover = -1;
    this.focus = -1;
    /** @type {Set<number>} */
    this.selected = new Set();
    /** @type {number[]} */
    this.path = [];
  }

  /** The visible part of the graph, from the first `show` on. */
  get shown() {
    return required(this.#shown, "The visible graph");
  }

  /**
   * Apply the colours and sizes of the display options and of the theme.
   * @param {string} colour
   * @param {string} size
   */
  applyDisplay(colour, size) {
    this.colours = palette(this.graph.types.length);
    this.colour = colour;
    this.size = size;
    this.scale = colour === "type" ? null : colourScale(this.graph, colour);
    this.labels.setColours(this.colours);
    if (this.#shown) this.#style(this.#shown);
  }

  /** @param {VisibleGraph} shown */
  show(shown) {
    this.#shown = shown;
    this.regions = new Regions(this.graph, shown.list);
    this.#style(shown);
  }

  /** Choose colours, sizes and labels of what is drawn. @param {VisibleGraph} shown */
  #style(shown) {
    this.radii = nodeRadii(this.graph, this.size, shown.view);
    this.labels.show(shown.list, this.radii);
    this.fills = nodeColours(this.graph, shown, this.colours, this.scale);
    this.discGroups = this.#groupDiscs(shown);
    this.lineGroups = this.#groupLines(shown);
    this.buffered = null;
  }

  /**
   * Group the nodes by shape and colour: papers below entities, large nodes below small ones.
   * @param {VisibleGraph} shown
   */
  #groupDiscs({ list }) {
    /** @type {Map<string, DiscGroup>} */
    const groups = new Map();
    for (const node of list) {
      const type = this.graph.type[node];
      const name = `${this.graph.isPaper(node) ? 0 : 1} ${type} ${this.fills[node]}`;
      const group = groups.get(name) ?? { type, colour: this.fills[node], nodes: [] };
      groups.set(name, group);
      group.nodes.push(node);
    }
    for (const { nodes } of groups.values()) nodes.sort((a, b) => this.radii[b] - this.radii[a]);
    return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  }

  /** Group the edges by colour and width. @param {VisibleGraph} shown */
  #groupLines({ edges, view }) {
    const { from, to, weight, count } = edges;
    /** @type {Map<string, LineGroup>} */
    const groups = new Map();
    for (let i = 0; i < count; i++) {
      const width = weight[i] > 2 && view === "entities" ? 1.8 : 0.8;
      const colour = this.#edgeColour(from[i], to[i]);
      const name = `${width} ${colour}`;
      const group = groups.get(name) ?? { colour, width, edges: [] };
      groups.set(name, group);
      group.edges.push(i);
    }
    return [...groups.values()];
  }

  /**
   * Return the colour of an edge: that of the entity between a paper and an entity, else grey.
   * @param {number} from
   * @param {number} to
   */
  #edgeColour(from, to) {
    return this.graph.isPaper(from) && !this.graph.isPaper(to) ? this.fills[to] : this.colours.edge;
  }

  /** Return the boxes that the controls cover, in device pixels. @param {Viewport} view @returns {Box[]} */
  coveredBoxes({ ratio }) {
    if (this.isForFile) return [];
    return this.controls().map(({ left, right, top, bottom }) => {
      return { left: left * ratio, right: right * ratio, top: top * ratio, bottom: bottom * ratio };
    });
  }

  /**
   * Draw one frame; return true if a sharper frame should follow at rest. `unbuffered` draws everything directly,
   * for a context that cannot draw images.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   */
  frame(context, view, unbuffered = false) {
    context.save();
    this.isForFile = unbuffered;
    const isBlurred = this.#drawScene(context, view, unbuffered);
    const highlight = this.#findHighlight();
    if (highlight) this.#drawHighlight(context, view, highlight);
    this.#drawRings(context, view, highlight?.roots ?? []);
    this.#drawLabels(context, view, highlight, isBlurred);
    context.restore();
    return isBlurred;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Highlighted | null} highlight
   * @param {boolean} isMoving
   */
  #drawLabels(context, view, highlight, isMoving) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    if (isMoving && !highlight) {
      this.topicLabels.move(context, view, this);
      this.labels.move(context, view);
      return;
    }
    const nodes = highlight ? [...highlight.nodes] : this.shown.list;
    const obstacles = new Obstacles(view, nodes, this.graph, this.radii);
    for (const box of this.coveredBoxes(view)) obstacles.addBox(box);
    if (highlight) this.topicLabels.clear();
    else this.topicLabels.draw(context, view, this, obstacles);
    this.labels.draw(context, view, this, highlight, obstacles);
  }

  /** @param {CanvasRenderingContext2D} context @param {Viewport} view @param {boolean} unbuffered */
  #drawScene(context, view, unbuffered) {
    if (unbuffered || this.shown.list.length + this.shown.edges.count < BUFFERED_FROM) {
      this.#drawGraph(context, view);
      return false;
    }
    const isMoving = this.previous && !view.equals(this.previous);
    this.previous = view;
    if (!this.buffered || (!isMoving && !view.equals(this.bufferedFor))) this.buffered = this.#updateBuffer(view);
    const factor = view.scale / this.buffered.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    const [x, y] = [view.x - this.buffered.x * factor, view.y - this.buffered.y * factor];
    context.drawImage(this.buffer, x, y, this.buffer.width * factor, this.buffer.height * factor);
    return !view.equals(this.bufferedFor);
  }

  /** Draw the image that is moved while the camera moves; return its viewport. @param {Viewport} view */
  #updateBuffer(view) {
    const buffered = view.enlarged(BUFFER_MARGIN);
    this.bufferedFor = view;
    this.buffer.width = buffered.width;
    this.buffer.height = buffered.height;
    this.#drawGraph(contextOf(this.buffer), buffered);
    return buffered;
  }

  /** @param {CanvasRenderingContext2D} context @param {Viewport} view */
  #drawGraph(context, view) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    if ("drawImage" in context) this.regions.draw(context, view, this.colours.dark);
    context.globalAlpha = Math.max(0.14, Math.min(0.7, 22 / Math.sqrt(this.shown.edges.count + 1)));
    for (const group of this.lineGroups) this.#drawLines(context, view, group);
    context.globalAlpha = 1;
    for (const { nodes, type, colour } of this.discGroups) this.#drawDiscs(context, view, nodes, type, colour);
  }

  /** @param {number} node @param {Viewport} view */
  #toPixels(node, view) {
    return view.toPixels(this.graph.x[node], this.graph.y[node]);
  }

  /** @param {CanvasRenderingContext2D} context @param {Viewport} view @param {LineGroup} group */
  #drawLines(context, view, { colour, width, edges }) {
    const { from, to } = this.shown.edges;
    context.strokeStyle = colour;
    context.lineWidth = width * view.ratio;
    context.beginPath();
    let open = 0;
    for (const edge of edges) {
      const [x1, y1] = this.#toPixels(from[edge], view);
      const [x2, y2] = this.#toPixels(to[edge], view);
      if (view.isLineOutside(x1, y1, x2, y2)) continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      if (++open % SEGMENTS_PER_STROKE) continue;
      context.stroke();
      context.beginPath();
    }
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {number[]} nodes
   * @param {number} type
   * @param {string} colour
   */
  #drawDiscs(context, view, nodes, type, colour) {
    const shape = shapeOf(type, this.graph.types.length);
    const isStub = type > this.graph.types.length; // papers outside the corpus are hollow
    context.fillStyle = isStub ? this.colours.ground : colour;
    context.strokeStyle = isStub ? colour : this.colours.ground;
    context.lineWidth = view.ratio * (isStub ? 2 : 1);
    context.beginPath();
    for (const node of nodes) {
      const [x, y] = this.#toPixels(node, view);
      const radius = view.radius(this.radii[node]);
      if (!view.isOutside(x, y, radius)) trace(context, radius < 1.6 ? CIRCLE : shape, x, y, radius);
    }
    context.stroke();
    context.fill();
  }

  /** Return what is highlighted: the path, or the hovered node, or the selection with its neighbours. */
  #findHighlight() {
    const { shown } = this;
    if (this.path.length > 1) return this.#highlightedPath();
    const isHovered = this.hover >= 0 && shown.node[this.hover];
    const roots = isHovered ? [this.hover] : [...this.selected].filter((node) => shown.node[node]);
    if (!roots.length) return null;
    const edges = roots.length === 2 ? this.#edgesBetween(roots[0], roots[1]) : [...shown.edges.incidence.of(roots[0])];
    const nodes = new Set(roots);
    for (const edge of edges) nodes.add(shown.edges.from[edge]).add(shown.edges.to[edge]);
    const others = [...nodes].slice(roots.length).sort((a, b) => shown.rank(b) - shown.rank(a) || a - b);
    return { roots, edges, nodes, order: [...roots, ...others] };
  }

  #highlightedPath() {
    const edges = this.path.slice(1).flatMap((node, i) => this.#edgesBetween(this.path[i], node));
    return { roots: this.path, edges, nodes: new Set(this.path), order: this.path };
  }

  /** @param {number} a @param {number} b */
  #edgesBetween(a, b) {
    return [...this.shown.edges.incidence.of(a)].filter((edge) => this.shown.edges.other(edge, a) === b);
  }

  /**
   * Fade the graph and draw the highlighted part on top.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Highlighted} highlight
   */
  #drawHighlight(context, view, highlight) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.8;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, view.width, view.height);
    context.globalAlpha = 1;
    for (const edge of highlight.edges) this.#drawHighlightedEdge(context, view, edge);
    for (const node of highlight.nodes) this.#drawDiscs(context, view, [node], this.graph.type[node], this.fills[node]);
  }

  /**
   * Draw rings around the focused node and the roots of the highlight.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {number[]} roots
   */
  #drawRings(context, view, roots) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.strokeStyle = this.colours.ink;
    context.lineWidth = 2 * view.ratio;
    for (const node of [...roots, this.focus]) {
      if (!this.shown.node[node]) continue;
      const shape = shapeOf(this.graph.type[node], this.graph.types.length);
      context.beginPath();
      trace(context, shape, ...this.#toPixels(node, view), view.radius(this.radii[node]) + 3 * view.ratio);
      context.stroke();
    }
  }

  /**
   * Draw a highlighted edge in the line style of its role, with an arrow if it is directed.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {number} edge
   */
  #drawHighlightedEdge(context, view, edge) {
    const { from, to, label } = this.shown.edges;
    const style = strokeOf(label[edge]);
    const [start, end] = [this.#toPixels(from[edge], view), this.#toPixels(to[edge], view)];
    context.strokeStyle = this.fills[this.graph.isPaper(to[edge]) ? from[edge] : to[edge]];
    context.lineWidth = style.width * view.ratio;
    context.setLineDash(style.dash.map((length) => length * view.ratio));
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
    context.setLineDash([]);
    if (label[edge] !== CO_MENTION) this.#drawArrow(context, view, start, end, view.radius(this.radii[to[edge]]));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Point} end1
   * @param {Point} end2
   * @param {number} radius
   */
  #drawArrow(context, view, [x1, y1], [x2, y2], radius) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    /** @param {Point} point @param {number} length @param {number} turn @returns {Point} */
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
   * Return the node under a point of the window in CSS pixels, or -1: by its label, or the one with the nearest border.
   * A target is at least `size` pixels high and wide.
   * @param {number} left
   * @param {number} top
   * @param {Viewport} view
   * @param {number} size
   */
  nodeAt(left, top, view, size) {
    const point = pointOf(left, top, view);
    const labelled = this.labels.nodeAt(...point, view, this.hover);
    if (labelled >= 0) return labelled;
    const near = this.#discAt(point, view, size * view.ratio);
    return near >= 0 ? near : this.labels.nodeAt(...point, view, this.hover, size * view.ratio);
  }

  /** @param {Point} point @param {Viewport} view @param {number} size */
  #discAt([px, py], view, size) {
    let [best, nearest] = [-1, Infinity];
    for (const node of this.#shown?.list ?? []) {
      const [x, y] = this.#toPixels(node, view);
      const radius = view.radius(this.radii[node]);
      const gap = Math.hypot(x - px, y - py) - radius;
      if (gap < nearest && gap < Math.max(3 * view.ratio, size / 2 - radius)) [best, nearest] = [node, gap];
    }
    return best;
  }

  /**
   * Return the ends of the edge under a point, or null; while edges are highlighted, only these count.
   * @param {number} left
   * @param {number} top
   * @param {Viewport} view
   * @returns {[number, number] | null}
   */
  edgeAt(left, top, view) {
    const { from, to, count } = this.shown.edges;
    const candidates = this.#findHighlight()?.edges ?? Array.from({ length: count }, (_, i) => i);
    const point = pointOf(left, top, view);
    let [best, nearest] = [-1, 5 * view.ratio];
    for (const edge of candidates) {
      const gap = distanceToSegment(point, this.#toPixels(from[edge], view), this.#toPixels(to[edge], view));
      if (gap < nearest) [best, nearest] = [edge, gap];
    }
    return best < 0 ? null : [from[best], to[best]];
  }
}

/**
 * Return the device pixels of a point in CSS pixels. @returns {[number, number]}
 * @param {number} left
 * @param {number} top
 * @param {Viewport} view
 */
function pointOf(left, top, { ratio }) {
  return [left * ratio, top * ratio];
}
