/* The list of the names, and the controls of the selected one. */

/** @type {Record<NameState, string>} */
const STATE_SIGNS = { proposed: "?", accepted: "✓", rejected: "×" };

class NamesView {
  /**
   * @param {HTMLElement} place
   * @param {AnnotationOverview} overview
   * @param {(command: string) => void} run
   * @param {(token: number) => void} onSelect
   */
  constructor(place, { types, roles }, run, onSelect) {
    this.place = place;
    this.types = types;
    this.roles = roles;
    this.run = run;
    this.onSelect = onSelect;
  }

  /** @param {TokenText} doc @param {Annotation} annotation @param {number} joining */
  show(doc, { names, cursor }, joining) {
    const marks = marksOf(doc, names);
    const chosen = markAt(marks, cursor);
    const rows = firstMarks(marks).map((mark) => this.#row(mark, names[mark.name], mark.name === chosen?.name, mark.name === joining));
    const list = rows.length ? element("ul", rows) : element("p.quiet", "No names yet. Select words with the mouse, or press N.");
    const kept = document.activeElement?.getAttribute("data-control");
    this.place.replaceChildren(chosen ? this.#controls(names[chosen.name]) : "", element("h2", "Names"), list);
    if (kept) focusFirst(this.place, `[data-control="${CSS.escape(kept)}"]`);
  }

  /** @param {NameMark} mark @param {AnnotatedName} name @param {boolean} isChosen @param {boolean} isJoining */
  #row(mark, name, isChosen, isJoining) {
    const labels = name.roles.map((role) => this.roles.find((other) => other.name === role)?.label ?? role);
    const about = [labels.join(", ") || "no role", name.optional ? "optional" : "", isJoining ? "joining" : ""].filter(Boolean);
    const sign = element("span.sign", { title: name.state }, STATE_SIGNS[name.state]);
    const words = element("span.name", element("b", name.surfaces.join(" = ")), element("span.quiet", ` ${about.join(" · ")}`));
    const confidence = name.confidence === null ? "" : element("span.count", `${Math.round(100 * name.confidence)} %`);
    const parts = [sign, this.#icon(name.type), words, confidence];
    const properties = { className: name.state, ariaCurrent: String(isChosen), "data-control": `name ${mark.first}` };
    return element("li", button(parts, () => this.onSelect(mark.first), properties));
  }

  /** @param {AnnotatedName} name */
  #controls(name) {
    const types = this.types.map((type, i) => this.#choice(`type ${i + 1}`, `${i + 1}`, [this.#icon(type.name), type.label || type.name], name.type === type.name, type.comment));
    const fitting = this.roles.map((role, i) => ({ role, i })).filter(({ role }) => role.fits.includes(name.type));
    const roles = fitting.map(({ role, i }) => {
      const order = name.roles.indexOf(role.name);
      const main = order === 0 && name.roles.length > 1 ? " (main)" : "";
      return this.#choice(`role ${i + 1}`, `⇧${i + 1}`, [(role.label || role.name) + main], order >= 0, role.comment);
    });
    const acts = [
      this.#choice("accept", "A", ["Accept"], name.state === "accepted"),
      this.#choice("reject", "X", ["Reject"], name.state === "rejected"),
      this.#choice("optional", "O", ["Optional"], name.optional),
      this.#choice("edges", "E", ["Edges"]),
      this.#choice("join", "J", ["Join"]),
      name.surfaces.length > 1 ? this.#choice("split", "S", ["Split"]) : "",
    ];
    return element(
      "div",
      { id: "chosen" },
      element("h2", name.surfaces.join(" = ")),
      element("div.choices", acts),
      element("h3", "Type"),
      element("div.choices", types),
      element("h3", "Roles"),
      element("div.choices", roles),
    );
  }

  /** @param {string} command @param {string} key @param {Part[]} content @param {boolean} [pressed] */
  #choice(command, key, content, pressed, title = "") {
    const short = /^⇧?\d$/.test(key) && key.length <= 2;
    const hint = short || /^[A-Z]$/.test(key) ? element("kbd", { ariaHidden: "true" }, key) : "";
    return button([...content, hint], () => this.run(command), { title, ariaPressed: pressed === undefined ? null : String(pressed), "data-control": command });
  }

  /** @param {string} type */
  #icon(type) {
    const at = this.types.findIndex(({ name }) => name === type);
    return at < 0 ? "" : typeIcon(at, this.types.length);
  }
}
