/* The table of the nodes in the drawing, which also works without seeing the drawing. */

const ROWS = 200; // limit of rows added at once
/** The value of `aria-sort` and the arrow of a descending, an unsorted and an ascending column. */
const SORTED = [
  ["descending", " ↓"],
  ["none", ""],
  ["ascending", " ↑"],
];

class Table {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.allColumns = this.#columns();
    this.columns = this.allColumns;
    this.rows = element("tbody");
  }

  /** @returns {TableColumn[]} */
  #columns() {
    const { graph } = this;
    /** @param {Measure} measure @returns {Measure} */
    const entities = (measure) => (node, shown) => (graph.isPaper(node) ? null : measure(node, shown));
    /** @param {Measure} measure @returns {Measure} */
    const papers = (measure) => (node, shown) => (graph.isPaper(node) ? measure(node, shown) : null);
    return [
      { name: "name", title: "Name", text: (node) => graph.label[node] },
      { name: "type", title: "Type", text: (node) => graph.typeLabel(node) },
      {
        name: "uses",
        title: "Papers",
        hint: "Papers that mention it",
        number: entities((node, shown) => shown.papers[node]),
      },
      {
        name: "entities",
        title: "Entities",
        hint: "Entities that the paper mentions",
        number: papers((node) => graph.mentionCounts[node]),
      },
      {
        name: "year",
        title: "Year",
        hint: "Year of the paper, or of the first paper that mentions the entity",
        number: (node) => graph.firstYear(node) || null,
      },
      {
        name: "influence",
        title: "Used by",
        hint: "Papers that use it in their own work",
        number: (node) => graph.influence(node),
      },
      {
        name: "degree",
        title: "Neighbours",
        hint: "Neighbours in the drawing",
        number: (node, shown) => shown.edges.neighbours(node).size,
      },
    ];
  }

  /** @param {Element} container @param {VisibleGraph} shown */
  draw(container, shown) {
    this.columns = this.allColumns.filter(
      (column) => !("number" in column) || shown.list.some((node) => column.number(node, shown)),
    );
    const nodes = this.#sorted(shown);
    this.rows = element(
      "tbody",
      nodes.slice(0, ROWS).map((node) => this.#row(node, shown)),
    );
    const head = element(
      "thead",
      element(
        "tr",
        this.columns.map((column) => this.#heading(column)),
      ),
    );
    const table = element("table", element("caption.unseen", "Nodes in the drawing, one per row"), head, this.rows);
    const region = { tabIndex: 0, role: "region", ariaLabel: "Table of the nodes in the drawing" };
    container.replaceChildren(element("div.scroll", region, table, this.#moreButton(nodes, shown)));
    this.mark();
  }

  /** Mark the row of the selected node, and scroll it into view. */
  mark() {
    const selected = this.state.get("at");
    for (const row of this.rows.rows) {
      row.setAttribute("aria-selected", String(row.dataset.key === selected));
      if (row.dataset.key === selected && row.isConnected) row.scrollIntoView({ block: "nearest" });
    }
  }

  #order() {
    const [name, direction] = this.state.get("order").split(" ");
    return { column: this.columns.find((column) => column.name === name), direction: direction === "up" ? 1 : -1 };
  }

  /** @param {VisibleGraph} shown */
  #sorted(shown) {
    const { column, direction } = this.#order();
    if (!column) return shown.list;
    /** @param {number} a @param {number} b */
    const compare = (a, b) =>
      "number" in column
        ? (column.number(a, shown) ?? -Infinity) - (column.number(b, shown) ?? -Infinity) || 0
        : column.text(a).localeCompare(column.text(b));
    return [...shown.list].sort((a, b) => direction * compare(a, b) || a - b);
  }

  /** @param {TableColumn} column */
  #heading(column) {
    const order = this.#order();
    const direction = order.column === column ? order.direction : 0;
    const next = direction ? -direction : "number" in column ? -1 : 1;
    const sort = () => this.state.set({ order: `${column.name} ${next > 0 ? "up" : "down"}` }, false);
    const [ariaSort, arrow] = SORTED[direction + 1];
    const cell = { scope: "col", className: "number" in column ? "number" : "", ariaSort };
    return element(
      "th",
      cell,
      button(column.title + arrow, sort, { title: column.hint ?? "", "data-control": column.name }),
    );
  }

  /** @param {number} node @param {VisibleGraph} shown */
  #row(node, shown) {
    const highlight = {
      onmouseenter: () => this.actions.highlight(node),
      onmouseleave: () => this.actions.highlight(-1),
    };
    const cells = this.columns.map((column) => this.#cell(column, node, shown));
    return element("tr", { "data-key": this.graph.key[node], ...highlight }, cells);
  }

  /** @param {TableColumn} column @param {number} node @param {VisibleGraph} shown */
  #cell(column, node, shown) {
    const { graph } = this;
    if (column.name === "name") return element("th", { scope: "row" }, this.actions.link(node));
    if ("number" in column) return element("td.number", column.number(node, shown)?.toString());
    return element("td.kind", typeIcon(graph.type[node], graph.types.length), column.text(node));
  }

  /** Return a button that appends the next rows, or null. @param {number[]} nodes @param {VisibleGraph} shown */
  #moreButton(nodes, shown) {
    let from = ROWS;
    if (nodes.length <= from) return null;
    const write = () => (more.textContent = `Show more (${withCommas(nodes.length - from)} rows left)`);
    const show = () => {
      const rows = nodes.slice(from, from + ROWS).map((node) => this.#row(node, shown));
      this.rows.append(...rows);
      from += ROWS;
      if (from < nodes.length) return write();
      more.remove();
      return focusFirst(rows[0], "a");
    };
    const more = button("", show, { className: "more" });
    write();
    return more;
  }
}
