/* What size and colour of a node may stand for. */

const STEPS = 5; // of a colour scale

/** The colours of the page, as the style sheet has them for the theme in force. */
function palette(types) {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return {
    types: Array.from({ length: types + 2 }, (_, i) => value(i < types ? `--type-${i % 8}` : "--paper")),
    scale: Array.from({ length: STEPS }, (_, i) => value(`--scale-${i}`)),
    unknown: value("--paper"),
    linked: value("--linked"),
    ground: value("--ground"),
    ink: value("--ink"),
    quiet: value("--quiet"),
    edge: value("--edge"),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** A number for each node: the papers that name it, how many use it, its year, or one. */
function measured(graph, by) {
  if (by === "influence") return (node) => graph.influence(node);
  if (by === "year") return (node) => graph.firstYear(node);
  if (by === "same") return () => 1;
  return (node) => graph.uses[node];
}

/** The radius of each node in units of the drawing; by year, what is newer is larger. */
function sized(graph, by, view) {
  if (by === "year") return Float32Array.from(scaled(graph, by).steps, (step) => 4 + 2 * (step + 1));
  const measure = measured(graph, by);
  return Float32Array.from({ length: graph.size }, (_, node) => {
    if (!graph.isPaper(node)) return by === "same" ? 5 : 2.5 + 2.5 * Math.sqrt(measure(node));
    return view === "papers" && by !== "same" ? 3.5 + 2.5 * Math.sqrt(graph.influence(node)) : 3;
  });
}

/** The step of each node on a colour scale, -1 where nothing is known, and the values at both ends. */
function scaled(graph, by) {
  const measure = measured(graph, by);
  const values = Array.from({ length: graph.size }, (_, node) => measure(node));
  const known = [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b);
  const steps = new Map(known.map((value, i) => [value, Math.floor((i / known.length) * STEPS)]));
  return { steps: Int8Array.from(values, (value) => steps.get(value) ?? -1), first: known[0], last: known.at(-1) };
}

/** The colour of each node: by its step on the scale, or else by its type; linked papers stand out among papers. */
function painted(graph, shown, colours, scale) {
  if (scale) return Array.from(scale.steps, (step) => (step < 0 ? colours.unknown : colours.scale[step]));
  const paint = Array.from(graph.type, (type) => colours.types[type]);
  if (shown.view !== "papers") return paint;
  for (const node of shown.list) if (shown.edges.at.of(node).length) paint[node] = colours.linked;
  return paint;
}
