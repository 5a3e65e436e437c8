/* Search with completion over names, aliases and titles. */

const MATCHES = 12;

/** Normalise a name for comparison: letters and digits only, without case and accents. @param {string} text */
function folded(text) {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+#]+/gu, "");
}

class Search {
  /** @param {Graph} graph @param {(node: number) => void} onSelect */
  constructor(graph, onSelect) {
    this.graph = graph;
    this.onSelect = onSelect;
    this.input = /** @type {HTMLInputElement} */ (byId("search"));
    this.list = byId("completions");
    /** @type {Match[]} */
    this.matches = [];
    this.active = -1;
    /** @type {{ node: number, name: string, folded: string }[] | undefined} */
    this.names = undefined;
    this.input.addEventListener("input", () => this.#complete());
    this.input.addEventListener("focus", () => this.#complete());
    this.input.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Return all names of all nodes, normalised; built on the first search. */
  #index() {
    const { graph } = this;
    this.names ??= graph.label.flatMap((label, node) => {
      const { aliases, hidden_names: hidden } = graph.entities;
      const others = graph.isPaper(node) ? [] : [...aliases[node], ...hidden[node]];
      return [label, ...others].map((name) => ({ node, name, folded: folded(name) }));
    });
    return this.names;
  }

  /**
   * Return the best matches, one per node: whole names, then prefixes, then infixes; frequent entities first.
   * @param {string} query
   */
  find(query) {
    const wanted = folded(query);
    if (!wanted) return [];
    /** @type {Map<number, Match>} */
    const best = new Map();
    for (const entry of this.#index()) {
      const at = entry.folded.indexOf(wanted);
      if (at < 0 || this.graph.hidden[entry.node]) continue;
      const rank = entry.folded === wanted ? 0 : at === 0 ? 1 : 2;
      if (rank < (best.get(entry.node)?.rank ?? 3)) best.set(entry.node, { ...entry, rank });
    }
    /** @param {number} node */
    const weight = (node) => (this.graph.isPaper(node) ? 0 : this.graph.mentionCounts[node]);
    return [...best.values()]
      .sort((a, b) => a.rank - b.rank || weight(b.node) - weight(a.node) || a.node - b.node)
      .slice(0, MATCHES);
  }

  #complete() {
    this.matches = this.find(this.input.value);
    this.active = this.matches.length ? 0 : -1;
    const nothing = folded(this.input.value)
      ? [element("li.nothing", { role: "option", ariaDisabled: true }, "No matching name or title")]
      : [];
    const options = this.matches.map((match, i) => this.#option(match, i));
    this.list.replaceChildren(...(options.length ? options : nothing));
    this.list.hidden = !this.list.childElementCount;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.#mark();
  }

  /** @param {Match} match @param {number} i */
  #option({ node, name }, i) {
    const { graph } = this;
    const label = graph.label[node];
    const facts = graph.isPaper(node) ? graph.paper(node, "date") : plural(graph.mentionCounts[node], "paper");
    return element(
      "li",
      { id: `match-${i}`, role: "option", onmousedown: (/** @type {Event} */ event) => this.#take(event, i) },
      typeIcon(graph.type[node], graph.types.length),
      element("span.name", label, name === label ? null : element("i", ` ${name}`)),
      element("span.count", facts),
    );
  }

  /** @param {Event} event @param {number} i */
  #take(event, i) {
    event.preventDefault();
    this.input.value = "";
    this.#close();
    this.onSelect(this.matches[i].node);
    byId("drawing").focus();
  }

  #mark() {
    [...this.list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
    if (this.active >= 0) {
      this.input.setAttribute("aria-activedescendant", `match-${this.active}`);
      this.list.children[this.active].scrollIntoView({ block: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.matches.length) {
      this.active = (this.active + step + this.matches.length) % this.matches.length;
      this.#mark();
      event.preventDefault();
    } else if (event.key === "Enter" && this.active >= 0) this.#take(event, this.active);
    else if (event.key === "Escape") {
      this.input.value = "";
      this.#close();
      byId("drawing").focus();
      event.stopPropagation();
    }
  }
}
