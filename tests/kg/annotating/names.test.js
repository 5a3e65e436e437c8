/* Unit tests of the names and keys of kg annotate: node --test tests/kg/annotating/names.test.js */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { ANNOTATE, load, plain } = require("../../exports/page/scripts.cjs");

const NAMES = [
  "AnnotationHistory",
  "commandOf",
  "entitiesFrom",
  "firstMarks",
  "joinedNames",
  "markBeside",
  "marksOf",
  "movedSelection",
  "namesFrom",
  "nextUndecided",
  "splitName",
  "tokenText",
  "withEdges",
  "withName",
  "withRole",
  "withSurface",
  "withType",
];
const page = load(NAMES, ["names.js", "keys.js", "history.js"], {}, ANNOTATE);

/** Return a text whose tokens are words and signs. */
function textOf(title, abstract) {
  const tokens = [...`${title}\n${abstract}`.matchAll(/\w+|[^\w\s]/gu)].map((found) => [found.index, found.index + found[0].length]);
  return page.tokenText({ title, abstract, tokens });
}

const DOC = textOf("Kite for sails", "Kite Net beats Heron. Kites fly; Kite wins.");
const entity = (surface, changes = {}) => ({ surfaces: [surface], type: "Method", relation: "uses", ...changes });
const names = (...entities) => page.namesFrom(entities, true);
const marks = (found, doc = DOC) =>
  page.marksOf(doc, found).map(({ first, last, name }) => [doc.text.slice(doc.tokens[first][0], doc.tokens[last - 1][1]), name]);
const ROLES = [
  { name: "uses", label: "", comment: "", fits: ["Method", "Dataset"] },
  { name: "trainsOn", label: "", comment: "", fits: ["Dataset"] },
];

test("every occurrence of whole words is marked, and a longer name comes before a shorter one in it", () => {
  assert.deepEqual(plain(marks(names(entity("Kite"), entity("Kite Net")))), [["Kite", 0], ["Kite Net", 1], ["Kite", 0]]);
});

test("a rejected name takes only the words that no other name has", () => {
  const found = page.withName(names(entity("Kite"), entity("Kite Net")), 1, { state: "rejected" });
  assert.deepEqual(plain(marks(found)), [["Kite", 0], ["Kite", 0], ["Kite", 0]]);
});

test("offsets count code units, also after characters beyond the basic plane", () => {
  const doc = textOf("𝔸 title", "𝔸 Kite flies");
  assert.deepEqual(plain(marks(names(entity("Kite")), doc)), [["Kite", 0]]);
});

test("saved names come back as they were, with the fields that the page does not know", () => {
  const one = { name: "Kite", ...entity("Kite", { also_relation: ["extends"], optional: true, also: ["Model"] }) };
  assert.deepEqual(plain(page.entitiesFrom(names(one))), [one]);
});

test("proposals and rejected names are not annotated, and a confidence is not written", () => {
  const [proposed] = page.namesFrom([entity("Kite", { confidence: 0.7 })], false);
  assert.equal(proposed.confidence, 0.7);
  assert.deepEqual(plain(page.entitiesFrom([proposed, { ...proposed, state: "rejected" }])), []);
  const [written] = page.entitiesFrom([{ ...proposed, state: "accepted" }]);
  assert.equal("confidence" in written, false);
});

test("another type drops the roles that do not fit it", () => {
  const found = names(entity("Kite", { type: "Dataset", also_relation: ["trainsOn"] }));
  assert.deepEqual(plain(page.withType(found, 0, "Method", ROLES)[0].roles), ["uses"]);
});

test("the first role is the main one, and a role is taken away by naming it again", () => {
  const two = page.withRole(names(entity("Kite")), 0, "extends");
  const [written] = page.entitiesFrom(two);
  assert.deepEqual([written.relation, plain(written.also_relation)], ["uses", ["extends"]]);
  assert.deepEqual(plain(page.withRole(two, 0, "uses")[0].roles), ["extends"]);
});

test("joined names are one entity with all spellings, and splitting undoes it", () => {
  const joined = page.joinedNames(names(entity("Heron", { type: "Model" }), entity("Kite")), 0, 1);
  assert.deepEqual(plain(joined.map(({ surfaces, type }) => [surfaces, type])), [[["Heron", "Kite"], "Model"]]);
  const split = page.splitName(joined, 0, "Kite");
  assert.deepEqual(plain(split.map(({ surfaces }) => surfaces)), [["Heron"], ["Kite"]]);
  assert.equal(page.splitName(split, 0, "Heron"), split);
});

test("new edges replace one spelling, also that of another name", () => {
  const found = page.withEdges(names(entity("Kite"), entity("Kite Net")), 0, "Kite", "Kite Net");
  assert.deepEqual(plain(found.map(({ surfaces }) => surfaces)), [["Kite Net"]]);
});

test("a new name with the spelling of a rejected one accepts that", () => {
  const rejected = page.withName(names(entity("Kite")), 0, { state: "rejected" });
  const found = page.withSurface(rejected, "Kite", "Model");
  assert.deepEqual(plain(found.map(({ type, state }) => [type, state])), [["Method", "accepted"]]);
  assert.equal(page.withSurface(found, "Heron", "Model")[1].type, "Model");
});

test("steps go from mark to mark and round the end; the next undecided name is the next in the text", () => {
  const found = page.namesFrom([entity("Heron"), entity("Kite")], false);
  const all = page.marksOf(DOC, found);
  const last = all.at(-1);
  assert.equal(page.markBeside(all, last.first, 1).first, all[0].first);
  assert.equal(page.markBeside(all, all[0].first, -1).first, last.first);
  assert.equal(page.firstMarks(all).length, 2);
  assert.equal(page.nextUndecided(all, found, all[0].first).name, 0);
  assert.equal(page.nextUndecided(all, page.withName(found, 0, { state: "accepted" }), 99).name, 1);
});

test("an extended selection stays within the title", () => {
  const start = { anchor: 1, focus: 1, name: -1, surface: "" };
  const extended = page.movedSelection(DOC, start, 9, true);
  assert.deepEqual([extended.anchor, extended.focus], [1, DOC.abstract - 1]);
  assert.equal(page.movedSelection(DOC, start, 3, false).anchor, 4);
});

test("undo and redo lead through the changes, and moving is no change", () => {
  const [one, two] = [names(), names(entity("Kite"))];
  const history = new page.AnnotationHistory({ names: one, cursor: 0 });
  history.moveTo(3);
  assert.equal(history.isChanged, false);
  history.change(two);
  assert.deepEqual([history.isChanged, history.step(-1), history.now.names === one], [true, true, true]);
  assert.deepEqual([history.step(-1), history.step(1), history.now.names === two], [false, true, true]);
});

test("digits are types by their place on the keyboard, with Shift roles; browser shortcuts stay", () => {
  const stroke = { key: "", code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const command = (changes) => page.commandOf({ ...stroke, ...changes });
  assert.equal(command({ key: "&", code: "Digit1" }), "type 1");
  assert.equal(command({ key: "#", code: "Digit3", shiftKey: true }), "role 3");
  assert.equal(command({ key: "a", ctrlKey: true }), "");
  assert.equal(command({ key: "z", ctrlKey: true }), "undo");
  assert.equal(command({ key: "ArrowLeft", altKey: true }), "");
  assert.equal(command({ key: "A", shiftKey: true }), "accept all");
});
