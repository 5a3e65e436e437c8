/* An answer in the panel: tables whose rows open their evidence, and which can be saved as CSV. */

const FIRST_ROWS = 20; // rows of a table; the others are shown on request
const CHARTS = { width: 168, height: 50, foot: 14, head: 3 }; // a small multiple, in units of the chart

class AnswerView {
  /** @param {Graph} graph @param {State} state @param {Actions} actions @param {EvidenceView} evidence @param {ResultsView} results */
  constructor(graph, state, actions, evidence, results) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.evidence = evidence;
    this.results = results;
  }

  /** Return the parts of the panel for an answer. @param {Answer} answer */
  parts(answer) {
    const all = button("All questions", () => this.state.set({ ask: "start", at: "", path: "" }));
    return [
      element("header", element("p.kind", "Question"), element("h2", answer.title)),
      element("div.actions", all, answer.subjects.map((node) => this.actions.link(node))),
      answer.note ? element("p.quiet", answer.note) : null,
      ...answer.tables.map((table) => this.#table(answer, table)),
    ];
  }

  /** @param {Answer} answer @param {AnswerTable} table */
  #table(answer, table) {
    const { title, rows, headings, none } = table;
    if (!rows.length) return section(title, 0, element("p.none", none));
    const body = element("tbody", rows.slice(0, FIRST_ROWS).flatMap((row) => this.#row(table, row)));
    const showAll = () => {
      const added = rows.slice(FIRST_ROWS).flatMap((row) => this.#row(table, row));
      body.append(...added);
      more.remove();
      focusFirst(added[0], "a, button");
    };
    const more = button(`Show all ${rows.length}`, showAll, { className: "more" });
    const head = headings.map((heading, i) => element(isNumber(table, i) ? "th.number" : "th", { scope: "col" }, heading));
    const name = `${answer.title} ${title}`;
    const region = { tabIndex: 0, role: "region", ariaLabel: name };
    const drawn = element("table", element("thead", element("tr", head)), body);
    const save = button("Save CSV", () => this.#save(answer, table), { className: "more", ariaLabel: `Save ${title} as CSV` });
    return section(title, rows.length, [
      smallMultiples(this.graph, rows),
      element("div.answer", region, drawn),
      rows.length > FIRST_ROWS ? more : null,
      save,
    ]);
  }

  /** Return the row of an answer, and the row of its evidence, which is filled when it opens. @param {AnswerTable} table @param {AnswerRow} row */
  #row(table, row) {
    const cell = element("td", { colSpan: table.headings.length });
    const details = element("tr.sentence", cell);
    /** @param {boolean} isOpen */
    const setExpanded = (isOpen) => {
      toggle.setAttribute("aria-expanded", String(isOpen));
      details.hidden = !isOpen;
      if (isOpen && !cell.childNodes.length) cell.append(...present([this.#beside(row), ...this.#statements(row.evidence)].flat()));
    };
    const switchOver = () => setExpanded(Boolean(details.hidden));
    const toggle = button("", switchOver, { className: "unfold", ariaLabel: "Show the evidence" });
    const cells = row.cells.map((value, i) => {
      const content = this.#content(value);
      if (!i) return element("td.first", toggle, content);
      return element(isNumber(table, i) ? "td.number" : "td", content);
    });
    /** @param {MouseEvent} event */
    const onRow = (event) => {
      if (event.target instanceof Element && !event.target.closest("a, button")) switchOver();
    };
    setExpanded(this.state.get("evidence") === "1");
    return [element("tr.result", { onclick: onRow }, cells), details];
  }

  /** @param {AnswerCell} value @returns {Part[]} */
  #content(value) {
    if (typeof value === "object" && "nodes" in value) {
      const links = value.nodes.map((node) => this.actions.link(node, this.#name(node)));
      return links.length ? intersperse(links, ", ") : [element("span.quiet", "not named")];
    }
    return [cellText(this.graph, value)];
  }

  /** @param {number} node */
  #name(node) {
    const { graph } = this;
    return graph.isPaper(node) ? graph.shortName(node) || truncated(graph.label[node], TITLE) : graph.label[node];
  }

  /** @param {AnswerRow} row */
  #beside({ beside }) {
    if (!beside) return null;
    const ask = `beside ${beside.map((node) => this.graph.key[node]).join(" ")}`;
    return element("p", button("Show the two side by side", () => this.state.set({ ask, at: "", path: "" }), { className: "more" }));
  }

  /** Return the evidence of a row: the first statements, and the others on request. @param {Statement[]} evidence @returns {Node[]} */
  #statements(evidence) {
    if (!evidence.length) return [element("p.quiet", "This row comes from metadata; it has no supporting sentence.")];
    const drawn = evidence.slice(0, SHOWN_FIRST).map((one) => this.#statement(one));
    if (evidence.length <= SHOWN_FIRST) return drawn;
    const showAll = () => {
      const rest = evidence.slice(SHOWN_FIRST).map((one) => this.#statement(one));
      more.replaceWith(...rest);
      focusFirst(rest[0], "a, button");
    };
    const more = button(`Show all ${evidence.length}`, showAll, { className: "more" });
    return [...drawn, more];
  }

  /** @param {Statement} statement @returns {HTMLElement} */
  #statement({ set, i }) {
    if (set === "relation") return this.evidence.relation(i);
    if (set === "link") return this.evidence.paperLink(i);
    if (set === "citation") return this.evidence.reference(i);
    return element("section.statement", element("p", this.results.paper(i)), this.results.sentence(i));
  }

  /** @param {Answer} answer @param {AnswerTable} table */
  async #save(answer, table) {
    const name = `${answer.title} ${table.title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
    download(`${name.replace(/^-|-$/g, "").slice(0, 80)}.csv`, "text/csv", await answerCsv(this.graph, table));
  }
}

/** Whether a column holds numbers. @param {AnswerTable} table @param {number} column */
function isNumber({ rows }, column) {
  return rows.some(({ cells }) => {
    const value = cells[column];
    return typeof value === "number" || (typeof value === "object" && "share" in value);
  });
}

/** Return a cell as text; several names are separated by `|`. @param {Graph} graph @param {AnswerCell} value */
function cellText(graph, value) {
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value === "string") return value;
  return "nodes" in value ? value.nodes.map((node) => graph.label[node]).join(" | ") : percent(value.share);
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)} %`;
}

/**
 * Return a table of an answer as CSV: its columns, the keys of the nodes in each, and the sentences that support a row.
 * @param {Graph} graph
 * @param {AnswerTable} table
 */
async function answerCsv(graph, { headings, rows }) {
  const years = [...(rows[0]?.series?.keys() ?? [])];
  const hasNodes = headings.map((_heading, i) => rows.some(({ cells }) => isNodes(cells[i])));
  const names = headings.flatMap((heading, i) => (hasNodes[i] ? [heading, `${heading} (key)`] : [heading]));
  /** @type {(string | number)[][]} */
  const lines = [[...names, ...years, "evidence"]];
  for (const { cells, evidence, series } of rows) {
    const values = cells.flatMap((value, i) => (hasNodes[i] ? [cellText(graph, value), keysOf(graph, value)] : [csvValue(graph, value)]));
    const sentences = await Promise.all(evidence.map((one) => statementText(graph, one)));
    lines.push([...values, ...years.map((year) => series?.get(year) ?? 0), [...new Set(sentences)].join(" | ")]);
  }
  return csvTable(lines);
}

/** @param {AnswerCell} value */
function isNodes(value) {
  return typeof value === "object" && "nodes" in value;
}

/** @param {Graph} graph @param {AnswerCell} value */
function csvValue(graph, value) {
  if (typeof value === "number") return value;
  return typeof value === "object" && "share" in value ? value.share : cellText(graph, value);
}

/** @param {Graph} graph @param {AnswerCell} value */
function keysOf(graph, value) {
  return typeof value === "object" && "nodes" in value ? value.nodes.map((node) => graph.key[node]).join(" | ") : "";
}

/**
 * Return a statement with its sentences as text: "Title: sentence sentence".
 * @param {Graph} graph
 * @param {Statement} statement
 */
async function statementText(graph, { set, i }) {
  if (set === "citation") return `${graph.label[graph.citations.from[i]]}: cites ${graph.label[graph.citations.to[i]]}`;
  if (set === "result") {
    const { paper, span } = graph.results.columns;
    return `${graph.label[paper[i]]}: ${(await graph.markedSentence(paper[i], span[i])).join("")}`;
  }
  const { from, evidence } = set === "link" ? graph.links : graph.relations;
  const sentences = await graph.sentences(from[i], evidence[i]);
  return `${graph.label[from[i]]}: ${sentences.map((parts) => parts.join("")).join(" ")}`;
}

/**
 * Return small charts of the series of some rows, on one scale, or null if the rows have none.
 * @param {Graph} graph
 * @param {AnswerRow[]} rows
 */
function smallMultiples(graph, rows) {
  const drawn = rows.filter(({ series }) => series);
  if (!drawn.length) return null;
  const highest = Math.max(...drawn.flatMap(({ series }) => [...(series?.values() ?? [])]));
  const charts = drawn.map(({ cells, series }) => shareChart(cellText(graph, cells[0]), series ?? new Map(), highest));
  return element("div.multiples", charts);
}

/**
 * Draw the share of papers by year.
 * @param {string} name
 * @param {Map<number, number>} shares
 * @param {number} highest the share at the top of the chart
 */
function shareChart(name, shares, highest) {
  const { width, height, foot, head } = CHARTS;
  const years = [...shares.keys()];
  const [first, last] = [years[0], years[years.length - 1]];
  /** @param {number} year */
  const across = (year) => ((year - first) / Math.max(1, last - first)) * (width - 4) + 2;
  /** @param {number} share */
  const down = (share) => height - foot - (share / highest) * (height - foot - head);
  const line = years.map((year) => `${across(year).toFixed(1)} ${down(shares.get(year) ?? 0).toFixed(1)}`).join("L");
  const base = height - foot;
  const area = `M${across(first).toFixed(1)} ${base}L${line}L${across(last).toFixed(1)} ${base}Z`;
  const facts = years.map((year) => `${year}: ${percent(shares.get(year) ?? 0)}`).join(", ");
  const attributes = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name}, share of papers by year: ${facts}` };
  const chart = svgElement(
    "svg",
    attributes,
    svgElement("title", {}, facts),
    svgElement("path", { class: "area", d: area }),
    svgElement("path", { class: "line", d: `M${line}` }),
    svgElement("text", { x: 0, y: height - 2 }, String(first)),
    svgElement("text", { x: width / 2, y: height - 2, "text-anchor": "middle" }, `up to ${percent(Math.max(...shares.values()))}`),
    svgElement("text", { x: width, y: height - 2, "text-anchor": "end" }, String(last)),
  );
  return element("figure", element("figcaption", { title: name }, name), chart);
}
