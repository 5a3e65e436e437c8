/* Which entities of a type rise and fall: the share of papers that use them, by year. */

const FEWEST = 3; // papers that use an entity whose trend is judged
const SIGNIFICANT = 1.645; // standard errors: chance alone exceeds them in 5 of 100 cases (one-sided)
const TRENDS = 12; // entities listed for each direction
const SPARSE = 10; // papers of a year whose shares mean little, and are not drawn

/**
 * Return the number of dated corpus papers of each year.
 * @param {Graph} graph
 */
function papersByYear(graph) {
  const years = corpusPapers(graph).map((paper) => graph.yearOf(paper));
  const counts = [...grouped(years.filter(Boolean), (year) => year)].map(([year, all]) => [year, all.length]);
  return new Map(/** @type {[number, number][]} */ (counts.sort(([a], [b]) => a - b)));
}

/**
 * Return the first year of the later half: the one that divides the papers most evenly.
 * @param {Map<number, number>} totals
 */
function middleYear(totals) {
  const all = sum(totals.values());
  let [best, smallest, before] = [0, Infinity, 0];
  for (const [year, papers] of totals) {
    const difference = Math.abs(all - 2 * before);
    if (before && difference < smallest) [best, smallest] = [year, difference];
    before += papers;
  }
  return best;
}

/** @param {Iterable<number>} numbers */
function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/**
 * Return by how many standard errors the second of two shares is higher (two-proportion z-test, pooled variance).
 * @param {number} a papers of the first group that have a property
 * @param {number} m all papers of the first group
 * @param {number} b
 * @param {number} n
 */
function zScore(a, m, b, n) {
  const pooled = (a + b) / (m + n);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / m + 1 / n));
  return error > 0 ? (b / n - a / m) / error : 0;
}

/**
 * Return the entities of a type whose share of papers differs between the earlier and the later half of the years.
 * @param {Graph} graph
 * @param {number} type
 * @returns {Trend[]}
 */
function trendsOf(graph, type) {
  const totals = papersByYear(graph);
  const middle = middleYear(totals);
  const halves = [0, 0];
  for (const [year, papers] of totals) halves[Number(year >= middle)] += papers;
  const many = [...totals.keys()].filter((year) => (totals.get(year) ?? 0) >= SPARSE);
  const drawn = new Set(many.length > 1 ? many : totals.keys());
  const { from } = graph.relations;
  return shownEntities(graph)
    .filter((entity) => graph.type[entity] === type)
    .map((entity) => {
      const relations = relationsIn(graph, entity, isUsing).filter((i) => graph.yearOf(from[i]));
      const papers = [...new Set(relations.map((i) => from[i]))];
      const counts = new Map([...totals.keys()].map((year) => [year, 0]));
      for (const paper of papers) counts.set(graph.yearOf(paper), (counts.get(graph.yearOf(paper)) ?? 0) + 1);
      const used = [0, 0];
      for (const [year, count] of counts) used[Number(year >= middle)] += count;
      /** @type {Map<number, number>} */
      const shares = new Map();
      for (const year of drawn) shares.set(year, (counts.get(year) ?? 0) / (totals.get(year) ?? 1));
      const score = middle ? zScore(used[0], halves[0], used[1], halves[1]) : 0;
      return { entity, papers: papers.length, shares, early: used[0] / halves[0], late: used[1] / halves[1], score, relations };
    })
    .filter(({ papers }) => papers >= FEWEST);
}

/**
 * Answer which entities of a type rise and fall.
 * @param {Graph} graph
 * @param {number} type
 * @returns {Answer}
 */
function risingAndFalling(graph, type) {
  const totals = papersByYear(graph);
  const middle = middleYear(totals);
  const years = [...totals.keys()];
  const plural = graph.types[type].plural.toLowerCase();
  const trends = trendsOf(graph, type);
  const [first, last] = [years[0], years[years.length - 1]];
  const spans = [yearSpan(first, years[years.indexOf(middle) - 1]), yearSpan(middle, last)];
  /** @param {string} title @param {number} sign @param {string} none */
  const table = (title, sign, none) => {
    const found = trends.filter(({ score }) => sign * score >= SIGNIFICANT);
    found.sort((a, b) => sign * (b.score - a.score) || b.papers - a.papers || a.entity - b.entity);
    const rows = found.slice(0, TRENDS).map((trend) => ({
      cells: [{ nodes: [trend.entity] }, { share: trend.early }, { share: trend.late }, trend.papers],
      evidence: statements("relation", trend.relations),
      series: trend.shares,
    }));
    return answerTable(title, [capitalised(graph.types[type].label), ...spans, "Papers"], rows, none);
  };
  const isDated = years.length > 1;
  const undated = years.length ? "All its dated papers are of one year." : "Its papers have no dates.";
  /** @param {string} verb */
  const none = (verb) => (isDated ? `No share of at least ${FEWEST} papers ${verb} by more than chance explains.` : undated);
  const tables = [table("Rising", 1, none("rises")), table("Falling", -1, none("falls"))];
  const scope = `Share of the papers of each year that use one, train on it or evaluate on it.`;
  const test = `Listed are those whose shares before ${middle} and since differ by more than chance explains (two-proportion z-test, 5 %).`;
  return {
    title: `Which ${plural} rise and fall?`,
    subjects: [],
    note: isDated ? `${scope} ${test}` : scope,
    tables: isDated ? tables : tables.slice(0, 1),
  };
}

/** @param {number} first @param {number} last */
function yearSpan(first, last) {
  return first === last ? String(first) : `${first}–${last}`;
}
