// The query page: an editor and the result as a table. All requests go to this server.
"use strict";

const ENDPOINT = new URL("sparql", document.baseURI);
const ROWS = "application/sparql-results+json";
const MAX_ROWS = 2000;
const byId = (id) => document.getElementById(id);
let prefixes = {};

function createElement(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

async function ask(query, accept) {
  const body = new URLSearchParams({ query });
  const response = await fetch(ENDPOINT, { method: "POST", body, headers: { Accept: accept } });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

// Prefixed names

function shortIri(iri) {
  const fitting = Object.entries(prefixes).filter(([, space]) => iri.startsWith(space));
  const [name, space] = fitting.sort((one, other) => other[1].length - one[1].length)[0] ?? [];
  return name === undefined ? iri : `${name}:${iri.slice(space.length)}`;
}

function queryUrl(query) {
  return `sparql?${new URLSearchParams({ query })}`;
}

// The answer

function cell(term) {
  if (!term) return createElement("td");
  if (term.type === "uri") {
    const link = createElement("a", shortIri(term.value), { href: queryUrl(`DESCRIBE <${term.value}>`), title: term.value });
    const shown = createElement("td");
    shown.append(link);
    return shown;
  }
  const number = /#(integer|decimal|double|float)$/.test(term.datatype ?? "");
  return createElement("td", term.value, { className: number ? "number" : "" });
}

function table(answer) {
  const shown = createElement("table");
  const head = shown.createTHead().insertRow();
  head.append(...answer.head.vars.map((name) => createElement("th", name, { scope: "col" })));
  const body = shown.createTBody();
  for (const row of answer.results.bindings.slice(0, MAX_ROWS)) {
    body.insertRow().append(...answer.head.vars.map((name) => cell(row[name])));
  }
  return shown;
}

async function show(response) {
  if (!response.headers.get("Content-Type").startsWith(ROWS)) {
    const text = removeUnusedPrefixes(await response.text());
    byId("answer").replaceChildren(createElement("pre", text));
    return text.trim() ? "" : "no triples, ";
  }
  const answer = await response.json();
  if ("boolean" in answer) {
    byId("answer").replaceChildren(createElement("p", answer.boolean ? "yes" : "no"));
    return "";
  }
  byId("answer").replaceChildren(table(answer));
  const count = answer.results.bindings.length;
  const more = count > MAX_ROWS ? `, the first ${MAX_ROWS} shown` : "";
  return `${count} row${count === 1 ? "" : "s"}${more}, `;
}

/** Turtle without its unused prefix declarations. */
function removeUnusedPrefixes(turtle) {
  const declared = /^@prefix (\S+) .*\n/gm;
  const body = turtle.replace(declared, "");
  const used = [...turtle.matchAll(declared)].filter(([, name]) => body.includes(name));
  return used.map(([line]) => line).join("") + body;
}

function setStatus(text, isError = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("fault", isError);
}

async function run(editor) {
  const query = editor.getValue();
  const started = performance.now();
  byId("run").disabled = true;
  setStatus("running …");
  try {
    const count = await show(await ask(query, `${ROWS}, text/turtle;q=0.9`));
    setStatus(`${count}${Math.round(performance.now() - started)} ms`);
    history.replaceState(null, "", queryUrl(query));
  } catch (error) {
    byId("answer").replaceChildren();
    setStatus(error.message, true);
  } finally {
    byId("run").disabled = false;
  }
}

async function save(editor) {
  const chosen = byId("save").selectedOptions[0];
  byId("save").value = "";
  if (!chosen.value) return;
  try {
    const data = await (await ask(editor.getValue(), chosen.value)).blob();
    const href = URL.createObjectURL(data);
    createElement("a", "", { href, download: `answer.${chosen.dataset.ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  } catch (error) {
    setStatus(error.message, true);
  }
}

async function main() {
  const data = await (await fetch("queries.json")).json();
  prefixes = data.prefixes;
  byId("graph").textContent = data.title;
  document.title = `Query ${data.title}`;
  const editor = makeQueryEditor(byId("editor"), prefixes, async (query) => (await ask(query, ROWS)).json());
  for (const { name, title } of data.queries) byId("named").append(createElement("option", title, { value: name }));
  byId("named").onchange = () => {
    const chosen = data.queries.find(({ name }) => name === byId("named").value);
    if (!chosen) return;
    byId("about").textContent = `@${chosen.name}: ${chosen.about}`;
    editor.setValue(chosen.sparql);
    run(editor);
  };
  byId("run").onclick = () => run(editor);
  byId("save").onchange = () => save(editor);
  byId("editor").addEventListener("keydown", (event) => {
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
