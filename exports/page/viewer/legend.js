/* The legends, which are the filters, and what else decides what is shown and how. */

const VIEWS = {
  both: ["Both", "Papers and the things they name"],
  things: ["Things", "Things only, joined by the papers that name both"],
  papers: ["Papers", "Papers only, joined where one takes up what the other introduced"],
};
const COLOURS = { type: "type", year: "year", papers: "number of papers", influence: "influence" };
const SIZES = { papers: "number of papers", influence: "influence", year: "year", same: "nothing" };
const MOST_PAPERS = 30; // the end of the slider, unless no thing has so many

class Legend {
  constructor(place, graph, state) {
    this.graph = graph;
    this.state = state;
    this.updates = [];
    this.years = [...new Set(graph.year.filter((year, i) => !graph.papers.stub[i]))].filter(Boolean).sort();
    place.append(
      this.#views(),
      this.#group("Nodes", "types", this.#types()),
      this.#group("What papers do with them", "roles", this.#roles()),
      this.#group("Links between papers", "kinds", this.#kinds()),
      this.#group("Limits", "limits", this.#limits()),
      this.#group("Look", "look", this.#looks()),
    );
  }

  /** Bring boxes, counts and sliders in line with the state. */
  update(shown, painter) {
    const off = this.state.names("off");
    for (const update of this.updates) update(shown, off, painter);
    const papers = this.state.get("view") === "papers";
    document.querySelector("[data-group=kinds]").hidden = !papers;
    document.querySelector("[data-group=roles]").hidden = papers;
  }

  #group(title, name, rows) {
    return element("fieldset.legend", { "data-group": name }, element("legend", title), rows);
  }

  #views() {
    const buttons = Object.entries(VIEWS).map(([view, [label, title]]) => {
      const made = button(label, () => this.state.set({ view }), { title, "data-view": view });
      this.updates.push(() => made.setAttribute("aria-pressed", this.state.get("view") === view));
      return made;
    });
    return element("div.views", { role: "group", ariaLabel: "What is drawn" }, buttons);
  }

  #types() {
    const { types } = this.graph;
    const sign = (i) => typeSign(i, types.length);
    return [
      ...types.map((t, i) => this.#row(t.name, t.plural, sign(i), t.comment, (counts) => counts.types[i])),
      this.#row(PAPER, "Papers", sign(types.length), "A paper of the collection.", (counts) => counts.types.at(-2)),
      this.graph.papers.stub.includes(1) ? this.#row(STUB, "Papers not at hand", sign(types.length + 1), UNREAD, (counts) => counts.types.at(-1)) : null,
    ].filter(Boolean);
  }

  #roles() {
    const introduces = this.graph.roles.findIndex((role) => role.name === "introduces");
    const known = [KNOWN, "introduces (known)", roleSign(introduces), NO_EVIDENCE];
    const variant = ["variant", "is a kind of", roleSign(VARIANT), "A version, size or split of a wider thing."];
    return [
      ...this.graph.roles.map((r, i) => this.#row(r.name, r.label, roleSign(i), r.comment, ({ roles }) => roles[i])),
      this.graph.relations.known.includes(1) ? this.#row(...known, (counts) => counts.known[0]) : null,
      this.#row(...variant, (counts) => counts.variants[0]),
    ].filter(Boolean);
  }

  #kinds() {
    const reference = ["reference", "has the reference", roleSign(REFERENCE), "It is on the paper's own list of references."];
    const kinds = this.graph.kinds.map((k, i) =>
      this.#row(`link ${k.name}`, k.label, roleSign(i), k.comment, (counts) => counts.kinds[i]),
    );
    return this.graph.citations.count ? [...kinds, this.#row(...reference, (counts) => counts.references[0])] : kinds;
  }

  #row(name, label, sign, title, counted) {
    const turn = () => this.state.toggle("off", name, box.checked);
    const box = element("input", { type: "checkbox", "data-filter": name, onchange: turn });
    const count = element("span.count");
    this.updates.push((shown, off) => {
      box.checked = !off.has(name);
      count.textContent = [...new Set(counted(shown.counts))].map((many) => many.toLocaleString("en")).join(" of ");
    });
    return element("label", { title }, box, sign, element("span.name", label), count);
  }

  #limits() {
    const most = this.graph.uses.subarray(0, this.graph.entityCount).reduce((a, b) => Math.max(a, b), 2);
    const papers = { min: 1, max: Math.min(MOST_PAPERS, most), step: 1 };
    return [
      this.#slider("papers", "Named by at least", papers, (value) => plural(value, "paper")),
      this.#slider("sure", "Confidence at least", { min: 0, max: 95, step: 5 }, (value) => `${value} %`),
      this.years.length > 1 ? this.#line("Years", this.#year("from", "first"), "–", this.#year("to", "last")) : null,
    ];
  }

  #slider(name, label, range, write) {
    const told = element("output");
    const move = () => this.state.set({ [name]: slider.value }, false);
    const slider = element("input", { type: "range", ...range, ariaLabel: label, "data-limit": name, oninput: move });
    this.updates.push(() => {
      slider.value = this.state.get(name);
      told.textContent = write(this.state.number(name));
      slider.setAttribute("aria-valuetext", told.textContent);
    });
    return element("label.limit", element("span", label), told, slider);
  }

  #line(label, ...parts) {
    return element("div.limit.line", element("span", label), parts);
  }

  #year(name, end) {
    return this.#select(name, `${capital(end)} year`, [["", end], ...this.years.map((year) => [year, String(year)])]);
  }

  #select(name, ariaLabel, choices) {
    const options = choices.map(([value, text]) => element("option", { value }, text));
    const choose = () => this.state.set({ [name]: select.value }, false);
    const select = element("select", { ariaLabel, "data-choice": name, onchange: choose }, options);
    this.updates.push(() => (select.value = this.state.get(name)));
    return select;
  }

  #looks() {
    const known = (measures) => Object.entries(measures).filter(([by]) => by !== "year" || this.years.length);
    return [
      this.#line("Colour by", this.#select("colour", "Colour by", known(COLOURS))),
      this.#scale(),
      this.#line("Size by", this.#select("size", "Size by", known(SIZES))),
    ];
  }

  /** The colours of the scale, from the least to the most. */
  #scale() {
    const [first, last] = [element("span"), element("span")];
    const steps = Array.from({ length: STEPS }, (_, i) => element(`i.step-${i}`));
    const scale = element("p.scale.quiet", first, steps, last);
    this.updates.push((shown, off, painter) => {
      scale.hidden = !painter.scale;
      first.textContent = painter.scale?.first ?? "";
      last.textContent = painter.scale?.last ?? "";
    });
    return scale;
  }
}
