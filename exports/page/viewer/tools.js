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
    this.questions = button("Questions", () => page.askOrClose(), { title: "Ask this corpus in plain words" });
    this.menu = this.#saveMenu();
    const theme = iconButton("Switch between dark and light", "◐", () => this.#toggleTheme());
    byId("tools").append(
      this.questions,
      ...this.panes,
      this.menu,
      theme,
      page.help.button,
      page.corrections.toggle,
    );
    byId("zoom").append(
      iconButton("Zoom in", "+", () => page.camera.zoom(1.5)),
      iconButton("Zoom out", "−", () => page.camera.zoom(1 / 1.5)),
      iconButton("Fit the graph to the window", icon(CORNERS, "outline"), () => page.camera.fit(page.shown.list)),
    );
    this.printing = new Printing(page);
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
    this.questions.setAttribute("aria-pressed", String(this.page.state.get("ask") !== ""));
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
    /** @type {Record<string, HTMLElement>} */
    const scopes = { References: element("span.quiet"), Data: element("span.quiet") };
    const groups = Object.entries(this.page.saving.formats).map(([title, formats]) =>
      element("div", { role: "group", ariaLabel: title }, element("p", title, scopes[title]), formats.map(entry)),
    );
    const menu = element("details.menu", element("summary", "Save"), element("div", groups));
    menu.addEventListener("toggle", () => {
      if (menu.open) this.#writeScopes(scopes);
    });
    return menu;
  }

  /** Say what the files of each group will contain. @param {Record<string, HTMLElement>} scopes */
  #writeScopes(scopes) {
    const { painter, saving } = this.page;
    const isChosen = painter.path.length + painter.selected.size > 0;
    scopes.References.textContent = `${plural(saving.references.papers().length, "paper")} ${isChosen ? "of the selection" : "shown"}`;
    scopes.Data.textContent = isChosen ? "the selection and its neighbours" : "all shown nodes";
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
