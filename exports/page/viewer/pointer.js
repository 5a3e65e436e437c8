/* The pointer on the drawing: clicks, double clicks and hovering. */

const DOUBLE_CLICK_MS = 500; // milliseconds between the two clicks of a double click
const TOUCH_TARGET = 24; // minimum size of a touch target in pixels
const CLICK_TOLERANCE = 6; // pixels that the pointer may move during a click

class Pointer {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.tip = byId("tip");
    /** @type {PointerEvent | null} */
    this.pressed = null;
    /** @type {{ node: number, event: PointerEvent } | null} */
    this.first = null;
    addEventListener("click", (event) => this.#doubleClick(event), true);
  }

  /** Return the node under an event on the drawing; touch targets are larger. @param {PointerEvent} event */
  #nodeAt(event) {
    const isTouch = (event.pointerType ?? this.pressed?.pointerType) === "touch";
    return this.page.painter.nodeAt(...this.#position(event), this.page.camera.view, isTouch ? TOUCH_TARGET : 0);
  }

  /** @param {MouseEvent} event @returns {Point} */
  #position({ clientX, clientY }) {
    const { left, top } = this.page.camera.canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.pressed = event;
  }

  /** @param {PointerEvent} event */
  click(event) {
    const { page } = this;
    if (this.pressed && distanceBetween(event, this.pressed) > CLICK_TOLERANCE) return null; // the drawing was dragged
    const node = this.#nodeAt(event);
    this.first = { node, event };
    if (node >= 0) return this.#selectInView(node);
    const ends = page.painter.edgeAt(...this.#position(event), page.camera.view);
    if (ends) return page.selectEdge(...ends);
    return page.showTopicAt(...this.#position(event)) ? null : page.close();
  }

  /**
   * On a double click, focus the node of the first click, even if the second one hits something else.
   * @param {PointerEvent} event
   */
  #doubleClick(event) {
    if (!this.first) return;
    const { node, event: first } = this.first;
    if (node < 0 || !event.detail || distanceBetween(event, first) > TOUCH_TARGET) return;
    if (event.detail < 2 && event.timeStamp - first.timeStamp > DOUBLE_CLICK_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.first = null;
    this.page.state.set({ focus: this.page.graph.key[node], at: this.page.graph.key[node] });
  }

  /** Select a node, and centre it if the panel would cover it. @param {number} node */
  #selectInView(node) {
    const { page } = this;
    page.select(node);
    const { x, y } = page.camera.windowPosition(node);
    const { right, bottom } = page.uncoveredArea();
    if (page.shown.node[node] && (x > right - 20 || y > bottom - 20)) page.camera.centre(node);
  }

  /** Handle a move of the pointer on the drawing, or that it left (null). @param {PointerEvent | null} event */
  hover(event) {
    const node = event ? this.#nodeAt(event) : -1;
    if (node !== this.page.painter.hover) this.highlight(node);
  }

  /** Highlight a node as if it were hovered, with a tooltip; -1 for none. @param {number} node */
  highlight(node) {
    const { painter, camera, shown } = this.page;
    painter.hover = node;
    camera.canvas.style.cursor = node >= 0 ? "pointer" : "";
    this.tip.hidden = node < 0 || !shown.node[node];
    if (!this.tip.hidden) this.#showTip(node);
    camera.redraw();
  }

  /** @param {number} node */
  #showTip(node) {
    const { graph, shown, camera } = this.page;
    const facts = graph.isPaper(node) ? graph.dateOf(node) : plural(shown.papers[node], "paper");
    const neighbours = plural(shown.edges.neighbours(node).size, "neighbour");
    this.tip.textContent = [graph.typeLabel(node), facts, neighbours].filter(Boolean).join(" · ");
    const { x, y } = camera.windowPosition(node);
    this.tip.style.left = `${Math.round(x)}px`;
    this.tip.style.top = `${Math.round(y)}px`;
  }
}

/** Return the distance between two events in pixels. @param {MouseEvent} one @param {MouseEvent} other */
function distanceBetween(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
