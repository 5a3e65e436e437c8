/* The buttons on the drawing: panes, files, theme, zoom. */

const PANES = { table: "Table", grid: "Grid" };

class Tools {
  constructor(page) {
    this.page = page;
    const toggle = (pane) => () => page.state.set({ pane: page.state.get("pane") === pane ? "" : pane });
    this.panes = Object.entries(PANES).map(([pane, label]) => button(label, toggle(pane), { "data-pane": pane }));
    this.menu = this.#saveMenu();
    const theme = signButton("Dark or light", "◐", () => this.#turnTheme());
    document.getElementById("tools").append(...this.panes, this.menu, theme);
    document.getElementById("zoom").append(
      signButton("Zoom in", "+", () => page.camera.zoom(1.5)),
      signButton("Zoom out", "−", () => page.camera.zoom(1 / 1.5)),
      signButton("Show everything", "⤢", () => page.camera.fit(page.shown.list)),
    );
    this.title = element("h2");
    document.getElementById("drawer-tools").append(
      this.title,
      signButton("Close", "×", () => page.state.set({ pane: "" })),
    );
    this.#sideToggle();
  }

  /** Say which pane is open. */
  update() {
    const pane = this.page.state.get("pane");
    for (const made of this.panes) made.setAttribute("aria-pressed", made.dataset.pane === pane);
    this.title.textContent = PANES[pane] ?? "";
    document.getElementById("drawer").setAttribute("aria-label", PANES[pane] ?? "Table");
  }

  #saveMenu() {
    const entry = ([label, save]) =>
      button(label, () => {
        this.closeMenu();
        save();
      });
    const entries = Object.values(this.page.saving.ways).map(entry);
    const hint = element("p.quiet", "Files hold what is chosen with its neighbours, or else all that is shown.");
    return element("details.menu", element("summary", "Save"), element("div", entries, hint));
  }

  /** Close the menu; true if it was open. */
  closeMenu() {
    const { open } = this.menu;
    if (this.menu.contains(document.activeElement)) this.menu.firstElementChild.focus();
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
}
