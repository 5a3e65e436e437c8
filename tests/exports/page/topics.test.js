/* Unit tests of topics and labels in the drawing: node --test tests/exports/page/topics.test.js */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load, plain } = require("./scripts.cjs");

const NAMES = ["Labels", "Obstacles", "Regions", "Topics", "Viewport", "movesAround", "overlaps", "rgb", "shifted", "topicNames", "topicPapers"];
const viewer = load(NAMES);

/** A graph of nodes at some places, 40 at each; each place has a topic of its own. */
function clusters(...places) {
  const of = places.flatMap((_place, topic) => Array(40).fill(topic));
  const topics = new viewer.Topics({ key: places.map((_, i) => `t${i}`), names: [], of }, of.length);
  const spread = (axis) => Float32Array.from(of, (topic, node) => places[topic][axis] + 20 * Math.sin(node * (axis + 1)));
  return { topics, x: spread(0), y: spread(1), nodes: [...of.keys()] };
}

test("the region of a topic is where most nodes belong to the topic", () => {
  const graph = clusters([0, 0], [400, 0], [0, 400]);
  const { regions } = new viewer.Regions(graph, graph.nodes);
  assert.deepEqual(plain(regions.map(({ topic }) => topic)), [0, 1, 2]);
  const near = ({ x, y }, place) => Math.hypot(x - place[0], y - place[1]) < 30;
  assert.ok(near(regions[0], [0, 0]) && near(regions[1], [400, 0]) && near(regions[2], [0, 400]));
});

test("topics fade as the zoom increases, and a single topic is not drawn", () => {
  const graph = clusters([0, 0], [400, 0]);
  const regions = new viewer.Regions(graph, graph.nodes);
  const at = (scale) => regions.opacity(new viewer.Viewport(scale, 0, 0, 440, 440, 1));
  assert.equal(at(1), 1);
  assert.ok(at(2) > 0 && at(2) < 1);
  assert.equal(at(4), 0);
  const one = clusters([0, 0]);
  assert.equal(new viewer.Regions(one, one.nodes).opacity(new viewer.Viewport(1, 0, 0, 440, 440, 1)), 0);
});

test("a topic has acronyms for its long names only", () => {
  const label = ["Reinforcement Learning from Human Feedback", "policy gradient"];
  const graph = { label, topics: { names: [[0, 1]] }, shortName: (node) => ["RLHF", "PG"][node] };
  assert.deepEqual(plain(viewer.topicNames(graph, 0)), ["RLHF", "policy gradient"]);
});

test("the papers of a topic are those that pass the filters", () => {
  const graph = { entityCount: 1, size: 4, topics: new viewer.Topics({ key: ["t"], names: [[0]], of: [0, 0, 0, -1] }, 4) };
  assert.deepEqual(plain([...viewer.topicPapers(graph, [1, 1, 0, 1])]), [1]);
});

/** A view of 200 by 100 pixels with a node of radius 10 in its middle and others. */
const view = new viewer.Viewport(1, 0, 0, 200, 100, 1);
const label = (node, x, y, width) => {
  return { node, x, y, left: x - width / 2, right: x + width / 2, top: y - 6, bottom: y + 6, bold: false };
};
const discs = (...places) => {
  const graph = { x: places.map(([x]) => x), y: places.map(([, y]) => y) };
  return new viewer.Obstacles(view, [...places.keys()], graph, places.map(() => 10));
};

/** Return the places of a label around its node. */
const places = (label, view) => viewer.movesAround(label, 12).map((move) => viewer.shifted(label, move, view));

test("no label covers the disc of another node", () => {
  const obstacles = discs([100, 50], [100, 72]);
  const free = places(label(0, 100, 50, 40), view).filter((position) => obstacles.isFree(position));
  assert.ok(free.length);
  assert.ok(free.every(({ left, right, top, bottom }) => right < 92 || left > 108 || bottom < 64 || top > 80));
});

test("no label is cut at the edge of the window, and none covers another", () => {
  const obstacles = discs([4, 50]);
  const [best] = places(label(0, 4, 50, 80), view).filter((position) => obstacles.isFree(position));
  assert.ok(best.left >= 0 && best.right <= 200);
  obstacles.addBox(best);
  assert.ok(!obstacles.isFree({ ...best, node: 1 }));
});

test("a node without a short name is labelled with its full name", () => {
  const graph = { label: ["A long title without a colon"], shortName: () => "", isPaper: () => true };
  const labels = new viewer.Labels(graph, {});
  labels.show([0], Float32Array.of(3));
  assert.equal(labels.names.get(0), "A long title without a colon");
});

test("hues are converted to red, green and blue", () => {
  assert.deepEqual(plain([rgb(0), rgb(120), rgb(240)]), [[255, 0, 0], [0, 255, 0], [0, 0, 255]]);
  function rgb(hue) {
    return viewer.rgb(hue, 1, 0.5);
  }
});
