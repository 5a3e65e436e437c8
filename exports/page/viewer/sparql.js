/* The SPARQL pane: the editor, the named queries, and answers whose names select nodes. */

const SPARQL_ROWS = 1000; // limit of rows shown; saved answers have all
const FIRST_QUERY =
  "SELECT ?paper ?name {\n  ?paper ckg:introduces ?entity .\n  ?entity skos:prefLabel ?name\n}\nLIMIT 20\n";
/** The formats in which an answer is saved: media type and file ending. @type {Record<string, [string, string]>} */
const ANSWER_FORMATS = {
  CSV: ["text/csv", "csv"],
  TSV: ["text/tab-separated-values", "tsv"],
  JSON: ["application/sparql-results+json", "json"],
  Turtle: ["text/turtle", "ttl"],
};

/** Shorten an IRI by the longest prefix that fits. @param {string} iri @param {Record<string, string>} prefixes */
function shortIri(iri, prefixes) {
  const fitting = Object.entries(prefixes).filter(([, space]) => iri.startsWith(space));
  const [name, space] = fitting.sort((one, other) => other[1].length - one[1].length)[0] ?? ["", ""];
  return space ? `${name}:${iri.slice(space.length)}` : iri;
}

/**
 * Return the visible nodes by their labels, without labels that several nodes have.
 * @param {Graph} graph
 */
function nodesByLabel(graph) {
  /** @type {Map<string, number>} */
  const nodes = new Map();
  graph.label.forEach((label, node) => {
    if (!graph.hidden[node]) nodes.set(label, nodes.has(label) ? -1 : node);
  });
  return nodes;
}

/** The pane, which is unpacked when it is opened first. */
class SparqlPane {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.root = element("div.sparql");
    /** @type {Promise<SparqlConsole | null> | undefined} */
    this.console = undefined;
  }

  /** Whether the page was written with SPARQL. */
  static isThere() {
    return document.getElementById("sparql") !== null;
  }

  /** @param {Element} container */
  draw(container) {
    if (!container.contains(this.root)) container.replaceChildren(this.root);
    this.console ??= this.#open().catch((error) => this.#fail(error));
    this.console.then((opened) => opened?.editor.refresh());
  }

  async #open() {
    this.root.textContent = "Opening …";
    const parts = /** @type {EmbeddedSparql} */ (embedded("sparql"));
    const [script, style] = await Promise.all([parts.editor, parts.editorStyle].map((part) => inflated(part).text()));
    document.head.append(element("style", style), element("script", script));
    return new SparqlConsole(this.root, this.graph, this.state, this.actions, parts);
  }

  /** @param {Error} error */
  #fail(error) {
    this.root.textContent = `SPARQL cannot be opened: ${error.message}`;
    return null;
  }
}

/** The editor with its buttons, and the answer. */
class SparqlConsole {
  /** @param {HTMLElement} root @param {Graph} graph @param {State} state @param {Actions} actions @param {EmbeddedSparql} parts */
  constructor(root, graph, state, actions, parts) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.parts = parts;
    this.engine = new SparqlEngine(graph, parts);
    /** @type {Map<string, number>} */
    this.labelled = new Map();
    this.isRunning = false;
    /** The named query that was chosen last; its text may have been changed. @type {NamedSparql | undefined} */
    this.named = undefined;
    this.about = element("p.quiet");
    this.status = element("output.quiet", { role: "status" });
    this.answer = element("div.answer", { tabIndex: 0, role: "region", ariaLabel: "Answer" });
    this.run = button("Run", () => this.#toggleRun(), { className: "run", title: "Ctrl+Enter" });
    const place = element("div.editor");
    root.replaceChildren(this.#bar(), element("div.query", this.about, place), this.answer);
    root.addEventListener("keydown", (event) => this.#onKey(event), true);
    this.editor = makeQueryEditor(place, parts.prefixes, (query) => this.#terms(query));
    this.#restore();
  }

  /** Answer a query of the editor, for its suggestions; without an engine there are none. @param {string} query */
  #terms(query) {
    return this.engine.ask(query, true).catch(() => ({ head: {}, results: { bindings: [] } }));
  }

  /** Show the query of the address and run it, or show the first one. */
  #restore() {
    const asked = this.state.get("query");
    const named = this.parts.queries.find(({ name }) => `@${name}` === asked);
    this.#set(named?.sparql ?? (asked || FIRST_QUERY), named);
    if (asked) this.#run();
  }

  /** @param {string} text @param {NamedSparql} [named] */
  #set(text, named) {
    this.named = named;
    this.editor.setValue(text);
    this.about.textContent = named ? `@${named.name}: ${named.about}` : "";
  }

  #bar() {
    const named = this.parts.queries.map(({ name, title }) => element("option", { value: name }, title));
    const choose = () => {
      const query = this.parts.queries.find(({ name }) => name === select.value);
      if (!query) return;
      this.#set(query.sparql, query);
      this.#run();
    };
    const select = element("select", { ariaLabel: "Named query", onchange: choose }, this.#choice("Named query …"), named);
    const formats = Object.keys(ANSWER_FORMATS).map((name) => element("option", { value: name }, name));
    const save = element("select", { ariaLabel: "Save the answer as", onchange: () => this.#save(save) });
    save.append(this.#choice("Save as …"), ...formats);
    const licences = element("details.licences", element("summary", "Licences"), element("pre", this.parts.licences));
    return element("div.bar", select, this.run, save, this.status, licences);
  }

  /** @param {string} text */
  #choice(text) {
    return element("option", { value: "" }, text);
  }

  /** Ctrl+Enter runs the query; Escape leaves the editor, in which Tab is a character. @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key === "Escape" && event.target instanceof HTMLTextAreaElement) {
      event.stopPropagation();
      this.run.focus();
    }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run();
  }

  #toggleRun() {
    return this.isRunning ? this.engine.stop() : this.#run();
  }

  /** The query, whether it sees tentative claims, and its name in the address. */
  #query() {
    const text = this.editor.getValue();
    const { named } = this;
    const withTentative = this.state.get("tentative") === "1" || named?.tentative === true;
    return { text, withTentative, inAddress: named?.sparql === text ? `@${named.name}` : text };
  }

  #hasTentative() {
    return Object.values(this.graph.tentativeCounts).some((count) => count > 0);
  }

  async #run() {
    if (this.isRunning) await this.engine.stop();
    const { engine } = this;
    const { text, withTentative, inAddress } = this.#query();
    this.#setRunning(true);
    this.#setStatus(engine.started ? "Running …" : "Loading the graph …");
    const started = performance.now();
    try {
      const answer = await engine.ask(text, withTentative);
      const milliseconds = Math.round(performance.now() - started);
      const firm = withTentative || !this.#hasTentative() ? "" : ", without tentative claims";
      this.#setStatus(`${this.#show(answer)}${firm}, ${withCommas(milliseconds)} ms`);
      this.state.set({ query: inAddress }, false);
    } catch (error) {
      this.answer.replaceChildren();
      this.#setStatus(error instanceof Error ? error.message : String(error), true);
    } finally {
      this.#setRunning(false);
    }
  }

  /** @param {boolean} on */
  #setRunning(on) {
    this.isRunning = on;
    this.run.textContent = on ? "Stop" : "Run";
  }

  /** @param {string} text */
  #setStatus(text, isError = false) {
    this.status.textContent = text;
    this.status.classList.toggle("fault", isError);
  }

  /** Show an answer; return its size in words. @param {SparqlAnswer} answer */
  #show({ head, boolean, results, triples }) {
    if (boolean !== undefined) {
      this.answer.replaceChildren(element("p", boolean ? "yes" : "no"));
      return boolean ? "yes" : "no";
    }
    const [vars, rows] = [head.vars ?? [], results?.bindings ?? []];
    this.labelled = nodesByLabel(this.graph);
    const heading = element("tr", vars.map((name) => element("th", { scope: "col" }, name))); // prettier-ignore
    const body = rows.slice(0, SPARQL_ROWS).map((row) => this.#row(vars.map((name) => row[name])));
    this.answer.replaceChildren(element("table", element("thead", heading), element("tbody", body)));
    this.answer.scrollTop = 0;
    const limit = rows.length > SPARQL_ROWS ? `, the first ${withCommas(SPARQL_ROWS)} shown` : "";
    return `${plural(rows.length, triples ? "triple" : "row")}${limit}`;
  }

  /** @param {(SparqlTerm | undefined)[]} terms */
  #row(terms) {
    const nodes = terms.map((term) => (term ? this.nodeOf(term) : -1));
    const first = nodes.find((node) => node >= 0) ?? -1;
    const highlight = { onmouseenter: () => this.actions.highlight(first), onmouseleave: () => this.actions.highlight(-1) };
    return element("tr", first < 0 ? {} : highlight, terms.map((term, i) => this.#cell(term, nodes[i]))); // prettier-ignore
  }

  /** Return the node that an IRI or a text names, or -1. @param {SparqlTerm} term */
  nodeOf({ type, value }) {
    if (type !== "uri") return this.labelled.get(value) ?? -1;
    const { base } = this.graph.about;
    return value.startsWith(base) ? this.graph.find(value.slice(base.length)) : -1;
  }

  /** @param {SparqlTerm | undefined} term @param {number} node */
  #cell(term, node) {
    if (!term) return element("td");
    const { type, value, datatype } = term;
    if (node >= 0) return element("td", { title: value }, this.actions.link(node));
    if (type === "uri") return element("td", this.#describe(value));
    return element(/#(integer|decimal|double|float)$/.test(datatype ?? "") ? "td.number" : "td", value);
  }

  /** @param {string} iri */
  #describe(iri) {
    const describe = () => {
      this.#set(`DESCRIBE <${iri}>\n`);
      this.#run();
    };
    return button(shortIri(iri, this.parts.prefixes), describe, { title: iri, className: "iri" });
  }

  /** @param {HTMLSelectElement} select */
  async #save(select) {
    const [format, ending] = ANSWER_FORMATS[select.value] ?? [];
    select.value = "";
    if (!format) return;
    const { text, withTentative } = this.#query();
    try {
      download(`answer.${ending}`, format, await this.engine.ask(text, withTentative, format));
    } catch (error) {
      this.#setStatus(error instanceof Error ? error.message : String(error), true);
    }
  }
}
