/* The pointer on the drawing: what a click, a double click or a rest on a node does. */

class Pointing {
  constructor(page) {
    this.page = page;
    this.tip = document.getElementById("tip");
  }

  #nodeAt(x, y) {
    return this.page.painter.nodeAt(x, y, this.page.camera.view);
  }

  click(x, y) {
    const { page } = this;
    const node = this.#nodeAt(x, y);
    if (node >= 0) return this.#chooseInSight(node);
    const ends = page.painter.edgeAt(x, y, page.camera.view);
    return ends ? page.chooseEdge(...ends) : page.close();
  }

  doubleClick(x, y) {
    const node = this.#nodeAt(x, y);
    const key = this.page.graph.key[node];
    if (node >= 0) this.page.state.set({ focus: key, at: key });
  }

  /** Choose a node, and bring it out where the panel would cover it. */
  #chooseInSight(node) {
    const { page } = this;
    page.choose(node);
    const { x, y } = page.camera.spot(node);
    const { right, bottom } = page.uncovered();
    if (page.shown.node[node] && (x > right - 20 || y > bottom - 20)) page.camera.centre(node);
  }

  /** The pointer is at a point of the drawing, or null: nowhere on it. */
  hover(point) {
    const node = point ? this.#nodeAt(point.x, point.y) : -1;
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
    const degree = plural(shown.edges.at.of(node).length, "connection");
    this.tip.textContent = [graph.typeLabel(node), facts, degree].filter(Boolean).join(" · ");
    const { x, y } = camera.spot(node);
    this.tip.style.left = `${Math.round(x)}px`;
    this.tip.style.top = `${Math.round(y)}px`;
  }
}
