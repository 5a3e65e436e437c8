/* vis-network holds the camera: it moves, zooms and pinches; the painter draws in its frames. */

const SETTLE = 110; // milliseconds without a move after which the picture is drawn anew

class Camera {
  constructor(place, painter, events) {
    this.place = place;
    this.painter = painter;
    this.events = events;
    this.network = new vis.Network(place, { nodes: [], edges: [] }, embedded("camera"));
    this.canvas = place.querySelector("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    this.network.on("beforeDrawing", (context) => this.#draw(context));
    this.network.on("click", ({ pointer }) => events.click(pointer.DOM.x, pointer.DOM.y));
    this.network.on("doubleClick", ({ pointer }) => events.doubleClick(pointer.DOM.x, pointer.DOM.y));
    this.network.on("dragEnd", () => this.#moved());
    this.network.on("zoom", () => this.#moved());
    this.network.on("animationFinished", () => this.#moved());
    this.network.on("resize", () => this.redraw());
    this.canvas.addEventListener("pointermove", (event) => this.#point(event));
    this.canvas.addEventListener("pointerleave", () => events.hover(-1, -1));
  }

  #point(event) {
    if (event.buttons || event.pointerType === "touch") return;
    const box = this.canvas.getBoundingClientRect();
    this.events.hover(event.clientX - box.left, event.clientY - box.top);
  }

  #draw(context) {
    const { a, e, f } = context.getTransform();
    const ratio = this.canvas.width / this.canvas.clientWidth || 1;
    this.view = new View(a, e, f, this.canvas.width, this.canvas.height, ratio);
    if (!this.painter.shown) return;
    if (this.painter.frame(context, this.view)) this.#later();
  }

  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.redraw(), SETTLE);
  }

  #moved() {
    clearTimeout(this.told);
    this.told = setTimeout(() => this.events.moved(this.eye()), 250);
  }

  redraw() {
    this.network.redraw();
  }

  /** Where the camera stands, as the address has it. */
  eye() {
    const { x, y } = this.network.getViewPosition();
    return [Math.round(x), Math.round(y), this.network.getScale().toPrecision(3)].join(",");
  }

  look(eye) {
    const [x, y, scale] = eye.split(",").map(Number);
    if ([x, y, scale].every(Number.isFinite) && scale > 0) this.#go({ x, y }, scale, false);
  }

  #go(position, scale, animate) {
    const calm = !animate || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.moveTo({ position, scale, animation: calm ? false : { duration: 350, easingFunction: "easeInOutQuad" } });
    if (calm) this.redraw();
  }

  /** Bring nodes into the part of the window that nothing covers. */
  fit(nodes, animate = true, closest = 1.4) {
    if (!nodes.length) return;
    const { x, y } = this.painter.graph;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const node of nodes) {
      left = Math.min(left, x[node]);
      right = Math.max(right, x[node]);
      top = Math.min(top, y[node]);
      bottom = Math.max(bottom, y[node]);
    }
    const free = this.events.free();
    const scale = Math.min(free.width / (right - left + 60), free.height / (bottom - top + 60), closest);
    const middle = { x: (left + right) / 2 + free.shiftX / scale, y: (top + bottom) / 2 + free.shiftY / scale };
    this.#go(middle, scale, animate);
    this.#moved();
  }

  /** Bring one node to the middle, near enough to read. */
  centre(node) {
    const scale = Math.max(this.network.getScale(), 0.8);
    const free = this.events.free();
    const { x, y } = this.painter.graph;
    this.#go({ x: x[node] + free.shiftX / scale, y: y[node] + free.shiftY / scale }, scale, true);
    this.#moved();
  }

  zoom(factor) {
    this.#go(this.network.getViewPosition(), this.network.getScale() * factor, true);
    this.#moved();
  }

  pan(dx, dy) {
    const { x, y } = this.network.getViewPosition();
    const scale = this.network.getScale();
    this.#go({ x: x + dx / scale, y: y + dy / scale }, scale, false);
    this.#moved();
  }
}
