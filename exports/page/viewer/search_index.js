/* Lookup of nodes by names, words in any order, authors, ids and similar spellings; built on the first search. */

/** Ranks of hits, best first; the number of typing errors is added to the last one. */
const RANKS = { whole: 0, prefix: 1, words: 2, infix: 3, author: 4, abstract: 5, similar: 6 };
const NO_RANK = 255;
/** Fields in which a word may stand. */
const FIELDS = { name: 0, alias: 1, author: 2, venue: 3 };
const NO_FIELD = 4;
const ID_START = /^(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/|(?:www\.)?arxiv\.org\/(?:abs|pdf)\/|arxiv:\s*|doi:\s*)/;
const FEW_HITS = 3; // number of hits below which similar spellings are searched, too
const MAX_ERRORS = 2;

/** Normalise a name for comparison: letters and digits only, without case and accents. @param {string} text */
function folded(text) {
  return wordsIn(text).join("");
}

/** Return the words of a text, without case and accents. @param {string} text @returns {string[]} */
function wordsIn(text) {
  const lower = decomposed(text);
  return (isAscii(lower) ? lower.match(/[a-z0-9+#]+/g) : lower.match(/[\p{L}\p{N}+#]+/gu)) ?? [];
}

/** Return a text in lower case without accents. @param {string} text */
function decomposed(text) {
  const lower = text.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "");
}

/** @param {string} text */
function isAscii(text) {
  return /^[\x00-\x7f]*$/.test(text);
}

/** Return how many typing errors a word may have. @param {string} word */
function allowedErrors(word) {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : MAX_ERRORS;
}

const MAX_WORD = 40; // longer words are compared by their start
const ROWS_OF_ERRORS = [0, 1, 2].map(() => new Uint8Array(MAX_WORD + MAX_ERRORS + 2));

/**
 * Return the number of typing errors (a letter too many, missing, wrong, or two swapped) that turn a word into the
 * start of another one, or into the whole of it if the word is short; Infinity if there are more than `limit`. It is the
 * optimal string alignment distance.
 * @param {string} typed
 * @param {string} word
 * @param {number} limit
 */
function errorsToPrefix(typed, word, limit) {
  const length = Math.min(typed.length, MAX_WORD);
  const width = Math.min(word.length, length + limit);
  if (width < length - limit || (typed.length < 6 && word.length > width)) return Infinity;
  let [before, last, row] = ROWS_OF_ERRORS;
  for (let j = 0; j <= width; j++) last[j] = j;
  for (let i = 1; i <= length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= width; j++) {
      let cost = last[j - 1] + Number(typed[i - 1] !== word[j - 1]);
      if (last[j] < cost) cost = last[j] + 1;
      if (row[j - 1] < cost) cost = row[j - 1] + 1;
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      if (isSwapped && before[j - 2] < cost) cost = before[j - 2] + 1;
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    [before, last, row] = [last, row, before];
  }
  let errors = last[width];
  for (let j = 0; j < width && typed.length >= 6; j++) errors = Math.min(errors, last[j]);
  return errors <= limit ? errors : Infinity;
}

/** Words of a graph with a number of errors. @typedef {Map<string, number>} Spellings */

class SearchIndex {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    /** The node of each name, and the normalised name. @type {number[]} */
    this.nameNodes = [];
    /** @type {string[]} */
    this.names = [];
    /** For each word the nodes that have it, as node * 4 + field. @type {Map<string, number[]>} */
    this.postings = new Map();
    /** @type {string[]} */
    this.vocabulary = [];
    /** The spellings that the last search for similar ones accepted, by word. @type {Spellings[]} */
    this.spellings = [];
    this.built = 0;
  }

  /** Build the index until a moment of the page's clock; return whether it is ready. */
  build(until = Infinity) {
    const { graph } = this;
    if (this.vocabulary.length) return true;
    while (this.built < graph.size) {
      this.#add(this.built++);
      if (this.built % 64 === 0 && performance.now() > until) return false;
    }
    this.vocabulary = [...this.postings.keys()].sort();
    return true;
  }

  /** @param {number} node */
  #add(node) {
    const { graph } = this;
    this.namesOf(node).forEach((name, i) => {
      const words = wordsIn(name);
      this.nameNodes.push(node);
      this.names.push(words.join(""));
      this.#addWords(words, node, i ? FIELDS.alias : FIELDS.name);
    });
    if (!graph.isPaper(node)) return;
    for (const author of graph.paper(node, "authors")) this.#addWords(wordsIn(author), node, FIELDS.author);
    this.#addWords(wordsIn(this.#venueAndYear(node)), node, FIELDS.venue);
  }

  /** @param {string[]} words @param {number} node @param {number} field */
  #addWords(words, node, field) {
    for (const word of words) {
      const list = this.postings.get(word);
      if (list) list.push(node * 4 + field);
      else this.postings.set(word, [node * 4 + field]);
    }
  }

  /** @param {number} paper */
  #venueAndYear(paper) {
    return `${this.graph.paper(paper, "venue") ?? ""} ${this.graph.dateOf(paper).slice(0, 4)}`.trim();
  }

  /** Return the names of a node, or the title of a paper. @param {number} node */
  namesOf(node) {
    const { graph } = this;
    if (graph.isPaper(node)) return [graph.label[node]];
    const [{ aliases }, { hidden_names: hidden }] = [graph.entities, graph.details.entities];
    return [graph.label[node], ...aliases[node], ...hidden[node]];
  }

  /**
   * Return the rank of each node for a query: ids and whole names, prefixes, words in any order, infixes, words of names
   * and authors mixed, and similar spellings if there are few others.
   * @param {string} query
   */
  ranks(query) {
    this.build();
    const ranks = new Uint8Array(this.graph.size).fill(NO_RANK);
    const words = wordsIn(query);
    /** @param {number} node @param {number} rank */
    const add = (node, rank) => {
      if (rank < ranks[node] && !this.graph.hidden[node]) ranks[node] = rank;
    };
    this.#rankIds(query, add);
    if (!words.length) return ranks;
    this.#rankNames(words.join(""), add);
    this.#rankWords(words, add);
    if (ranks.reduce((count, rank) => count + Number(rank < NO_RANK), 0) < FEW_HITS) this.#rankSimilar(words, add);
    return ranks;
  }

  /** @param {string} wanted @param {AddRank} add */
  #rankNames(wanted, add) {
    this.names.forEach((name, i) => {
      const at = name.indexOf(wanted);
      if (at >= 0) add(this.nameNodes[i], at ? RANKS.infix : name.length === wanted.length ? RANKS.whole : RANKS.prefix);
    });
  }

  /** Rank the papers by an arXiv id, a DOI, a web address or a citation key. @param {string} query @param {AddRank} add */
  #rankIds(query, add) {
    const forms = idForms(query);
    for (let node = this.graph.entityCount; forms.length && node < this.graph.size; node++) {
      for (const [, id] of this.#idsOf(node)) add(node, idRank(forms, id));
    }
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

  /** Return the words that begin with a word, without errors. @param {string} word */
  #wordsWith(word) {
    /** @type {Spellings} */
    const words = new Map();
    for (let at = lowerBound(this.vocabulary, word); this.vocabulary[at]?.startsWith(word); at++) {
      words.set(this.vocabulary[at], 0);
    }
    return words;
  }

  /** Return for each node the best field with a word that begins with a word. @param {string} word */
  fieldsWith(word) {
    return this.#fields(this.#wordsWith(word)).fields;
  }

  /** Return for each node the best field with one of the words, and the fewest errors. @param {Spellings} spellings */
  #fields(spellings) {
    const fields = new Uint8Array(this.graph.size).fill(NO_FIELD);
    const errors = new Uint8Array(this.graph.size).fill(NO_RANK);
    for (const [word, count] of spellings) {
      for (const posting of this.postings.get(word) ?? []) {
        const [node, field] = [posting >> 2, posting & 3];
        if (field < fields[node]) fields[node] = field;
        if (count < errors[node]) errors[node] = count;
      }
    }
    return { fields, errors };
  }

  /** @param {string[]} words @param {AddRank} add */
  #rankWords(words, add) {
    const found = words.map((word) => this.fieldsWith(word));
    for (let node = 0; node < this.graph.size; node++) {
      const worst = worstOf(found, node);
      if (worst < NO_FIELD) add(node, worst < FIELDS.author ? RANKS.words : RANKS.author);
    }
  }

  /** Rank the nodes by words like the typed ones, or by names like all of them in one. @param {string[]} words @param {AddRank} add */
  #rankSimilar(words, add) {
    this.spellings = words.map((word) => this.#similarWords(word));
    const found = this.spellings.map((spellings) => this.#fields(spellings));
    const fields = found.map(({ fields }) => fields);
    for (let node = 0; node < this.graph.size; node++) {
      if (worstOf(fields, node) < NO_FIELD) add(node, RANKS.similar + found.reduce((sum, { errors }) => sum + errors[node], 0));
    }
    const whole = words.join("");
    this.names.forEach((name, i) => {
      const errors = errorsToPrefix(whole, name, allowedErrors(whole));
      if (errors < Infinity) add(this.nameNodes[i], RANKS.similar + 2 * errors);
    });
  }

  /**
   * Return the words of the graph that a typed word may mean, with twice the number of errors, and one more for the start
   * of a longer word.
   * @param {string} typed
   */
  #similarWords(typed) {
    const similar = this.#wordsWith(typed);
    const limit = allowedErrors(typed);
    if (!limit || similar.has(typed)) return similar;
    for (const word of this.vocabulary) {
      const errors = similar.has(word) ? Infinity : errorsToPrefix(typed, word, limit);
      if (errors <= limit) similar.set(word, 2 * errors + Number(word.length > typed.length + limit));
    }
    return similar;
  }

  /**
   * Return where the words of a query stand in a node of a rank: the kind of the place, and its text unless it is the name.
   * @param {string} query
   * @param {number} node
   * @param {number} rank
   * @returns {MatchPlace}
   */
  place(query, node, rank) {
    const words = wordsIn(query);
    if (rank >= RANKS.similar) return this.#similarPlace(node);
    if (rank === RANKS.words || rank === RANKS.author) return this.#wordPlace(node, rank, words);
    const wanted = words.join("");
    const name = this.namesOf(node).find((name) => wanted && rankOfName(folded(name), wanted) === rank);
    if (name !== undefined) return this.#namePlace(node, name);
    const forms = idForms(query);
    const [kind, text] = this.#idsOf(node).find(([, id]) => idRank(forms, id) === rank) ?? ["name", ""];
    return { kind, text };
  }

  /** @param {number} node @param {string} name */
  #namePlace(node, name) {
    if (this.graph.isPaper(node)) return { kind: "title", text: "" };
    return name === this.graph.label[node] ? { kind: "name", text: "" } : { kind: "alias", text: name };
  }

  /**
   * Return the name, author or venue that has most of the words.
   * @param {number} node
   * @param {number} rank
   * @param {string[]} words
   */
  #wordPlace(node, rank, words) {
    /** @param {string} text */
    const score = (text) => countOfPrefixes(words, text);
    if (rank === RANKS.words) return this.#namePlace(node, best(this.namesOf(node), score));
    const author = best(this.graph.paper(node, "authors"), score);
    if (author && score(author)) return { kind: "author", text: author };
    return { kind: "venue or year", text: this.#venueAndYear(node) };
  }

  /** @param {number} node */
  #similarPlace(node) {
    /** @param {string} text */
    const score = (text) => {
      const own = wordsIn(text);
      return this.spellings.filter((spellings) => own.some((word) => spellings.has(word))).length;
    };
    const name = best(this.namesOf(node), score);
    const authors = this.graph.isPaper(node) ? this.graph.paper(node, "authors") : [];
    const author = best(authors, score);
    const isAuthor = author && score(author) > score(name);
    const { kind, text } = isAuthor ? { kind: "author", text: author } : this.#namePlace(node, name);
    return { kind: `${kind}, similar spelling`, text };
  }
}

/** Return the forms in which an id may be written; none if the query is no id. @param {string} query */
function idForms(query) {
  const typed = query.trim().toLowerCase();
  if (typed.length < 5 || !/\d/.test(typed) || /\s/.test(typed.replace(/^(?:arxiv|doi):\s*/, ""))) return [];
  const wanted = typed.replace(ID_START, "").replace(/^10\.48550\/arxiv\./, "");
  return [wanted.replace(/(?<=\d)(?:v\d+)?(?:\.pdf)?$/, ""), wanted, typed];
}

/** @param {string[]} forms @param {string} id */
function idRank(forms, id) {
  const own = id.toLowerCase();
  if (forms.includes(own)) return RANKS.whole;
  return forms.length && own.startsWith(forms[0]) ? RANKS.prefix : NO_RANK;
}

/** @param {string} name @param {string} wanted */
function rankOfName(name, wanted) {
  if (name === wanted) return RANKS.whole;
  if (name.startsWith(wanted)) return RANKS.prefix;
  return name.includes(wanted) ? RANKS.infix : NO_RANK;
}

/** Return the worst of the fields of a node. @param {Uint8Array[]} found @param {number} node */
function worstOf(found, node) {
  let worst = 0;
  for (const fields of found) if (fields[node] > worst) worst = fields[node];
  return worst;
}

/** Return the first of the texts with the highest score. @param {string[]} texts @param {(text: string) => number} score */
function best(texts, score) {
  return texts.reduce((a, b) => (score(b) > score(a) ? b : a), texts[0] ?? "");
}

/** Return how many of the words begin a word of a text. @param {string[]} words @param {string} text */
function countOfPrefixes(words, text) {
  const own = wordsIn(text);
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
