/* Force-directed layout of a small neighbourhood: springs along its edges, and repulsion that leaves room for labels. */

const MAX_RELAXED = 400; // with more nodes the layout is left as it is
const ROUNDS = 150;
const SPACING = 70; // length of a spring

class Relaxation {
  /** @param {Graph} graph @param {() => void} redraw */
  constructor(graph, redraw) {
    this.graph = graph;
    this.redraw = redraw;
    this.frame = 0; // of the animation
    /** @type {Map<number, Point>} */
    this.originalPositions = new Map();
  }

  /**
   * Lay the shown nodes out around one of them, at once; do nothing without it or with too many nodes.
   * @param {VisibleGraph} shown
   * @param {number} fixed
   */
  arrange(shown, fixed) {
    if (!shown.node[fixed] || shown.list.length > MAX_RELAXED) return;
    this.#savePositions(shown);
    this.#gather(shown, fixed);
    for (let round = 0; round < ROUNDS; round++) this.#move(shown, fixed, 1 - round / ROUNDS);
  }

  /**
   * Continue the layout over several frames; `fixed` stays.
   * @param {VisibleGraph} shown
   * @param {number} fixed
   * @param {() => void} done
   */
  run(shown, fixed, done) {
    this.stop();
    this.#savePositions(shown);
    let round = 0;
    const step = () => {
      for (let i = 0; i < 5; i++) this.#move(shown, fixed, 1 - round++ / ROUNDS);
      this.redraw();
      if (round < ROUNDS) this.frame = requestAnimationFrame(step);
      else done();
    };
    step();
  }

  stop() {
    cancelAnimationFrame(this.frame);
  }

  /** Move all nodes back to their original positions. */
  restore() {
    this.stop();
    for (const [node, [x, y]] of this.originalPositions) [this.graph.x[node], this.graph.y[node]] = [x, y];
    this.originalPositions.clear();
  }

  /** @param {VisibleGraph} shown */
  #savePositions({ list }) {
    const { x, y } = this.graph;
    for (const node of list)
      if (!this.originalPositions.has(node)) this.originalPositions.set(node, [x[node], y[node]]);
  }

  /**
   * Contract the nodes towards one of them, each along its own direction, so that few rounds suffice.
   * @param {VisibleGraph} shown
   * @param {number} fixed
   */
  #gather({ list }, fixed) {
    const { x, y } = this.graph;
    const gaps = list.map((node) => Math.hypot(x[node] - x[fixed], y[node] - y[fixed]));
    const length = gaps.reduce((a, b) => a + b, 0) / list.length;
    const factor = Math.min(1, (SPACING * Math.sqrt(list.length)) / (2 * length));
    for (const node of list) {
      x[node] = x[fixed] + (x[node] - x[fixed]) * factor;
      y[node] = y[fixed] + (y[node] - y[fixed]) * factor;
    }
  }

  /** @param {VisibleGraph} shown @param {number} fixed @param {number} heat */
  #move({ list, edges }, fixed, heat) {
    const { x, y } = this.graph;
    const index = new Map(list.map((node, i) => [node, i]));
    const moves = { x: new Float64Array(list.length), y: new Float64Array(list.length) };
    /** @param {number} i @param {number} j @param {(gap: number) => number} force */
    const pull = (i, j, force) => {
      const [dx, dy] = [x[list[j]] - x[list[i]], y[list[j]] - y[list[i]]];
      const gap = Math.hypot(dx, dy) || 1;
      const factor = force(gap) / gap;
      moves.x[i] += dx * factor;
      moves.y[i] += dy * factor;
      moves.x[j] -= dx * factor;
      moves.y[j] -= dy * factor;
    };
    for (let e = 0; e < edges.count; e++) {
      const [i, j] = [index.get(edges.from[e]), index.get(edges.to[e])];
      if (i !== undefined && j !== undefined) pull(i, j, (gap) => (gap - SPACING) * 0.08);
    }
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) pull(i, j, (gap) => -300 / Math.max(gap, 12));
    }
    list.forEach((node, i) => {
      if (node === fixed) return;
      const length = Math.hypot(moves.x[i], moves.y[i]) || 1;
      const factor = (Math.min(length, 24) * heat) / length;
      x[node] += moves.x[i] * factor;
      y[node] += moves.y[i] * factor;
    });
  }
}
