/* The buttons on the drawing: panes, files, theme, zoom. */

const PANES = { table: "Table", grid: "Grid" };

class Tools {
  constructor(page) {
    this.page = page;
    const tools = document.getElementById("tools");
    this.panes = Object.entries(PANES).map(([pane, label]) =>
      element("button", { type: "button", "data-pane": pane, onclick: () => this.#toggle(pane) }, label));
    this.menu = this.#saveMenu();
    tools.append(...this.panes, this.menu, this.#button("Dark or light", "◐", () => this.#turnTheme()));
    document.getElementById("zoom").append(
      this.#button("Zoom in", "+", () => page.camera.zoom(1.5)),
      this.#button("Zoom out", "−", () => page.camera.zoom(1 / 1.5)),
      this.#button("Show everything", "⤢", () => page.camera.fit(page.shown.list)),
    );
    document.getElementById("drawer-tools").append(
      element("h2", {}), this.#button("Close", "×", () => page.state.set({ pane: "" })));
    this.#sideToggle();
  }

  #button(label, sign, act) {
    return element("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
  }

  #toggle(pane) {
    this.page.state.set({ pane: this.page.state.get("pane") === pane ? "" : pane });
  }

  #saveMenu() {
    const entry = ([label, save]) => element("button", { type: "button", onclick: () => {
      this.closeMenu();
      save();
    } }, label);
    const entries = Object.values(this.page.saving.ways).map(entry);
    const hint = element("p", { class: "quiet" }, "Files hold what is chosen with its neighbours, or else all that is shown.");
    return element("details", { class: "menu" }, element("summary", {}, "Save"), element("div", {}, entries, hint));
  }

  /** Close the menu; true if it was open. */
  closeMenu() {
    const { open } = this.menu;
    this.menu.open = false;
    return open;
  }

  #turnTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.page.state.set({ theme: dark ? "light" : "dark" }, false);
  }

  /** On a narrow screen the filters fold away. */
  #sideToggle() {
    const toggle = document.getElementById("filters-toggle");
    toggle.addEventListener("click", () => {
      toggle.setAttribute("aria-expanded", document.getElementById("side").classList.toggle("open"));
    });
  }

  update() {
    const pane = this.page.state.get("pane");
    for (const button of this.panes) button.setAttribute("aria-pressed", button.dataset.pane === pane);
    document.querySelector("#drawer-tools h2").textContent = PANES[pane] ?? "";
    document.getElementById("drawer").setAttribute("aria-label", PANES[pane] ?? "Table");
  }
}
