/* Chips above the drawing: what currently restricts it, each with a button that removes the restriction. */

/** @type {StateName[]} */
const FILTERING = ["off", "from", "to", "papers", "confidence", "topic"];

class Chips {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.container = byId("chips");
  }

  /** @param {VisibleGraph} shown */
  update(shown) {
    const chips = [
      this.#focusChip(shown),
      this.#topicChip(shown),
      this.#pathChip(),
      this.#pickChip(),
      this.#partChip(shown),
      this.#filterChip(),
    ];
    this.container.replaceChildren(...present(chips));
  }

  /** @param {Content} parts @param {string} [label] @param {() => void} [close] */
  #chip(parts, label, close) {
    const closeButton = close ? button("×", close, { className: "close", ariaLabel: label, title: label }) : null;
    return element("div.chip", parts, closeButton);
  }

  /** @param {number} node */
  #name(node) {
    return element("b", truncated(this.graph.label[node], 30));
  }

  /** @param {VisibleGraph} shown */
  #focusChip(shown) {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return null;
    const steps = [1, 2, 3].map((n) =>
      button(String(n), () => this.state.set({ steps: n }), {
        ariaPressed: this.state.number("steps") === n,
        ariaLabel: plural(n, "step"),
      }),
    );
    const choice = element("span.steps", { role: "group", ariaLabel: "Steps" }, steps);
    const title = "Spread the nodes of this neighbourhood";
    const relax =
      shown.list.length > MAX_RELAXED ? null : button("Improve layout", () => this.actions.relax(focus), { title });
    const parts = ["Neighbourhood of ", this.#name(focus), " up to", choice, "steps", relax];
    return this.#chip(parts, "Show the whole graph", () => this.state.set({ focus: "" }));
  }

  /** @param {VisibleGraph} shown */
  #topicChip({ topic }) {
    if (topic < 0) return null;
    const name = element("b", topicNames(this.graph, topic).join(" · "));
    return this.#chip(["Topic: ", name], "Show all topics", () => this.state.set({ topic: "" }));
  }

  #pathChip() {
    const start = this.actions.pathStart();
    if (start === null) return null;
    const parts = ["Path from ", this.#name(start), " to: click a node or search for it"];
    return this.#chip(parts, "Cancel the path", () => this.actions.pathFrom(null));
  }

  #pickChip() {
    const picking = this.actions.picking();
    if (!picking) return null;
    const parts = [element("b", picking.prompt), ` ${picking.hint}Click a node or search for it`];
    return this.#chip(parts, "Cancel the question", () => this.actions.pick(null));
  }

  /**
   * Return the chip of a large graph: how much of it is shown, and buttons to show more.
   * @param {VisibleGraph} shown
   */
  #partChip(shown) {
    if (this.actions.isComplete() || shown.list.length === shown.passingCount) return null;
    const some = this.state.number("more") || CORE;
    const [part, all] = [shown.list.length, shown.passingCount].map(withCommas);
    const more = button("Show more", () => this.state.set({ more: some * 2 }));
    return this.#chip([
      `The ${part} best connected of ${all} nodes`,
      more,
      button("Show all", () => this.state.set({ more: "all" })),
    ]);
  }

  /** Whether any filter is set. */
  get isFiltered() {
    return FILTERING.some((name) => this.state.get(name) !== START[name]);
  }

  #filterChip() {
    return FILTERING.some((name) => name !== "topic" && this.state.get(name) !== START[name])
      ? this.#chip(["Filters are active"], "Reset all filters", () => this.actions.resetFilters())
      : null;
  }
}
