/* Lets a small neighbourhood settle in the page: springs along its edges, room for every name. */

const RELAXED = 400; // more nodes than this stay where they are
const ROUNDS = 150;

class Relaxation {
  constructor(graph, redraw) {
    this.graph = graph;
    this.redraw = redraw;
    this.home = new Map();
  }

  /** Move the shown nodes a little in each frame until they rest; `fixed` stays. */
  run(shown, fixed, done) {
    this.stop();
    for (const node of shown.list) {
      if (!this.home.has(node)) this.home.set(node, [this.graph.x[node], this.graph.y[node]]);
    }
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

  #move(shown, fixed, heat) {
    const { x, y } = this.graph;
    const { list, edges } = shown;
    const moves = new Map(list.map((node) => [node, [0, 0]]));
    const pull = (a, b, force) => {
      const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
      const gap = Math.hypot(dx, dy) || 1;
      const by = force(gap) / gap;
      moves.get(a)[0] += dx * by;
      moves.get(a)[1] += dy * by;
      moves.get(b)[0] -= dx * by;
      moves.get(b)[1] -= dy * by;
    };
    for (let i = 0; i < edges.count; i++) pull(edges.from[i], edges.to[i], (gap) => (gap - 70) * 0.08);
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) pull(list[i], list[j], (gap) => -300 / Math.max(gap, 12));
    }
    for (const [node, [dx, dy]] of moves) {
      if (node === fixed) continue;
      const far = Math.hypot(dx, dy) || 1;
      const by = (Math.min(far, 24) * heat) / far;
      x[node] += dx * by;
      y[node] += dy * by;
    }
  }
}
