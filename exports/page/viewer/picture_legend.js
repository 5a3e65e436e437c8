/* The legend below a saved or printed drawing: what is drawn, and what shapes, lines, colours and sizes stand for. */

const LEGEND_SIZE = 12; // pixels of the font
const LEGEND_LINE = 20; // pixels from line to line
const LEGEND_GAP = 18; // pixels between two entries
const LEGEND_MARGIN = 14;

class PictureLegend {
  /** @param {Graph} graph @param {Painter} painter @param {string} caption */
  constructor(graph, painter, caption) {
    this.graph = graph;
    this.painter = painter;
    this.caption = caption;
    this.measure = contextOf(document.createElement("canvas"));
    this.measure.font = this.#font(1);
  }

  /** @param {number} ratio */
  #font(ratio) {
    return `400 ${LEGEND_SIZE * ratio}px ${this.painter.colours.font}`;
  }

  /** @returns {LegendEntry[]} */
  #entries() {
    return [...this.#types(), ...this.#lines(), ...this.#display()];
  }

  /** @returns {LegendEntry[]} */
  #types() {
    const { graph, painter } = this;
    const exampleOfType = new Map(painter.shown.list.map((node) => [graph.type[node], node]));
    return [...exampleOfType]
      .sort(([a], [b]) => a - b)
      .map(([type, node]) => ({
        text: graph.types[type]?.plural ?? (type === graph.types.length ? "Papers" : "Cited papers outside this corpus"),
        width: 10,
        draw: (context, x, y, ratio) => {
          const isStub = type > graph.types.length;
          const colour = painter.scale ? painter.colours.quiet : painter.fills[node];
          context.fillStyle = isStub ? painter.colours.ground : colour;
          context.strokeStyle = colour;
          context.lineWidth = (isStub ? 2 : 1) * ratio;
          context.beginPath();
          trace(context, shapeOf(type, graph.types.length), x + 5 * ratio, y, 5 * ratio);
          context.stroke();
          context.fill();
        },
      }));
  }

  /** Return the line styles of the highlighted edges. @returns {LegendEntry[]} */
  #lines() {
    const { painter, graph } = this;
    const { edges, view } = painter.shown;
    const roots = painter.path.length ? painter.path : [...painter.selected];
    const drawn = roots.filter((node) => painter.shown.node[node]);
    const labels = new Set(drawn.flatMap((node) => Array.from(edges.incidence.of(node), (edge) => edges.label[edge])));
    /** @type {Record<number, string>} */
    const special = { [CO_MENTION]: "mentioned together", [VARIANT]: "is a variant of", [REFERENCE]: "cites (reference list)" };
    const names = view === "papers" ? graph.kinds : graph.roles;
    return [...labels]
      .sort((a, b) => a - b)
      .map((label) => ({
        text: special[label] ?? names[label]?.label ?? "",
        width: 26,
        draw: (context, x, y, ratio) => {
          const { width, dash } = strokeOf(label);
          context.strokeStyle = painter.colours.ink;
          context.lineWidth = width * ratio;
          context.setLineDash(dash.map((length) => length * ratio));
          context.beginPath();
          context.moveTo(x, y);
          context.lineTo(x + 26 * ratio, y);
          context.stroke();
          context.setLineDash([]);
        },
      }));
  }

  /** Return what colour and size stand for. @returns {LegendEntry[]} */
  #display() {
    const { scale, colours, colour: by, size } = this.painter;
    /** @param {Record<string, string>} names @param {string} name */
    const nameOf = (names, name) => names[name] ?? name;
    /** @type {LegendEntry} */
    const colour = {
      text: `Colour: ${nameOf(COLOURS, by)}, ${scale?.first ?? ""} to ${scale?.last ?? ""}`,
      width: 50,
      draw: (context, x, y, ratio) => {
        colours.scale.forEach((step, i) => {
          context.fillStyle = step;
          context.fillRect(x + 10 * i * ratio, y - 5 * ratio, 10 * ratio, 10 * ratio);
        });
      },
    };
    const sizes = { text: `Size: ${nameOf(SIZES, size)}`, width: 0, draw: () => {} };
    return [...(scale ? [colour] : []), ...(size === "same" ? [] : [sizes])];
  }

  /** Return the entries in lines of a width in pixels, each with its position. @param {number} width */
  #lay(width) {
    let [x, line] = [LEGEND_MARGIN, 0];
    const placed = this.#entries().map((entry) => {
      const text = entry.width + (entry.width ? 6 : 0);
      const length = text + this.measure.measureText(entry.text).width;
      if (x > LEGEND_MARGIN && x + length > width - LEGEND_MARGIN) [x, line] = [LEGEND_MARGIN, line + 1];
      const position = { entry, x, text: x + text, line };
      x += length + LEGEND_GAP;
      return position;
    });
    return { placed, caption: this.#captionLines(width), lines: line + 1 };
  }

  /** Return the caption in lines of a width. @param {number} width */
  #captionLines(width) {
    /** @type {string[]} */
    const lines = [];
    for (const part of this.caption.split(/(?<=, )/)) {
      const longer = (lines[lines.length - 1] ?? "") + part;
      if (lines.length && this.measure.measureText(longer).width <= width - 2 * LEGEND_MARGIN) lines[lines.length - 1] = longer;
      else lines.push(part);
    }
    return lines;
  }

  /** Return the height in pixels of the legend below a drawing of a width. @param {number} width */
  height(width) {
    const { lines, caption } = this.#lay(width);
    return 2 * LEGEND_MARGIN + (lines + caption.length) * LEGEND_LINE - (LEGEND_LINE - LEGEND_SIZE);
  }

  /**
   * Draw the legend into a box that is `left` and `top` pixels from the origin; `ratio` is the number of device pixels of
   * a pixel.
   * @param {CanvasRenderingContext2D} context
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} ratio
   */
  draw(context, left, top, width, ratio) {
    const { colours } = this.painter;
    const { placed, caption, lines } = this.#lay(width);
    /** @param {number} line */
    const middle = (line) => (top + LEGEND_MARGIN + line * LEGEND_LINE + LEGEND_SIZE / 2) * ratio;
    context.globalAlpha = 1;
    context.fillStyle = colours.surface;
    context.fillRect(left * ratio, top * ratio, width * ratio, this.height(width) * ratio);
    context.textAlign = "left";
    context.textBaseline = "top";
    /** @param {string} text @param {number} x @param {number} line @param {string} colour */
    const write = (text, x, line, colour) => {
      context.font = this.#font(ratio);
      context.fillStyle = colour;
      context.fillText(text, (left + x) * ratio, middle(line) - (LEGEND_SIZE / 2) * ratio);
    };
    for (const { entry, x, text, line } of placed) {
      entry.draw(context, (left + x) * ratio, middle(line), ratio);
      write(entry.text, text, line, colours.ink);
    }
    caption.forEach((text, i) => write(text, LEGEND_MARGIN, lines + i, colours.quiet));
  }
}
