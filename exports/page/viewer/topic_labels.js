/* The labels of topics: the names of three entities in lines, larger for topics with more papers. */

const TOPIC_FONT = { least: 13, most: 21, rest: 0.74 }; // pixels of the first line, and the share of the others
const FULL_SIZE = 900; // width of the window in pixels from which labels have their full size
const TOPIC_LINE = 1.16; // height of a line, as a share of its font
const TOPIC_WIDTH = 32; // the limit of characters in a line

const FAINT = 0.12; // opacity below which labels are not drawn
/** Places of a label around the middle of its region, in halves of its width and in its height. @type {Point[]} */
const SHIFTS = [0, -0.5, 0.5, -1, 1].flatMap((down) => [0, -0.6, 0.6].map((right) => /** @type {Point} */ ([right, down])));

class TopicLabels {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {TopicLabel[]} */
    this.boxes = [];
  }

  clear() {
    this.boxes = [];
  }

  /**
   * Draw the labels, those of the largest topics first, where there is room.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   * @param {Obstacles} obstacles
   */
  draw(context, view, painter, obstacles) {
    const { regions, shown } = painter;
    this.boxes = [];
    if (regions.opacity(view) < FAINT) return;
    const papers = shown.topicPapers;
    const most = Math.max(1, ...papers);
    const ordered = [...regions.regions].sort((a, b) => papers[b.topic] - papers[a.topic] || a.topic - b.topic);
    for (const region of ordered) {
      const share = Math.sqrt(papers[region.topic] / most);
      const label = this.#placed(context, view, region, painter.colours, share, obstacles);
      if (!label) continue;
      this.boxes.push(label);
      obstacles.addBox(padded(label, 4 * view.ratio));
    }
    this.#write(context, view, painter);
  }

  /**
   * Draw the labels of the last frame at their new places, while the camera moves.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Painter} painter
   */
  move(context, view, painter) {
    this.boxes = this.boxes.map((box) => {
      const [x, y] = view.toPixels(box.region.x, box.region.y);
      const [dx, dy] = [x + box.dx - (box.left + box.right) / 2, y + box.dy - (box.top + box.bottom) / 2];
      const { left, right, top, bottom } = box;
      return { ...box, left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy };
    });
    if (painter.regions.opacity(view) >= FAINT) this.#write(context, view, painter);
  }

  /**
   * Return a label in or near its region, where it covers least; with fewer names if there is no room for all.
   * @param {CanvasRenderingContext2D} context
   * @param {Viewport} view
   * @param {Region} region
   * @param {Palette} colours
   * @param {number} share
   * @param {Obstacles} obstacles
   */
  #placed(context, view, region, colours, share, obstacles) {
    const [x, y] = view.toPixels(region.x, region.y);
    if (view.isOutside(x, y, 0)) return null;
    const names = topicNames(this.graph, region.topic).map((name) => truncated(name, TOPIC_WIDTH));
    const room = Math.min(1, view.width / view.ratio / FULL_SIZE) ** 0.35;
    const size = Math.round((TOPIC_FONT.least + share * (TOPIC_FONT.most - TOPIC_FONT.least)) * view.ratio * room);
    for (const count of [3, 2, 1]) {
      const lines = names.slice(0, count).map((text, i) => line(context, text, i, size, colours));
      const half = Math.max(...lines.map(({ width }) => width)) / 2;
      const height = lines.reduce((sum, { height: own }) => sum + own, 0);
      /** @type {[number, TopicLabel][]} */
      const places = [];
      for (const [right, down] of SHIFTS) {
        const middle = view.clampInside(x + right * half, half + 6 * view.ratio);
        const top = y + (down - 0.5) * height;
        const box = { left: middle - half, right: middle + half, top, bottom: top + height };
        if (!obstacles.isClear(padded(box, 4 * view.ratio))) continue;
        const cost = obstacles.coverage(box) + 0.12 * (Math.abs(right) + Math.abs(down));
        places.push([cost, { ...box, region, topic: region.topic, lines, dx: middle - x, dy: top + height / 2 - y }]);
      }
      const best = places.sort(([a], [b]) => a - b).at(0);
      if (best) return best[1];
    }
    return null;
  }

  /** @param {CanvasRenderingContext2D} context @param {Viewport} view @param {Painter} painter */
  #write(context, view, { colours, regions }) {
    context.globalAlpha = regions.opacity(view);
    context.strokeStyle = colours.ground;
    context.lineWidth = 5 * view.ratio;
    for (const { left, right, top, topic, lines } of this.boxes) {
      const [red, green, blue] = rgb(topicHue(topic), 0.45, colours.dark ? 0.8 : 0.27);
      context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
      let y = top;
      for (const { text, font, height } of lines) {
        context.font = font;
        context.strokeText(text, (left + right) / 2, y);
        context.fillText(text, (left + right) / 2, y);
        y += height;
      }
    }
    context.globalAlpha = 1;
  }

  /** Return the topic whose label lies under a point in device pixels, or -1. @param {number} x @param {number} y */
  topicAt(x, y) {
    const under = this.boxes.find(({ left, right, top, bottom }) => x > left && x < right && y > top && y < bottom);
    return under?.topic ?? -1;
  }
}

/**
 * Return a line of a label with its measures; the first one is larger.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} at
 * @param {number} size
 * @param {Palette} colours
 */
function line(context, text, at, size, colours) {
  const height = Math.round(at ? size * TOPIC_FONT.rest : size);
  const font = `${at ? 500 : 700} ${height}px ${colours.font}`;
  context.font = font;
  return { text, font, height: height * TOPIC_LINE, width: context.measureText(text).width };
}

/** Return how many of the papers in a mask belong to each topic. @param {Graph} graph @param {Uint8Array} passing */
function topicPapers(graph, passing) {
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
