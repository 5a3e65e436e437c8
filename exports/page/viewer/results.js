/* The results that titles and abstracts report: tables by measure, each with a dot plot over time. */

const NO_SENTENCE = "This page was exported without abstracts, so there is no sentence to show.";
const REPORTED = "Reported in the abstract; conditions may differ. A row opens its sentence.";
const TITLE = 48; // characters of the title of a paper in a row
const PLOT = { width: 352, height: 96, left: 46, right: 8, top: 10, foot: 20, dot: 3.5 }; // in units of the plot

class ResultsView {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
  }

  /** Return the results of a paper, or of an entity and those that are compared with it. @param {number} node */
  sections(node) {
    const { results } = this.graph;
    return [
      this.#section("Reported results", node, results.of(node)),
      this.#section("Reported results against it", node, results.against(node)),
    ];
  }

  /** @param {string} title @param {number} node @param {number[]} found */
  #section(title, node, found) {
    if (!found.length) return null;
    const { columns, measures } = this.graph.results;
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    for (const i of found) groups.set(columns.measure[i], [...(groups.get(columns.measure[i]) ?? []), i]);
    const { change } = measures;
    const sorted = [...groups].sort(([a, m], [b, n]) => change[a] - change[b] || n.length - m.length || a - b);
    /** @param {[number, number[]]} group */
    const group = ([measure, results]) => this.#group(node, measure, results);
    return section(title, found.length, [element("p.quiet", REPORTED), ...[longList(sorted, group)].flat()]);
  }

  /**
   * Return the results of a measure: its title, a plot, and a table that shows its first rows and the others on request.
   * @param {number} node
   * @param {number} measure
   * @param {number[]} results
   */
  #group(node, measure, results) {
    const { graph } = this;
    const rows = results.map((i) => new ResultRow(this, i, !graph.isPaper(node)));
    const body = element("tbody", rows.slice(0, SHOWN_FIRST).map((row) => row.parts).flat());
    const showAll = () => {
      if (more.isConnected) body.append(...rows.slice(SHOWN_FIRST).flatMap((row) => row.parts));
      more.remove();
    };
    const showMore = () => {
      showAll();
      rows[SHOWN_FIRST].toggle.focus();
    };
    const more = button(`Show all ${rows.length}`, showMore, { className: "more" });
    /** @param {number} at */
    const open = (at) => {
      if (at >= SHOWN_FIRST) showAll();
      rows[at].setExpanded(true);
      rows[at].toggle.focus();
    };
    const names = graph.isPaper(node) ? ["Value", "System"] : ["Value", "System", "Paper"];
    const headings = names.map((name) => element("th", { scope: "col" }, name));
    const head = rows.length > 1 ? "thead" : "thead.unseen";
    const table = element("table", element(head, element("tr", headings)), body);
    const plot = dotPlot(this.#dots(results), open, graph.type[node], graph.types.length);
    const title = this.#title(node, measure, results.length);
    return element("li.group", title, plot, table, rows.length > SHOWN_FIRST ? more : null);
  }

  /**
   * Return the title of a measure, with its benchmarks unless the node is the only one, and the order of several rows.
   * @param {number} node
   * @param {number} measure
   * @param {number} count
   */
  #title(node, measure, count) {
    const { title, on, lower } = this.graph.results.measures;
    const names = on[measure];
    const isOwn = names.length === 1 && nodesOf(names)[0] === node;
    const benchmarks = isOwn || !names.length ? [] : [" on ", ...this.names(names)];
    const better = lower[measure] ? "lower is better" : "higher is better";
    const order = lower[measure] === null ? "newest first, not ranked" : better;
    return element("h4", title[measure], benchmarks, count > 1 ? element("span.quiet", ` ${order}`) : null);
  }

  /** @param {ResultName[]} names */
  names(names) {
    /** @param {ResultName} name */
    const part = (name) => {
      const [text, node] = typeof name === "string" ? [name, -1] : name;
      return node < 0 || this.graph.hidden[node] ? text : this.actions.link(node, text);
    };
    return intersperse(names.map(part), ", ");
  }

  /** Return the systems of a result, the earlier level and the rivals. @param {number} i */
  facts(i) {
    const { systems, previous, versus } = this.graph.results.columns;
    const parts = [
      ...(systems[i].length ? this.names(systems[i]) : [element("span.quiet", "not named")]),
      previous[i] ? element("span.quiet", `, from ${previous[i]}`) : null,
      ...(versus[i].length ? [element("span.quiet", ", against "), ...this.names(versus[i])] : []),
    ];
    return parts.filter((part) => part !== null);
  }

  /** Return a link to the paper of a result, by its short name or its title, with its date. @param {number} i */
  paper(i) {
    const { graph } = this;
    const paper = graph.results.columns.paper[i];
    const date = graph.dateOf(paper);
    const title = graph.shortName(paper) || truncated(graph.label[paper], TITLE);
    return [this.actions.link(paper, title), " ", date ? element("span.quiet.date", date) : null];
  }

  /** Return the sentence of a result with its value marked, filled in once the text is unpacked. @param {number} i */
  sentence(i) {
    const { paper, span, confidence } = this.graph.results.columns;
    const container = element("div.sentences");
    this.graph.markedSentence(paper[i], span[i]).then((parts) => {
      const [before, value, after] = parts;
      const certainty = element("span.confidence", { title: "Confidence of the extraction" }, ` ${confidence[i]} %`);
      const quote = element("blockquote", before, element("mark", value), after, certainty);
      container.append(parts.length ? quote : element("p.quiet", NO_SENTENCE));
    });
    return container;
  }

  /** Return the dots of the rows that have a number and a date. @param {number[]} rows @returns {Dot[]} */
  #dots(rows) {
    const { amount, label, paper } = this.graph.results.columns;
    return rows.flatMap((i, row) => {
      const date = this.graph.dateOf(paper[i]);
      const [x, y] = [yearFraction(date), amount[i]];
      return x === null || y === null ? [] : [{ row, x, y, date, text: `${date}: ${label[i]}` }];
    });
  }
}

/** The row of a result, and the row of its sentence, which a click or the button of the value opens. */
class ResultRow {
  /** @param {ResultsView} view @param {number} result @param {boolean} withPaper */
  constructor(view, result, withPaper) {
    const { label, tentative } = view.graph.results.columns;
    this.view = view;
    this.result = result;
    this.cell = element("td", { colSpan: withPaper ? 3 : 2 });
    this.details = element("tr.sentence", this.cell);
    this.toggle = button(label[result], () => this.#switch(), { className: "value", title: "Show the sentence" });
    const mark = tentative[result] ? element("span.quiet", " tentative") : null;
    const facts = element("td", view.facts(result), mark);
    const paper = withPaper ? element("td", view.paper(result)) : null;
    const row = element("tr.result", element("td", this.toggle), facts, paper);
    row.addEventListener("click", (event) => this.#onRow(event));
    this.parts = [row, this.details];
    this.setExpanded(view.state.get("evidence") === "1");
  }

  /** @param {boolean} isOpen */
  setExpanded(isOpen) {
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    this.details.hidden = !isOpen;
    if (isOpen && !this.cell.childNodes.length) this.cell.append(this.view.sentence(this.result));
  }

  #switch() {
    this.setExpanded(Boolean(this.details.hidden));
  }

  /** @param {MouseEvent} event */
  #onRow(event) {
    if (event.target instanceof Element && !event.target.closest("a, button")) this.#switch();
  }
}

/** The reported results as columns, with those of each node. */
class Results {
  /** @param {ResultColumns} columns @param {MeasureColumns} measures */
  constructor(columns, measures) {
    this.columns = columns;
    this.measures = measures;
    this.withTentative = false;
    /** @type {Map<number, number[]> | undefined} */
    this.byNode = undefined;
    /** @type {Map<number, number[]> | undefined} */
    this.byRival = undefined;
  }

  /** Return the results of a paper, on a benchmark or dataset, or of a method or model. @param {number} node */
  of(node) {
    const { paper, on, systems } = this.columns;
    this.byNode ??= indexed(paper.length, (i) => [paper[i], ...on[i], ...nodesOf(systems[i])]);
    return this.#kept(this.byNode.get(node) ?? []);
  }

  /** Return the results that are compared with an entity. @param {number} node */
  against(node) {
    const { paper, versus } = this.columns;
    this.byRival ??= indexed(paper.length, (i) => nodesOf(versus[i]));
    return this.#kept(this.byRival.get(node) ?? []);
  }

  /** @param {number[]} found */
  #kept(found) {
    return found.filter((i) => this.isShown(i));
  }

  /** Whether a result is certain, or tentative ones are shown. @param {number} i */
  isShown(i) {
    return this.withTentative || !this.columns.tentative[i];
  }
}

/** @param {ResultName[]} names */
function nodesOf(names) {
  return names.flatMap((name) => (typeof name === "string" ? [] : [name[1]]));
}

/**
 * Map each key to the numbers that have it.
 * @param {number} count
 * @param {(i: number) => number[]} keys
 */
function indexed(count, keys) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (let i = 0; i < count; i++) {
    for (const key of new Set(keys(i))) {
      const known = found.get(key);
      if (known) known.push(i);
      else found.set(key, [i]);
    }
  }
  return found;
}

/** Return a date, `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as a number of years, or null. @param {string} date */
function yearFraction(date) {
  const [year, month, day] = date.split("-").map((part) => parseInt(part, 10));
  if (!year) return null;
  return year + ((month || 1) - 1 + ((day || 1) - 1) / 31) / 12;
}

/** Return a number with at most four digits. @param {number} value */
function shortNumber(value) {
  return String(Number(value.toPrecision(4)));
}

/**
 * Return a plot of values over time, or null unless there are two values of different dates. A click on a dot opens its
 * row; the rows are the way by keyboard.
 * @param {Dot[]} dots
 * @param {(row: number) => void} open
 * @param {number} type
 * @param {number} types
 */
function dotPlot(dots, open, type, types) {
  const [xs, ys] = [dots.map((dot) => dot.x), dots.map((dot) => dot.y)];
  const [first, last, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (!(last > first)) return null;
  const { width, height, left, right, top, foot, dot } = PLOT;
  const bottom = height - foot;
  /** @param {number} x */
  const across = (x) => left + dot + ((x - first) / (last - first)) * (width - left - right - 2 * dot);
  /** @param {number} y */
  const down = (y) => bottom - dot - (high > low ? (y - low) / (high - low) : 0.5) * (bottom - top - 2 * dot);
  const circles = dots.map(({ row, x, y, text }) => {
    const place = { cx: across(x).toFixed(1), cy: down(y).toFixed(1), r: dot };
    const circle = svgElement("circle", place, svgElement("title", {}, text));
    circle.addEventListener("click", () => open(row));
    return circle;
  });
  /** @param {number} x @param {number} y @param {string} anchor @param {string} text */
  const label = (x, y, anchor, text) => svgElement("text", { x, y: y.toFixed(1), "text-anchor": anchor }, text);
  /** @param {number} x */
  const month = (x) => dots[xs.indexOf(x)].date.slice(0, 7);
  const texts = [
    label(left - 4, down(high) + 4, "end", shortNumber(high)),
    high > low ? label(left - 4, down(low) + 4, "end", shortNumber(low)) : null,
    label(left, height - 4, "start", month(first)),
    month(first) === month(last) ? null : label(width - right, height - 4, "end", month(last)),
  ].filter((text) => text !== null);
  const axes = svgElement("path", { d: `M${left} ${top}V${bottom}H${width - right}` });
  const name = `Values by date: ${dots.map((one) => one.text).join(", ")}`;
  const attributes = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name };
  const colour = type < types ? ` type-${type % 8}` : "";
  return svgElement("svg", { class: `dots${colour}`, ...attributes }, axes, ...texts, ...circles);
}
