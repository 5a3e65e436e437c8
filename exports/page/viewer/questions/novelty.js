/* What is new since a date, or since an earlier graph. */

/** Return the dates from which one can ask, newest first: months, or years where papers have no months. @param {Graph} graph */
function datesOf(graph) {
  const dates = corpusPapers(graph).map((paper) => graph.dateOf(paper).slice(0, 7));
  return [...new Set(dates.filter(Boolean))].sort().reverse();
}

/**
 * Answer what is new since a date: papers of this date or later, and entities that no earlier or undated paper names. A
 * paper of whose date only the year is known counts from the first of January.
 * @param {Graph} graph
 * @param {string} date `YYYY`, `YYYY-MM` or `YYYY-MM-DD`
 * @returns {Answer}
 */
function newSince(graph, date) {
  const papers = corpusPapers(graph).filter((paper) => date && graph.dateOf(paper) >= date);
  const isNew = new Set(papers);
  const entities = shownEntities(graph).filter((entity) => {
    const naming = [...graph.mentionPartners(entity)];
    return naming.length > 0 && naming.every((paper) => isNew.has(paper));
  });
  const results = papers.flatMap((paper) => graph.results.of(paper));
  const isDated = datesOf(graph).length > 0;
  const none = isDated ? "" : "Its papers have no dates.";
  return novelties(graph, `What is new since ${date}?`, { papers, entities, results }, none);
}

/**
 * Answer what a graph has that an earlier graph lacks; the page was written with this difference.
 * @param {Graph} graph
 * @returns {Answer}
 */
function newSinceEarlier(graph) {
  const { earlier, papers, entities, results } = graph.additions ?? { earlier: "", papers: [], entities: [], results: [] };
  const shown = {
    papers: papers.filter((paper) => !graph.hidden[paper]),
    entities: entities.filter((entity) => !graph.hidden[entity]),
    results: results.filter((i) => graph.results.isShown(i)),
  };
  return novelties(graph, `What is new since ${earlier}?`, shown, "");
}

/**
 * @param {Graph} graph
 * @param {string} title
 * @param {{ papers: number[], entities: number[], results: number[] }} found
 * @param {string} none
 * @returns {Answer}
 */
function novelties(graph, title, { papers, entities, results }, none) {
  const { columns, measures } = graph.results;
  const counts = graph.mentionCounts;
  const newest = [...papers].sort(byDate(graph));
  const frequent = [...entities].sort((a, b) => counts[b] - counts[a] || a - b);
  return {
    title,
    subjects: [],
    note: "New papers, the names that no earlier paper has, and the results that the new papers report.",
    tables: [
      answerTable(
        "New papers",
        ["Paper", "Introduces", "Date"],
        newest.map((paper) => {
          const own = entitiesIn(graph, paper, isIntroducing);
          return {
            cells: [{ nodes: [paper] }, { nodes: [...own.keys()] }, graph.dateOf(paper)],
            evidence: statements("relation", [...own.values()].flat()),
          };
        }),
        none,
      ),
      answerTable(
        "New names",
        ["Name", "Type", "Papers"],
        frequent.map((entity) => ({
          cells: [{ nodes: [entity] }, graph.typeLabel(entity), counts[entity]],
          evidence: statements("relation", relationsIn(graph, entity, () => true).filter((i) => !graph.isImplied(i))),
        })),
        none,
      ),
      answerTable(
        "New results",
        ["Value", "Measure", "Paper"],
        results.map((i) => ({
          cells: [columns.label[i], measures.title[columns.measure[i]], { nodes: [columns.paper[i]] }],
          evidence: statements("result", [i]),
        })),
        none,
      ),
    ],
  };
}
