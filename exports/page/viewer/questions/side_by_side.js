/* Two methods or models side by side: benchmarks and data, rivals, results, and what compares the two. */

/**
 * Answer how two entities differ.
 * @param {Graph} graph
 * @param {number} a
 * @param {number} b
 * @returns {Answer}
 */
function sideBySide(graph, a, b) {
  const names = [a, b].map((node) => truncated(graph.shortName(node) || graph.label[node], 24));
  const [dataA, dataB] = [a, b].map((node) => dataOf(graph, node));
  const [rivalsA, rivalsB] = [a, b].map((node) => rivalsOf(graph, node));
  const between = rivalsA.get(b) ?? new Rivalry();
  for (const rivals of [rivalsA, rivalsB]) {
    for (const other of [...rivals.keys()]) if (other === a || other === b || graph.hidden[other]) rivals.delete(other);
  }
  const headings = ["Name", "Type", ...names];
  return {
    title: `${graph.label[a]} beside ${graph.label[b]}`,
    subjects: [a, b],
    note:
      "Numbers of papers: of those that introduce, extend or use each of the two, how many use the same data; and how " +
      "many papers compare each with a rival. What both have in common comes first.",
    tables: [
      comparisonTable(graph, a, b, between),
      sharedTable(graph, "Benchmarks and data", headings, dataA, dataB, "No paper that introduces, extends or uses one of them names data."),
      sharedTable(graph, "Rivals", headings, rivalsA, rivalsB, "No paper compares them with other systems."),
      resultsTable(graph, a, b, names),
    ],
  };
}

/** @param {Graph} graph @param {number} a @param {number} b @param {Rivalry} rivalry */
function comparisonTable(graph, a, b, rivalry) {
  const { from } = graph.relations;
  const { paper } = graph.results.columns;
  const byPaper = grouped(rivalry.evidence, ({ set, i }) => (set === "result" ? paper[i] : from[i]));
  const rows = [...byPaper.keys()].sort(byDate(graph)).map((one) => {
    const better = rivalry.better.has(one) ? `${graph.label[b]} is better` : "";
    const worse = rivalry.worse.has(one) ? `${graph.label[a]} is better` : "";
    return { cells: [{ nodes: [one] }, better || worse || "compares the two, no winner stated", graph.dateOf(one)], evidence: byPaper.get(one) ?? [] };
  });
  return answerTable("Compared with each other", ["Paper", "Claim", "Date"], rows, "No paper compares the two.");
}

/**
 * Map the data that papers use which introduce, extend or use a system to these papers and their relations.
 * @param {Graph} graph
 * @param {number} node
 */
function dataOf(graph, node) {
  const { from } = graph.relations;
  const own = relationsIn(graph, node, (role) => role.use || isIntroducing(role));
  /** @type {Map<number, Backed>} */
  const found = new Map();
  for (const [paper, claims] of grouped(own, (i) => from[i])) {
    for (const [entity, relations] of entitiesIn(graph, paper, isUsing)) {
      if (isData(graph, entity) && entity !== node) addEvidence(found, entity, paper, statements("relation", [...claims, ...relations]));
    }
  }
  return found;
}

/** @param {Map<number, Backed>} found @param {number} key @param {number} paper @param {Statement[]} evidence */
function addEvidence(found, key, paper, evidence) {
  const backed = found.get(key) ?? { papers: new Set(), evidence: [] };
  found.set(key, { papers: backed.papers.add(paper), evidence: [...backed.evidence, ...evidence] });
}

/**
 * Return a table of what two systems have: first what both have, then what only one has, each by number of papers.
 * @param {Graph} graph
 * @param {string} title
 * @param {string[]} headings
 * @param {Map<number, Backed>} ofA
 * @param {Map<number, Backed>} ofB
 * @param {string} none
 */
function sharedTable(graph, title, headings, ofA, ofB, none) {
  const rows = [...new Set([...ofA.keys(), ...ofB.keys()])].map((node) => {
    const [inA, inB] = [ofA.get(node), ofB.get(node)];
    const [m, n] = [inA?.papers.size ?? 0, inB?.papers.size ?? 0];
    const evidence = [...(inA?.evidence ?? []), ...(inB?.evidence ?? [])];
    return { node, least: Math.min(m, n), most: m + n, cells: [{ nodes: [node] }, graph.typeLabel(node), m || "–", n || "–"], evidence };
  });
  rows.sort((p, q) => q.least - p.least || q.most - p.most || p.node - q.node);
  return answerTable(title, headings, rows, none);
}

/**
 * Return the table of the measures in which results of either system are reported.
 * @param {Graph} graph
 * @param {number} a
 * @param {number} b
 * @param {string[]} names
 */
function resultsTable(graph, a, b, names) {
  const { columns, measures } = graph.results;
  /** @param {number} node */
  const own = (node) => graph.results.of(node).filter((i) => nodesOf(columns.systems[i]).includes(node));
  const [ofA, ofB] = [a, b].map((node) => grouped(own(node), (i) => columns.measure[i]));
  const all = [...new Set([...ofA.keys(), ...ofB.keys()])];
  all.sort((m, n) => Number(ofB.has(n) && ofA.has(n)) - Number(ofB.has(m) && ofA.has(m)) || m - n);
  const rows = all.map((measure) => {
    const on = textsOf(measures.on[measure]).join(", ");
    const found = [ofA, ofB].map((of) => of.get(measure) ?? []);
    const values = found.map((results) => results.map((i) => columns.label[i]).join(", ") || "–");
    return { cells: [measures.title[measure] + (on ? ` on ${on}` : ""), ...values], evidence: statements("result", found.flat()) };
  });
  return answerTable("Reported results", ["Measure", ...names], rows, "No abstract reports a result of either.");
}
