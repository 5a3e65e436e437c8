/* Keyboard control: slash searches, D moves to the details, Escape goes back, arrows move, plus and minus zoom. */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PAN_STEP = 60; // pixels by which an arrow key pans the drawing while no node is selected

class Keyboard {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.drawing = byId("drawing");
    /** @type {HTMLElement | null} */
    this.returnTarget = null;
    addEventListener("keydown", (event) => this.#onPage(event));
    this.drawing.addEventListener("keydown", (event) => this.#onDrawing(event));
    byId("skip").addEventListener("click", (event) => this.#skip(event));
  }

  /** @param {KeyboardEvent} event */
  #onPage(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.#leave();
    if (event.target instanceof Element && event.target.matches("input[type=search], select, textarea")) return;
    const keys = { "/": () => byId("search").focus(), d: () => this.#enter(), "?": () => this.page.help.open() };
    const enter = keys[/** @type {keyof typeof keys} */ (event.key.toLowerCase())];
    if (!enter) return;
    event.preventDefault();
    enter();
  }

  /** Move the keyboard focus to the details and remember where it was. */
  #enter() {
    const panel = byId("panel");
    if (panel.hidden || panel.contains(document.activeElement)) return;
    this.returnTarget = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    panel.focus();
  }

  /** Close what was opened last: menu, path, details, focus, table. */
  #leave() {
    const { page } = this;
    const { state } = page;
    if (page.tools.closeMenu()) return;
    const [back, inside] = [this.returnTarget, byId("panel").contains(document.activeElement)];
    this.returnTarget = null;
    if (page.pathStart !== null) page.pathFrom(null);
    else if (page.picking) page.pick(null);
    else if (state.get("at") || state.get("path") || state.get("ask")) page.close();
    else if (state.get("focus")) state.set({ focus: "" });
    else if (state.get("pane")) state.set({ pane: "" });
    (inside && back && isVisible(back) ? back : this.drawing).focus();
  }

  /** The link at the start of the page: go to the table, which works without the drawing. @param {MouseEvent} event */
  #skip(event) {
    event.preventDefault();
    this.page.tools.toggleFilters(false);
    this.page.state.set({ pane: "table" });
    focusFirst(byId("drawer"), ".scroll");
  }

  /** @param {KeyboardEvent} event */
  #onDrawing(event) {
    const { camera } = this.page;
    if (event.key === "+" || event.key === "=") camera.zoom(1.3);
    else if (event.key === "-") camera.zoom(1 / 1.3);
    else if (ARROWS[event.key]) {
      event.preventDefault();
      this.#walk(ARROWS[event.key]);
    }
  }

  /** Select the neighbour in a direction, or pan the drawing. @param {Point} direction */
  #walk([dx, dy]) {
    const { page } = this;
    const current = page.graph.find(page.state.get("at"));
    if (current < 0 || !page.shown.node[current]) return page.camera.pan(dx * PAN_STEP, dy * PAN_STEP);
    const next = this.#neighbour(current, dx, dy);
    return next < 0 ? undefined : page.goTo(next);
  }

  /**
   * Return the neighbour that lies closest to a direction, preferring near ones, or -1.
   * @param {number} current
   * @param {number} dx
   * @param {number} dy
   */
  #neighbour(current, dx, dy) {
    const { x, y } = this.page.graph;
    let [best, bestScore] = [-1, 0.3];
    for (const node of this.page.shown.edges.neighbours(current)) {
      const [gx, gy] = [x[node] - x[current], y[node] - y[current]];
      const length = Math.hypot(gx, gy) || 1;
      const score = (gx * dx + gy * dy) / length - length / 1e5;
      if (score > bestScore) [best, bestScore] = [node, score];
    }
    return best;
  }
}
