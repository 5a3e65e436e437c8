/* What narrows the drawing just now, each with the way out of it. */

class Chips {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.place = document.getElementById("chips");
  }

  update(shown, whole) {
    this.place.replaceChildren(...[this.#focus(shown), this.#pathStart(), this.#part(shown, whole), this.#filters()].filter(Boolean));
  }

  #chip(label, close, ...parts) {
    return element("div", { class: "chip" }, ...parts,
      close ? element("button", { type: "button", class: "close", "aria-label": label, title: label, onclick: close }, "×") : null);
  }

  #focus(shown) {
    const focus = this.graph.find(this.state.get("focus"));
    if (focus < 0) return null;
    const steps = [1, 2, 3].map((n) => element("button", {
      type: "button", "aria-pressed": this.state.number("steps") === n, "aria-label": plural(n, "step"), onclick: () => this.state.set({ steps: n }),
    }, String(n)));
    const relax = shown.list.length <= RELAXED ? element("button", { type: "button", title: "Let this neighbourhood settle by itself", onclick: () => this.actions.relax(focus) }, "Relax") : null;
    return this.#chip("Show the whole drawing again", () => this.state.set({ focus: "" }),
      "Around ", element("b", {}, shortened(this.graph.label[focus], 30)), " within", element("span", { class: "steps", role: "group", "aria-label": "Steps" }, steps), relax);
  }

  #pathStart() {
    const start = this.actions.pathStart();
    if (start === null) return null;
    return this.#chip("No path after all", () => this.actions.pathFrom(null),
      "From ", element("b", {}, shortened(this.graph.label[start], 30)), " to: click a node, or search for it");
  }

  /** Of a big graph, how much is shown, and ways to more. */
  #part(shown, whole) {
    if (whole) return null;
    const some = this.state.number("more") || CORE;
    const more = element("button", { type: "button", onclick: () => this.state.set({ more: some * 2 }) }, "Show more");
    const all = element("button", { type: "button", onclick: () => this.state.set({ more: "all" }) }, "All");
    return this.#chip(null, null, `The best connected ${shown.list.length.toLocaleString("en")} of ${shown.possible.toLocaleString("en")}`, more, all);
  }

  #filters() {
    const narrowed = ["off", "from", "to", "papers", "sure"].some((name) => this.state.get(name) !== START[name]);
    return narrowed ? this.#chip("Switch all filters off", () => this.actions.unfilter(), "Filtered") : null;
  }
}
