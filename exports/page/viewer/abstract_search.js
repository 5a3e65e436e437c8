/* Search for words in the abstracts: they are unpacked in the background on the first search. */

const SLICE_MS = 12; // milliseconds of work before the page may do something else
const SNIPPET = 60; // characters of an abstract around the word that was found

class AbstractSearch {
  /** @param {Graph} graph @param {() => void} onReady */
  constructor(graph, onReady) {
    this.graph = graph;
    this.onReady = onReady;
    /** The words of each abstract, each after a space. @type {string[]} */
    this.texts = [];
    /** The longer words of all abstracts. @type {Set<string>} */
    this.vocabulary = new Set();
    /** The words that the last search looked for. @type {string[]} */
    this.wanted = [];
    this.isReady = graph.blocks.length === 0;
    this.isLoading = false;
  }

  /** Start to unpack the abstracts. */
  load() {
    if (this.isReady || this.isLoading) return;
    this.isLoading = true;
    this.#unpack();
  }

  async #unpack() {
    const pause = pauses();
    for (const block of this.graph.blocks) {
      /** @type {PaperText[]} */
      const papers = await inflated(block).json();
      for (const { abstract } of papers) this.texts.push(` ${wordsIn(abstract).join(" ")}`);
      await pause();
    }
    this.isReady = true;
    this.onReady();
    for (const text of this.texts) {
      for (const word of text.split(" ")) if (word.length > 3) this.vocabulary.add(word);
      await pause();
    }
    this.onReady();
  }

  /**
   * Return the papers of the corpus with all words, at least one of them only in the abstract; papers with the words next
   * to each other first, then the newest.
   * @param {string[]} words
   * @param {SearchIndex} index
   */
  find(words, index) {
    if (!this.isReady || words.join("").length < 3) return [];
    const others = words.map((word) => index.fieldsWith(word));
    const phrase = ` ${words.join(" ")}`;
    const found = this.#papers((text, node) =>
      words.every((word, i) => others[i][node] < NO_FIELD || hasWord(text, word)),
    );
    const isPhrase = new Set(found.filter((node) => this.texts[node - this.graph.entityCount].includes(phrase)));
    this.wanted = words;
    return found.sort((a, b) => Number(isPhrase.has(b)) - Number(isPhrase.has(a)));
  }

  /** Return the papers whose abstracts have words like the typed ones; the words with the fewest errors count. @param {string[]} words */
  similar(words) {
    const alternatives = words.map((word) => this.#nearest(word));
    if (!this.isReady || !words.length || alternatives.some((similar) => !similar.length)) return [];
    this.wanted = alternatives.flat();
    return this.#papers((text) => alternatives.every((similar) => similar.some((word) => hasWord(text, word))));
  }

  /** Return the words of the abstracts with the fewest errors. @param {string} typed */
  #nearest(typed) {
    const limit = allowedErrors(typed);
    let [least, nearest] = [limit, /** @type {string[]} */ ([])];
    if (!limit || this.vocabulary.has(typed)) return [typed];
    for (const word of this.vocabulary) {
      const errors = errorsToPrefix(typed, word, least);
      if (errors < least) nearest = [];
      if (errors <= least) nearest.push(word);
      least = Math.min(least, errors);
    }
    return nearest;
  }

  /** Return the papers whose abstracts pass, newest first. @param {(text: string, node: number) => boolean} passes */
  #papers(passes) {
    const { graph } = this;
    /** @type {number[]} */
    const found = [];
    this.texts.forEach((text, i) => {
      const node = graph.entityCount + i;
      if (!graph.hidden[node] && passes(text, node)) found.push(node);
    });
    return found.sort((a, b) => compareTexts(graph.dateOf(b), graph.dateOf(a)) || a - b);
  }

  /**
   * Return the part of an abstract around the longest word of the last search, which is the second of three parts.
   * @param {number} paper
   */
  async snippet(paper) {
    const { wanted } = this;
    const abstract = (await this.graph.text(paper))?.abstract ?? "";
    const own = [...abstract.matchAll(/[\p{L}\p{M}\p{N}+#]+/gu)];
    const longest = [...wanted].sort((a, b) => b.length - a.length);
    const places = longest.map((typed) => own.find(([word]) => decomposed(word).startsWith(typed)));
    const found = places.find(Boolean);
    if (!found) return [truncated(abstract, SNIPPET), "", ""];
    const start = Math.max(0, found.index - SNIPPET / 3);
    const from = start ? abstract.indexOf(" ", start) + 1 : 0;
    const stop = found.index + found[0].length;
    const after = abstract.slice(stop, stop + SNIPPET);
    return [(from ? "…" : "") + abstract.slice(Math.min(from, found.index), found.index), found[0], `${after}…`];
  }
}

/** Return a function that waits for the page's other work, once per slice of time. */
function pauses() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/** Whether a word begins with these letters; the first test is quicker, because few texts pass it. @param {string} text @param {string} word */
function hasWord(text, word) {
  return text.includes(word) && text.includes(` ${word}`);
}
