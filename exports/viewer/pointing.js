/* The pointer on the drawing: what a click, a double click or a rest on a node does. */

const DOUBLE = 500; // milliseconds between the two halves of a double click
const TOUCHED = 24; // pixels: the least size of what a finger hits

class Pointing {
  constructor(page) {
    this.page = page;
    this.tip = document.getElementById("tip");
    addEventListener("click", (event) => this.#beside(event), true);
  }

  /** Where an event is on the drawing, and how large a target at least is for what points. */
  #spot({ clientX, clientY, pointerType }) {
    const { left, top } = this.page.camera.canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top, size: pointerType === "touch" ? TOUCHED : 0 };
  }

  #nodeAt({ x, y, size }) {
    return this.page.painter.nodeAt(x, y, this.page.camera.view, size);
  }

  click(event) {
    const { page } = this;
    if (this.#isSecond(event)) return this.#focus();
    const spot = this.#spot(event);
    const node = this.#nodeAt(spot);
    this.first = { node, event };
    if (node >= 0) return this.#chooseInSight(node);
    const ends = page.painter.edgeAt(spot.x, spot.y, page.camera.view);
    return ends ? page.chooseEdge(...ends) : page.close();
  }

  /** Whether a click follows one on a node at the same place, whatever the first has moved under the pointer. */
  #isSecond({ timeStamp, clientX, clientY }) {
    if (!(this.first?.node >= 0)) return false;
    const { event } = this.first;
    const gap = Math.hypot(clientX - event.clientX, clientY - event.clientY);
    return timeStamp > event.timeStamp && timeStamp - event.timeStamp < DOUBLE && gap < TOUCHED;
  }

  #focus() {
    const key = this.page.graph.key[this.first.node];
    this.first = null;
    this.page.state.set({ focus: key, at: key });
  }

  /** The second half of a double click, where the first has laid the panel under the pointer. */
  #beside(event) {
    if (this.page.camera.canvas.contains(event.target) || !event.detail || !this.#isSecond(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#focus();
  }

  /** Choose a node, and bring it out where the panel would cover it. */
  #chooseInSight(node) {
    const { page } = this;
    page.choose(node);
    const { x, y } = page.camera.spot(node);
    const { width, height } = page.free();
    if (page.shown.node[node] && (x > width - 20 || y > height - 20)) page.camera.centre(node);
  }

  /** The pointer has moved on the drawing, or left it: null. */
  hover(event) {
    const node = event ? this.#nodeAt(this.#spot(event)) : -1;
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
