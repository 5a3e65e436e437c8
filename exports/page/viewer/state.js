/* The state of the page: exactly what its address says after the #. */

const START = Object.freeze({
  view: "both", // both, things, papers
  off: "", // types, roles and kinds of links that are switched off, by name
  from: "", // first year
  to: "", // last year
  papers: "1", // the least number of papers that name a thing
  sure: "0", // the least confidence, in percent
  at: "", // the chosen node, or two nodes joined by > for an edge
  focus: "", // the node whose neighbourhood alone is shown
  steps: "1", // how far the neighbourhood reaches
  path: "", // two nodes joined by >
  more: "", // how much of a big graph is shown: a number of nodes, or all
  plus: "", // what of a big graph is shown besides, by name
  colour: "type",
  size: "papers",
  proof: "", // 1 where every proof in the panel is open
  pane: "", // table, grid
  order: "", // the column by which the table is sorted, and up or down
  grid: "", // the two types in the grid, as numbers joined by x
  eye: "", // x, y and scale of the drawing
  theme: "",
});

class State {
  constructor() {
    this.listeners = [];
    this.values = this.#read();
    const reread = () => this.#change(this.#read(), true);
    addEventListener("popstate", reread);
    addEventListener("hashchange", reread);
  }

  get(name) {
    return this.values[name];
  }

  number(name) {
    return Number(this.values[name]) || 0;
  }

  /** The names in a list such as `off`. */
  names(name) {
    return new Set(this.values[name].split(" ").filter(Boolean).map(decoded));
  }

  /** Change some values; `remember` makes it a step for the back button. */
  set(patch, remember = true) {
    const values = { ...this.values };
    for (const [name, value] of Object.entries(patch)) values[name] = String(value);
    const hash = this.#hash(values);
    if (hash === this.#hash(this.values)) return;
    this.#write(hash, remember);
    this.#change(values);
  }

  /** Take a name out of a list of what is off, or put it in. */
  toggle(list, name, on) {
    const names = this.names(list);
    if (on) names.delete(name);
    else names.add(name);
    this.set({ [list]: [...names].sort().map(encodeURIComponent).join(" ") });
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  /** `wandered` tells a step back or forward from a choice on the page. */
  #change(values, wandered = false) {
    const changed = new Set(Object.keys(START).filter((name) => values[name] !== this.values[name]));
    this.values = values;
    if (changed.size) for (const listener of this.listeners) listener(changed, wandered);
  }

  #read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    return Object.fromEntries(Object.keys(START).map((name) => [name, given[name] ?? START[name]]));
  }

  #hash(values) {
    const changed = Object.entries(values).filter(([name, value]) => value !== START[name]);
    return changed.length ? `#${new URLSearchParams(changed)}` : "#";
  }

  /** A page without an address of its own, as in a notebook cell, keeps its state to itself. */
  #write(hash, remember) {
    try {
      if (remember) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
}

/** Undo the encoding of one name in a list; what is not encoded stays as it is. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
