/* Search with completion: names, titles, authors, ids, words of abstracts, and similar spellings. */

const NAME_MATCHES = 14; // limit of matches shown, beside those in abstracts
const ABSTRACT_MATCHES = 8;
const NOTHING = "No matching name, title, author, id or abstract";

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
    /** The query for which Enter was pressed before there was a match. */
    this.awaited = "";
    this.index = new SearchIndex(graph);
    this.abstracts = new AbstractSearch(graph, () => this.#abstractsAreReady());
    this.input.addEventListener("input", () => this.#complete());
    this.input.addEventListener("focus", () => this.#prepare());
    this.input.addEventListener("focus", () => this.#complete());
    this.input.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Build the index in the background, from when the reader enters the search. */
  async #prepare() {
    const pause = pauses();
    while (!this.index.build(performance.now() + SLICE_MS)) await pause();
  }

  /**
   * Return the best matches, one per node, and how many more there are. Words of abstracts come before similar spellings
   * of names, and similar words of abstracts after all others.
   * @param {string} query
   */
  find(query) {
    const { index, abstracts } = this;
    const words = wordsIn(query);
    const ranks = index.ranks(query);
    for (const node of abstracts.find(words, index)) if (ranks[node] > RANKS.abstract) ranks[node] = RANKS.abstract;
    const nodes = this.#ranked(ranks);
    const similar = nodes.length ? [] : abstracts.similar(words);
    /** @param {number} node @returns {Match} */
    const match = (node) => {
      if (similar.length) return { node, kind: "abstract, similar spelling", text: "" };
      if (ranks[node] === RANKS.abstract) return { node, kind: "abstract", text: "" };
      return { node, ...index.place(query, node, ranks[node]) };
    };
    const isAbstract = (/** @type {number} */ node) => ranks[node] === RANKS.abstract;
    const kept = [similar, nodes.filter(isAbstract)].map((papers) => papers.slice(0, ABSTRACT_MATCHES));
    const named = new Set(nodes.filter((node) => !isAbstract(node)).slice(0, NAME_MATCHES));
    const shown = nodes.filter((node) => named.has(node) || kept[1].includes(node));
    const matches = [...shown, ...kept[0]].map(match);
    return { matches, more: nodes.length + similar.length - matches.length };
  }

  /**
   * Return the nodes that have a rank, best first; frequent entities come first within a rank.
   * @param {Uint8Array} ranks
   */
  #ranked(ranks) {
    const { graph } = this;
    /** @type {number[]} */
    const nodes = [];
    for (let node = 0; node < graph.size; node++) if (ranks[node] < NO_RANK) nodes.push(node);
    /** @param {number} node */
    const weight = (node) => (graph.isPaper(node) ? 0 : graph.mentionCounts[node]);
    return nodes.sort((a, b) => ranks[a] - ranks[b] || weight(b) - weight(a) || a - b);
  }

  #complete() {
    const query = this.input.value;
    const isAsked = wordsIn(query).length > 0;
    if (isAsked) this.abstracts.load();
    const { matches, more } = isAsked ? this.find(query) : { matches: [], more: 0 };
    const kept = matches.findIndex(({ node }) => node === this.matches[this.active]?.node && this.list.hidden === false);
    this.matches = matches;
    this.active = matches.length ? Math.max(0, this.isRefreshing ? kept : 0) : -1;
    const options = matches.map((match, i) => this.#option(match, i));
    this.list.replaceChildren(...options, ...present([isAsked ? this.#remark(more) : null]));
    this.list.hidden = !this.list.childElementCount;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.#mark();
  }

  /** Return what stands below the matches: that there are none, or more, or that the search goes on. @param {number} more */
  #remark(more) {
    const text = !this.abstracts.isReady
      ? "Searching the abstracts …"
      : more
        ? `${withCommas(more)} more: add a word`
        : this.matches.length
          ? ""
          : NOTHING;
    return text ? element("li.nothing", { role: "option", ariaDisabled: true }, text) : null;
  }

  /** Search again with the abstracts, unless the reader has left; go to the first match if Enter was pressed already. */
  #abstractsAreReady() {
    if (document.activeElement !== this.input || this.list.hidden) return;
    this.isRefreshing = true;
    this.#complete();
    this.isRefreshing = false;
    if (this.awaited && this.awaited === this.input.value && this.matches.length) this.#take(0);
  }

  /** @param {Match} match @param {number} i */
  #option({ node, kind, text }, i) {
    const { graph } = this;
    const facts = graph.isPaper(node) ? graph.dateOf(node) : plural(graph.mentionCounts[node], "paper");
    const hit = element("i", `${graph.typeLabel(node)} · ${kind}`, text ? `: ${text}` : null);
    if (kind.startsWith("abstract")) this.#addSnippet(node, hit);
    /** @param {Event} event */
    const take = (event) => {
      event.preventDefault();
      this.#take(i);
    };
    return element(
      "li",
      { id: `match-${i}`, role: "option", onmousedown: take },
      typeIcon(graph.type[node], graph.types.length),
      element("span.name", graph.label[node] || "(no name)", hit),
      element("span.count", facts),
    );
  }

  /** @param {number} paper @param {HTMLElement} hit */
  async #addSnippet(paper, hit) {
    const [before, word, after] = await this.abstracts.snippet(paper);
    hit.append(": ", before, word ? element("mark", word) : "", after);
  }

  /** Go to a match. @param {number} i */
  #take(i) {
    this.input.value = "";
    this.awaited = "";
    this.#close();
    this.onSelect(this.matches[i].node);
    byId("drawing").focus();
  }

  #mark() {
    const options = [...this.list.children].slice(0, this.matches.length);
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
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
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.active >= 0) this.#take(this.active);
      else this.awaited = this.input.value;
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.#close();
      byId("drawing").focus();
      event.stopPropagation();
    }
  }
}
