/* The table of what is shown: the same filters, the same choice, and the way through without a drawing. */

const ROWS = 200; // at once

class Table {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.known = this.#columns();
    this.columns = this.known;
  }

  #columns() {
    const { graph } = this;
    const things = (measure) => (node) => (graph.isPaper(node) ? null : measure(node));
    const papers = (measure) => (node) => (graph.isPaper(node) ? measure(node) : null);
    return [
      { name: "name", title: "Name", text: (node) => graph.label[node] },
      { name: "type", title: "Type", text: (node) => graph.typeLabel(node) },
      { name: "uses", title: "Papers", hint: "That name it", number: things((node) => this.shown.papers[node]) },
      {
        name: "things",
        title: "Names",
        hint: "Things that the paper names",
        number: papers((node) => graph.uses[node]),
      },
      { name: "year", title: "Year", hint: "The first", number: (node) => graph.firstYear(node) || null },
      { name: "influence", title: "Used by", hint: "Papers that use it in their own work", number: (node) => graph.influence(node) },
      {
        name: "degree",
        title: "Neighbours",
        hint: "In the drawing",
        number: (node) => this.shown.edges.neighbours(node).size,
      },
    ];
  }

  draw(place, shown) {
    this.shown = shown;
    this.columns = this.known.filter(({ number }) => !number || shown.list.some(number));
    const nodes = this.#sorted();
    this.rows = element(
      "tbody",
      nodes.slice(0, ROWS).map((node) => this.#row(node)),
    );
    const head = element(
      "thead",
      element(
        "tr",
        this.columns.map((column) => this.#heading(column)),
      ),
    );
    const table = element("table", element("caption.unseen", "What is shown, one row a node"), head, this.rows);
    const region = { tabIndex: 0, role: "region", ariaLabel: "Table of what is shown" };
    place.replaceChildren(element("div.scroll", region, table, this.#rest(nodes)));
    this.mark();
  }

  /** Show which row is chosen, and bring it in sight. */
  mark() {
    const chosen = this.state.get("at");
    for (const row of this.rows?.rows ?? []) {
      row.setAttribute("aria-selected", row.dataset.key === chosen);
      if (row.dataset.key === chosen && row.isConnected) row.scrollIntoView({ block: "nearest" });
    }
  }

  #order() {
    const [name, way] = this.state.get("order").split(" ");
    return { column: this.columns.find((column) => column.name === name), way: way === "up" ? 1 : -1 };
  }

  #sorted() {
    const { column, way } = this.#order();
    if (!column) return this.shown.list;
    const { number, text } = column;
    const compare = number
      ? (a, b) => (number(a) ?? -Infinity) - (number(b) ?? -Infinity) || 0
      : (a, b) => text(a).localeCompare(text(b));
    return [...this.shown.list].sort((a, b) => way * compare(a, b) || a - b);
  }

  #heading(column) {
    const order = this.#order();
    const way = order.column === column ? order.way : 0;
    const next = way ? -way : column.number ? -1 : 1;
    const sort = () => this.state.set({ order: `${column.name} ${next > 0 ? "up" : "down"}` }, false);
    const sorted = { "-1": ["descending", " ↓"], 0: ["none", ""], 1: ["ascending", " ↑"] }[way];
    const cell = { scope: "col", className: column.number ? "number" : "", ariaSort: sorted[0] };
    return element("th", cell, button(column.title + sorted[1], sort, { title: column.hint ?? "", "data-control": column.name }));
  }

  #row(node) {
    const light = { onmouseenter: () => this.actions.point(node), onmouseleave: () => this.actions.point(-1) };
    const cells = this.columns.map((column) => this.#cell(column, node));
    return element("tr", { "data-key": this.graph.key[node], ...light }, cells);
  }

  #cell(column, node) {
    const { graph } = this;
    if (column.name === "name") return element("th", { scope: "row" }, this.actions.link(node));
    if (column.number) return element("td.number", column.number(node)?.toString());
    return element("td.kind", typeSign(graph.type[node], graph.types.length), column.text(node));
  }

  /** A button for the rows that are left, a portion at a time. */
  #rest(nodes) {
    let from = ROWS;
    if (nodes.length <= from) return null;
    const write = () => (more.textContent = `Show more: ${(nodes.length - from).toLocaleString("en")} rows are left`);
    const show = () => {
      const rows = nodes.slice(from, from + ROWS).map((node) => this.#row(node));
      this.rows.append(...rows);
      from += ROWS;
      if (from < nodes.length) return write();
      more.remove();
      return rows[0].querySelector("a").focus();
    };
    const more = button("", show, { className: "more" });
    write();
    return more;
  }
}
