/* The reading list in Markdown, in the form of `kg export -f md`: newest first, with claims and their evidence. */

const MAX_AUTHORS = 6; // the number of authors before "et al."
const MARKDOWN_UNPRINTED = new RegExp(`[${SPACE}\\x00-\\x1f\\x7f-\\x9f\\ufffe\\uffff]+`, "g");

/** Return the text on one line, with all markup of Markdown escaped. @param {string} text */
function markdownText(text) {
  return text
    .replace(MARKDOWN_UNPRINTED, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>#|$~=%^!&]/g, "\\$&")
    .replace(/^([0-9]*)([-+.)])/, "$1\\$2");
}

class ReadingList {
  /** @param {Graph} graph @param {Painter} painter @param {References} references */
  constructor(graph, painter, references) {
    this.graph = graph;
    this.painter = painter;
    this.references = references;
  }

  async markdown() {
    const { graph } = this;
    const papers = this.references.papers().sort((a, b) => compareTexts(graph.label[a], graph.label[b]));
    papers.sort((a, b) => compareTexts(graph.dateOf(b), graph.dateOf(a)));
    const items = await Promise.all(papers.map((paper) => this.#item(paper)));
    return [`# Reading list: ${papers.length} paper${papers.length === 1 ? "" : "s"}\n`, ...items].join("\n");
  }

  /** @param {number} paper */
  async #item(paper) {
    const claims = await Promise.all(this.#claims(paper).map((i) => this.#claim(i)));
    const results = await Promise.all(this.graph.results.of(paper).map((i) => this.#result(i)));
    return [`- ${this.#reference(paper)}`, ...[...claims, ...results].map((claim) => `  - ${claim}`), ""].join("\n");
  }

  /** @param {number} paper */
  #reference(paper) {
    const { graph } = this;
    const authors = graph.paper(paper, "authors");
    const shown = authors.slice(0, MAX_AUTHORS).map(markdownText).filter(Boolean).join(", ");
    const year = /^\d{4}/.exec(graph.dateOf(paper))?.[0];
    const title = `**${markdownText(graph.label[paper]) || "Untitled"}**${year ? ` (${year})` : ""}`;
    const names = shown + (authors.length > MAX_AUTHORS ? " et al." : "");
    const parts = [title, names, markdownText(graph.paper(paper, "venue"))].filter(Boolean);
    return [...parts.map((part) => (part.endsWith(".") ? part : `${part}.`)), this.#link(paper)].filter(Boolean).join(" ");
  }

  /** Return a link to the paper: its own page, else that of its arXiv id or DOI, else a search. @param {number} paper */
  #link(paper) {
    const { graph } = this;
    const [url, arxiv, doi] = [graph.paper(paper, "url"), graph.paper(paper, "arxiv"), graph.paper(paper, "doi")];
    const own = [url, arxiv && arxivAddress(arxiv), doi && doiAddress(doi), ...graph.paper(paper, "links")];
    const others = linksOut(graph, paper).map(([, address]) => address);
    const address = [...own, ...others].find((link) => WEB_ADDRESS.test(link) && !/[<>]/.test(link));
    return address ? `<${address}>` : "";
  }

  /** Return the relations of a paper that are shown, strongest role first; none that another one implies. @param {number} paper */
  #claims(paper) {
    const { graph } = this;
    const { label, confidence, known, to } = graph.relations;
    const shown = Array.from(graph.relationsOf.of(paper)).filter((i) => this.painter.shown.relation[i]);
    return shown
      .filter((i) => !graph.isImplied(i))
      .sort(
        (i, j) =>
          known[i] - known[j] ||
          label[i] - label[j] ||
          confidence[j] - confidence[i] ||
          compareTexts(graph.label[to[i]], graph.label[to[j]]),
      );
  }

  /** @param {number} i */
  async #claim(i) {
    const { relations, roles, label } = this.graph;
    const claim = `${markdownText(roles[relations.label[i]].label)} ${markdownText(label[relations.to[i]])}`;
    if (relations.known[i]) return `${claim} (known)`;
    const sentences = await this.graph.sentences(relations.from[i], relations.evidence[i].slice(0, 1));
    return withSentence(`${claim} ${sureness(relations, i)}`, sentences[0] ?? []);
  }

  /** @param {number} i */
  async #result(i) {
    const { columns, measures } = this.graph.results;
    const measure = columns.measure[i];
    /** @param {ResultName[]} names */
    const listed = (names) => textsOf(names).map(markdownText).join(", ");
    const [systems, on, versus] = [columns.systems[i], measures.on[measure], columns.versus[i]].map(listed);
    const words = [
      systems && `${systems}:`,
      markdownText(`${measures.title[measure]} ${columns.label[i]}`),
      on && `on ${on}`,
      columns.previous[i] && `(before: ${markdownText(columns.previous[i])})`,
      versus && `compared with ${versus}`,
      sureness(columns, i),
    ];
    const sentence = await this.graph.markedSentence(columns.paper[i], columns.span[i]);
    return withSentence(`reported in the abstract: ${words.filter(Boolean).join(" ")}`, sentence);
  }
}

/**
 * @param {{ confidence: ArrayLike<number>, tentative: ArrayLike<number> }} claims
 * @param {number} i
 */
function sureness({ confidence, tentative }, i) {
  return `(${(confidence[i] / 100).toFixed(2)}${tentative[i] ? ", tentative" : ""})`;
}

/** @param {string} claim @param {string[]} parts */
function withSentence(claim, parts) {
  return parts.length ? `${claim}: “${markdownText(parts.join(""))}”` : claim;
}

/** Compare two texts by their characters, as Python does. @param {string} a @param {string} b */
function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}
