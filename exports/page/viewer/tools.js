/* The buttons on the drawing: panes, downloads, theme, zoom. */

/** @type {Record<string, string>} */
const PANES = { table: "Table", grid: "Grid", sparql: "SPARQL" };
/** @type {Record<string, string>} */
const HINTS = {
  table: "List the nodes in the drawing",
  grid: "Count the papers that mention two entities",
  sparql: "Query the graph",
};
const CORNERS = "M2 6V2H6 M10 2H14V6 M14 10V14H10 M6 14H2V10"; // drawn, because not every font has this symbol

class Tools {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @param {string} pane */
    const toggle = (pane) => () => page.state.set({ pane: page.state.get("pane") === pane ? "" : pane });
    const labels = Object.entries(PANES).filter(([pane]) => pane in page.panes);
    this.panes = labels.map(([pane, label]) =>
      button(label, toggle(pane), { "data-pane": pane, title: HINTS[pane] }),
    );
    this.menu = this.#saveMenu();
    const theme = iconButton("Switch between dark and light", "◐", () => this.#toggleTheme());
    byId("tools").append(...this.panes, this.menu, theme);
    byId("zoom").append(
      iconButton("Zoom in", "+", () => page.camera.zoom(1.5)),
      iconButton("Zoom out", "−", () => page.camera.zoom(1 / 1.5)),
      iconButton("Fit the graph to the window", icon(CORNERS, "outline"), () => page.camera.fit(page.shown.list)),
    );
    this.title = element("h2");
    byId("drawer-tools").append(
      this.title,
      iconButton("Close", "×", () => page.state.set({ pane: "" })),
    );
    byId("filters-toggle").addEventListener("click", () => this.toggleFilters());
  }

  /** Mark which pane is open. */
  update() {
    const pane = this.page.state.get("pane");
    for (const made of this.panes) made.setAttribute("aria-pressed", String(made.dataset.pane === pane));
    this.title.textContent = PANES[pane] ?? "";
    byId("drawer").setAttribute("aria-label", PANES[pane] ?? "Table");
  }

  #saveMenu() {
    /** @param {[string, () => void]} format */
    const entry = ([label, save]) =>
      button(label, () => {
        this.closeMenu();
        save();
      });
    const entries = Object.values(this.page.saving.formats).map(entry);
    const hint = element(
      "p.quiet",
      "CSV, JSON and Turtle contain the selected node and its neighbours; without a selection, all shown nodes.",
    );
    return element("details.menu", element("summary", "Save"), element("div", entries, hint));
  }

  /** Close the menu; return whether it was open. */
  closeMenu() {
    const { open } = this.menu;
    if (this.menu.contains(document.activeElement)) focusFirst(this.menu, "summary");
    this.menu.open = false;
    return open;
  }

  #toggleTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.page.state.set({ theme: dark ? "light" : "dark" }, false);
  }

  /** In a narrow window, open or close the filters. @param {boolean} [open] */
  toggleFilters(open) {
    const opened = document.body.classList.toggle("with-filters", open);
    byId("filters-toggle").setAttribute("aria-expanded", String(opened));
  }
}
