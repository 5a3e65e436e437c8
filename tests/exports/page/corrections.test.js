/* Unit tests of corrections and of the facts about the corpus: node --test tests/exports/page/corrections.test.js */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load, plain } = require("./scripts.cjs");

const NAMES = [
  "aboutFacts",
  "correctionsFrom",
  "correctionsText",
  "decisionsYaml",
  "nameKey",
  "paperId",
  "today",
  "withCorrections",
  "yamlText",
];
const page = load(NAMES, ["elements.js", "search.js", "corrections.js", "help.js"], { console });

const made = { date: "2026-01-31", reason: "" };
const type = { ...made, kind: "type", name: "MATH", type: "Benchmark" };
const ban = { ...made, kind: "ban", name: "et al." };
const split = { ...made, kind: "split", name: "GRPO", into: "GSPO", spellings: ["GSPO", "gspo"] };
const role = { ...made, kind: "role", paper: "2401.1", name: "MATH", role: "trainsOn" };

test("corrections survive a round trip through the address", () => {
  const all = [type, ban, split, role, { ...ban, papers: ["a b", "c"], reason: "“no”, <b>" }];
  assert.deepEqual(plain(page.correctionsFrom(page.correctionsText(all))), all);
  assert.equal(page.correctionsText([]), "");
});

test("invalid corrections in an address are ignored", () => {
  const bad = [
    "x",
    "{}",
    "[1]",
    '[["type"]]',
    '[["__proto__","2026-01-31","","a"]]',
    '[["type","2026-1-1","","MATH","Dataset"]]',
    '[["type","2026-01-31",3,"MATH","Dataset"]]',
    '[["type","2026-01-31","","MATH",["Dataset"]]]',
    '[["merge","2026-01-31","","A","A"]]',
    '[["ban","2026-01-31","",""]]',
  ];
  for (const text of bad) assert.deepEqual(plain(page.correctionsFrom(text)), [], text);
});

test("a later correction replaces an earlier correction of the same claim", () => {
  const data = { ...type, type: "Dataset" };
  assert.deepEqual(plain(page.withCorrections([type, role], [data])), [role, data]);
  const denied = { ...made, kind: "no-role", paper: "2401.1", name: "math", role: "uses" };
  assert.deepEqual(plain(page.withCorrections([type, role], [denied])), [type, denied]);
  const twice = [role, { ...role, role: "evaluatesOn" }];
  assert.deepEqual(plain(page.withCorrections([], twice)), twice);
});

test("a ban replaces the other corrections of the name, and they replace the ban", () => {
  const banned = { ...made, kind: "ban", name: "MATH" };
  assert.deepEqual(plain(page.withCorrections([type, role, split], [banned])), [split, banned]);
  assert.deepEqual(plain(page.withCorrections([banned], [type])), [type]);
  const here = { ...banned, papers: ["2401.1"] };
  assert.deepEqual(plain(page.withCorrections([type, role], [here])), [type, here]);
});

test("any text is printable and on one line in YAML", () => {
  const texts = ['a "b" \\', "x\ny: z # w", "\u0085\u2028\u202e\ufeff\u007f", "\ud800!", "🪁", "- a", "{{ 7*7 }}"];
  for (const text of texts) {
    const quoted = page.yamlText(text);
    assert.match(quoted, /^"[\x20-\x7e\u{1f000}-\u{1ffff}\ufffd]*"$/u);
    assert.equal(JSON.parse(quoted), text.replace("\ud800", "\ufffd"));
  }
});

test("an entry of the file has its fields, the author and the date, but not an empty reason", () => {
  assert.equal(
    page.decisionsYaml([split], "Ada"),
    '- kind: split\n  name: "GRPO"\n  into: "GSPO"\n  spellings: ["GSPO", "gspo"]\n  author: "Ada"\n  date: 2026-01-31\n',
  );
});

test("names are compared as the build compares them", () => {
  const same = [["Kite Search", "kite–search"], ["Qwen-2.5", "Qwen2.5"], ["VLMs", "VLM"], ["Naïve  Bayes", "naive bayes"]];
  for (const [a, b] of same) assert.equal(page.nameKey(a), page.nameKey(b));
  const apart = [["Kite Search", "KiteSearch"], ["HumanEval", "HumanEval+"], ["CIFAR-10", "CIFAR-100"], ["s", ""]];
  for (const [a, b] of apart) assert.notEqual(page.nameKey(a), page.nameKey(b));
});

test("a paper id is read back from its key", () => {
  assert.equal(page.paperId("p-d-~43++~20~26~20~3cfledgling~3e~2f~c3~a9~231"), "d-C++ & <fledgling>/é#1");
  assert.equal(page.paperId("p-2402.00002v2"), "2402.00002v2");
});

test("the date is that of the local clock", () => {
  const now = new Date(2026, 0, 31, 23, 59);
  assert.equal(page.today(now), "2026-01-31");
});

test("the facts about a corpus name its sources, dates, version and licence", () => {
  const corpus = { title: "Kites", licence: "CC0", sources: [["a.jsonl", 2]], first: "2023", last: "2024-05", inputs: "1".repeat(64), configuration: "c".repeat(64) }; // prettier-ignore
  const facts = Object.fromEntries(plain(page.aboutFacts(corpus, "citekg 1.0", 2)));
  assert.equal(facts.Sources, "a.jsonl (2 papers)");
  assert.equal(facts.Papers, "2 (2023 to 2024-05)");
  assert.equal(facts.Licence, "CC0");
  assert.match(facts["How to cite"], /^Kites \(2023 to 2024-05\)\. Made with citekg 1\.0, version 1{12}-c{12}\./);
  const unknown = page.aboutFacts({ ...corpus, title: "", licence: "", sources: [], first: "", last: "" }, "citekg", 2);
  assert.match(Object.fromEntries(plain(unknown))["How to cite"], /^Knowledge graph of 2 papers\./);
});
