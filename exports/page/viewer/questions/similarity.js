/* Papers like a given one, what they build on, and what builds on them. */

const SIMILAR = 12; // papers listed, and the group whose prior and derivative works are counted
const RELATED = 8; // prior and derivative works listed
/** How much an entity says about a paper, by its role there; a role of use that is not listed counts as `uses`. */
const ROLE_WEIGHTS = new Map(
  Object.entries({ introduces: 3, extends: 3, trainsOn: 2, uses: 2, outperforms: 2, evaluatesOn: 1.5, comparesTo: 1.5 }),
);
const MENTION_WEIGHT = 0.5;

/** @param {RoleInfo} role */
function roleWeight(role) {
  return ROLE_WEIGHTS.get(role.name) ?? (role.use ? 2 : MENTION_WEIGHT);
}

/**
 * Return the weight of each entity of a corpus paper: the weight of its strongest role there, times its rarity, the
 * logarithm of the number of papers over the number of papers that mention it.
 * @param {Graph} graph
 * @param {number} paper
 * @param {number} papers
 */
function entityWeights(graph, paper, papers) {
  /** @type {Map<number, { weight: number, relation: number }>} */
  const weights = new Map();
  const { to, label } = graph.relations;
  for (const i of relationsIn(graph, paper, () => true)) {
    const rarity = Math.log(papers / graph.mentionCounts[to[i]]);
    const weight = roleWeight(graph.roles[label[i]]) * rarity;
    if (weight > (weights.get(to[i])?.weight ?? 0)) weights.set(to[i], { weight, relation: i });
  }
  return weights;
}

/**
 * Return the corpus papers that share entities with a paper, most similar first: the weighted Jaccard similarity of
 * their entities, the sum of the smaller weights over the sum of the larger ones.
 * @param {Graph} graph
 * @param {number} paper
 * @returns {SimilarPaper[]}
 */
function similarPapers(graph, paper) {
  const all = corpusPapers(graph).length;
  const own = entityWeights(graph, paper, all);
  const others = new Set([...own.keys()].flatMap((entity) => [...graph.mentionPartners(entity)]));
  others.delete(paper);
  const found = [...others].map((other) => {
    const theirs = entityWeights(graph, other, all);
    const shared = [...own.keys()].filter((entity) => theirs.has(entity));
    /** @param {number} entity */
    const smaller = (entity) => Math.min(own.get(entity)?.weight ?? 0, theirs.get(entity)?.weight ?? 0);
    shared.sort((a, b) => smaller(b) - smaller(a) || a - b);
    const common = sum(shared.map(smaller));
    const total = weightOf(own) + weightOf(theirs) - common;
    const relations = shared.flatMap((entity) => [own, theirs].map((weights) => weights.get(entity)?.relation ?? -1));
    return { paper: other, similarity: total ? common / total : 0, shared, relations };
  });
  return found
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || a.paper - b.paper);
}

/** @param {Map<number, { weight: number }>} weights */
function weightOf(weights) {
  return sum(Array.from(weights.values(), ({ weight }) => weight));
}

/**
 * Answer which papers are like a paper, with their prior and derivative works.
 * @param {Graph} graph
 * @param {number} paper
 * @returns {Answer}
 */
function papersLike(graph, paper) {
  const name = graph.shortName(paper) || truncated(graph.label[paper], 60);
  const similar = similarPapers(graph, paper).slice(0, SIMILAR);
  const group = new Set([paper, ...similar.map((one) => one.paper)]);
  const rows = similar.map((one) => ({
    cells: [{ nodes: [one.paper] }, { nodes: one.shared }, { share: one.similarity }],
    evidence: statements("relation", one.relations),
  }));
  return {
    title: `Which papers are like ${name}?`,
    subjects: [paper],
    note:
      "Similar papers share entities; rare ones, and those that both introduce, extend or use, count more. Prior works " +
      "are what this paper and the similar ones build on or cite, derivative works what builds on or cites them.",
    tables: [
      answerTable("Similar papers", ["Paper", "Shared", "Similar"], rows, "No other paper shares an entity with it."),
      connectedTable(graph, group, "Prior works", "from", "to"),
      connectedTable(graph, group, "Derivative works", "to", "from"),
    ],
  };
}

/**
 * Return the table of the papers outside a group that are connected with most papers of the group, in one direction.
 * @param {Graph} graph
 * @param {Set<number>} group
 * @param {string} title
 * @param {"from" | "to"} here
 * @param {"from" | "to"} there
 */
function connectedTable(graph, group, title, here, there) {
  /** @type {Map<number, { members: Set<number>, evidence: Statement[] }>} */
  const found = new Map();
  /** @param {PairSet} set @param {Incidence} incidence @param {"link" | "citation"} kind */
  const collect = (set, incidence, kind) => {
    for (const member of group) {
      for (const i of incidence.of(member)) {
        const other = set[there][i];
        if (set[here][i] !== member || group.has(other) || graph.hidden[other]) continue;
        const { members, evidence } = found.get(other) ?? { members: new Set(), evidence: [] };
        found.set(other, { members: members.add(member), evidence: [...evidence, ...statements(kind, [i])] });
      }
    }
  };
  collect(graph.links, graph.linksOf, "link");
  collect(graph.citations, graph.citationsOf, "citation");
  const sorted = [...found].sort(([a, m], [b, n]) => n.members.size - m.members.size || a - b).slice(0, RELATED);
  const rows = sorted.map(([other, { members, evidence }]) => ({
    cells: [{ nodes: [other] }, graph.dateOf(other), members.size],
    evidence,
  }));
  const count = here === "from" ? "Built on by" : "Builds on";
  return answerTable(title, ["Paper", "Date", count], rows, "");
}
