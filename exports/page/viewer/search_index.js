/* Lookup of nodes by names, words in any order, authors, ids and similar spellings; built on the first search. */

/** Ranks of hits, best first. */
const RANKS = { whole: 0, prefix: 1, words: 2, infix: 3, author: 4, abstract: 5, similar: 6 };
/** Fields in which a word may stand. */
const FIELDS = { name: 0, alias: 1, author: 2, venue: 3 };
const ID_START = /^(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/|(?:www\.)?arxiv\.org\/(?:abs|pdf)\/|arxiv:\s*|doi:\s*)/;
const FEW = 3; // number of hits below which similar spellings are searched, too

/** Normalise a name for comparison: letters and digits only, without case and accents. @param {string} text */
function folded(text) {
  return decomposed(text).replace(/[^\p{L}\p{N}+#]+/gu, "");
}

/** Return the words of a text, without case and accents. @param {string} text @returns {string[]} */
function wordsIn(text) {
  return decomposed(text).match(/[\p{L}\p{N}+#]+/gu) ?? [];
}

/** Return a text in lower case without accents. @param {string} text */
function decomposed(text) {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "");
}

/** Return how many typing errors a word may have. @param {string} word */
function allowedErrors(word) {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
}

/**
 * Return the number of typing errors (a letter too many, missing, wrong, or two swapped) that turn a word into the
 * start of another one, or Infinity if there are more than `limit`. It is the optimal string alignment distance.
 * @param {string} typed
 * @param {string} word
 * @param {number} limit
 */
function errorsToPrefix(typed, word, limit) {
  if (word.length < typed.length - limit) return Infinity;
  const width = Math.min(word.length, typed.length + limit);
  let [before, last] = [new Array(width + 1).fill(Infinity), Array.from({ length: width + 1 }, (_, j) => j)];
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= width; j++) {
      const isSame = typed[i - 1] === word[j - 1];
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) {
        cost = Math.min(cost, before[j - 2] + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return Infinity;
    [before, last] = [last, row];
  }
  const isShort = typed.length < 6; // a short word must be whole: too many words have a similar start
  const errors = isShort ? (width === word.length ? last[width] : Infinity) : Math.min(...last);
  return errors <= limit ? errors : Infinity;
}

class SearchIndex {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    /** Number of the node, and its names, each also normalised. @type {{ node: number, name: string, folded: string }[]} */
    this.names = [];
    /** For each word the nodes that have it, as node * 4 + field. @type {Map<string, number[]>} */
    this.postings = new Map();
    for (let node = 0; node < graph.size; node++) this.#add(node);
    this.vocabulary = [...this.postings.keys()].sort();
    /** @type {Map<number, string[]>} */
    this.byLength = new Map();
    for (const word of this.vocabulary) push(this.byLength, Math.min(word.length, 24), word);
  }

  /** @param {number} node */
  #add(node) {
    const { graph } = this;
    this.namesOf(node).forEach((name, i) => {
      const words = wordsIn(name);
      const whole = words.join("");
      this.names.push({ node, name, folded: whole });
      for (const word of words) push(this.postings, word, node * 4 + (i ? FIELDS.alias : FIELDS.name));
      if (words.length > 1 && whole.length < 24) push(this.postings, whole, node * 4 + FIELDS.name);
    });
    if (!graph.isPaper(node)) return;
    for (const author of graph.paper(node, "authors")) {
      for (const word of wordsIn(author)) push(this.postings, word, node * 4 + FIELDS.author);
    }
    for (const word of wordsIn(`${graph.paper(node, "venue") ?? ""} ${graph.paper(node, "date").slice(0, 4)}`)) {
      push(this.postings, word, node * 4 + FIELDS.venue);
    }
  }

  /** Return the names of a node, or the title of a paper. @param {number} node */
  namesOf(node) {
    const { graph } = this;
    if (graph.isPaper(node)) return [graph.label[node]];
    const { aliases, hidden_names: hidden } = graph.entities;
    return [graph.label[node], ...aliases[node], ...hidden[node]];
  }

  /**
   * Return all hits of a query, best first, one per node: ids, whole names, prefixes, words in any order, infixes, words
   * of names and authors mixed, and similar spellings if there are few others. Frequent entities come first.
   * @param {string} query
   * @returns {Match[]}
   */
  find(query) {
    /** @type {Map<number, Match>} */
    const best = new Map();
    /** @param {Match} match */
    const add = (match) => {
      const known = best.get(match.node);
      if (!this.graph.hidden[match.node] && (!known || match.rank < known.rank)) best.set(match.node, match);
    };
    this.#ids(query).forEach(add);
    this.#wholeNames(folded(query)).forEach(add);
    const words = wordsIn(query);
    if (words.length) this.#inAnyOrder(words).forEach(add);
    if (words.length && best.size < FEW) this.#similar(words).forEach(add);
    /** @param {number} node */
    const weight = (node) => (this.graph.isPaper(node) ? 0 : this.graph.mentionCounts[node]);
    return [...best.values()].sort((a, b) => a.rank - b.rank || weight(b.node) - weight(a.node) || a.node - b.node);
  }

  /** @param {string} wanted @returns {Match[]} */
  #wholeNames(wanted) {
    if (!wanted) return [];
    /** @type {Match[]} */
    const matches = [];
    for (const { node, name, folded } of this.names) {
      const at = folded.indexOf(wanted);
      if (at < 0) continue;
      const rank = folded === wanted ? RANKS.whole : at ? RANKS.infix : RANKS.prefix;
      matches.push({ node, rank, place: () => this.#nameHit(node, name) });
    }
    return matches;
  }

  /** @param {number} node @param {string} name */
  #nameHit(node, name) {
    if (this.graph.isPaper(node)) return { kind: "title", text: "" };
    return name === this.graph.label[node] ? { kind: "name", text: "" } : { kind: "alias", text: name };
  }

  /** Return papers by an arXiv id, a DOI, a web address or a citation key. @param {string} query @returns {Match[]} */
  #ids(query) {
    const typed = query.trim().toLowerCase();
    if (typed.length < 5 || /\s/.test(typed.replace(/^(?:arxiv|doi):\s*/, "")) || !/\d/.test(typed)) return [];
    const wanted = typed.replace(ID_START, "").replace(/^10\.48550\/arxiv\./, "");
    const bare = wanted.replace(/(?<=\d)(?:v\d+)?(?:\.pdf)?$/, "");
    /** @type {Match[]} */
    const matches = [];
    for (let node = this.graph.entityCount; node < this.graph.size; node++) {
      for (const [kind, id] of this.#idsOf(node)) {
        const own = id.toLowerCase();
        const rank = [typed, wanted, bare].includes(own) ? RANKS.whole : own.startsWith(bare) ? RANKS.prefix : -1;
        if (rank >= 0) matches.push({ node, rank, place: () => ({ kind, text: id }) });
      }
    }
    return matches;
  }

  /** @param {number} paper @returns {[string, string][]} */
  #idsOf(paper) {
    const { graph } = this;
    /** @type {[string, string | undefined][]} */
    const ids = [
      ["arXiv", graph.paper(paper, "arxiv")],
      ["DOI", graph.paper(paper, "doi")],
      ["citation key", graph.paper(paper, "cite")],
      ["link", graph.paper(paper, "url")],
      ...(graph.paper(paper, "links") ?? []).map((/** @returns {[string, string]} */ (link) => ["link", link])),
    ];
    return /** @type {[string, string][]} */ (ids.filter(([, id]) => id));
  }

  /**
   * Return the nodes with a word, or with a word that begins with it, each with the best field.
   * @param {string} word
   */
  nodesWith(word) {
    /** @type {Map<number, number>} */
    const fields = new Map();
    for (let at = lowerBound(this.vocabulary, word); this.vocabulary[at]?.startsWith(word); at++) {
      this.#addFields(fields, this.vocabulary[at]);
    }
    return fields;
  }

  /** @param {Map<number, number>} fields @param {string} word */
  #addFields(fields, word) {
    for (const posting of this.postings.get(word) ?? []) {
      const [node, field] = [posting >> 2, posting & 3];
      if (field < (fields.get(node) ?? 4)) fields.set(node, field);
    }
  }

  /** @param {string[]} words @returns {Match[]} */
  #inAnyOrder(words) {
    return this.#intersection(words.map((word) => this.nodesWith(word))).map(([node, field]) => ({
      node,
      rank: field < FIELDS.author ? RANKS.words : RANKS.author,
      place: () => this.#wordHit(node, field, (name) => countOfPrefixes(words, name)),
    }));
  }

  /** Return the nodes in all maps with their worst field. @param {Map<number, number>[]} maps */
  #intersection(maps) {
    const [first, ...rest] = [...maps].sort((a, b) => a.size - b.size);
    return [...first]
      .map(([node, field]) => /** @type {[number, number]} */ ([node, Math.max(field, ...rest.map((map) => map.get(node) ?? 9))]))
      .filter(([, field]) => field < 9);
  }

  /**
   * Return where the words stand: the name, alias or author that has most of them.
   * @param {number} node
   * @param {number} field
   * @param {(text: string) => number} score
   */
  #wordHit(node, field, score) {
    const { graph } = this;
    /** @param {string[]} texts */
    const bestOf = (texts) => texts.reduce((a, b) => (score(b) > score(a) ? b : a));
    if (field < FIELDS.author) return this.#nameHit(node, bestOf(this.namesOf(node)));
    const authors = graph.paper(node, "authors");
    if (field === FIELDS.author && authors.length) return { kind: "author", text: bestOf(authors) };
    return { kind: "venue or year", text: `${graph.paper(node, "venue")} ${graph.paper(node, "date").slice(0, 4)}`.trim() };
  }

  /** Return the nodes whose words are like the typed ones, fewest errors first. @param {string[]} words @returns {Match[]} */
  #similar(words) {
    const whole = words.join("");
    const queries = words.length > 1 ? [words, [whole]] : [words];
    return queries.flatMap((typed) => {
      const alternatives = typed.map((word) => this.#alternatives(word));
      const maps = alternatives.map((similar) => {
        /** @type {Map<number, number>} */
        const fields = new Map();
        for (const word of similar.keys()) this.#addFields(fields, word);
        return fields;
      });
      /** @param {string} name */
      const score = (name) => {
        const own = wordsIn(name);
        return -typed.reduce((sum, _, i) => sum + leastErrors(alternatives[i], [...own, own.join("")]), 0);
      };
      return this.#intersection(maps).map(([node, field]) => {
        const hit = this.#wordHit(node, field, score);
        const errors = Math.min(20, -score(hit.text || this.graph.label[node]));
        const place = () => ({ kind: `${hit.kind}, similar spelling`, text: hit.text });
        return { node, rank: RANKS.similar + errors / 100, place };
      });
    });
  }

  /**
   * Return the words of the graph that a typed word may mean, with the number of errors; 0 for words that begin with it.
   * @param {string} typed
   */
  #alternatives(typed) {
    /** @type {Map<string, number>} */
    const similar = new Map();
    for (let at = lowerBound(this.vocabulary, typed); this.vocabulary[at]?.startsWith(typed); at++) {
      similar.set(this.vocabulary[at], 0);
    }
    const limit = allowedErrors(typed);
    if (!limit || similar.has(typed)) return similar;
    for (const [length, words] of this.byLength) {
      if (length < typed.length - limit || (typed.length < 6 && length > typed.length + limit)) continue;
      for (const word of words) {
        const errors = errorsToPrefix(typed, word, limit);
        if (errors <= limit && !similar.has(word)) similar.set(word, errors + (word.length > typed.length + limit ? 0.5 : 0));
      }
    }
    return similar;
  }
}

/** @param {Map<string, number>} similar @param {string[]} words */
function leastErrors(similar, words) {
  return Math.min(9, ...words.map((word) => similar.get(word) ?? 9));
}

/** Return how many of the words begin a word of a text. @param {string[]} words @param {string} text */
function countOfPrefixes(words, text) {
  const own = wordsIn(text);
  own.push(own.join(""));
  return words.filter((word) => own.some((other) => other.startsWith(word))).length;
}

/** Return the position of the first text that is not less than another one. @param {string[]} sorted @param {string} text */
function lowerBound(sorted, text) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Add a value to the list of a key, unless it is the last one already.
 * @template Key, Value
 * @param {Map<Key, Value[]>} lists
 * @param {Key} key
 * @param {Value} value
 */
function push(lists, key, value) {
  const list = lists.get(key);
  if (!list) lists.set(key, [value]);
  else if (list[list.length - 1] !== value) list.push(value);
}
