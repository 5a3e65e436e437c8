/* The keys: slash searches, D leads into the details, Escape leaves, arrows walk, plus and minus zoom. */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STRIDE = 60; // pixels that an arrow moves the drawing while nothing is chosen

class Keyboard {
  constructor(page) {
    this.page = page;
    this.drawing = document.getElementById("drawing");
    addEventListener("keydown", (event) => this.#anywhere(event));
    this.drawing.addEventListener("keydown", (event) => this.#onDrawing(event));
    document.getElementById("skip").addEventListener("click", (event) => this.#skip(event));
  }

  #anywhere(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.#leave();
    if (event.target.matches("input[type=search], select, textarea")) return;
    const enter = { "/": () => document.getElementById("search").focus(), d: () => this.#enter() }[event.key.toLowerCase()];
    if (!enter) return;
    event.preventDefault();
    enter();
  }

  /** Go into the details, to come back to where one was. */
  #enter() {
    const panel = document.getElementById("panel");
    if (panel.hidden || panel.contains(document.activeElement)) return;
    this.entered = document.activeElement;
    panel.focus();
  }

  /** Leave whatever was entered last. */
  #leave() {
    const { page } = this;
    const { state } = page;
    if (page.tools.closeMenu()) return;
    const [back, inside] = [this.entered, document.getElementById("panel").contains(document.activeElement)];
    this.entered = null;
    if (page.pathStart !== null) page.pathFrom(null);
    else if (state.get("at") || state.get("path")) page.close();
    else if (state.get("focus")) state.set({ focus: "" });
    else if (state.get("pane")) state.set({ pane: "" });
    (inside && back && inSight(back) ? back : this.drawing).focus();
  }

  /** The link at the very start: to the table, for whoever has no use for a drawing. */
  #skip(event) {
    event.preventDefault();
    this.page.tools.toggleFilters(false);
    this.page.state.set({ pane: "table" });
    document.querySelector("#drawer .scroll").focus();
  }

  #onDrawing(event) {
    const { camera } = this.page;
    if (event.key === "+" || event.key === "=") camera.zoom(1.3);
    else if (event.key === "-") camera.zoom(1 / 1.3);
    else if (ARROWS[event.key]) {
      event.preventDefault();
      this.#walk(ARROWS[event.key]);
    }
  }

  /** Walk from the chosen node to a neighbour, or move the drawing. */
  #walk([dx, dy]) {
    const { page } = this;
    const here = page.graph.find(page.state.get("at"));
    if (here < 0 || !page.shown.node[here]) return page.camera.pan(dx * STRIDE, dy * STRIDE);
    const next = this.#neighbour(here, dx, dy);
    return next < 0 ? undefined : page.go(next);
  }

  /** The neighbour that lies most nearly in a direction; of two, the nearer. */
  #neighbour(here, dx, dy) {
    const { x, y } = this.page.graph;
    let [best, most] = [-1, 0.3];
    for (const node of this.page.shown.edges.neighbours(here)) {
      const [gx, gy] = [x[node] - x[here], y[node] - y[here]];
      const far = Math.hypot(gx, gy) || 1;
      const worth = (gx * dx + gy * dy) / far - far / 1e5;
      if (worth > most) [best, most] = [node, worth];
    }
    return best;
  }
}
