/* Two types against each other, as a rule methods and benchmarks: which papers bring them together. */

const ACROSS = 24;
const DOWN = 40;

class Grid {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
  }

  draw(place, shown) {
    const [down, across] = this.#types();
    const cells = this.#counts(shown, down, across);
    const rows = this.#busiest(cells.byRow, DOWN);
    const columns = this.#busiest(cells.byColumn, ACROSS);
    const head = element("tr", {}, element("td", {}), columns.map((node) => element("th", { scope: "col" }, element("div", {}, this.actions.link(node)))));
    const body = rows.map((row) => element("tr", {}, element("th", { scope: "row" }, this.actions.link(row)), columns.map((column) => this.#cell(row, column, cells))));
    const table = element("table", { class: "grid" }, element("caption", { class: "unseen" }, "Number of papers that name both"), element("thead", {}, head), element("tbody", {}, body));
    place.replaceChildren(this.#choice(down, across, rows.length, cells.byRow.size),
      rows.length ? element("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Papers that name both" }, table)
        : element("p", { class: "quiet" }, "No shown paper names things of both types."));
  }

  #types() {
    const [down, across] = this.state.get("grid").split("x").map(Number);
    const known = (type, other) => (Number.isInteger(type) && type >= 0 && type < this.graph.types.length ? type : other);
    return [known(down, 0), known(across, Math.min(1, this.graph.types.length - 1))];
  }

  #choice(down, across, drawn, all) {
    const select = (label, value, set) => {
      const options = this.graph.types.map((type, i) => element("option", { value: i, selected: i === value }, type.plural));
      const made = element("select", { "aria-label": label, onchange: () => set(made.value) }, options);
      return made;
    };
    return element("p", { class: "choice" },
      select("Rows", down, (value) => this.state.set({ grid: `${value}x${across}` }, false)), " against ",
      select("Columns", across, (value) => this.state.set({ grid: `${down}x${value}` }, false)),
      element("span", { class: "quiet" }, drawn < all ? ` the ${drawn} most often joined of ${all}; a number opens its papers` : " a number opens its papers"));
  }

  /** For every pair the number of shown papers that name both. */
  #counts(shown, down, across) {
    const { graph } = this;
    const pairs = new Map();
    const [byRow, byColumn] = [new Map(), new Map()];
    const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
    for (let paper = graph.entityCount; paper < graph.size; paper++) {
      const things = new Set();
      for (const i of graph.relationsOf.of(paper)) if (shown.relation[i]) things.add(graph.relations.to[i]);
      for (const row of things) {
        if (graph.type[row] !== down) continue;
        for (const column of things) {
          if (graph.type[column] !== across || row === column) continue;
          add(pairs, row * graph.size + column);
          add(byRow, row);
          add(byColumn, column);
        }
      }
    }
    return { pairs, byRow, byColumn, most: Math.max(1, ...pairs.values()) };
  }

  #busiest(totals, many) {
    return [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a) || a - b).slice(0, many);
  }

  #cell(row, column, { pairs, most }) {
    const count = pairs.get(row * this.graph.size + column);
    if (!count) return element("td", {});
    const step = Math.min(4, Math.floor((5 * (count - 1)) / most));
    const label = `${this.graph.label[row]} and ${this.graph.label[column]}: ${plural(count, "paper")}`;
    return element("td", { class: `step-${step}` },
      element("button", { type: "button", title: label, "aria-label": label, onclick: () => this.actions.edge(row, column) }, String(count)));
  }
}
