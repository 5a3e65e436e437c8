/* Topics in the drawing: soft regions behind the nodes and large labels, which fade as the reader zooms in. */

const REGION_CELLS = 110; // the limit of cells along the longer side of the grid of densities
const CELLS_A_NODE = 4; // cells along the longer side for the square root of the number of nodes
const REGION_REACH = 3.2; // standard deviation of the bell around a node, in cells
const REGION_NODES = 2.2; // nodes at one point from which a region begins
const LEAST_SHARE = 0.38; // of the nodes around a cell that have to be of its topic
const LEAST_WEIGHT = 0.004; // of the largest region, from which a region has a label
const REGIONS_FROM = 30; // number of nodes below which no topics are drawn
const FADE = { from: 1.25, to: 2.6 }; // size of the drawing in windows at which topics begin and end to fade
const LONG_NAME = 24; // number of characters from which the name of a topic is shortened
const GOLDEN_ANGLE = 137.508; // between the hues of two topics, so that none repeat

/** The topics of the graph: key, names and number of papers of each, and the topic of every node, -1 for none. */
class Topics {
  /** @param {TopicColumns} columns @param {number} size */
  constructor({ key, names, of }, size) {
    this.key = key;
    this.names = names;
    this.of = new Int16Array(size).fill(-1);
    this.of.set(of);
  }

  get count() {
    return this.key.length;
  }

  /** Return the number of a topic, or -1 if there is none with this key. @param {string} key */
  find(key) {
    return key ? this.key.indexOf(key) : -1;
  }
}

/**
 * Return the names of a topic, with an acronym for a long one where there is any.
 * @param {Graph} graph
 * @param {number} topic
 */
function topicNames(graph, topic) {
  /** @param {number} node */
  const shortened = (node) => (graph.label[node].length > LONG_NAME && graph.shortName(node)) || graph.label[node];
  return graph.topics.names[topic].map(shortened);
}

/** Return the hue of a topic in degrees. @param {number} topic */
function topicHue(topic) {
  return Math.round((210 + topic * GOLDEN_ANGLE) % 360);
}

/** Return the weight of a node at a distance in cells along one axis. @param {number} distance */
function bell(distance) {
  return Math.exp((distance * distance) / (-2 * REGION_REACH ** 2));
}

/** Regions of topics as densities on a grid over the drawing, and the place of the label of each. */
class Regions {
  /**
   * @param {Graph} graph
   * @param {number[]} nodes the drawn nodes
   */
  constructor(graph, nodes) {
    this.graph = graph;
    const { of } = graph.topics;
    this.nodes = nodes.filter((node) => of[node] >= 0);
    this.topics = [...new Set(this.nodes.map((node) => of[node]))].sort((a, b) => a - b);
    /** @type {Region[]} */
    this.regions = [];
    this.isDrawn = nodes.length >= REGIONS_FROM && this.topics.length > 1;
    if (!this.isDrawn) return;
    this.#measure(nodes);
    this.#assign();
  }

  /** Lay the grid over the nodes. @param {number[]} nodes */
  #measure(nodes) {
    const [left, right] = extent(nodes, this.graph.x);
    const [top, bottom] = extent(nodes, this.graph.y);
    this.extent = Math.max(right - left, bottom - top, 1);
    this.cell = this.extent / Math.min(REGION_CELLS, CELLS_A_NODE * Math.sqrt(nodes.length));
    const margin = 3 * REGION_REACH * this.cell;
    this.left = left - margin;
    this.top = top - margin;
    this.columns = Math.ceil((right + margin - this.left) / this.cell) + 1;
    this.rows = Math.ceil((bottom + margin - this.top) / this.cell) + 1;
  }

  /** Return the density of the nodes of a topic in each cell. @param {number} topic */
  #density(topic) {
    const { columns = 0, rows = 0, cell = 1, left = 0, top = 0 } = this;
    const density = new Float32Array(columns * rows);
    const reach = Math.ceil(2.5 * REGION_REACH);
    const across = new Float64Array(2 * reach + 2);
    for (const node of this.nodes) {
      if (this.graph.topics.of[node] !== topic) continue;
      const [x, y] = [(this.graph.x[node] - left) / cell, (this.graph.y[node] - top) / cell];
      const [first, last] = [Math.max(0, Math.floor(x) - reach), Math.floor(Math.min(columns - 1, x + reach))];
      for (let column = first; column <= last; column++) across[column - first] = bell(column + 0.5 - x);
      for (let row = Math.max(0, Math.floor(y) - reach); row <= Math.min(rows - 1, y + reach); row++) {
        const own = bell(row + 0.5 - y);
        for (let column = first; column <= last; column++) density[row * columns + column] += own * across[column - first];
      }
    }
    return density;
  }

  /** Give each cell to the topic that is densest there, and each topic the centre of its densest part. */
  #assign() {
    const { columns = 0, rows = 0 } = this;
    const owner = new Int16Array(columns * rows).fill(-1);
    const strength = new Float32Array(columns * rows);
    const all = new Float32Array(columns * rows);
    for (const topic of this.topics) {
      const density = this.#density(topic);
      for (let at = 0; at < density.length; at++) {
        all[at] += density[at];
        if (density[at] <= strength[at]) continue;
        strength[at] = density[at];
        owner[at] = topic;
      }
    }
    for (let at = 0; at < all.length; at++) {
      const share = strength[at] / (all[at] || 1);
      if (share < LEAST_SHARE || strength[at] < REGION_NODES) owner[at] = -1;
      else strength[at] *= share;
    }
    this.owner = owner;
    this.strength = strength;
    const regions = this.#centres().map((centre) => this.#region(centre));
    const largest = Math.max(...regions.map(({ weight }) => weight));
    this.regions = regions.filter(({ weight }) => weight > LEAST_WEIGHT * largest);
  }

  /** Return the weight, the weighted sums of columns and rows, and the densest cell of each topic. */
  #centres() {
    const { columns = 0, owner = [], strength = [] } = this;
    const centres = this.topics.map((topic) => ({ topic, x: 0, y: 0, weight: 0, densest: -1 }));
    const byTopic = new Map(centres.map((centre) => [centre.topic, centre]));
    owner.forEach((topic, at) => {
      const centre = byTopic.get(topic);
      if (!centre) return;
      const pull = strength[at] ** 2;
      centre.x += pull * (at % columns);
      centre.y += pull * Math.floor(at / columns);
      centre.weight += pull;
      if (centre.densest < 0 || strength[at] > strength[centre.densest]) centre.densest = at;
    });
    return centres;
  }

  /**
   * Return the middle of a region, or its densest cell if another topic owns the middle, and its weight.
   * @param {{ topic: number, x: number, y: number, weight: number, densest: number }} centre
   * @returns {Region}
   */
  #region({ topic, x, y, weight, densest }) {
    const { columns = 0, cell = 1, left = 0, top = 0, owner = [] } = this;
    const middle = weight ? Math.round(y / weight) * columns + Math.round(x / weight) : densest;
    const at = Math.max(0, owner[middle] === topic ? middle : densest);
    const [column, row] = [at % columns, Math.floor(at / columns)];
    return { topic, x: left + (column + 0.5) * cell, y: top + (row + 0.5) * cell, weight };
  }

  /** Return the regions as an image of one pixel a cell, made on first use. @param {boolean} dark */
  #image(dark) {
    if (this.image && this.isDark === dark) return this.image;
    const { columns = 0, rows = 0, owner = [], strength = [] } = this;
    this.isDark = dark;
    this.image = element("canvas", { width: columns, height: rows });
    const context = contextOf(this.image);
    const pixels = context.createImageData(columns, rows);
    const colours = new Map(this.topics.map((topic) => [topic, rgb(topicHue(topic), 0.6, dark ? 0.55 : 0.58)]));
    owner.forEach((topic, at) => {
      if (topic < 0) return;
      const [red, green, blue] = required(colours.get(topic), "The colour of the topic");
      const rise = Math.min(1, (strength[at] - REGION_NODES * LEAST_SHARE) / (1.6 * REGION_NODES));
      pixels.data.set([red, green, blue, Math.round(Math.max(0, rise) * (dark ? 62 : 50))], 4 * at);
    });
    context.putImageData(pixels, 0, 0);
    return this.image;
  }

  /** Return how clearly topics are drawn: 1 while the whole drawing is in the window, 0 from near. @param {Viewport} view */
  opacity(view) {
    if (!this.isDrawn) return 0;
    const windows = ((this.extent ?? 1) * view.scale) / Math.max(view.width, view.height);
    return Math.max(0, Math.min(1, (FADE.to - windows) / (FADE.to - FADE.from)));
  }

  /**
   * Draw the regions behind the graph.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {boolean} dark
   */
  draw(context, view, dark) {
    const opacity = this.opacity(view);
    if (!opacity) return;
    const { columns = 0, rows = 0, cell = 1, left = 0, top = 0 } = this;
    const [x, y] = view.toPixels(left, top);
    context.globalAlpha = opacity;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    context.drawImage(this.#image(dark), x, y, columns * cell * view.scale, rows * cell * view.scale);
    context.globalAlpha = 1;
  }
}

/**
 * Return red, green and blue of a colour, from 0 to 255.
 * @param {number} hue in degrees
 * @param {number} saturation
 * @param {number} lightness
 */
function rgb(hue, saturation, lightness) {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((turn) => {
    const k = (turn + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}
