/* The sidebar: the legend, whose rows are the filters, and the display options. */

const VIEWS = {
  both: ["Both", "Papers and the entities that they mention"],
  entities: ["Entities", "Entities only, connected if the same paper mentions both"],
  papers: ["Papers", "Papers only, connected if one uses what the other introduced or cites it"],
};
const COLOURS = { type: "type", year: "year", papers: "number of papers", influence: "influence" };
const SIZES = { papers: "number of papers", influence: "influence", year: "year", same: "none (equal size)" };
const MAX_PAPERS = 30; // the end of the slider, unless every entity has fewer papers

class Legend {
  /** @param {HTMLElement} container @param {Graph} graph @param {State} state */
  constructor(container, graph, state) {
    this.graph = graph;
    this.state = state;
    /** @type {LegendUpdate[]} */
    this.updates = [];
    this.years = [...new Set(graph.year.filter((_year, i) => !graph.papers.stub[i]))].filter(Boolean).sort();
    this.roleGroup = this.#group("Relations from papers to entities", "roles", this.#roles());
    this.kindGroup = this.#group("Links between papers", "kinds", this.#kinds());
    container.append(
      this.#views(),
      this.#group("Node types", "types", this.#types()),
      this.roleGroup,
      this.kindGroup,
      this.#group("Thresholds", "limits", this.#limits()),
      this.#group("Display", "display", this.#display()),
    );
  }

  /** Update boxes, counts and sliders from the state. @param {VisibleGraph} shown @param {Painter} painter */
  update(shown, painter) {
    const off = this.state.names("off");
    for (const update of this.updates) update(shown, off, painter);
    const papers = this.state.get("view") === "papers";
    this.kindGroup.hidden = !papers;
    this.roleGroup.hidden = papers;
  }

  /** @param {string} title @param {string} name @param {Content} rows */
  #group(title, name, rows) {
    return element("fieldset.legend", { "data-group": name }, element("legend", title), rows);
  }

  #views() {
    const buttons = Object.entries(VIEWS).map(([view, [label, title]]) => {
      const made = button(label, () => this.state.set({ view }), { title, "data-view": view });
      this.updates.push(() => made.setAttribute("aria-pressed", String(this.state.get("view") === view)));
      return made;
    });
    return element("div.views", { role: "group", ariaLabel: "Nodes to show" }, buttons);
  }

  #types() {
    const { types } = this.graph;
    const [paper, stub] = [types.length, types.length + 1];
    /** @param {number} i */
    const symbol = (i) => typeIcon(i, types.length);
    return [
      ...types.map((t, i) => this.#row(t.name, t.plural, symbol(i), t.comment, (counts) => counts.types[i])),
      this.#row(PAPER, "Papers", symbol(paper), "A paper of this corpus.", (counts) => counts.types[paper]),
      this.graph.papers.stub.includes(1)
        ? this.#row(STUB, "Cited papers outside this corpus", symbol(stub), UNREAD, (counts) => counts.types[stub])
        : null,
    ].filter(Boolean);
  }

  #roles() {
    const introduces = this.graph.roles.findIndex((role) => role.name === "introduces");
    /** @type {[string, string, Element, string]} */
    const known = [KNOWN, "introduces (curated list)", roleIcon(introduces), NO_EVIDENCE];
    /** @type {[string, string, Element, string]} */
    const variant = ["variant", "is a variant of", roleIcon(VARIANT), "A version, size or split of a broader entity."];
    return [
      ...this.graph.roles.map((r, i) => this.#row(r.name, r.label, roleIcon(i), r.comment, ({ roles }) => roles[i])),
      this.graph.relations.known.includes(1) ? this.#row(...known, (counts) => counts.known[0]) : null,
      this.#row(...variant, (counts) => counts.variants[0]),
    ].filter(Boolean);
  }

  #kinds() {
    /** @type {[string, string, Element, string]} */
    const reference = [
      "reference",
      "cites (reference list)",
      roleIcon(REFERENCE),
      "The paper lists the other one among its references.",
    ];
    const kinds = this.graph.kinds.map((k, i) =>
      this.#row(`link ${k.name}`, k.label, roleIcon(i), k.comment, (counts) => counts.kinds[i]),
    );
    return this.graph.citations.count ? [...kinds, this.#row(...reference, (counts) => counts.references[0])] : kinds;
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {Element} symbol
   * @param {string} title
   * @param {(counts: Counts) => number[]} countsOf
   */
  #row(name, label, symbol, title, countsOf) {
    const toggle = () => this.state.toggle("off", name, box.checked);
    const box = element("input", { type: "checkbox", "data-filter": name, onchange: toggle });
    const count = element("span.count");
    this.updates.push((shown, off) => {
      box.checked = !off.has(name);
      count.textContent = [...new Set(countsOf(shown.counts))].map(withCommas).join(" of ");
    });
    const row = element("label", { title }, box, symbol, element("span.name", label), count);
    return element("div.row", row, this.#onlyButton(name, label));
  }

  /** Return the button that switches off the other rows of a group, and then switches them on again. @param {string} name @param {string} label */
  #onlyButton(name, label) {
    const siblings = () =>
      elementsIn(required(made.closest("fieldset"), "The group"), "[data-filter]")
        .map((box) => box.dataset.filter ?? "")
        .filter((other) => [PAPER, STUB].includes(other) === [PAPER, STUB].includes(name));
    const isOnly = () => {
      const off = this.state.names("off");
      return siblings().every((other) => off.has(other) === (other !== name));
    };
    const choose = () => {
      const [off, isOn] = [this.state.names("off"), isOnly()];
      for (const other of siblings()) {
        if (isOn || other === name) off.delete(other);
        else off.add(other);
      }
      this.state.set({ off: encodedNames(off) });
    };
    const made = button("only", choose, { className: "only" });
    this.updates.push(() => {
      made.hidden = siblings().length < 2;
      made.textContent = isOnly() ? "all" : "only";
      made.setAttribute("aria-label", isOnly() ? `All, not only ${label}` : `Only ${label}`);
    });
    return made;
  }

  #limits() {
    const maximum = this.graph.mentionCounts.subarray(0, this.graph.entityCount).reduce((a, b) => Math.max(a, b), 2);
    const papers = { min: 1, max: Math.min(MAX_PAPERS, maximum), step: 1 };
    return [
      this.#slider("papers", "Mentioned in at least", papers, (value) => plural(value, "paper")),
      this.#slider("confidence", "Confidence at least", { min: 0, max: 95, step: 5 }, (value) => `${value} %`),
      this.graph.tentativeCounts.relations + this.graph.tentativeCounts.results ? this.#tentative() : null,
      this.years.length > 1 ? this.#line("Years", this.#year("from", "first"), "–", this.#year("to", "last")) : null,
    ].filter(Boolean);
  }

  /** Return the switch that shows the tentative claims, with the number of relations (or links) and results. */
  #tentative() {
    const { about, tentativeCounts } = this.graph;
    const title = `Claims with a confidence below ${about.certain} %. They are often wrong.`;
    const toggle = () => this.state.set({ tentative: box.checked ? "1" : "" });
    const box = element("input", { type: "checkbox", "data-choice": "tentative", onchange: toggle });
    const count = element("span.count");
    this.updates.push(() => {
      box.checked = this.state.get("tentative") === "1";
      const claims = this.state.get("view") === "papers" ? tentativeCounts.links : tentativeCounts.relations;
      count.textContent = withCommas(claims + tentativeCounts.results);
    });
    return element("label.switch", { title }, box, element("span.name", "Show tentative claims"), count);
  }

  /**
   * Return the lower end of a slider: that of the confidence begins where tentative claims end, unless they are shown.
   * @param {string} name
   * @param {SliderRange} range
   */
  #least(name, { min }) {
    const isHidden = this.graph.tentativeCounts.relations > 0 && this.state.get("tentative") !== "1";
    return name === "confidence" && isHidden ? this.graph.about.certain : min;
  }

  /**
   * @param {StateName} name
   * @param {string} label
   * @param {SliderRange} range
   * @param {(value: number) => string} write
   */
  #slider(name, label, range, write) {
    const output = element("output");
    const move = () => this.state.set({ [name]: slider.value }, false);
    const slider = element("input", { type: "range", ...range, ariaLabel: label, "data-limit": name, oninput: move });
    this.updates.push(() => {
      const least = this.#least(name, range);
      slider.min = String(least);
      slider.value = this.state.get(name);
      output.textContent = write(Math.max(this.state.number(name), least));
      slider.setAttribute("aria-valuetext", output.textContent);
    });
    return element("label.limit", element("span", label), output, slider);
  }

  /** @param {string} label @param {...Part} parts */
  #line(label, ...parts) {
    return element("div.limit.line", element("span", label), parts);
  }

  /** @param {StateName} name @param {string} end */
  #year(name, end) {
    /** @type {[string, string][]} */
    const years = Array.from(this.years, (year) => [String(year), String(year)]);
    return this.#select(name, `${capitalised(end)} year`, [["", end], ...years]);
  }

  /** @param {StateName} name @param {string} ariaLabel @param {[string, string][]} choices */
  #select(name, ariaLabel, choices) {
    const options = choices.map(([value, text]) => element("option", { value }, text));
    const choose = () => this.state.set({ [name]: select.value }, false);
    const select = element("select", { ariaLabel, "data-choice": name, onchange: choose }, options);
    this.updates.push(() => (select.value = this.state.get(name)));
    return select;
  }

  #display() {
    /** @param {Record<string, string>} measures */
    const known = (measures) => Object.entries(measures).filter(([by]) => by !== "year" || this.years.length);
    return [
      this.#line("Colour by", this.#select("colour", "Colour by", known(COLOURS))),
      this.#scale(),
      this.#line("Size by", this.#select("size", "Size by", known(SIZES))),
    ];
  }

  /** Return the legend of the colour scale. */
  #scale() {
    const [first, last] = [element("span"), element("span")];
    const steps = Array.from({ length: STEPS }, (_, i) => element(`i.step-${i}`));
    const scale = element("p.scale.quiet", first, steps, last);
    this.updates.push((_shown, _off, painter) => {
      scale.hidden = !painter.scale;
      first.textContent = String(painter.scale?.first ?? "");
      last.textContent = String(painter.scale?.last ?? "");
    });
    return scale;
  }
}
