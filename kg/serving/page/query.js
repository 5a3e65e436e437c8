// The query page: an editor, a button, and the answer as a table. Everything comes from this server.
"use strict";

const ENDPOINT = new URL("sparql", document.baseURI);
const ROWS = "application/sparql-results+json";
const MOST_ROWS = 2000;
const part = (id) => document.getElementById(id);
let prefixes = {};

function made(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

async function ask(query, accept) {
  const body = new URLSearchParams({ query });
  const response = await fetch(ENDPOINT, { method: "POST", body, headers: { Accept: accept } });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

// Names as a query would write them

function short(iri) {
  const fitting = Object.entries(prefixes).filter(([, space]) => iri.startsWith(space));
  const [name, space] = fitting.sort((one, other) => other[1].length - one[1].length)[0] ?? [];
  return name === undefined ? iri : `${name}:${iri.slice(space.length)}`;
}

function addressOf(query) {
  return `sparql?${new URLSearchParams({ query })}`;
}

// The answer

function cell(term) {
  if (!term) return made("td");
  if (term.type === "uri") {
    const link = made("a", short(term.value), { href: addressOf(`DESCRIBE <${term.value}>`), title: term.value });
    const shown = made("td");
    shown.append(link);
    return shown;
  }
  const number = /#(integer|decimal|double|float)$/.test(term.datatype ?? "");
  return made("td", term.value, { className: number ? "number" : "" });
}

function table(told) {
  const shown = made("table");
  const head = shown.createTHead().insertRow();
  head.append(...told.head.vars.map((name) => made("th", name, { scope: "col" })));
  const body = shown.createTBody();
  for (const row of told.results.bindings.slice(0, MOST_ROWS)) {
    body.insertRow().append(...told.head.vars.map((name) => cell(row[name])));
  }
  return shown;
}

async function show(response) {
  if (!response.headers.get("Content-Type").startsWith(ROWS)) {
    const text = readable(await response.text());
    part("answer").replaceChildren(made("pre", text));
    return text.trim() ? "" : "no triples, ";
  }
  const told = await response.json();
  if ("boolean" in told) {
    part("answer").replaceChildren(made("p", told.boolean ? "yes" : "no"));
    return "";
  }
  part("answer").replaceChildren(table(told));
  const count = told.results.bindings.length;
  const more = count > MOST_ROWS ? `, the first ${MOST_ROWS} shown` : "";
  return `${count} row${count === 1 ? "" : "s"}${more}, `;
}

/** Turtle without the prefixes that it does not use. */
function readable(turtle) {
  const declared = /^@prefix (\S+) .*\n/gm;
  const body = turtle.replace(declared, "");
  const used = [...turtle.matchAll(declared)].filter(([, name]) => body.includes(name));
  return used.map(([line]) => line).join("") + body;
}

function tell(text, fault = false) {
  part("status").textContent = text;
  part("status").classList.toggle("fault", fault);
}

async function run(editor) {
  const query = editor.getValue();
  const started = performance.now();
  part("run").disabled = true;
  tell("running …");
  try {
    const count = await show(await ask(query, `${ROWS}, text/turtle;q=0.9`));
    tell(`${count}${Math.round(performance.now() - started)} ms`);
    history.replaceState(null, "", addressOf(query));
  } catch (error) {
    part("answer").replaceChildren();
    tell(error.message, true);
  } finally {
    part("run").disabled = false;
  }
}

async function save(editor) {
  const chosen = part("save").selectedOptions[0];
  part("save").value = "";
  if (!chosen.value) return;
  try {
    const data = await (await ask(editor.getValue(), chosen.value)).blob();
    const href = URL.createObjectURL(data);
    made("a", "", { href, download: `answer.${chosen.dataset.ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  } catch (error) {
    tell(error.message, true);
  }
}

// The editor

/** Completes classes and properties by those of the graph, with the prefixes that the server declares. */
function completing(name, pattern) {
  Yasqe.forkAutocompleter(name, {
    name: `own-${name}`,
    bulk: true,
    autoShow: false,
    persistenceId: null,
    get: async () => {
      const told = await (await ask(`SELECT DISTINCT ?term { ${pattern} }`, ROWS)).json();
      return told.results.bindings.map((row) => row.term.value);
    },
  });
  return `own-${name}`;
}

function editing() {
  const autocompleters = ["variables", completing("class", "?s a ?term"), completing("property", "?s ?term ?o")];
  const editor = new Yasqe(part("editor"), {
    autocompleters,
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: null,
    prefixCcApi: null,
    showQueryButton: false,
    resizeable: true,
    editorHeight: "16rem",
  });
  declare(editor);
  return editor;
}

/** Lets the editor know the prefixes that the server declares: for completing, and for what it marks as wrong. */
function declare(editor) {
  const mode = editor.getMode();
  const start = mode.startState;
  mode.startState = () => Object.assign(start.call(mode), { prefixes: { ...prefixes } });
  editor.getPrefixesFromQuery = () => prefixes;
}

async function main() {
  const told = await (await fetch("queries.json")).json();
  prefixes = told.prefixes;
  part("graph").textContent = told.title;
  document.title = `Queries to ${told.title}`;
  const editor = editing();
  for (const { name, title } of told.queries) part("named").append(made("option", title, { value: name }));
  part("named").onchange = () => {
    const chosen = told.queries.find(({ name }) => name === part("named").value);
    if (!chosen) return;
    part("about").textContent = `@${chosen.name}: ${chosen.about}`;
    editor.setValue(chosen.sparql);
    run(editor);
  };
  part("run").onclick = () => run(editor);
  part("save").onchange = () => save(editor);
  part("editor").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    run(editor);
  }, true);
  const given = new URLSearchParams(location.search).get("query");
  editor.setValue(given ?? "SELECT ?paper ?name {\n  ?p ckg:introduces/skos:prefLabel ?name ; dcterms:title ?paper\n}\nLIMIT 20\n");
  if (given) run(editor);
}

main();
