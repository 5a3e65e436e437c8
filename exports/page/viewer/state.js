/* The state of the page, stored in its address after the #. */

const START = Object.freeze({
  view: "both", // both, entities or papers
  off: "", // names of types, roles and kinds of links that are switched off
  from: "", // first year
  to: "", // last year
  papers: "1", // minimum number of papers that mention an entity
  confidence: "0", // minimum confidence in percent
  tentative: "", // 1 if tentative claims are shown
  topic: "", // key of the topic that is shown alone
  at: "", // the selected node, or two nodes joined by > for an edge
  focus: "", // the node whose neighbourhood is shown
  steps: "1", // radius of the neighbourhood
  path: "", // two nodes joined by >
  more: "", // size of the excerpt of a large graph: a number of nodes, or all
  plus: "", // keys of nodes added to the excerpt
  colour: "type",
  size: "papers",
  evidence: "", // 1 if all evidence in the details is open
  pane: "", // table, grid or sparql
  query: "", // the SPARQL query that was run last, or @ and the name of a named query
  order: "", // sort column of the table, and up or down
  grid: "", // the two types of the grid, as numbers joined by x; then the roles of rows and columns, and what is counted
  ask: "", // the question that the panel answers and what it is about, or start for the list of questions
  camera: "", // x, y and scale of the camera
  theme: "",
  corrections: "", // what the reader corrected: a JSON list
  help: "", // 1 if the help is open
});
const STATE_NAMES = /** @type {StateName[]} */ (Object.keys(START));

class State {
  constructor() {
    /** @type {StateListener[]} */
    this.listeners = [];
    this.values = this.#read();
    const reread = () => this.#change(this.#read(), true);
    addEventListener("popstate", reread);
    addEventListener("hashchange", reread);
  }

  /** @param {StateName} name */
  get(name) {
    return this.values[name];
  }

  /** @param {StateName} name */
  number(name) {
    return Number(this.values[name]) || 0;
  }

  /** Return the names in a list such as `off`. @param {StateName} name */
  names(name) {
    return new Set(this.values[name].split(" ").filter(Boolean).map(decoded));
  }

  /**
   * Change some values; `remember` adds an entry to the browser history.
   * @param {StatePatch} patch
   */
  set(patch, remember = true) {
    const values = { ...this.values };
    for (const name of STATE_NAMES) values[name] = String(patch[name] ?? values[name]);
    const hash = this.#hash(values);
    if (hash === this.#hash(this.values)) return;
    this.#write(hash, remember);
    this.#change(values);
  }

  /**
   * Remove a name from a list of what is off, or add it.
   * @param {StateName} list
   * @param {string} name
   * @param {boolean} on
   */
  toggle(list, name, on) {
    const names = this.names(list);
    if (on) names.delete(name);
    else names.add(name);
    this.set({ [list]: encodedNames(names) });
  }

  /** @param {StateListener} listener */
  listen(listener) {
    this.listeners.push(listener);
  }

  /** Notify the listeners; `fromHistory` marks a step back or forward. @param {StateValues} values */
  #change(values, fromHistory = false) {
    const changed = new Set(STATE_NAMES.filter((name) => values[name] !== this.values[name]));
    this.values = values;
    if (changed.size) for (const listener of this.listeners) listener(changed, fromHistory);
  }

  /** @returns {StateValues} */
  #read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const current = withCurrentNames(given);
    /** @type {StateValues} */
    const values = { ...START };
    for (const name of STATE_NAMES) values[name] = current[name] ?? START[name];
    return values;
  }

  /** @param {StateValues} values */
  #hash(values) {
    const changed = STATE_NAMES.filter((name) => values[name] !== START[name]);
    return changed.length ? `#${new URLSearchParams(changed.map((name) => [name, values[name]]))}` : "#";
  }

  /**
   * Write the address; a page without an address of its own, as in a notebook cell, keeps its state in memory.
   * @param {string} hash
   * @param {boolean} remember
   */
  #write(hash, remember) {
    try {
      if (remember) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
}

/** Return names as a list for the state, which `State.names` reads. @param {Set<string>} names */
function encodedNames(names) {
  return [...names].sort().map(encodeURIComponent).join(" ");
}

/** Percent-decode a name; return it unchanged if it is malformed. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
