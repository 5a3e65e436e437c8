/* vis-network holds the camera: it moves, zooms and pinches; the painter draws in its frames. */

const SETTLE = 110; // milliseconds without a move after which the picture is drawn anew
const NEAREST = 6;
const CLOSEST = 2; // that the page itself goes
const FARTHEST = 0.3; // of the zoom that shows everything

class Camera {
  constructor(place, page) {
    const { pointing, painter } = page;
    this.page = page;
    this.painter = painter;
    this.network = new vis.Network(place, { nodes: [], edges: [] }, embedded("camera"));
    this.canvas = place.querySelector("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.network.on("beforeDrawing", (context) => this.#draw(context));
    this.network.on("zoom", () => this.#bound());
    for (const name of ["dragEnd", "zoom", "animationFinished"]) this.network.on(name, () => this.#moved());
    this.canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.canvas.addEventListener("pointerleave", () => pointing.hover(null));
    this.canvas.addEventListener("pointerdown", (event) => pointing.down(event));
    this.canvas.addEventListener("click", (event) => pointing.click(event));
  }

  #point(event) {
    if (!event.buttons && event.pointerType !== "touch") this.page.pointing.hover(event);
  }

  #draw(context) {
    const { a, e, f } = context.getTransform();
    const ratio = this.canvas.width / this.canvas.clientWidth || 1;
    this.view = new View(a, e, f, this.canvas.width, this.canvas.height, ratio);
    if (!this.painter.shown) return;
    if (this.painter.frame(context, this.view)) this.#sharpen();
  }

  /** Draw again once nothing has moved for a moment. */
  #sharpen() {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.redraw(), SETTLE);
  }

  #moved() {
    clearTimeout(this.told);
    this.told = setTimeout(() => this.page.moved(this.eye()), 250);
  }

  #bound() {
    const scale = this.network.getScale();
    const bounded = Math.min(NEAREST, Math.max(FARTHEST * (this.whole ?? 0), scale));
    if (bounded !== scale) this.#go(this.network.getViewPosition(), bounded, false);
  }

  /** Take the size of the window anew, keeping the middle. */
  resize() {
    this.network.setSize("100%", "100%");
    this.redraw();
  }

  redraw() {
    this.network.redraw();
  }

  /** Where the camera stands, as the address has it. */
  eye() {
    const { x, y } = this.network.getViewPosition();
    return [Math.round(x), Math.round(y), this.network.getScale().toPrecision(3)].join(" ");
  }

  look(eye) {
    const [x, y, scale] = eye.split(" ").map(Number);
    if ([x, y, scale].every(Number.isFinite) && scale > 0) this.#go({ x, y }, scale, false);
  }

  #go(position, scale, animate) {
    const calm = !animate || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.moveTo({
      position,
      scale,
      animation: calm ? false : { duration: 350, easingFunction: "easeInOutQuad" },
    });
    if (calm) this.redraw();
  }

  /** Bring nodes into the part of the window that nothing covers. */
  fit(nodes, animate = true) {
    if (!nodes.length) return;
    const { x, y } = this.painter.graph;
    const [left, right] = extremes(nodes, x);
    const [top, bottom] = extremes(nodes, y);
    const free = this.page.free();
    const room = (length) => length - 2 * Math.min(90, 0.08 * length);
    const across = room(free.right - free.left) / (right - left + 1);
    const down = room(free.bottom - free.top) / (bottom - top + 1);
    const scale = Math.min(across, down, 1.4);
    this.whole = Math.min(this.whole ?? scale, scale);
    this.#aim((left + right) / 2, (top + bottom) / 2, scale, animate);
  }

  /** Bring one node to the middle, near enough to read it and half of its neighbours. */
  centre(node) {
    const { x, y } = this.painter.graph;
    const { left, right, top, bottom } = this.page.free();
    const neighbours = this.painter.shown.edges.neighbours(node);
    const gaps = Array.from(neighbours, (other) => Math.hypot(x[other] - x[node], y[other] - y[node]));
    const gap = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
    const near = Math.min(CLOSEST, (0.3 * Math.min(right - left, bottom - top)) / (gap + 1));
    this.#aim(x[node], y[node], Math.max(this.network.getScale(), near, 0.8), true);
  }

  /** Look at a point with the middle of what is free of panels. */
  #aim(x, y, scale, animate) {
    const { left, right, top, bottom } = this.page.free();
    const { clientWidth, clientHeight } = this.canvas;
    const [shiftX, shiftY] = [(clientWidth - left - right) / 2, (clientHeight - top - bottom) / 2];
    this.#go({ x: x + shiftX / scale, y: y + shiftY / scale }, scale, animate);
    this.#moved();
  }

  zoom(factor) {
    this.#go(this.network.getViewPosition(), Math.min(NEAREST, this.network.getScale() * factor), true);
    this.#moved();
  }

  pan(dx, dy) {
    const { x, y } = this.network.getViewPosition();
    const scale = this.network.getScale();
    this.#go({ x: x + dx / scale, y: y + dy / scale }, scale, false);
    this.#moved();
  }

  /** Where a node stands in the window, in CSS pixels. */
  spot(node) {
    const { x, y } = this.painter.graph;
    return this.network.canvasToDOM({ x: x[node], y: y[node] });
  }
}
