/* Unit tests of the search and of references, for node's own test runner: node --test tests/exports/page/search.test.js */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load, plain } = require("./scripts.cjs");

const FILES = ["graph.js", "search_index.js", "links_out.js", "paper.js", "references.js", "reading_list.js"];
const NAMES = ["SearchIndex", "bibtexEntry", "errorsToPrefix", "linksOut", "markdownText", "risRecord", "wordsIn"];
const page = load(NAMES, FILES, { performance });

/** Two entities and two papers; the second entity is hidden while tentative claims are. */
function sampleGraph() {
  const papers = {
    label: ["Heron: Planning for Shallow Waters", "A Study of Nests"],
    authors: [["Ada Ängström", "Bo Li"], []],
    date: ["2024-01-02", ""],
    venue: ["Workshop on Feathers", ""],
    arxiv: ["2401.00001", ""],
    doi: ["", "10.1000/nest_7"],
    url: ["", ""],
    links: [[], ["https://openalex.org/W71"]],
    cite: ["angstrom2024heron", "study"],
  };
  return {
    size: 4,
    entityCount: 2,
    label: ["Kite-Planner", "Kite-Ghost", ...papers.label],
    hidden: [0, 1, 0, 0],
    mentionCounts: [3, 1, 0, 0],
    entities: { aliases: [["Kinetic Iterative Tree Exploration"], []] },
    details: { entities: { hidden_names: [[], []] } },
    isPaper: (node) => node > 1,
    paper: (node, field) => papers[field][node - 2],
    dateOf: (node) => papers.date[node - 2],
  };
}

/** Return the number of the first hit and the kind of its place; nothing without a hit. */
function first(query) {
  const index = new page.SearchIndex(sampleGraph());
  const ranks = [...index.ranks(query)];
  const node = ranks.indexOf(Math.min(...ranks));
  return ranks[node] < 255 ? [node, index.place(query, node, ranks[node]).kind] : undefined;
}

test("words are found in any order, and as prefixes", () => {
  assert.deepEqual(first("tree kinetic"), [0, "alias"]);
  assert.deepEqual(first("waters heron plan"), [2, "title"]);
  assert.equal(first("waters kinetic"), undefined);
});

test("names are found regardless of case and hyphens, and by a part", () => {
  assert.deepEqual(first("kiteplanner"), [0, "name"]);
  assert.deepEqual(first("KITE"), [0, "name"]);
  assert.deepEqual(first("eplan"), [0, "name"]);
});

test("an entity of tentative claims is not found while these are hidden", () => {
  assert.equal(first("ghost"), undefined);
});

test("authors are found, alone and together with the year and words of the title", () => {
  assert.deepEqual(first("angstrom"), [2, "author"]);
  assert.deepEqual(first("li 2024 heron"), [2, "author"]);
});

test("identifiers are found in every common notation", () => {
  for (const written of ["2401.00001", "arXiv:2401.00001v3", "https://arxiv.org/pdf/2401.00001v2.pdf"]) {
    assert.deepEqual(first(written), [2, "arXiv"], written);
  }
  assert.deepEqual(first("10.48550/arXiv.2401.00001"), [2, "arXiv"]);
  assert.deepEqual(first("https://doi.org/10.1000/NEST_7"), [3, "DOI"]);
  assert.deepEqual(first("https://openalex.org/W71"), [3, "link"]);
  assert.deepEqual(first("angstrom2024heron"), [2, "citation key"]);
});

test("names with similar spelling are found if there is no exact match", () => {
  for (const typed of ["hreon", "heronn", "herom planing", "kitepalnner"]) {
    assert.match(first(typed)?.[1] ?? "", /similar spelling/, typed);
  }
  assert.equal(first("xyzzy"), undefined);
  assert.equal(first("bq"), undefined);
});

test("an error is an extra, missing or wrong letter or a transposition; a short word must be complete", () => {
  assert.equal(page.errorsToPrefix("kite", "kite", 1), 0);
  assert.equal(page.errorsToPrefix("ktie", "kite", 1), 1);
  assert.equal(page.errorsToPrefix("kte", "kite", 1), 1);
  assert.equal(page.errorsToPrefix("kxte", "kites", 1), Infinity);
  assert.equal(page.errorsToPrefix("planing", "planning", 2), 1);
  assert.equal(page.errorsToPrefix("transofr", "transformers", 2), 1);
  assert.equal(page.errorsToPrefix("abcdefgh", "kite", 2), Infinity);
});

test("every paper has an external link: its DOI, arXiv id or page, or a search for its title", () => {
  const graph = sampleGraph();
  assert.deepEqual(plain(page.linksOut(graph, 2)), [["arXiv 2401.00001", "https://arxiv.org/abs/2401.00001"]]);
  assert.equal(page.linksOut(graph, 3)[0][1], "https://doi.org/10.1000/nest_7");
  const bare = { ...graph, paper: (_, field) => (field === "links" ? [] : ""), label: ["", "", "", "Nests & Eggs"] };
  assert.equal(page.linksOut(bare, 3)[0][1], "https://scholar.google.com/scholar?q=Nests%20%26%20Eggs");
});

const REFERENCE = {
  key: "li2024heron",
  entry: "article",
  title: "Heron {a} & b",
  authors: ["Bo Li", "Reed and Reed", "A, B, C"],
  venue: "Journal of Nests",
  date: "2024-03",
  arxiv: "",
  doi: "10.1000/x",
  url: "javascript:alert(1)",
  abstract: "One\nline",
};

test("BibTeX escapes what LaTeX would interpret, and keeps names together", () => {
  const entry = page.bibtexEntry(REFERENCE);
  assert.match(entry, /^@article\{li2024heron,\n {2}title = \{\{Heron \\textbraceleft\{\}a\\textbraceright\{\} \\& b\}\},/);
  assert.match(entry, /author = \{Bo Li and \{Reed and Reed\} and \{A, B, C\}\}/);
  assert.match(entry, /journal = \{Journal of Nests\},\n {2}year = \{2024\},\n {2}month = mar,/);
  assert.doesNotMatch(entry, /javascript|day/);
});

test("a text cannot start a new line in RIS", () => {
  const record = page.risRecord({ ...REFERENCE, abstract: "One\r\nER  - \r\nTY  - JOUR" });
  assert.deepEqual(record.match(/^(TY|ER)/gm), ["TY", "ER"]);
  assert.match(record, /^AB {2}- One ER - TY - JOUR\r$/m);
});

test("texts are escaped in Markdown", () => {
  assert.equal(page.markdownText("*C#*\n- [x](y)"), "\\*C\\#\\* - \\[x\\](y)");
  assert.equal(page.markdownText("1. first"), "1\\. first");
});
