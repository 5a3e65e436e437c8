/* What to read first on a topic: who introduced it, what its papers build on most, and what is newest. */

const INTRODUCERS = 4;
const FOUNDATIONS = 8;
const NEWEST = 6;

/**
 * Answer what to read first on an entity and its variants.
 * @param {Graph} graph
 * @param {number} node
 * @returns {Answer}
 */
function readingOnEntity(graph, node) {
  const entities = new Set([node]);
  for (const entity of entities) for (const variant of graph.variantsOf(entity)) entities.add(variant);
  const answer = firstReading(graph, [...entities], papersAbout(graph, [...entities]));
  return { ...answer, title: `What to read first on ${graph.label[node]}?`, subjects: [node] };
}

/**
 * Answer what to read first on a topic of the graph, from its papers.
 * @param {Graph} graph
 * @param {number} topic
 * @returns {Answer}
 */
function readingOnTopic(graph, topic) {
  const { of, names } = graph.topics;
  const counts = graph.mentionCounts;
  const others = shownEntities(graph).filter((entity) => of[entity] === topic && !names[topic].includes(entity));
  others.sort((a, b) => counts[b] - counts[a] || a - b);
  const entities = [...names[topic], ...others];
  const relations = entities.flatMap((entity) => relationsIn(graph, entity, () => true));
  const own = relations.filter((i) => of[graph.relations.from[i]] === topic);
  const papers = grouped(own, (i) => graph.relations.from[i]);
  const name = topicNames(graph, topic).join(", ");
  return { ...firstReading(graph, entities, papers), title: `What to read first on ${name}?` };
}

/**
 * @param {Graph} graph
 * @param {number[]} entities most important first
 * @param {Map<number, number[]>} papers the papers on them, each with the relations that show it
 * @returns {Answer}
 */
function firstReading(graph, entities, papers) {
  const introducers = introducersOf(graph, entities, INTRODUCERS);
  const listed = new Set(introducers.map(({ paper }) => paper));
  const foundations = foundationsOf(graph, papers).filter(({ paper }) => !listed.has(paper));
  for (const { paper } of foundations.slice(0, FOUNDATIONS)) listed.add(paper);
  const newest = [...papers.keys()].filter((paper) => graph.dateOf(paper) && !listed.has(paper));
  newest.sort(byDate(graph));
  const isDated = [...papers.keys()].some((paper) => graph.dateOf(paper));
  return {
    title: "What to read first?",
    subjects: [],
    note:
      `Over the ${plural(papers.size, "paper")} of this corpus on it. Of what they build on, papers that many others ` +
      "build on, too, count less.",
    tables: [
      answerTable(
        "Introduced it",
        ["Paper", "Introduced", "Date"],
        introducers.map(({ paper, entity, evidence }) => ({
          cells: [{ nodes: [paper] }, { nodes: [entity] }, graph.dateOf(paper)],
          evidence,
        })),
        "No paper that introduced it is known.",
      ),
      answerTable(
        "Most built on",
        ["Paper", "Built on by", "In the corpus", "Date"],
        foundations.slice(0, FOUNDATIONS).map(({ paper, builders, overall, links }) => ({
          cells: [{ nodes: [paper] }, builders, overall, graph.dateOf(paper)],
          evidence: statements("link", links),
        })),
        "Its papers build on no other paper of this graph.",
      ),
      answerTable(
        "Newest",
        ["Paper", "Date"],
        newest.slice(0, NEWEST).map((paper) => ({
          cells: [{ nodes: [paper] }, graph.dateOf(paper)],
          evidence: statements("relation", papers.get(paper) ?? []),
        })),
        isDated ? "" : "Its papers have no dates.",
      ),
    ],
  };
}

/**
 * Map the corpus papers that introduce, use or compare an entity of a topic to these relations; a mention is not enough.
 * @param {Graph} graph
 * @param {number[]} entities
 */
function papersAbout(graph, entities) {
  const relations = entities.flatMap((entity) =>
    relationsIn(graph, entity, (role) => role.use || isIntroducing(role) || isComparing(role)),
  );
  return grouped(
    relations.filter((i) => !graph.isStub(graph.relations.from[i])),
    (i) => graph.relations.from[i],
  );
}

/**
 * Return the papers that introduced the first entities of a list, each once; those outside the corpus are included.
 * @param {Graph} graph
 * @param {number[]} entities
 * @param {number} limit
 */
function introducersOf(graph, entities, limit) {
  /** @type {Map<number, { paper: number, entity: number, evidence: Statement[] }>} */
  const found = new Map();
  const links = grouped(graph.links.via.keys(), (i) => graph.links.via[i]);
  for (const entity of entities) {
    const linked = new Set((links.get(entity) ?? []).map((i) => graph.links.to[i]));
    for (const { paper, evidence } of introductionsOf(graph, entity, linked)) {
      if (found.size < limit && !found.has(paper)) found.set(paper, { paper, entity, evidence });
    }
  }
  return [...found.values()];
}

/**
 * Return the papers that introduced an entity: those to which links lead through it, or else those that say so.
 * @param {Graph} graph
 * @param {number} entity
 * @param {Set<number>} linked the papers to which links lead through the entity
 */
function introductionsOf(graph, entity, linked) {
  const { from, label, known, confidence } = graph.relations;
  const claims = Array.from(graph.relationsOf.of(entity)).filter((i) => isIntroducing(graph.roles[label[i]]));
  claims.sort((a, b) => known[b] - known[a] || confidence[b] - confidence[a] || a - b);
  const confirmed = claims.filter((i) => linked.has(from[i]));
  return (confirmed.length ? confirmed : claims).map((i) => ({ paper: from[i], evidence: statements("relation", [i]) }));
}

/**
 * Return the papers on which several papers of a set build, best first: the number of builders in the set, times the
 * logarithm of the number of corpus papers over the number of all builders, as in tf-idf.
 * @param {Graph} graph
 * @param {Map<number, number[]>} papers
 */
function foundationsOf(graph, papers) {
  const { from, to, label } = graph.links;
  const links = [...papers.keys()].flatMap((paper) =>
    Array.from(graph.linksOf.of(paper)).filter((i) => from[i] === paper && graph.kinds[label[i]].use),
  );
  const all = corpusPapers(graph).length;
  const found = [...grouped(links, (i) => to[i])].map(([paper, mine]) => {
    const builders = new Set(mine.map((i) => from[i])).size;
    const overall = graph.influence(paper);
    return { paper, builders, overall, links: mine, score: builders * Math.log((all + 1) / overall) };
  });
  return found
    .filter(({ builders }) => builders > 1)
    .sort((a, b) => b.score - a.score || b.builders - a.builders || a.paper - b.paper);
}
