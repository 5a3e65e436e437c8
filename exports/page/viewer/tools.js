/* The buttons on the drawing: panes, files, theme, zoom. */

const PANES = { table: "Table", grid: "Grid" };
const CORNERS = "M2 6V2H6 M10 2H14V6 M14 10V14H10 M6 14H2V10"; // drawn: not every font has a sign for it

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
      signButton("Show everything", icon(CORNERS, "outline"), () => page.camera.fit(page.shown.list)),
    );
    this.title = element("h2");
    document.getElementById("drawer-tools").append(
      this.title,
      signButton("Close", "×", () => page.state.set({ pane: "" })),
    );
    document.getElementById("filters-toggle").addEventListener("click", () => this.toggleFilters());
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

  /** Where the window has no room for the filters beside the drawing, open or close them. */
  toggleFilters(open) {
    const opened = document.body.classList.toggle("with-filters", open);
    document.getElementById("filters-toggle").setAttribute("aria-expanded", opened);
  }
}
