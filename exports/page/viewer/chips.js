/* What narrows the drawing just now, each with the way out of it. */

const FILTERING = ["off", "from", "to", "papers", "sure"];

class Chips {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.place = document.getElementById("chips");
  }

  update(shown) {
    const chips = [this.#focus(shown), this.#pathStart(), this.#part(shown), this.#filters()];
    this.place.replaceChildren(...chips.filter(Boolean));
  }

  #chip(parts, label, close) {
    const way = close ? button("×", close, { className: "close", ariaLabel: label, title: label }) : null;
    return element("div.chip", parts, way);
  }

  #name(node) {
    return element("b", shortened(this.graph.label[node], 30));
  }

  #focus(shown) {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return null;
    const steps = [1, 2, 3].map((n) =>
      button(String(n), () => this.state.set({ steps: n }), {
        ariaPressed: this.state.number("steps") === n,
        ariaLabel: plural(n, "step"),
      }),
    );
    const choice = element("span.steps", { role: "group", ariaLabel: "Steps" }, steps);
    const title = "Let this neighbourhood settle by itself";
    const relax = shown.list.length > RELAXED ? null : button("Relax", () => this.actions.relax(focus), { title });
    const parts = ["Around ", this.#name(focus), " within", choice, relax];
    return this.#chip(parts, "Show the whole drawing again", () => this.state.set({ focus: "" }));
  }

  #pathStart() {
    const start = this.actions.pathStart();
    if (start === null) return null;
    const parts = ["From ", this.#name(start), " to: click a node, or search for it"];
    return this.#chip(parts, "No path after all", () => this.actions.pathFrom(null));
  }

  /** Of a big graph, how much is shown, and ways to more. */
  #part(shown) {
    if (this.actions.whole() || shown.list.length === shown.possible) return null;
    const some = this.state.number("more") || CORE;
    const [part, all] = [shown.list.length, shown.possible].map((count) => count.toLocaleString("en"));
    const more = button("Show more", () => this.state.set({ more: some * 2 }));
    return this.#chip([
      `The best connected ${part} of ${all}`,
      more,
      button("All", () => this.state.set({ more: "all" })),
    ]);
  }

  /** Whether any filter is set. */
  get filtered() {
    return FILTERING.some((name) => this.state.get(name) !== START[name]);
  }

  #filters() {
    return this.filtered ? this.#chip(["Filtered"], "Switch all filters off", () => this.actions.unfilter()) : null;
  }
}
