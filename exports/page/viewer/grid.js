/* The grid: two entity types against each other, with the number of papers that mention both entities of a pair. */

const ACROSS = 24;
const DOWN = 40;

class Grid {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
  }

  /** @param {Element} container @param {VisibleGraph} shown */
  draw(container, shown) {
    const [down, across] = this.#types();
    const counts = this.#counts(shown, down, across);
    const rows = busiest(counts.byRow, DOWN);
    const choice = this.#choice(down, across, rows.length, counts.byRow.size);
    const nothing = element("p.choice.quiet", "No paper in this view mentions entities of both types.");
    container.replaceChildren(
      choice,
      rows.length ? this.#table(rows, busiest(counts.byColumn, ACROSS), counts) : nothing,
    );
  }

  /** Return the entity types of the rows and of the columns, from the state. */
  #types() {
    const [down, across] = this.state.get("grid").split("x");
    const numbers = [...this.graph.types.keys()];
    /** @param {string} type @param {number} other */
    const known = (type, other) => numbers.find((number) => String(number) === type) ?? other;
    return [known(down, 0), known(across, Math.min(1, this.graph.types.length - 1))];
  }

  /** @param {number} down @param {number} across @param {number} drawn @param {number} all */
  #choice(down, across, drawn, all) {
    const limit = drawn < all ? ` Showing the ${drawn} most frequent of ${all} rows.` : "";
    const hint = ` Each number opens the papers that mention both.${limit}`;
    return element(
      "p.choice",
      this.#select("Rows", down, (value) => `${value}x${across}`),
      " against ",
      this.#select("Columns", across, (value) => `${down}x${value}`),
      element("span.quiet", hint),
    );
  }

  /** @param {string} ariaLabel @param {number} chosen @param {(value: string) => string} state */
  #select(ariaLabel, chosen, state) {
    /** @param {TypeInfo} type @param {number} value */
    const option = (type, value) => element("option", { value, selected: value === chosen }, type.plural);
    const choose = () => this.state.set({ grid: state(select.value) }, false);
    const select = element("select", { ariaLabel, onchange: choose }, this.graph.types.map(option));
    return select;
  }

  /** @param {number[]} rows @param {number[]} columns @param {GridCounts} counts */
  #table(rows, columns, counts) {
    /** @param {number} node */
    const heading = (node) => element("th", { scope: "col" }, element("div", this.actions.link(node)));
    /** @param {number} row */
    const cells = (row) => columns.map((column) => this.#cell(row, column, counts));
    /** @param {number} row */
    const line = (row) => element("tr", element("th", { scope: "row" }, this.actions.link(row)), cells(row));
    const head = element("thead", element("tr", element("td"), columns.map(heading)));
    const caption = element("caption.unseen", "Number of papers that mention both");
    const region = { tabIndex: 0, role: "region", ariaLabel: "Papers that mention both" };
    return element("div.scroll", region, element("table.grid", caption, head, element("tbody", rows.map(line))));
  }

  /** @param {number} row @param {number} column @param {GridCounts} counts */
  #cell(row, column, { pairs, maximum }) {
    const { size, label } = this.graph;
    const count = pairs.get(row * size + column);
    if (!count) return element("td");
    const step = Math.min(4, Math.floor((5 * (count - 1)) / maximum));
    const title = `${label[row]} and ${label[column]}: ${plural(count, "paper")}`;
    const open = button(String(count), () => this.actions.edge(row, column), { title, ariaLabel: title });
    return element(`td.step-${step}`, open);
  }

  /**
   * Count, for every pair of a row and a column entity, the shown papers that mention both.
   * @param {VisibleGraph} shown
   * @param {number} down
   * @param {number} across
   */
  #counts(shown, down, across) {
    const { graph } = this;
    /** @type {GridCounts} */
    const counts = { pairs: new Map(), byRow: new Map(), byColumn: new Map(), maximum: 1 };
    /** @param {Map<number, number>} map @param {number} key */
    const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
    for (let paper = graph.entityCount; paper < graph.size; paper++) {
      const entities = [...shown.entitiesOf(paper)];
      /** @param {number} type */
      const of = (type) => entities.filter((entity) => graph.type[entity] === type);
      for (const row of of(down)) {
        for (const column of of(across).filter((entity) => entity !== row)) {
          add(counts.pairs, row * graph.size + column);
          add(counts.byRow, row);
          add(counts.byColumn, column);
        }
      }
    }
    for (const count of counts.pairs.values()) counts.maximum = Math.max(counts.maximum, count);
    return counts;
  }
}

/** Return the keys with the highest totals. @param {Map<number, number>} totals @param {number} count */
function busiest(totals, count) {
  const sorted = [...totals].sort(([a, m], [b, n]) => n - m || a - b);
  return sorted.slice(0, count).map(([key]) => key);
}
