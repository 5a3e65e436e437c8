/* The grid: two entity types against each other, with the number of papers (or results) of each pair of entities. */

const ACROSS = 24;
const DOWN = 40;
/** @type {Record<string, string>} */
const COUNTS = { papers: "papers", results: "reported results" };

class Grid {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
  }

  /** @param {Element} container @param {VisibleGraph} shown */
  draw(container, shown) {
    const setting = this.#setting();
    const counts = setting.kind === RESULTS ? this.#resultCounts(shown, setting) : this.#paperCounts(shown, setting);
    const rows = busiest(counts.byRow, DOWN);
    const choice = this.#choice(setting, rows.length, counts.byRow.size);
    const nothing = element("p.choice.quiet", nothingToCount(setting));
    container.replaceChildren(
      choice,
      rows.length ? this.#table(rows, busiest(counts.byColumn, ACROSS), counts, setting) : nothing,
    );
  }

  /**
   * Return the setting in the state: the entity types of rows and columns, such as `2x1`, the roles that the papers
   * give them (empty for any), and what is counted.
   * @returns {GridSetting}
   */
  #setting() {
    const { types, roles } = this.graph;
    const [chosen = "", rowRole = "", columnRole = "", kind = ""] = this.state.get("grid").split(" ");
    const [down, across] = chosen.split("x");
    const numbers = [...types.keys()];
    /** @param {string} type @param {number} other */
    const known = (type, other) => numbers.find((number) => String(number) === type) ?? other;
    /** @param {string} name */
    const role = (name) => roles.find((one) => one.name === decoded(name))?.name ?? "";
    return {
      down: known(down, 0),
      across: known(across, Math.min(1, types.length - 1)),
      rowRole: role(rowRole),
      columnRole: role(columnRole),
      kind: kind in COUNTS ? kind : "papers",
    };
  }

  /** @param {GridSetting} setting @param {number} drawn @param {number} all */
  #choice(setting, drawn, all) {
    const limit = drawn < all ? ` Showing the ${drawn} most frequent of ${all} rows.` : "";
    const { types, roles } = this.graph;
    /** @type {[string, string][]} */
    const kinds = types.map(({ plural }, i) => [String(i), plural]);
    /** @type {[string, string][]} */
    const named = [["", "any role"], ...roles.map(({ name, label }) => /** @type {[string, string]} */ ([name, label]))];
    const isOfPapers = setting.kind !== RESULTS;
    return element(
      "p.choice",
      this.#select("Rows", kinds, setting, "down"),
      isOfPapers ? [" ", this.#select("Role of the rows", named, setting, "rowRole")] : null,
      " against ",
      this.#select("Columns", kinds, setting, "across"),
      isOfPapers ? [" ", this.#select("Role of the columns", named, setting, "columnRole")] : null,
      ", number of ",
      this.#select("What is counted", Object.entries(COUNTS), setting, "kind"),
      element("span.quiet", ` Each number opens ${isOfPapers ? "the papers" : "the results"} behind it.${limit}`),
    );
  }

  /** @param {string} ariaLabel @param {[string, string][]} choices @param {GridSetting} setting @param {keyof GridSetting} field */
  #select(ariaLabel, choices, setting, field) {
    const options = choices.map(([value, text]) => element("option", { value, selected: value === String(setting[field]) }, text));
    const choose = () => {
      const { down, across, rowRole, columnRole, kind } = Object.assign({}, setting, { [field]: select.value });
      const more = [rowRole, columnRole, kind === "papers" ? "" : kind].map(encodeURIComponent).join(" ");
      this.state.set({ grid: `${down}x${across} ${more}`.trimEnd() }, false);
    };
    const select = element("select", { ariaLabel, onchange: choose }, options);
    return select;
  }

  /** @param {number[]} rows @param {number[]} columns @param {GridCounts} counts @param {GridSetting} setting */
  #table(rows, columns, counts, setting) {
    /** @param {number} node */
    const heading = (node) => element("th", { scope: "col" }, element("div", this.actions.link(node)));
    /** @param {number} row */
    const cells = (row) => columns.map((column) => this.#cell(row, column, counts, setting));
    /** @param {number} row */
    const line = (row) => element("tr", element("th", { scope: "row" }, this.actions.link(row)), cells(row));
    const head = element("thead", element("tr", element("td"), columns.map(heading)));
    const name = setting.kind === RESULTS ? "Reported results" : "Papers that mention both";
    const caption = element("caption.unseen", `Number of ${name.toLowerCase()}`);
    const region = { tabIndex: 0, role: "region", ariaLabel: name };
    return element("div.scroll", region, element("table.grid", caption, head, element("tbody", rows.map(line))));
  }

  /** @param {number} row @param {number} column @param {GridCounts} counts @param {GridSetting} setting */
  #cell(row, column, { pairs, maximum }, { kind, rowRole, columnRole }) {
    const { size, label, key } = this.graph;
    const count = pairs.get(row * size + column);
    if (!count) return element("td");
    const step = Math.min(4, Math.floor((5 * (count - 1)) / maximum));
    const isOfPapers = kind !== RESULTS;
    const title = `${label[row]} and ${label[column]}: ${plural(count, isOfPapers ? "paper" : "result")}`;
    const more = [rowRole, columnRole, isOfPapers ? "" : kind].map(encodeURIComponent);
    const ask = ["cell", key[row], key[column], ...more].join(" ");
    const open = () =>
      isOfPapers && !rowRole && !columnRole ? this.actions.edge(row, column) : this.state.set({ ask, at: "", path: "" });
    return element(`td.step-${step}`, button(String(count), open, { title, ariaLabel: title }));
  }

  /**
   * Count, for every pair of a row and a column entity, the shown papers that give them the roles of the setting.
   * @param {VisibleGraph} shown
   * @param {GridSetting} setting
   */
  #paperCounts(shown, { down, across, rowRole, columnRole }) {
    const { graph } = this;
    const counts = new GridCounts(graph.size);
    for (let paper = graph.entityCount; paper < graph.size; paper++) {
      /** @param {number} type @param {string} role */
      const of = (type, role) => [...this.#entitiesOf(shown, paper, role)].filter((entity) => graph.type[entity] === type);
      const columns = of(across, columnRole);
      for (const row of columns.length ? of(down, rowRole) : []) {
        for (const column of columns) if (column !== row) counts.add(row, column);
      }
    }
    return counts;
  }

  /**
   * Return the entities of a paper in a role, over the relations that pass the filters.
   * @param {VisibleGraph} shown
   * @param {number} paper
   * @param {string} role
   */
  #entitiesOf(shown, paper, role) {
    if (!role) return shown.entitiesOf(paper);
    const { graph } = this;
    if (graph.isStub(paper)) return new Set();
    const { to, label } = graph.relations;
    const relations = relationsIn(graph, paper, () => true).filter((i) => shown.relation[i] && hasRole(graph, label[i], role));
    return new Set(relations.map((i) => to[i]));
  }

  /**
   * Count the results of each system on each benchmark or dataset that shown papers report.
   * @param {VisibleGraph} shown
   * @param {GridSetting} setting
   */
  #resultCounts(shown, { down, across }) {
    const { graph } = this;
    const counts = new GridCounts(graph.size);
    const { paper, on, systems } = graph.results.columns;
    for (const i of paper.keys()) {
      if (!shown.passing[paper[i]] || !graph.results.isShown(i)) continue;
      const ends = [nodesOf(systems[i]), on[i]].map((nodes) => [...new Set(nodes)].filter((node) => shown.passing[node]));
      for (const row of ends.flat().filter((node) => graph.type[node] === down)) {
        const others = ends[0].includes(row) ? ends[1] : ends[0];
        for (const column of others) if (graph.type[column] === across && column !== row) counts.add(row, column);
      }
    }
    return counts;
  }
}

/** The numbers of the grid by pair, row and column. */
class GridCounts {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    /** @type {Map<number, number>} */
    this.pairs = new Map();
    /** @type {Map<number, number>} */
    this.byRow = new Map();
    /** @type {Map<number, number>} */
    this.byColumn = new Map();
    this.maximum = 1;
  }

  /** @param {number} row @param {number} column */
  add(row, column) {
    const pair = row * this.size + column;
    for (const [map, key] of /** @type {[Map<number, number>, number][]} */ ([
      [this.pairs, pair],
      [this.byRow, row],
      [this.byColumn, column],
    ]))
      map.set(key, (map.get(key) ?? 0) + 1);
    this.maximum = Math.max(this.maximum, this.pairs.get(pair) ?? 0);
  }
}

/** @param {GridSetting} setting */
function nothingToCount({ kind, rowRole, columnRole }) {
  if (kind === RESULTS) return "No paper in this view reports a result of one type on the other.";
  const roles = rowRole || columnRole ? " in these roles" : "";
  return `No paper in this view mentions entities of both types${roles}.`;
}

/** Return the keys with the highest totals. @param {Map<number, number>} totals @param {number} count */
function busiest(totals, count) {
  const sorted = [...totals].sort(([a, m], [b, n]) => n - m || a - b);
  return sorted.slice(0, count).map(([key]) => key);
}
