/* Loads scripts of the pages for unit tests: they share one scope, as in a browser, and export nothing. */
"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { runInNewContext } = require("node:vm");

const ROOT = join(__dirname, "..", "..", "..");
const VIEWER = join(ROOT, "exports", "page", "viewer");
const ANNOTATE = join(ROOT, "kg", "annotating", "page");
/** The scripts of the viewer in the order of the page, without main.js, which opens it. */
const SCRIPTS = [...readFileSync(join(VIEWER, "..", "html_page.py"), "utf8").matchAll(/^ {4}"([\w/]+\.js)",$/gm)]
  .map((match) => match[1])
  .filter((name) => name !== "main.js");

/** Run the scripts of a folder with some globals, and return the values of some names. */
function load(names, files = SCRIPTS, globals = {}, folder = VIEWER) {
  const code = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return runInNewContext(`"use strict"; (() => {\n${code}\nreturn { ${names.join(", ")} };\n})()`, globals);
}

/** Copy a value of the other context, whose arrays and objects have prototypes of their own. */
const plain = (value) => JSON.parse(JSON.stringify(value));

module.exports = { ANNOTATE, load, plain };
