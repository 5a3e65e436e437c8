/* References to papers as BibTeX and RIS, with the keys and fields of `kg export -f bib`. */

/** The characters that Python counts as white space, for a regular expression. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const UNPRINTED = new RegExp(`[${SPACE}\\x00-\\x1f\\x7f-\\x9f]+`, "g");
const WEB_ADDRESS = new RegExp(`^https?://[^${SPACE}]+$`, "i");
const DATE = /^([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?(?![0-9])/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** @type {Record<string, string>} */
const VENUE_FIELDS = { inproceedings: "booktitle", article: "journal", misc: "howpublished" };
/** @type {Record<string, string>} */
const RIS_TYPES = { inproceedings: "CONF", article: "JOUR", misc: "UNPB" };
/** @type {Record<string, string>} */
const LATEX = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** Return the text on one line, without control characters. @param {string} text */
function oneLine(text) {
  return text.replace(UNPRINTED, " ").replace(/^ | $/g, "");
}

/** @param {string} text */
function latex(text) {
  return oneLine(text).replace(/[\\{}~^&%$#_]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
}

/** Return an author's name, in braces if BibTeX would split it into several names. @param {string} name */
function bibtexAuthor(name) {
  const text = latex(name);
  const isSplit = /(?<![\p{L}\p{N}_])and(?![\p{L}\p{N}_])/iu.test(text) || text.split(",").length > 2;
  return isSplit ? `{${text}}` : text;
}

/** @param {Reference} reference */
function bibtexFields({ entry, title, authors, venue, date, arxiv, doi, url, abstract }) {
  const [, year, month, day] = DATE.exec(date) ?? [];
  const address = WEB_ADDRESS.test(url)
    ? url.replace(/[^\w:/?#[\]@!$&'()*+,;=%\-.~]/gu, (sign) => encodeURIComponent(sign))
    : "";
  /** @type {[string, string][]} */
  const texts = [
    ["author", authors.map(bibtexAuthor).filter(Boolean).join(" and ")],
    [VENUE_FIELDS[entry], latex(venue)],
    ["year", year],
    ["month", month && MONTHS[Number(month) - 1]],
    ["day", day && String(Number(day))],
    ["eprint", latex(arxiv)],
    ["archiveprefix", arxiv && "arXiv"],
    ["doi", latex(doi)],
    ["url", address],
    ["abstract", latex(abstract)],
  ];
  const written = texts
    .filter(([, text]) => text)
    .map(([name, text]) => `  ${name} = ${name === "month" ? text : `{${text}}`}`);
  return [`  title = {{${latex(title)}}}`, ...written].join(",\n");
}

/** Return the BibTeX entry that `kg export -f bib` writes. @param {Reference} reference */
function bibtexEntry(reference) {
  return `@${reference.entry}{${reference.key},\n${bibtexFields(reference)}\n}\n\n`;
}

/** Return the RIS record of a paper. @param {Reference} reference */
function risRecord({ key, entry, title, authors, venue, date, arxiv, doi, url, abstract }) {
  const [, year, month, day] = DATE.exec(date) ?? [];
  /** @type {[string, string][]} */
  const texts = [
    ["TY", RIS_TYPES[entry]],
    ["ID", key],
    ["TI", title],
    ...authors.map((/** @returns {[string, string]} */ (author) => ["AU", author])),
    [entry === "article" ? "JO" : "T2", venue],
    ["PY", year],
    ["DA", month && [year, month, day ?? "", ""].join("/")],
    ["DO", doi],
    ["AN", arxiv && `arXiv:${arxiv}`],
    ["UR", WEB_ADDRESS.test(url) ? url : arxiv && arxivAddress(arxiv)],
    ["AB", abstract],
  ];
  const lines = texts.map(([tag, text]) => [tag, oneLine(text ?? "")]).filter(([, text]) => text);
  return [...lines.map((line) => line.join("  - ")), "ER  - ", "", ""].join("\r\n");
}

class References {
  /** @param {Graph} graph @param {Painter} painter */
  constructor(graph, painter) {
    this.graph = graph;
    this.painter = painter;
  }

  /**
   * Return the papers to cite, in the order of the graph: those of the path or of the selection (or that mention the
   * selected entities), else all shown ones. Papers outside the corpus count only if they are chosen.
   */
  papers() {
    const { shown, path, selected } = this.painter;
    const chosen = path.length ? path : [...selected];
    const papers = chosen.length ? this.#chosenPapers(chosen) : this.#shownPapers(shown.list);
    return [...new Set(papers)].sort((a, b) => a - b);
  }

  /** @param {number[]} chosen */
  #chosenPapers(chosen) {
    const papers = chosen.filter((node) => this.graph.isPaper(node));
    if (papers.length) return papers;
    const [first, ...rest] = chosen.map((node) => this.#mentioning(node));
    if (!rest.length) return first;
    return rest.flatMap((papers, i) => papers.filter((paper) => [first, ...rest][i].includes(paper)));
  }

  /** @param {number[]} nodes */
  #shownPapers(nodes) {
    const papers = nodes.filter((node) => this.graph.isPaper(node));
    return papers.length
      ? papers.filter((paper) => !this.graph.isStub(paper))
      : nodes.flatMap((node) => this.#mentioning(node));
  }

  /** Return the papers of the corpus that mention an entity, over the relations that pass the filters. @param {number} node */
  #mentioning(node) {
    const { from, known } = this.graph.relations;
    const { relation } = this.painter.shown;
    return Array.from(this.graph.relationsOf.of(node))
      .filter((i) => relation[i] && !known[i])
      .map((i) => from[i]);
  }

  /** @param {number} paper @returns {Promise<Reference>} */
  async #reference(paper) {
    const { graph } = this;
    return {
      key: graph.paper(paper, "cite"),
      entry: graph.paper(paper, "entry"),
      title: graph.label[paper],
      authors: graph.paper(paper, "authors"),
      venue: graph.paper(paper, "venue"),
      date: graph.dateOf(paper),
      arxiv: graph.paper(paper, "arxiv"),
      doi: graph.paper(paper, "doi"),
      url: graph.paper(paper, "url"),
      abstract: (await graph.text(paper))?.abstract ?? "",
    };
  }

  /** @param {(reference: Reference) => string} write */
  async #written(write) {
    const references = await Promise.all(this.papers().map((paper) => this.#reference(paper)));
    return references.map(write).join("");
  }

  bibtex() {
    return this.#written(bibtexEntry);
  }

  ris() {
    return this.#written(risRecord);
  }
}
