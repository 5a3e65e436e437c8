/* The labels of topics: the names of three entities in lines, larger for topics with more papers. */

const TOPIC_FONT = { least: 13, most: 21, rest: 0.74 }; // pixels of the first line, and the share of the others
const TOPIC_LINE = 1.16; // height of a line, as a share of its font
const TOPIC_WIDTH = 24; // the limit of characters in a line

class TopicLabels {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {TopicLabel[]} */
    this.boxes = [];
  }

  /**
   * Draw the labels, those of the largest topics first, where there is room.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   */
  draw(context, view, { regions, colours, shown }) {
    this.boxes = [];
    const opacity = regions.opacity(view);
    if (opacity < 0.05) return;
    const papers = topicPapers(this.graph, shown);
    const most = Math.max(1, ...papers);
    const ordered = [...regions.regions].sort((a, b) => papers[b.topic] - papers[a.topic] || a.topic - b.topic);
    for (const region of ordered) {
      const share = Math.sqrt(papers[region.topic] / most);
      const label = this.#placed(context, view, region, colours, share);
      if (!label) continue;
      this.boxes.push(label);
      this.#write(context, view, label, colours, opacity);
    }
    context.globalAlpha = 1;
  }

  /**
   * Return a label at the first free place in or near its region, with fewer names if there is no room for all.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Region} region
   * @param {Palette} colours
   * @param {number} share
   */
  #placed(context, view, { topic, x, y }, colours, share) {
    const names = topicNames(this.graph, topic).map((name) => truncated(name, TOPIC_WIDTH));
    const size = Math.round((TOPIC_FONT.least + share * (TOPIC_FONT.most - TOPIC_FONT.least)) * view.ratio);
    const [middle, centre] = view.toPixels(x, y);
    if (view.isOutside(middle, centre, 0)) return null;
    for (const count of [3, 2, 1]) {
      const lines = names.slice(0, count).map((text, i) => {
        const height = Math.round(i ? size * TOPIC_FONT.rest : size);
        const font = `${i ? 500 : 700} ${height}px ${colours.font}`;
        context.font = font;
        return { text, font, height: height * TOPIC_LINE, width: context.measureText(text).width };
      });
      const half = Math.max(...lines.map(({ width }) => width)) / 2;
      const height = lines.reduce((sum, line) => sum + line.height, 0);
      const left = view.clampInside(middle, half + 6 * view.ratio) - half;
      for (const shift of [0, -0.35, 0.35, -0.7, 0.7, -1.05, 1.05]) {
        const top = centre - height / 2 + shift * height;
        const box = { left, right: left + 2 * half, top, bottom: top + height, topic, lines };
        if (isInside(box, view) && !this.boxes.some((other) => overlaps(padded(box, 4 * view.ratio), other))) return box;
      }
    }
    return null;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {TopicLabel} label
   * @param {Palette} colours
   * @param {number} opacity
   */
  #write(context, view, { left, right, top, topic, lines }, colours, opacity) {
    const [red, green, blue] = rgb(topicHue(topic), 0.45, colours.dark ? 0.8 : 0.27);
    context.globalAlpha = opacity;
    context.strokeStyle = colours.ground;
    context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
    let y = top;
    for (const { text, font, height } of lines) {
      context.font = font;
      context.lineWidth = 5 * view.ratio;
      context.strokeText(text, (left + right) / 2, y);
      context.fillText(text, (left + right) / 2, y);
      y += height;
    }
    context.globalAlpha = 1;
  }

  /** Return the topic whose label lies under a point in device pixels, or -1. @param {number} x @param {number} y */
  topicAt(x, y) {
    const under = this.boxes.find(({ left, right, top, bottom }) => x > left && x < right && y > top && y < bottom);
    return under?.topic ?? -1;
  }
}

/** Return how many of the papers that pass the filters belong to each topic. @param {Graph} graph @param {VisibleGraph} shown */
function topicPapers(graph, { passing }) {
  const papers = new Int32Array(graph.topics.count);
  for (let node = graph.entityCount; node < graph.size; node++) {
    if (passing[node] && graph.topics.of[node] >= 0) papers[graph.topics.of[node]]++;
  }
  return papers;
}

/** @template {Box} T @param {T} box @param {number} by @returns {T} */
function padded(box, by) {
  return { ...box, left: box.left - by, right: box.right + by, top: box.top - by, bottom: box.bottom + by };
}

/** @param {Box} box @param {Viewport} view */
function isInside({ left, right, top, bottom }, { width, height }) {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}
