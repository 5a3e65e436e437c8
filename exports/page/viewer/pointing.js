/* The pointer on the drawing: what a click, a double click or a rest on a node does. */

const DOUBLE = 500; // milliseconds between the two halves of a double click
const TOUCHED = 24; // pixels: the least size of what a finger hits
const STILL = 6; // pixels that the pointer may move in a click

class Pointing {
  constructor(page) {
    this.page = page;
    this.tip = document.getElementById("tip");
    addEventListener("click", (event) => this.#again(event), true);
  }

  /** The node under an event on the drawing; what a finger can hit is larger. */
  #nodeAt(event) {
    const touched = (event.pointerType ?? this.pressed?.pointerType) === "touch";
    return this.page.painter.nodeAt(...this.#place(event), this.page.camera.view, touched ? TOUCHED : 0);
  }

  #place({ clientX, clientY }) {
    const { left, top } = this.page.camera.canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  down(event) {
    this.pressed = event;
  }

  click(event) {
    const { page } = this;
    if (this.pressed && apart(event, this.pressed) > STILL) return null; // the drawing was moved
    const node = this.#nodeAt(event);
    this.first = { node, event };
    if (node >= 0) return this.#chooseInSight(node);
    const ends = page.painter.edgeAt(...this.#place(event), page.camera.view);
    return ends ? page.chooseEdge(...ends) : page.close();
  }

  /** The second half of a double click focuses the node of the first, whatever that has moved under the pointer. */
  #again(event) {
    const { node = -1, event: first } = this.first ?? {};
    if (node < 0 || !event.detail || apart(event, first) > TOUCHED) return;
    if (event.detail < 2 && event.timeStamp - first.timeStamp > DOUBLE) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.first = null;
    this.page.state.set({ focus: this.page.graph.key[node], at: this.page.graph.key[node] });
  }

  /** Choose a node, and bring it out where the panel would cover it. */
  #chooseInSight(node) {
    const { page } = this;
    page.choose(node);
    const { x, y } = page.camera.spot(node);
    const { right, bottom } = page.uncovered();
    if (page.shown.node[node] && (x > right - 20 || y > bottom - 20)) page.camera.centre(node);
  }

  /** The pointer has moved on the drawing, or left it: null. */
  hover(event) {
    const node = event ? this.#nodeAt(event) : -1;
    if (node !== this.page.painter.hover) this.light(node);
  }

  /** Light a node up as if the pointer were on it, and say what it is; -1 for none. */
  light(node) {
    const { painter, camera, shown } = this.page;
    painter.hover = node;
    camera.canvas.style.cursor = node >= 0 ? "pointer" : "";
    this.tip.hidden = node < 0 || !shown.node[node];
    if (!this.tip.hidden) this.#tell(node);
    camera.redraw();
  }

  #tell(node) {
    const { graph, shown, camera } = this.page;
    const facts = graph.isPaper(node) ? graph.paper(node, "date") : plural(shown.papers[node], "paper");
    const beside = plural(shown.edges.neighbours(node).size, "neighbour");
    this.tip.textContent = [graph.typeLabel(node), facts, beside].filter(Boolean).join(" · ");
    const { x, y } = camera.spot(node);
    this.tip.style.left = `${Math.round(x)}px`;
    this.tip.style.top = `${Math.round(y)}px`;
  }
}

/** How many pixels of the window lie between two events. */
function apart(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
