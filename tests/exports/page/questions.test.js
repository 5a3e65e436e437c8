/* Unit tests of the answers to plain questions, over a small graph of invented papers. */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load, plain } = require("./scripts.cjs");

const NAMES = [
  "Graph",
  "answerCsv",
  "answerTo",
  "middleYear",
  "papersWithRoles",
  "percent",
  "questionsAbout",
  "replacingGround",
  "resultsOn",
  "trendsOf",
  "zScore",
];

const viewer = load(NAMES, undefined, {
  location: { hash: "" },
  history: {},
  addEventListener: () => {},
  DOMException,
  URLSearchParams,
});
const ROLES = [
  ["introduces", true, ""],
  ["extends", true, ""],
  ["evaluatesOn", true, ""],
  ["outperforms", false, "comparesTo"],
  ["comparesTo", false, ""],
  ["uses", true, ""],
  ["mentions", false, ""],
].map(([name, use, parent]) => ({ name, use, parent, label: name }));
const TYPES = [
  { name: "Method", label: "method", plural: "Methods", data: false },
  { name: "Benchmark", label: "benchmark", plural: "Benchmarks", data: true },
];

/**
 * Return a graph of papers: each has a key, a date, and names by role; names that begin with a B are benchmarks. `links`
 * are rows of citing paper, cited paper and entity, `results` rows of paper, system, benchmark and rival.
 */
function graphOf(papers, { links = [], families = [], results = [], topics = [], additions } = {}) {
  const names = [...new Set(papers.flatMap((paper) => ROLES.flatMap(({ name }) => paper[name] ?? [])))].sort();
  const number = (name) => names.indexOf(name);
  const paperNumber = (key) => names.length + papers.findIndex((paper) => paper.key === key);
  const relations = papers.flatMap((paper) =>
    ROLES.flatMap(({ name }, role) => (paper[name] ?? []).map((entity) => [paperNumber(paper.key), number(entity), role])),
  );
  relations.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const column = (rows, at) => rows.map((row) => row[at]);
  const claims = (rows) => ({
    from: column(rows, 0),
    to: column(rows, 1),
    confidence: rows.map(() => 90),
    tentative: rows.map(() => 0),
    evidence: rows.map((_row, i) => [i]),
  });
  const ends = links.map(([from, to, entity]) => [paperNumber(from), paperNumber(to), number(entity)]);
  const outcomes = results.map((row) => [paperNumber(row[0]), ...row.slice(1).map((name) => (name ? number(name) : -1))]);
  const named = (entity) => (entity < 0 ? [] : [[names[entity], entity]]);
  const columns = {
    entities: {
      key: names.map((name) => `e-${name}`),
      label: names,
      type: names.map((name) => (name.startsWith("B") ? "Benchmark" : "Method")),
      aliases: names.map(() => []),
      tentative: names.map(() => 0),
      x: names.map(() => 0),
      y: names.map(() => 0),
    },
    papers: {
      key: papers.map(({ key }) => key),
      label: papers.map(({ key }) => `Paper ${key}`),
      date: papers.map(({ date }) => date ?? ""),
      stub: papers.map(({ stub }) => Number(stub ?? false)),
      tentative: papers.map(() => 0),
      x: papers.map(() => 0),
      y: papers.map(() => 0),
    },
    relations: {
      ...claims(relations),
      role: column(relations, 2),
      known: relations.map(([from]) => Number(papers[from - names.length].stub ?? false)),
    },
    links: { ...claims(ends), kind: ends.map(() => 0), entity: column(ends, 2) },
    families: { from: families.map(([from]) => number(from)), to: families.map(([, to]) => number(to)) },
    citations: { from: [], to: [] },
    topics: {
      key: topics.map(({ key }) => key),
      names: topics.map((topic) => topic.names.map(number)),
      of: [...names.map(number), ...papers.keys()].map((_node, at) =>
        topics.findIndex((topic) => topic.names.includes(names[at]) || topic.papers.includes(papers[at - names.length]?.key)),
      ),
    },
    measures: { title: ["accuracy"], on: [[]], change: [0], lower: [false] },
    results: {
      paper: column(outcomes, 0),
      measure: outcomes.map(() => 0),
      label: outcomes.map((_row, i) => `${i} %`),
      systems: outcomes.map(([, system]) => named(system)),
      on: outcomes.map(([, , data]) => (data < 0 ? [] : [data])),
      versus: outcomes.map(([, , , rival]) => named(rival)),
      tentative: outcomes.map(() => 0),
    },
    additions: additions && {
      earlier: additions.earlier,
      papers: additions.papers.map(paperNumber),
      entities: additions.entities.map(number),
      results: [],
    },
  };
  const about = { block: 64, types: TYPES, roles: ROLES, links: [{ name: "extends", use: true }] };
  return new viewer.Graph(about, columns, [], () => columns);
}

/** Return the tables of an answer by title, each cell as text. */
function ask(graph, question) {
  const cell = (value) => {
    if (value.nodes) return [...value.nodes].map((node) => graph.label[node].replace("Paper ", "")).join(" ");
    return typeof value === "object" ? viewer.percent(value.share) : value;
  };
  const answer = viewer.answerTo(graph, question);
  return Object.fromEntries(
    Array.from(answer.tables, ({ title, rows }) => [title, Array.from(rows, ({ cells }) => Array.from(cells, cell))]),
  );
}

test("the extends answer lists extending papers, newest first, with their entities, and variants", () => {
  const graph = graphOf(
    [
      { key: "p1", date: "2020", introduces: ["Heron", "BNest"], extends: ["Kite"] },
      { key: "p2", date: "2021", extends: ["Kite"] },
      { key: "p3", date: "2022", introduces: ["Kite-2"], uses: ["Kite"] },
    ],
    { families: [["Kite-2", "Kite"]] },
  );
  assert.deepEqual(ask(graph, "extends e-Kite"), {
    Extensions: [
      ["", "p2", "2021"],
      ["Heron", "p1", "2020"],
    ],
    "Variants by name": [["Kite-2", "p3"]],
  });
  const { tables } = viewer.answerTo(graph, "extends e-Heron");
  assert.deepEqual(plain(tables[0].rows), []);
  assert.match(tables[0].none, /^None in this corpus\. No paper says that it extends Heron\.$/);
});

test("every row of an answer has the claims that support it", () => {
  const graph = graphOf([{ key: "p1", introduces: ["Heron"], extends: ["Kite"] }]);
  const [row] = viewer.answerTo(graph, "extends e-Kite").tables[0].rows;
  const claims = plain(row.evidence).map(({ set, i }) => [set, graph.roles[graph.relations.label[i]].name]);
  assert.deepEqual(claims, [
    ["relation", "extends"],
    ["relation", "introduces"],
  ]);
});

test("a replacement extends and compares with the entity, or uses and outperforms it", () => {
  const own = { introduces: ["Heron"], comparesTo: ["Kite"] };
  const graph = graphOf([
    { key: "p1", ...own, extends: ["Kite"] },
    { key: "p2", ...own, uses: ["Kite"], outperforms: ["Kite"] },
    { key: "p3", ...own, outperforms: ["Kite"] },
    { key: "p4", ...own, uses: ["Kite"] },
    { key: "p5", ...own, introduces: ["BNest"], extends: ["Kite"], outperforms: ["Kite"] },
  ]);
  assert.deepEqual(ask(graph, "replaced e-Kite").Replacements, [
    ["Heron", "extends it and compares with it", "p1"],
    ["Heron", "uses and outperforms it", "p2"],
  ]);
});

test("rivals are counted by the papers that compare both, directly or as two baselines", () => {
  const graph = graphOf(
    [
      { key: "p1", introduces: ["Heron", "BNest"], outperforms: ["Kite"], comparesTo: ["Kite", "Plover"] },
      { key: "p2", introduces: ["Kite"], outperforms: ["Plover"], comparesTo: ["Plover"] },
      { key: "p3", introduces: ["Heron"], comparesTo: ["Kite"] },
      { key: "p4", mentions: ["Kite", "Tern"] },
    ],
    { results: [["p4", "Tern", "BNest", "Kite"]] },
  );
  assert.deepEqual(ask(graph, "compared e-Kite").Rivals, [
    ["Heron", 2, 2, 1, 0],
    ["Plover", 2, 1, 0, 1],
    ["Tern", 1, 1, 0, 0],
  ]);
});

test("a benchmark is not a rival, and the question about rivals is not available for it", () => {
  const graph = graphOf([{ key: "p1", introduces: ["BNest"], comparesTo: ["Kite"] }]);
  assert.deepEqual(ask(graph, "compared e-Kite").Rivals, []);
  const names = (node) => viewer.questionsAbout(graph, node).map(([name]) => name);
  assert.deepEqual(plain(names(0)), ["extends", "replaced", "read"]);
  assert.deepEqual(plain(names(2)), ["like"]);
  assert.equal(viewer.answerTo(graph, "compared e-BNest"), null);
  assert.equal(viewer.answerTo(graph, "compared e-nobody"), null);
  assert.equal(viewer.answerTo(graph, "constructor"), null);
});

test("entities introduced in the corpus are counted by the links of other papers that use them", () => {
  const graph = graphOf(
    [
      { key: "p1", introduces: ["Kite"] },
      { key: "p2", uses: ["Kite", "Heron"] },
      { key: "p3", extends: ["Kite"] },
      { key: "p9", introduces: ["Heron"], stub: true },
    ],
    {
      links: [
        ["p2", "p1", "Kite"],
        ["p3", "p1", "Kite"],
        ["p2", "p9", "Heron"],
      ],
    },
  );
  assert.deepEqual(ask(graph, "introduced")["Introduced here"], [["Kite", "Method", "p1", 2]]);
});

/** Ten papers a year from 2020 to 2023; in each year so many of them evaluate on BRise and on BFall. */
function dated(rise, fall) {
  return [2020, 2021, 2022, 2023].flatMap((year, at) =>
    Array.from({ length: 10 }, (_, i) => ({
      key: `p${year}-${i}`,
      date: `${year}-0${1 + (i % 9)}`,
      evaluatesOn: ["BEven", ...(i < rise[at] ? ["BRise"] : []), ...(i < fall[at] ? ["BFall"] : [])],
    })),
  );
}

test("benchmarks rise and fall by the share of the papers of a year", () => {
  const graph = graphOf(dated([0, 1, 4, 6], [6, 4, 1, 0]));
  const answer = ask(graph, "trends Benchmark");
  assert.deepEqual(answer.Rising, [["BRise", "5.0 %", "50 %", 11]]);
  assert.deepEqual(answer.Falling, [["BFall", "50 %", "5.0 %", 11]]);
  const [row] = viewer.answerTo(graph, "trends Benchmark").tables[0].rows;
  assert.deepEqual(plain([...row.series]), [[2020, 0], [2021, 0.1], [2022, 0.4], [2023, 0.6]]);
  assert.equal(row.evidence.length, 11);
});

test("a difference that is not significant is not a trend, and undated papers have no trends", () => {
  assert.deepEqual(ask(graphOf(dated([3, 4, 4, 5], [4, 4, 4, 4])), "trends Benchmark"), { Rising: [], Falling: [] });
  const undated = viewer.answerTo(graphOf([{ key: "p1", evaluatesOn: ["BNest"] }]), "trends Benchmark").tables;
  assert.match(undated[0].none, /have no dates/);
});

test("the middle year divides the papers in halves, and the z-score compares two shares", () => {
  assert.equal(viewer.middleYear(new Map([[2019, 1], [2020, 2], [2021, 4], [2022, 3]])), 2021);
  assert.equal(viewer.middleYear(new Map([[2019, 5]])), 0);
  // p = 20/200, error = sqrt(0.1 * 0.9 * 0.02)
  assert.ok(Math.abs(viewer.zScore(5, 100, 15, 100) - 0.1 / Math.sqrt(0.0018)) < 1e-9);
  assert.equal(viewer.zScore(0, 10, 0, 10), 0);
});

test("the reading answer lists introducing papers, papers most built on and newest papers, each once", () => {
  const about = ["p1", "p2", "p3"].map((key, i) => ({ key, date: `202${i}`, uses: ["Kite"] }));
  const graph = graphOf(
    [
      ...about,
      { key: "p4", date: "2024", mentions: ["Kite"], uses: ["Plover"] },
      { key: "s1", date: "2018", introduces: ["Kite"], stub: true },
      { key: "s2", date: "2017", introduces: ["Plover"], stub: true },
      { key: "s3", date: "2016", introduces: ["Tern"], stub: true },
    ],
    {
      links: [
        ["p1", "s1", "Kite"],
        ["p1", "s2", "Plover"],
        ["p2", "s2", "Plover"],
        ["p4", "s2", "Plover"],
        ["p1", "s3", "Tern"],
        ["p2", "s3", "Tern"],
        ["p3", "p1", "Kite"],
      ],
    },
  );
  assert.deepEqual(ask(graph, "read e-Kite"), {
    "Introduced it": [["s1", "Kite", "2018"]],
    "Most built on": [
      ["s3", 2, 2, "2016"],
      ["s2", 2, 3, "2017"],
    ],
    Newest: [
      ["p3", "2022"],
      ["p2", "2021"],
      ["p1", "2020"],
    ],
  });
});

test("the reading answer on a topic covers only the papers of the topic", () => {
  const graph = graphOf(
    [
      { key: "p1", date: "2020", uses: ["Kite"] },
      { key: "p2", date: "2021", uses: ["Kite", "Heron"] },
      { key: "p3", date: "2022", uses: ["Kite", "Tern"] },
      { key: "s1", date: "2018", introduces: ["Kite"], stub: true },
      { key: "s2", date: "2017", introduces: ["Heron"], stub: true },
    ],
    { topics: [{ key: "t one", names: ["Kite"], papers: ["p1", "p2"] }] },
  );
  assert.deepEqual(ask(graph, "topic t%20one"), {
    "Introduced it": [["s1", "Kite", "2018"]],
    "Most built on": [],
    Newest: [
      ["p2", "2021"],
      ["p1", "2020"],
    ],
  });
  assert.equal(viewer.answerTo(graph, "topic t-two"), null);
});

test("similar papers are ranked by shared entities, weighted by rarity and role", () => {
  const graph = graphOf(
    [
      { key: "p1", uses: ["Kite", "Heron"], mentions: ["Tern"] },
      { key: "p2", uses: ["Kite"] },
      { key: "p3", uses: ["Heron"] },
      { key: "p4", uses: ["Heron"] },
      { key: "p5", mentions: ["Tern"] },
      { key: "p6", uses: ["Plover"] },
    ],
    { links: [["p1", "p6", "Plover"], ["p2", "p6", "Plover"]] },
  );
  const answer = ask(graph, "like p1");
  assert.deepEqual(answer["Similar papers"].map(([paper, shared]) => [paper, shared]), [
    ["p2", "Kite"],
    ["p3", "Heron"],
    ["p4", "Heron"],
    ["p5", "Tern"],
  ]);
  const weights = { Kite: 2 * Math.log(6 / 2), Heron: 2 * Math.log(6 / 3), Tern: 0.5 * Math.log(6 / 2) };
  const own = weights.Kite + weights.Heron + weights.Tern;
  assert.equal(answer["Similar papers"][0][2], viewer.percent(weights.Kite / own));
  assert.deepEqual(answer["Prior works"], [["p6", 2]]);
  assert.deepEqual(answer["Derivative works"], []);
});

test("the comparison of two methods lists the data and results of both first", () => {
  const graph = graphOf(
    [
      { key: "p1", introduces: ["Kite"], evaluatesOn: ["BNest", "BTree"], comparesTo: ["Plover"] },
      { key: "p2", introduces: ["Heron"], evaluatesOn: ["BNest", "BLake"], outperforms: ["Kite"], comparesTo: ["Kite", "Plover"] },
      { key: "p3", comparesTo: ["Kite"], evaluatesOn: ["BSea"] },
    ],
    { results: [["p1", "Kite", "BNest", ""], ["p2", "Heron", "BNest", "Kite"]] },
  );
  assert.deepEqual(ask(graph, "beside e-Kite e-Heron"), {
    "Compared with each other": [["p2", "Heron is better"]],
    "Benchmarks and data": [
      ["BNest", "Benchmark", 1, 1],
      ["BLake", "Benchmark", "–", 1],
      ["BTree", "Benchmark", 1, "–"],
    ],
    Rivals: [["Plover", "Method", 2, 1]],
    "Reported results": [["accuracy", "0 %", "1 %"]],
  });
});

test("the answer on a date lists the papers since then, and the names that earlier and undated papers lack", () => {
  const graph = graphOf([
    { key: "p1", date: "2023-05", uses: ["Kite"] },
    { key: "p2", date: "2024-02-01", introduces: ["Heron"], uses: ["Kite", "Tern"] },
    { key: "p3", date: "", uses: ["Tern"] },
    { key: "p4", date: "2023", introduces: ["Plover"] },
  ]);
  const answer = ask(graph, "since 2024");
  assert.deepEqual(answer["New papers"], [["p2", "Heron", "2024-02-01"]]);
  assert.deepEqual(answer["New names"], [["Heron", "Method", 1]]);
  assert.deepEqual(ask(graph, "since 2023-06")["New papers"].length, 1);
  assert.equal(viewer.answerTo(graph, "since soon"), null);
});

test("the answer on an earlier graph lists the additions that the page was written with", () => {
  const papers = [{ key: "p1", uses: ["Kite"] }, { key: "p2", introduces: ["Heron"] }];
  const graph = graphOf(papers, { additions: { earlier: "old.json", papers: ["p2"], entities: ["Heron"] } });
  assert.equal(viewer.answerTo(graph, "earlier").title, "What is new since old.json?");
  assert.deepEqual(ask(graph, "earlier"), { "New papers": [["p2", "Heron"]], "New names": [["Heron", "Method", 1]], "New results": [] });
});

test("a cell of the grid opens the papers with its roles, including narrower roles, or the results", () => {
  const graph = graphOf(
    [
      { key: "p1", uses: ["Kite"], evaluatesOn: ["BNest"] },
      { key: "p2", outperforms: ["Kite"], comparesTo: ["Kite"], mentions: ["BNest"] },
    ],
    { results: [["p1", "Kite", "BNest", ""]] },
  );
  const [bench, kite] = [0, 1];
  const papers = (...roles) => [...viewer.papersWithRoles(graph, kite, bench, ...roles).keys()].map((node) => graph.key[node]);
  assert.deepEqual(papers("", ""), ["p1", "p2"]);
  assert.deepEqual(papers("", "evaluatesOn"), ["p1"]);
  assert.deepEqual(papers("comparesTo", ""), ["p2"]);
  assert.deepEqual(papers("comparesTo", "evaluatesOn"), []);
  assert.deepEqual(plain(viewer.resultsOn(graph, kite, bench)), [0]);
  assert.deepEqual(plain(viewer.resultsOn(graph, bench, kite)), [0]);
  assert.deepEqual(ask(graph, "cell e-Kite e-BNest  evaluatesOn").Papers, [["p1", "uses", "evaluatesOn"]]);
  assert.deepEqual(ask(graph, "cell e-Kite e-BNest   results")["Reported results"], [["0 %", "accuracy", "p1"]]);
});

test("an answer as CSV has the names, their keys and the supporting papers", async () => {
  const graph = graphOf([{ key: "p1", date: "2020", introduces: ["=Heron"], extends: ["Kite"] }]);
  const csv = await viewer.answerCsv(graph, viewer.answerTo(graph, "extends e-Kite").tables[0]);
  const [head, row] = csv.replace("\ufeff", "").trim().split("\r\n");
  assert.equal(head, "New,New (key),Paper,Paper (key),Date,evidence");
  assert.equal(row, "'=Heron,e-=Heron,Paper p1,p1,2020,Paper p1:");
});

test("the reason for a replacement follows from the roles of the paper", () => {
  const roles = (...names) => names.map((name) => ({ name }));
  assert.equal(viewer.replacingGround(roles("extends", "outperforms", "comparesTo")), "extends and outperforms it");
  assert.equal(viewer.replacingGround(roles("extends")), "");
});
