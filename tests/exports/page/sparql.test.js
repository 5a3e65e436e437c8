/* Unit tests of SPARQL in the page, for node's own test runner: the pure functions of the pane, the engine and the worker. */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { load } = require("./scripts.cjs");


const GLOBALS = { addEventListener: () => {} };
const { hasFromClause, nodesByLabel, prologue, queryError, shortIri } = load(
  ["hasFromClause", "nodesByLabel", "prologue", "queryError", "shortIri"],
  ["sparql_engine.js", "sparql.js"],
  GLOBALS,
);
const { decodedNames, joined, nquads, nquadsLiteral } = load(
  ["decodedNames", "joined", "nquads", "nquadsLiteral"],
  ["sparql_worker.js"],
  GLOBALS,
);

test("prefixes are declared on one line before the query", () => {
  assert.equal(prologue({ a: "urn:a#", "": "urn:b#" }), "PREFIX a: <urn:a#> PREFIX : <urn:b#>\n");
});

test("a FROM clause is detected, but not the word in a variable, a name, a string, an IRI or a comment", () => {
  assert.ok(hasFromClause("SELECT * FROM <urn:g> { ?s ?p ?o }"));
  assert.ok(hasFromClause("select *\nfrom named <urn:g> {}"));
  for (const part of ["?from", "$from", "ex:from", "?fromage", '"from"', "'from'", "<urn:from>", "# from\n"]) {
    assert.ok(!hasFromClause(`SELECT * { ?s ?p ${part} }`), part);
  }
});

test("an error shows the line in the query without the line of prefixes", () => {
  assert.match(queryError("error at 4:7: expected one of HAVING, OFFSET"), /^Line 3, column 7: /);
  assert.match(queryError("error at 2:1: expected CONSTRUCT"), /Updates are refused/);
  assert.match(queryError("The service <http://x/> is not supported"), /SERVICE is refused/);
  assert.equal(queryError("something else"), "something else");
});

test("an IRI is shortened by its longest prefix", () => {
  const prefixes = { a: "urn:a:", ab: "urn:a:b:" };
  assert.equal(shortIri("urn:a:b:c", prefixes), "ab:c");
  assert.equal(shortIri("urn:a:c", prefixes), "a:c");
  assert.equal(shortIri("urn:c", prefixes), "urn:c");
});

test("a text refers to a node only if exactly one visible node has this label", () => {
  const nodes = nodesByLabel({ label: ["Kite", "Heron", "Heron", "Owl"], hidden: [0, 0, 0, 1] });
  assert.equal(nodes.get("Kite"), 0);
  assert.equal(nodes.get("Heron"), -1);
  assert.equal(nodes.has("Owl"), false);
});

test("front-coded names are restored", () => {
  assert.deepEqual([...decodedNames([[0, 5, 4], ["urn:a", "bc", "b"]])], ["urn:a", "urn:abc", "urn:b"]); // prettier-ignore
});

test("a literal is escaped as in N-Quads and has its datatype", () => {
  assert.equal(nquadsLiteral('a "b" \\\n\r', "http://www.w3.org/2001/XMLSchema#string"), '"a \\"b\\" \\\\\\n\\r"');
  assert.equal(nquadsLiteral("1", "urn:int"), '"1"^^<urn:int>');
});

test("quads are unpacked with subjects, IRIs, shared texts and the graph of each group", () => {
  const string = "http://www.w3.org/2001/XMLSchema#string";
  const packed = {
    names: [[0, 0, 0, 0, 0], [string, "urn:a", "urn:b", "urn:p", "urn:q"]], // prettier-ignore
    graphs: [["", [1, 1], [0, 1]], ["urn:g", [2], [1]]], // prettier-ignore
    shapes: [[0, 2], [1]], // prettier-ignore
    columns: [[3, -1, 1, [1]], [3, -1, 0, [1, 2]], [4, 0, 0, [0]]], // prettier-ignore
  };
  assert.deepEqual([...nquads(packed, ["held"])], [
    "<urn:a> <urn:p> <urn:b> .\n",
    '<urn:a> <urn:q> "held" .\n',
    "<urn:b> <urn:p> <urn:a> .\n",
    "<urn:b> <urn:p> <urn:b> <urn:g> .\n",
  ]); // prettier-ignore
});

test("short texts are joined to longer ones without loss", () => {
  assert.deepEqual([...joined(["aa", "b", "cc", "d"], 3)], ["aab", "ccd", ""]);
});
