/* Colours and sizes of nodes. */

const STEPS = 5; // of the colour scale

/** Return the colours of the style sheet in the current theme. @param {number} types */
function palette(types) {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    types: Array.from({ length: types + 2 }, (_, i) => value(i < types ? `--type-${i % 8}` : "--paper")),
    scale: Array.from({ length: STEPS }, (_, i) => value(`--scale-${i}`)),
    unknown: value("--paper"),
    linked: value("--linked"),
    ground: value("--ground"),
    surface: value("--surface"),
    ink: value("--ink"),
    quiet: value("--quiet"),
    edge: value("--edge"),
    dark: document.documentElement.dataset.theme === "dark",
    font: getComputedStyle(document.body).fontFamily,
  };
}

/**
 * Return a function that measures a node: number of papers, influence, year, or 1.
 * @param {Graph} graph
 * @param {string} by
 * @returns {(node: number) => number}
 */
function measureOf(graph, by) {
  if (by === "influence") return (node) => graph.influence(node);
  if (by === "year") return (node) => graph.firstYear(node);
  if (by === "same") return () => 1;
  return (node) => graph.mentionCounts[node];
}

/**
 * Return the radius of each node in units of the drawing; by year, newer nodes are larger.
 * @param {Graph} graph
 * @param {string} by
 * @param {string} view
 */
function nodeRadii(graph, by, view) {
  if (by === "year") return Float32Array.from(colourScale(graph, by).steps, (step) => 4 + 2 * (step + 1));
  const measure = measureOf(graph, by);
  return new Float32Array(graph.size).map((_zero, node) => {
    if (!graph.isPaper(node)) return by === "same" ? 5 : 2.5 + 2.5 * Math.sqrt(measure(node));
    return view === "papers" && by !== "same" ? 3.5 + 2.5 * Math.sqrt(graph.influence(node)) : 3;
  });
}

/**
 * Return the step of each node on the colour scale (-1: unknown), and the values at both ends.
 * @param {Graph} graph
 * @param {string} by
 */
function colourScale(graph, by) {
  const measure = measureOf(graph, by);
  const values = Array.from({ length: graph.size }, (_, node) => measure(node));
  const known = [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b);
  const steps = new Map(known.map((value, i) => [value, Math.floor((i / known.length) * STEPS)]));
  return { steps: Int8Array.from(values, (value) => steps.get(value) ?? -1), first: known[0], last: known.at(-1) };
}

/**
 * Return the colour of each node: by its scale step, else by its type; linked papers stand out among papers.
 * @param {Graph} graph
 * @param {VisibleGraph} shown
 * @param {Palette} colours
 * @param {ColourScale | null} scale
 */
function nodeColours(graph, shown, colours, scale) {
  if (scale) return Array.from(scale.steps, (step) => (step < 0 ? colours.unknown : colours.scale[step]));
  const fills = Array.from(graph.type, (type) => colours.types[type]);
  if (shown.view !== "papers") return fills;
  for (const node of shown.list) if (shown.edges.incidence.of(node).length) fills[node] = colours.linked;
  return fills;
}
