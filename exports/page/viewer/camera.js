/* The camera: vis-network pans, zooms and handles pinch gestures; the painter draws each of its frames. */

const SETTLE_MS = 110; // delay in milliseconds after the last move before the graph is redrawn sharply
const MAX_ZOOM = 6;
const MAX_CENTRE_ZOOM = 2; // the limit when the page itself zooms to a node
const MAX_FIT_ZOOM = 3.5; // the limit when nodes fill the window
const MIN_ZOOM_SHARE = 0.3; // of the zoom that fits the whole graph

class Camera {
  /** @param {HTMLElement} container @param {Page} page */
  constructor(container, page) {
    const { pointer, painter } = page;
    this.page = page;
    this.painter = painter;
    this.network = new vis.Network(container, { nodes: [], edges: [] }, embedded("camera"));
    this.canvas = required(container.querySelector("canvas"), "The canvas of vis-network");
    this.canvas.setAttribute("aria-hidden", "true");
    this.view = new Viewport(1, 0, 0, this.canvas.width, this.canvas.height, 1);
    this.network.on("beforeDrawing", (context) => this.#draw(context));
    this.network.on("zoom", () => this.#limitZoom());
    for (const name of ["dragEnd", "zoom", "animationFinished"]) this.network.on(name, () => this.#reportMove());
    this.canvas.addEventListener("pointermove", (event) => this.#onPointerMove(event));
    this.canvas.addEventListener("pointerleave", () => pointer.hover(null));
    this.canvas.addEventListener("pointerdown", (event) => pointer.down(event));
    this.canvas.addEventListener("click", (event) => pointer.click(event));
  }

  /** @param {PointerEvent} event */
  #onPointerMove(event) {
    if (!event.buttons && event.pointerType !== "touch") this.page.pointer.hover(event);
  }

  /** @param {CanvasRenderingContext2D} context */
  #draw(context) {
    const { a, e, f } = context.getTransform();
    const ratio = this.canvas.width / this.canvas.clientWidth || 1;
    this.view = new Viewport(a, e, f, this.canvas.width, this.canvas.height, ratio);
    if (!this.page.isOpen) return;
    if (this.painter.frame(context, this.view)) this.#sharpen();
  }

  /** Redraw once the camera has rested for a moment. */
  #sharpen() {
    clearTimeout(this.sharpenTimer);
    this.sharpenTimer = setTimeout(() => this.redraw(), SETTLE_MS);
  }

  #reportMove() {
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.page.cameraMoved(this.position()), 250);
  }

  #limitZoom() {
    const scale = this.network.getScale();
    const bounded = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM_SHARE * (this.fitScale ?? 0), scale));
    if (bounded !== scale) this.#moveTo(this.network.getViewPosition(), bounded, false);
  }

  /** Adopt the new size of the window and keep the centre. */
  resize() {
    this.network.setSize("100%", "100%");
    this.redraw();
  }

  redraw() {
    if (this.page.isOpen) this.network.redraw();
  }

  /** Return the camera position as stored in the address: x, y and scale. */
  position() {
    const { x, y } = this.network.getViewPosition();
    return [Math.round(x), Math.round(y), this.network.getScale().toPrecision(3)].join(" ");
  }

  /** @param {string} position */
  restore(position) {
    const [x, y, scale] = position.split(" ").map(Number);
    if ([x, y, scale].every(Number.isFinite) && scale > 0) this.#moveTo({ x, y }, scale, false);
  }

  /** @param {{ x: number, y: number }} position @param {number} scale @param {boolean} animate */
  #moveTo(position, scale, animate) {
    const isInstant = !animate || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.moveTo({
      position,
      scale,
      animation: isInstant ? false : { duration: 350, easingFunction: "easeInOutQuad" },
    });
    if (isInstant) this.redraw();
  }

  /** Fit nodes into the part of the window that no panel covers. @param {number[]} nodes */
  fit(nodes, animate = true) {
    if (!nodes.length) return;
    const { x, y } = this.painter.graph;
    const [left, right] = extent(nodes, x);
    const [top, bottom] = extent(nodes, y);
    const freeArea = this.page.freeArea();
    /** @param {number} length */
    const usable = (length) => length - 2 * Math.min(60, 0.06 * length);
    const across = usable(freeArea.right - freeArea.left) / (right - left + 1);
    const down = usable(freeArea.bottom - freeArea.top) / (bottom - top + 1);
    const scale = Math.min(across, down, MAX_FIT_ZOOM);
    this.fitScale = Math.min(this.fitScale ?? scale, scale);
    this.#centreOn((left + right) / 2, (top + bottom) / 2, scale, animate);
  }

  /** Centre a node, with a zoom that shows its label and half of its neighbours. @param {number} node */
  centre(node) {
    const { x, y } = this.painter.graph;
    const { left, right, top, bottom } = this.page.freeArea();
    const neighbours = this.painter.shown.edges.neighbours(node);
    const gaps = Array.from(neighbours, (other) => Math.hypot(x[other] - x[node], y[other] - y[node]));
    const gap = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
    const near = Math.min(MAX_CENTRE_ZOOM, (0.3 * Math.min(right - left, bottom - top)) / (gap + 1));
    this.#centreOn(x[node], y[node], Math.max(this.network.getScale(), near, 0.8), true);
  }

  /**
   * Move a point to the centre of the area that no panel covers.
   * @param {number} x
   * @param {number} y
   * @param {number} scale
   * @param {boolean} animate
   */
  #centreOn(x, y, scale, animate) {
    const { left, right, top, bottom } = this.page.freeArea();
    const { clientWidth, clientHeight } = this.canvas;
    const [shiftX, shiftY] = [(clientWidth - left - right) / 2, (clientHeight - top - bottom) / 2];
    this.#moveTo({ x: x + shiftX / scale, y: y + shiftY / scale }, scale, animate);
    this.#reportMove();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#moveTo(this.network.getViewPosition(), Math.min(MAX_ZOOM, this.network.getScale() * factor), true);
    this.#reportMove();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { x, y } = this.network.getViewPosition();
    const scale = this.network.getScale();
    this.#moveTo({ x: x + dx / scale, y: y + dy / scale }, scale, false);
    this.#reportMove();
  }

  /** Return the position of a node in the window, in CSS pixels. @param {number} node */
  windowPosition(node) {
    const { x, y } = this.painter.graph;
    return this.network.canvasToDOM({ x: x[node], y: y[node] });
  }
}
