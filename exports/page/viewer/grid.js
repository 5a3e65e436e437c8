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
    const counts = this.#counts(shown, down, across);
    const rows = busiest(counts.byRow, DOWN);
    const choice = this.#choice(down, across, rows.length, counts.byRow.size);
    const nothing = element("p.choice.quiet", "No shown paper names things of both types.");
    place.replaceChildren(choice, rows.length ? this.#table(rows, busiest(counts.byColumn, ACROSS), counts) : nothing);
  }

  /** The types down and across, as the state has them. */
  #types() {
    const [down, across] = this.state.get("grid").split("x");
    const known = (type, other) => (this.graph.types[type] ? Number(type) : other);
    return [known(down, 0), known(across, Math.min(1, this.graph.types.length - 1))];
  }

  #choice(down, across, drawn, all) {
    const hint = `${drawn < all ? ` the ${drawn} most often joined of ${all};` : ""} a number opens its papers`;
    return element(
      "p.choice",
      this.#select("Rows", down, (value) => `${value}x${across}`),
      " against ",
      this.#select("Columns", across, (value) => `${down}x${value}`),
      element("span.quiet", hint),
    );
  }

  #select(ariaLabel, chosen, state) {
    const option = (type, value) => element("option", { value, selected: value === chosen }, type.plural);
    const choose = () => this.state.set({ grid: state(select.value) }, false);
    const select = element("select", { ariaLabel, onchange: choose }, this.graph.types.map(option));
    return select;
  }

  #table(rows, columns, counts) {
    const heading = (node) => element("th", { scope: "col" }, element("div", this.actions.link(node)));
    const cells = (row) => columns.map((column) => this.#cell(row, column, counts));
    const line = (row) => element("tr", element("th", { scope: "row" }, this.actions.link(row)), cells(row));
    const head = element("thead", element("tr", element("td"), columns.map(heading)));
    const caption = element("caption.unseen", "Number of papers that name both");
    const region = { tabIndex: 0, role: "region", ariaLabel: "Papers that name both" };
    return element("div.scroll", region, element("table.grid", caption, head, element("tbody", rows.map(line))));
  }

  #cell(row, column, { pairs, most }) {
    const { size, label } = this.graph;
    const count = pairs.get(row * size + column);
    if (!count) return element("td");
    const step = Math.min(4, Math.floor((5 * (count - 1)) / most));
    const title = `${label[row]} and ${label[column]}: ${plural(count, "paper")}`;
    const open = button(String(count), () => this.actions.edge(row, column), { title, ariaLabel: title });
    return element(`td.step-${step}`, open);
  }

  /** For every pair of a thing down and one across, the number of shown papers that name both. */
  #counts(shown, down, across) {
    const { graph } = this;
    const counts = { pairs: new Map(), byRow: new Map(), byColumn: new Map(), most: 1 };
    const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
    for (let paper = graph.entityCount; paper < graph.size; paper++) {
      const things = [...shown.thingsOf(paper)];
      const of = (type) => things.filter((thing) => graph.type[thing] === type);
      for (const row of of(down)) {
        for (const column of of(across).filter((thing) => thing !== row)) {
          add(counts.pairs, row * graph.size + column);
          add(counts.byRow, row);
          add(counts.byColumn, column);
        }
      }
    }
    for (const count of counts.pairs.values()) counts.most = Math.max(counts.most, count);
    return counts;
  }
}

/** The keys with the highest totals. */
function busiest(totals, many) {
  return [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a) || a - b).slice(0, many);
}
