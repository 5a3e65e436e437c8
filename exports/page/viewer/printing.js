/* Printing: the picture takes the place of the drawing, in the light theme; print.css prints the details and the table. */

class Printing {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {HTMLElement | null} */
    this.figure = null;
    this.theme = "";
    addEventListener("beforeprint", () => this.#begin());
    addEventListener("afterprint", () => this.#end());
  }

  #begin() {
    const { dataset } = document.documentElement;
    this.figure?.remove();
    this.theme ||= dataset.theme ?? "light";
    this.#show("light");
    this.figure = element("figure", { id: "picture" }, this.page.saving.picture.canvas());
    byId("stage").prepend(this.figure);
  }

  #end() {
    this.figure?.remove();
    this.figure = null;
    this.#show(this.theme);
    this.theme = "";
  }

  /** @param {string} theme */
  #show(theme) {
    const { state, painter, camera } = this.page;
    document.documentElement.dataset.theme = theme;
    painter.applyDisplay(state.get("colour"), state.get("size"));
    camera.redraw();
  }
}
