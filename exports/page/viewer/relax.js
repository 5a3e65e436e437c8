/* Lays out a small neighbourhood in the page: springs along its edges, room for every name. */

const RELAXED = 400; // more nodes than this stay where they are
const ROUNDS = 150;
const SPACING = 70; // between neighbours

class Relaxation {
  constructor(graph, redraw) {
    this.graph = graph;
    this.redraw = redraw;
    this.home = new Map();
  }

  /** Lay the shown nodes out around one of them, at once; without it, or with too many nodes, they stay. */
  arrange(shown, fixed) {
    if (!shown.node[fixed] || shown.list.length > RELAXED) return;
    this.#keepHome(shown);
    this.#gather(shown, fixed);
    for (let round = 0; round < ROUNDS; round++) this.#move(shown, fixed, 1 - round / ROUNDS);
  }

  /** Move the shown nodes a little in each frame until they rest; `fixed` stays. */
  run(shown, fixed, done) {
    this.stop();
    this.#keepHome(shown);
    let round = 0;
    const step = () => {
      for (let i = 0; i < 5; i++) this.#move(shown, fixed, 1 - round++ / ROUNDS);
      this.redraw();
      this.frame = round < ROUNDS ? requestAnimationFrame(step) : done();
    };
    step();
  }

  stop() {
    cancelAnimationFrame(this.frame);
  }

  /** Put every moved node back to its place in the whole drawing. */
  restore() {
    this.stop();
    for (const [node, [x, y]] of this.home) [this.graph.x[node], this.graph.y[node]] = [x, y];
    this.home.clear();
  }

  #keepHome({ list }) {
    const { x, y } = this.graph;
    for (const node of list) if (!this.home.has(node)) this.home.set(node, [x[node], y[node]]);
  }

  /** Draw the nodes in towards one of them, each in its own direction, so that a few moves bring them to rest. */
  #gather({ list }, fixed) {
    const { x, y } = this.graph;
    const gaps = list.map((node) => Math.hypot(x[node] - x[fixed], y[node] - y[fixed]));
    const far = gaps.reduce((a, b) => a + b, 0) / list.length;
    const factor = Math.min(1, (SPACING * Math.sqrt(list.length)) / (2 * far));
    for (const node of list) {
      x[node] = x[fixed] + (x[node] - x[fixed]) * factor;
      y[node] = y[fixed] + (y[node] - y[fixed]) * factor;
    }
  }

  #move({ list, edges }, fixed, heat) {
    const { x, y } = this.graph;
    const place = new Map(list.map((node, i) => [node, i]));
    const moves = { x: new Float64Array(list.length), y: new Float64Array(list.length) };
    const pull = (i, j, force) => {
      const [dx, dy] = [x[list[j]] - x[list[i]], y[list[j]] - y[list[i]]];
      const gap = Math.hypot(dx, dy) || 1;
      const by = force(gap) / gap;
      moves.x[i] += dx * by;
      moves.y[i] += dy * by;
      moves.x[j] -= dx * by;
      moves.y[j] -= dy * by;
    };
    for (let e = 0; e < edges.count; e++) {
      pull(place.get(edges.from[e]), place.get(edges.to[e]), (gap) => (gap - SPACING) * 0.08);
    }
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) pull(i, j, (gap) => -300 / Math.max(gap, 12));
    }
    list.forEach((node, i) => {
      if (node === fixed) return;
      const far = Math.hypot(moves.x[i], moves.y[i]) || 1;
      const by = (Math.min(far, 24) * heat) / far;
      x[node] += moves.x[i] * by;
      y[node] += moves.y[i] * by;
    });
  }
}
