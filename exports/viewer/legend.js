/* The legends, which are the filters, and the other things that decide what is shown. */

class Legend {
  constructor(place, graph, state) {
    this.graph = graph;
    this.state = state;
    this.rows = new Map();
    const { types, roles, kinds } = graph;
    const years = [...new Set(graph.year)].filter(Boolean).sort();
    place.append(
      this.#views(),
      this.#group("Nodes", "types", [...types.map((type, i) => this.#type(type, i)), this.#paper()]),
      this.#group("What papers do with them", "roles", roles.map((role, i) => this.#row(role.name, role.label, roleSign(i), role.comment))),
      this.#group("Links between papers", "kinds", kinds.map((kind, i) => this.#row(`link ${kind.name}`, kind.label, roleSign(i), kind.comment))),
      this.#ranges(years),
    );
  }

  #views() {
    const choices = { both: "Both", things: "Things", papers: "Papers" };
    const hints = {
      both: "Papers and the things they name",
      things: "Things only, joined by the papers that name both",
      papers: "Papers only, joined where one takes up what the other introduced",
    };
    const buttons = Object.entries(choices).map(([view, label]) =>
      element("button", { type: "button", title: hints[view], "data-view": view, onclick: () => this.state.set({ view }) }, label));
    return element("div", { class: "views", role: "group", "aria-label": "What is drawn" }, buttons);
  }

  #group(title, name, rows) {
    return element("fieldset", { class: "legend", "data-group": name }, element("legend", {}, title), rows);
  }

  #type(type, i) {
    return this.#row(type.name, type.plural, typeSign(i, this.graph.types.length), type.comment);
  }

  #paper() {
    return this.#row("Paper", "Papers", typeSign(this.graph.types.length, this.graph.types.length), "A paper of the collection.");
  }

  #row(name, label, sign, comment) {
    const box = element("input", { type: "checkbox", checked: true, onchange: () => this.state.toggle("off", name, box.checked) });
    const count = element("span", { class: "count" });
    this.rows.set(name, { box, count });
    return element("label", { title: comment }, box, sign, element("span", { class: "name" }, label), count);
  }

  #ranges(years) {
    return element("fieldset", { class: "legend ranges" },
      element("legend", {}, "Limits"),
      this.#slider("papers", "Named by at least", 1, 20, (value) => plural(value, "paper")),
      this.#slider("sure", "Confidence at least", 0, 95, (value) => `${value} %`, 5),
      years.length > 1 ? this.#years(years) : null);
  }

  #slider(name, label, min, max, write, step = 1) {
    const shown = element("output", {});
    const input = element("input", {
      type: "range", min, max, step, "data-limit": name,
      oninput: () => this.state.set({ [name]: input.value }, false),
    });
    this.rows.set(name, { input, write: () => {
      input.value = this.state.get(name);
      shown.textContent = write(this.state.number(name));
    } });
    return element("label", { class: "limit" }, element("span", {}, label), shown, input);
  }

  #years(years) {
    const pick = (name, label) => {
      const options = [["", label === "From" ? "first" : "last"], ...years.map((year) => [year, year])];
      const select = element("select", { "aria-label": `${label} year`, onchange: () => this.state.set({ [name]: select.value }) },
        options.map(([value, text]) => element("option", { value }, String(text))));
      this.rows.set(name, { input: select, write: () => (select.value = this.state.get(name)) });
      return select;
    };
    return element("div", { class: "limit years" }, element("span", {}, "Years"), pick("from", "From"), "–", pick("to", "To"));
  }

  /** Bring boxes, counts and sliders in line with the state. */
  update(shown) {
    const off = this.state.names("off");
    const { types, roles, kinds } = shown.counts;
    const count = (name, number) => {
      const row = this.rows.get(name);
      row.box.checked = !off.has(name);
      row.count.textContent = number.toLocaleString("en");
    };
    this.graph.types.forEach((type, i) => count(type.name, types[i]));
    count("Paper", types[this.graph.types.length]);
    this.graph.roles.forEach((role, i) => count(role.name, roles[i]));
    this.graph.kinds.forEach((kind, i) => count(`link ${kind.name}`, kinds[i]));
    for (const row of this.rows.values()) row.write?.();
    const view = this.state.get("view");
    for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", button.dataset.view === view);
    document.querySelector("[data-group=kinds]").hidden = view !== "papers";
    document.querySelector("[data-group=roles]").hidden = view === "papers";
  }
}
