/* The table of what is shown: the same filters, the same choice, and the way through without a drawing. */

const ROWS = 200;

class Table {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.columns = [
      { name: "name", title: "Name", text: (node) => graph.label[node] },
      { name: "type", title: "Type", text: (node) => graph.typeName(node) },
      { name: "uses", title: "Papers", number: (node) => (graph.isPaper(node) ? null : this.shown.papers[node]), hint: "Papers that name it" },
      { name: "things", title: "Names", number: (node) => (graph.isPaper(node) ? graph.uses[node] : null), hint: "Things that the paper names" },
      { name: "year", title: "Year", number: (node) => graph.firstYear(node) || null, hint: "Of the paper, or of the first paper that names it" },
      { name: "influence", title: "Taken up by", number: (node) => graph.influence(node), hint: "Papers that take up what it introduced" },
      { name: "degree", title: "Connections", number: (node) => this.shown.edges.at.of(node).length, hint: "In the drawing as it is" },
    ];
  }

  draw(place, shown) {
    this.shown = shown;
    const nodes = this.#sorted();
    const body = element("tbody", {}, nodes.slice(0, ROWS).map((node) => this.#row(node)));
    const table = element("table", {},
      element("caption", { class: "unseen" }, "What is shown, one row a node"),
      element("thead", {}, element("tr", {}, this.columns.map((column) => this.#heading(column)))), body);
    place.replaceChildren(element("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Table of what is shown" }, table, this.#rest(nodes, body) ?? ""));
    this.rows = body;
    this.mark();
  }

  /** Show which row is chosen. */
  mark() {
    const chosen = this.state.get("at");
    for (const row of this.rows?.rows ?? []) row.setAttribute("aria-selected", row.dataset.key === chosen);
  }

  #order() {
    const [name, way] = (this.state.get("order") || "").split(" ");
    return { column: this.columns.find((column) => column.name === name), way: way === "up" ? 1 : -1 };
  }

  #sorted() {
    const { column, way } = this.#order();
    const nodes = [...this.shown.list];
    if (!column) return nodes;
    const value = column.number ?? column.text;
    const compare = column.number
      ? (a, b) => (value(a) ?? -Infinity) - (value(b) ?? -Infinity)
      : (a, b) => value(a).localeCompare(value(b));
    return nodes.sort((a, b) => way * compare(a, b) || a - b);
  }

  #heading(column) {
    const order = this.#order();
    const mine = order.column === column;
    const sort = () => {
      const way = mine ? (order.way < 0 ? "up" : "down") : column.number ? "down" : "up";
      this.state.set({ order: `${column.name} ${way}` }, false);
    };
    const sign = mine ? (order.way < 0 ? " ↓" : " ↑") : "";
    return element("th", { scope: "col", class: column.number ? "number" : null, "aria-sort": mine ? (order.way < 0 ? "descending" : "ascending") : "none" },
      element("button", { type: "button", title: column.hint ?? "", onclick: sort }, column.title + sign));
  }

  #row(node) {
    const { graph } = this;
    const cells = this.columns.map((column) => {
      if (column.name === "name") return element("th", { scope: "row" }, this.actions.link(node));
      if (column.name === "type") return element("td", { class: "kind" }, typeSign(graph.type[node], graph.types.length), column.text(node));
      return element("td", { class: "number" }, column.number(node)?.toString() ?? "");
    });
    return element("tr", { "data-key": graph.key[node], onmouseenter: () => this.actions.point(node), onmouseleave: () => this.actions.point(-1) }, cells);
  }

  #rest(nodes, body) {
    if (nodes.length <= ROWS) return null;
    let from = ROWS;
    const more = element("button", { type: "button", class: "more", onclick: () => {
      body.append(...nodes.slice(from, from + ROWS).map((node) => this.#row(node)));
      from += ROWS;
      more.textContent = label();
      if (from >= nodes.length) more.remove();
    } });
    const label = () => `Show more: ${(nodes.length - from).toLocaleString("en")} rows are left`;
    more.textContent = label();
    return more;
  }
}
