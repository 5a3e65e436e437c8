/* Unit tests of the viewer's pure functions, for node's own test runner: node --test tests/exports/page/viewer.test.js */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load, plain } = require("./scripts.cjs");

const NAMES = [
  "Edges",
  "Graph",
  "GraphFiles",
  "Incidence",
  "State",
  "Viewport",
  "VisibleGraph",
  "capitalised",
  "colourScale",
  "csvField",
  "decoded",
  "distanceToSegment",
  "escapeMarkup",
  "extent",
  "folded",
  "hostAndEnd",
  "intersperse",
  "isSubsequence",
  "isWeb",
  "outline",
  "overlaps",
  "plural",
  "roleHeading",
  "shapeOf",
  "truncated",
  "turtleAddress",
  "turtleText",
  "withCurrentNames",
  "yearFraction",
];

/** Return the names under test, of a page whose address has a hash. */
function pageAt(hash = "") {
  const location = { hash };
  const history = { pushState: (_state, _title, address) => (location.hash = address) };
  return load(NAMES, undefined, { location, history, addEventListener: () => {}, DOMException, URLSearchParams });
}

const viewer = pageAt();

/** Three entities (the last a variant of the first) and three papers, the last outside the corpus. */
function sampleGraph() {
  const about = {
    block: 64,
    types: [
      { name: "Method", label: "method" },
      { name: "Benchmark", label: "benchmark" },
    ],
    roles: [
      { name: "introduces", use: true },
      { name: "mentions", use: false },
    ],
    links: [{ name: "extends", use: true }],
  };
  const columns = {
    entities: {
      key: ["e-a", "e-b", "e-c"],
      label: ["Alpha Beta", "Bench", "Alpha Beta 2"],
      type: ["Method", "Benchmark", "Method"],
      aliases: [["AB", "the alpha"], [], []],
      hidden_names: [[], [], []],
      tentative: [0, 0, 0],
      x: [0, 1, 2],
      y: [0, 0, 0],
    },
    papers: {
      key: ["p-1", "p-2", "p-3"],
      label: ["AB: a paper", "Second", "Third"],
      date: ["2023-05-01", "2024", "2019"],
      authors: [[], [], []],
      url: ["", "", ""],
      stub: [0, 0, 1],
      tentative: [0, 0, 0],
      x: [0, 1, 2],
      y: [1, 1, 1],
    },
    relations: {
      from: [3, 3, 4, 5],
      to: [0, 1, 0, 2],
      role: [0, 1, 1, 0],
      known: [0, 0, 0, 1],
      confidence: [90, 50, 80, 100],
      tentative: [0, 0, 0, 0],
      evidence: [[0], [1], [0], []],
    },
    links: { from: [4], to: [3], kind: [0], entity: [0], confidence: [80], tentative: [0], evidence: [[0]] },
    families: { from: [2], to: [0] },
    citations: { from: [4], to: [5] },
    topics: { key: [], names: [], of: [] },
    measures: { title: ["accuracy in %"], on: [[["Bench", 1]]], change: [0], lower: [false] },
    results: {
      paper: [3, 4],
      measure: [0, 0],
      on: [[1], [1]],
      systems: [[["AB", 0], "Gamma"], ["Gamma"]],
      versus: [[], [["AB", 0]]],
      label: ["82.5%", "3%"],
      previous: ["", "2%"],
      span: [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
      confidence: [90, 40],
      tentative: [0, 1],
    },
  };
  return new viewer.Graph(about, columns, [], () => columns);
}

function visible(values = {}) {
  const state = new (pageAt(`#${new URLSearchParams(values)}`).State)();
  return new viewer.VisibleGraph(sampleGraph(), state, null);
}

/**
 * Paper 1 extends the first entity, outperforms it and so compares with it. Paper 2 uses it tentatively, and names the
 * second one only tentatively, which a paper outside the corpus introduced.
 */
function severalRoles() {
  const about = {
    block: 64,
    certain: 50,
    types: [{ name: "Method", label: "method" }],
    roles: [
      { name: "introduces", use: true, parent: "" },
      { name: "extends", use: true, parent: "" },
      { name: "outperforms", use: false, parent: "comparesTo" },
      { name: "comparesTo", use: false, parent: "" },
      { name: "uses", use: true, parent: "" },
    ],
    links: [
      { name: "extends", use: true },
      { name: "cites", use: false },
    ],
  };
  const columns = {
    entities: {
      key: ["e-heron", "e-plover"],
      label: ["Heron", "Plover"],
      type: ["Method", "Method"],
      aliases: [[], []],
      hidden_names: [[], []],
      tentative: [0, 1],
      x: [0, 1],
      y: [0, 0],
    },
    papers: {
      key: ["p-1", "p-2", "p-3"],
      label: ["First", "Second", "Outside"],
      date: ["2023", "2024", "2019"],
      stub: [0, 0, 1],
      tentative: [0, 0, 1],
      x: [0, 1, 2],
      y: [1, 1, 1],
    },
    relations: {
      from: [2, 2, 2, 3, 3, 4],
      to: [0, 0, 0, 0, 1, 1],
      role: [1, 2, 3, 4, 4, 0],
      known: [0, 0, 0, 0, 0, 1],
      confidence: [80, 70, 90, 30, 40, 100],
      tentative: [0, 0, 0, 1, 1, 0],
      evidence: [[0], [1], [2], [0], [1], []],
    },
    links: {
      from: [3, 3],
      to: [2, 2],
      kind: [0, 1],
      entity: [0, 0],
      confidence: [30, 90],
      tentative: [1, 0],
      evidence: [[0], [0]],
    },
    families: { from: [], to: [] },
    citations: { from: [], to: [] },
    topics: { key: [], names: [], of: [] },
    measures: { title: [], on: [], change: [], lower: [] },
    results: { paper: [], measure: [], on: [], systems: [], versus: [], tentative: [] },
  };
  return new viewer.Graph(about, columns, [], () => columns);
}

test("a pair with several roles counts as one paper and one edge, with the strongest shown role", () => {
  const graph = severalRoles();
  assert.equal(graph.mentionCounts[0], 1);
  assert.deepEqual(plain(Array.from(graph.rolesOfPair(1))), [0, 1, 2]);
  assert.deepEqual([0, 1, 2].map((i) => graph.isImplied(i)), [false, false, true]);
  const shown = (values) =>
    new viewer.VisibleGraph(graph, new (pageAt(`#${new URLSearchParams(values)}`).State)(), null);
  assert.deepEqual(Array.from(shown({}).edges.label), [1]);
  assert.deepEqual(Array.from(shown({ off: "extends" }).edges.label), [2]);
  assert.deepEqual(Array.from(shown({ off: "extends outperforms" }).edges.label), [3]);
  assert.deepEqual(plain(shown({}).counts.roles.map(([count]) => count)), [0, 1, 1, 1, 0]);
});

test("tentative claims and the nodes that only they name are shown on demand", () => {
  const graph = severalRoles();
  const shown = () => new viewer.VisibleGraph(graph, new (pageAt("#").State)(), null);
  assert.deepEqual(plain(graph.tentativeCounts), { relations: 2, links: 1, results: 0 });
  assert.equal(graph.find("e-plover"), -1);
  assert.equal(graph.find("p-3"), -1);
  assert.equal(graph.links.count, 1);
  assert.deepEqual(plain([...shown().list].sort()), [0, 2, 3]);
  assert.deepEqual(plain(shown().counts.types.map(([count]) => count)), [1, 2, 0]);
  graph.showTentative(true);
  assert.equal(graph.find("e-plover"), 1);
  assert.equal(graph.mentionCounts[0], 2);
  assert.equal(graph.links.count, 2);
  assert.deepEqual(plain([...shown().list].sort()), [0, 1, 2, 3, 4]);
  assert.deepEqual(plain(shown().counts.roles.map(([count]) => count)), [0, 1, 1, 1, 2]);
  graph.showTentative(false);
  assert.deepEqual(plain([...shown().list].sort()), [0, 2, 3]);
});

test("texts are formatted, truncated and compared", () => {
  assert.equal(viewer.plural(1, "entity", "entities"), "1 entity");
  assert.equal(viewer.plural(1200, "paper"), "1,200 papers");
  assert.equal(viewer.capitalised("gene"), "Gene");
  assert.equal(viewer.truncated("🪶🪶🪶🪶", 3), "🪶🪶…");
  assert.equal(viewer.folded("  Naïve-Bayes C++ "), "naïve".normalize("NFKD").replace("\u0308", "") + "bayesc++");
  assert.equal(viewer.roleHeading("evaluates on"), "Papers that evaluate on it");
  assert.deepEqual(plain(viewer.intersperse([1, 2, 3], 0)), [1, 0, 2, 0, 3]);
  assert.ok(viewer.isSubsequence("grpo", "grpo"));
  assert.ok(!viewer.isSubsequence("grpo", "rpog"));
});

test("only http and https links are web links, and they are shortened for display", () => {
  assert.ok(viewer.isWeb("HTTPS://example.org"));
  assert.ok(!viewer.isWeb("javascript:alert(1)//https://"));
  assert.equal(viewer.hostAndEnd("https://www.code.example/a/quill?x=1"), "code.example … quill");
});

test("texts are escaped in CSV, XML and Turtle", () => {
  assert.equal(viewer.csvField("=1+1"), "'=1+1");
  assert.equal(viewer.csvField(-0.5), "-0.5");
  assert.equal(viewer.csvField('a "b", c'), '"a ""b"", c"');
  assert.equal(viewer.escapeMarkup('<a href="x">&\u0001'), "&lt;a href=&quot;x&quot;&gt;&amp;");
  assert.equal(viewer.turtleText('a"\\\n\u0001'), '"a\\"\\\\\\n\\u0001"');
  assert.equal(viewer.turtleAddress("https://x/<y> z"), "<https://x/%3Cy%3E%20z>");
});

test("distances, overlaps, viewports and outlines are computed", () => {
  assert.equal(viewer.distanceToSegment([0, 1], [-1, 0], [1, 0]), 1);
  assert.equal(viewer.distanceToSegment([4, 4], [0, 0], [1, 0]), 5);
  assert.deepEqual(plain(viewer.extent([0, 2], [5, 9, -1])), [-1, 5]);
  assert.ok(viewer.overlaps({ left: 0, right: 2, top: 0, bottom: 2 }, { left: 1, right: 3, top: 1, bottom: 3 }));
  const viewport = new viewer.Viewport(2, 10, 20, 100, 100, 1);
  assert.deepEqual(plain(viewport.toPixels(1, 1)), [12, 22]);
  assert.ok(viewport.equals(new viewer.Viewport(2, 10, 20, 100, 100, 1)));
  assert.ok(viewport.isOutside(120, 50, 10));
  assert.equal(viewport.clampInside(95, 10), 90);
  assert.equal(viewer.shapeOf(2, 2), 0);
  assert.match(viewer.outline(2, 8, 8, 5), /^M.*Z$/);
});

test("names in addresses of earlier versions are translated", () => {
  const earlier = { proof: "1", sure: "80", view: "things", order: "things up", off: "Method Paper%20not%20at%20hand" };
  assert.deepEqual(plain(viewer.withCurrentNames(earlier)), {
    evidence: "1",
    confidence: "80",
    view: "entities",
    order: "entities up",
    off: "Method StubPaper",
  });
  assert.equal(viewer.decoded("%"), "%");
});

test("the state follows the address and notifies its listeners", () => {
  const { State } = pageAt("#view=papers&off=Method");
  const state = new State();
  const changes = [];
  state.listen((changed, fromHistory) => changes.push([...changed, fromHistory]));
  assert.equal(state.get("view"), "papers");
  state.toggle("off", "Data set", false);
  assert.deepEqual([...state.names("off")], ["Data set", "Method"]);
  state.set({ view: "papers" });
  assert.deepEqual(changes, [["off", false]]);
});

test("the graph counts papers, influence and years", () => {
  const graph = sampleGraph();
  assert.deepEqual([...graph.mentionCounts], [2, 1, 0, 2, 1, 1]);
  assert.equal(graph.influence(3), 1);
  assert.equal(graph.firstYear(0), 2023);
  assert.equal(graph.find("p-2"), 4);
  assert.equal(graph.find("nobody"), -1);
  assert.equal(graph.typeLabel(5), "Cited paper outside this corpus");
  assert.equal(graph.shortName(0), "AB");
  assert.equal(graph.shortName(3), "AB");
  assert.deepEqual(plain(graph.broaderOf(2)), [0]);
  assert.deepEqual(plain(graph.sharedPapers(0, 1)), [3]);
});

test("views and filters determine the shown nodes", () => {
  assert.deepEqual(visible().list.length, 6);
  assert.deepEqual([...visible({ view: "entities" }).list], [0, 1, 2]);
  assert.deepEqual([...visible({ view: "entities", papers: "2" }).list], [0]);
  assert.deepEqual([...visible({ confidence: "85", view: "entities" }).list], [0, 2]);
  assert.deepEqual([...visible({ from: "2024", view: "papers" }).list], [4]);
  assert.ok(!visible({ off: "StubPaper" }).list.includes(5));
  assert.deepEqual(plain(visible({ view: "entities" }).edgeCounts()), ["1 pair mentioned together", "1 variant"]);
});

test("results are found by paper, benchmark, system and rival, the tentative ones on request", () => {
  const graph = sampleGraph();
  const found = () => plain([0, 1, 3, 4].map((node) => graph.results.of(node)));
  assert.deepEqual(found(), [[0], [0], [0], []]);
  assert.deepEqual(plain(graph.results.against(0)), []);
  graph.showTentative(true);
  assert.deepEqual(found(), [[0], [0, 1], [0], [1]]);
  assert.deepEqual(plain(graph.results.against(0)), [1]);
});

test("the files of shown papers contain their results, the tentative ones on request", async () => {
  const graph = sampleGraph();
  const shown = { list: [3, 4], relation: [1, 1, 1, 1], view: "both", edges: null };
  const files = new viewer.GraphFiles(graph, { shown, path: [], selected: new Set() });
  const lines = async () => (await files.resultsCsv()).trim().split("\r\n").slice(1);
  const first = "p-1,AB: a paper,2023-05-01,accuracy in %,82.5%,Bench,AB | Gamma,,,0.9,false,";
  assert.deepEqual(plain(await lines()), [first]);
  const [one] = JSON.parse(await files.json()).results;
  assert.deepEqual([one.paper, one.value, one.system], ["p-1", "82.5%", ["AB", "Gamma"]]);
  graph.showTentative(true);
  assert.deepEqual(plain(await lines()), [first, "p-2,Second,2024,accuracy in %,3%,Bench,Gamma,AB,2%,0.4,true,"]);
});

test("dates of any precision become fractions of years", () => {
  assert.deepEqual(plain(["2024", "2024-07", "", "soon"].map(viewer.yearFraction)), [2024, 2024.5, null, null]);
});

test("the focus shows a neighbourhood, and a path is a shortest path", () => {
  assert.deepEqual([...visible({ focus: "e-b" }).list].sort(), [1, 3]);
  assert.deepEqual([...visible({ focus: "e-b", steps: "2" }).list].sort(), [0, 1, 3]);
  assert.deepEqual(plain(visible().path(1, 4)), [1, 3, 0, 4]);
  assert.deepEqual(plain(visible({ off: "introduces" }).path(1, 4)), []);
});
