/* The legends, which are the filters, and what else decides what is shown and how. */

const VIEWS = {
  both: ["Both", "Papers and the things they name"],
  things: ["Things", "Things only, joined by the papers that name both"],
  papers: ["Papers", "Papers only, joined where one takes up what the other introduced"],
};
const COLOURS = { type: "type", year: "year", papers: "number of papers", influence: "influence" };
const SIZES = { papers: "number of papers", influence: "influence", same: "nothing" };

class Legend {
  constructor(place, graph, state) {
    this.graph = graph;
    this.state = state;
    this.updates = [];
    const { types, roles, kinds } = graph;
    this.years = [...new Set(graph.year)].filter(Boolean).sort();
    place.append(
      this.#views(),
      this.#group("Nodes", "types", [
        ...types.map((type, i) => this.#row(type.name, type.plural, typeSign(i, types.length), type.comment, (counts) => counts.types[i])),
        this.#row(PAPER, "Papers", typeSign(types.length, types.length), "A paper of the collection.", (counts) => counts.types.at(-1)),
      ]),
      this.#group("What papers do with them", "roles", [
        ...roles.map((role, i) => this.#row(role.name, role.label, roleSign(i), role.comment, (counts) => counts.roles[i])),
        this.#row("variant", "is a kind of", roleSign(VARIANT), "A version, size or split of a wider thing.", (counts) => counts.variants),
      ]),
      this.#group("Links between papers", "kinds", kinds.map((kind, i) => this.#row(`link ${kind.name}`, kind.label, roleSign(i), kind.comment, (counts) => counts.kinds[i]))),
      this.#group("Limits", "limits", this.#limits()),
      this.#group("Look", "look", this.#looks()),
    );
  }

  #group(title, name, rows) {
    return element("fieldset", { class: "legend", "data-group": name }, element("legend", {}, title), rows);
  }

  #views() {
    const buttons = Object.entries(VIEWS).map(([view, [label, hint]]) => {
      const button = element("button", { type: "button", title: hint, "data-view": view, onclick: () => this.state.set({ view }) }, label);
      this.updates.push(() => button.setAttribute("aria-pressed", this.state.get("view") === view));
      return button;
    });
    return element("div", { class: "views", role: "group", "aria-label": "What is drawn" }, buttons);
  }

  #row(name, label, sign, comment, counted) {
    const box = element("input", { type: "checkbox", "data-filter": name, onchange: () => this.state.toggle("off", name, box.checked) });
    const count = element("span", { class: "count" });
    this.updates.push((shown, off) => {
      box.checked = !off.has(name);
      count.textContent = counted(shown.counts).toLocaleString("en");
    });
    return element("label", { title: comment }, box, sign, element("span", { class: "name" }, label), count);
  }

  #limits() {
    const most = Math.max(2, Math.min(30, ...this.graph.uses.slice(0, this.graph.entityCount).sort().slice(-1)));
    return [
      this.#slider("papers", "Named by at least", { min: 1, max: most, step: 1 }, (value) => plural(value, "paper")),
      this.#slider("sure", "Confidence at least", { min: 0, max: 95, step: 5 }, (value) => `${value} %`),
      this.years.length > 1 ? element("div", { class: "limit line" }, element("span", {}, "Years"), this.#year("from", "From"), "–", this.#year("to", "To")) : null,
    ];
  }

  #slider(name, label, range, write) {
    const shown = element("output", {});
    const input = element("input", { type: "range", ...range, "data-limit": name, oninput: () => this.state.set({ [name]: input.value }, false) });
    this.updates.push(() => {
      input.value = this.state.get(name);
      shown.textContent = write(this.state.number(name));
      input.setAttribute("aria-valuetext", shown.textContent);
    });
    return element("label", { class: "limit" }, element("span", {}, label), shown, input);
  }

  #year(name, label) {
    const every = Object.fromEntries(this.years.map((year) => [year, year]));
    return this.#select(name, `${label} year`, { "": label === "From" ? "first" : "last", ...every });
  }

  #select(name, label, choices) {
    const options = Object.entries(choices).map(([value, text]) => element("option", { value }, String(text)));
    const select = element("select", { "aria-label": label, "data-choice": name, onchange: () => this.state.set({ [name]: select.value }, false) }, options);
    if ("" in choices) select.prepend(options.find((option) => option.value === ""));
    this.updates.push(() => (select.value = this.state.get(name)));
    return select;
  }

  #looks() {
    const { year, ...undated } = COLOURS;
    const line = (label, select) => element("div", { class: "limit line" }, element("span", {}, label), select);
    return [
      line("Colour by", this.#select("colour", "Colour by", this.years.length ? COLOURS : undated)),
      this.#scale(),
      line("Size by", this.#select("size", "Size by", SIZES)),
    ];
  }

  /** The colours of the scale, from the least to the most. */
  #scale() {
    const [first, last] = [element("span", {}), element("span", {})];
    const steps = Array.from({ length: STEPS }, (_, i) => element("i", { class: `step-${i}` }));
    const scale = element("p", { class: "scale quiet" }, first, ...steps, last);
    this.updates.push((shown, off, painter) => {
      scale.hidden = !painter.scale;
      first.textContent = painter.scale?.first ?? "";
      last.textContent = painter.scale?.last ?? "";
    });
    return scale;
  }

  /** Bring boxes, counts and sliders in line with the state. */
  update(shown, painter) {
    const off = this.state.names("off");
    for (const update of this.updates) update(shown, off, painter);
    const papers = this.state.get("view") === "papers";
    document.querySelector("[data-group=kinds]").hidden = !papers;
    document.querySelector("[data-group=roles]").hidden = papers;
  }
}
