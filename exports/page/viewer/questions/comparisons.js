/* What an entity is compared with most. */

/** The papers that compare two entities, and what they say. */
class Rivalry {
  constructor() {
    this.papers = new Set();
    this.direct = new Set(); // papers that introduce one of the two, or report a result of one against the other
    this.better = new Set(); // papers that claim that the rival is better
    this.worse = new Set();
    /** @type {Statement[]} */
    this.evidence = [];
  }

  /** @param {number} paper @param {Statement[]} evidence @param {boolean} isDirect */
  add(paper, evidence, isDirect) {
    this.papers.add(paper);
    if (isDirect) this.direct.add(paper);
    this.evidence.push(...evidence);
  }
}

/**
 * Map each system that papers compare with an entity to these papers.
 *
 * A paper compares two systems if it introduces one and compares it with the other, if it reports a result of one
 * against the other, or if it compares its own work with both.
 * @param {Graph} graph
 * @param {number} node
 */
function rivalsOf(graph, node) {
  /** @type {Map<number, Rivalry>} */
  const rivals = new Map();
  /** @param {number} other */
  const rivalry = (other) => {
    if (!rivals.has(other)) rivals.set(other, new Rivalry());
    return required(rivals.get(other), "The rival");
  };
  const claims = relationsIn(graph, node, (role) => isIntroducing(role) || isComparing(role));
  for (const paper of new Set(claims.map((i) => graph.relations.from[i]))) {
    const [own, compared] = [entitiesIn(graph, paper, isIntroducing), entitiesIn(graph, paper, isComparing)];
    for (const entity of compared.keys()) own.delete(entity);
    const others = own.has(node) ? compared : new Map([...own, ...compared]);
    for (const [other, relations] of others) {
      if (other === node) continue;
      const mine = own.get(node) ?? compared.get(node) ?? [];
      const found = rivalry(other);
      const claimed = [...mine, ...relations].filter((i) => !graph.isImplied(i));
      found.add(paper, statements("relation", claimed), own.has(node) || own.has(other));
      if (own.has(other) && outperforms(graph, mine)) found.better.add(paper);
      if (own.has(node) && outperforms(graph, relations)) found.worse.add(paper);
    }
  }
  addResults(graph, node, rivalry);
  for (const other of [...rivals.keys()]) if (other === node || isData(graph, other)) rivals.delete(other);
  return rivals;
}

/** @param {Graph} graph @param {number[]} relations */
function outperforms(graph, relations) {
  return relations.some((i) => isOutperforming(graph.roles[graph.relations.label[i]]));
}

/**
 * Add the reported results of an entity against others, and of others against it.
 * @param {Graph} graph
 * @param {number} node
 * @param {(other: number) => Rivalry} rivalry
 */
function addResults(graph, node, rivalry) {
  const { paper, systems, versus } = graph.results.columns;
  /** @param {number[]} results @param {(i: number) => number[]} others */
  const add = (results, others) => {
    for (const i of results) for (const other of others(i)) rivalry(other).add(paper[i], statements("result", [i]), true);
  };
  add(graph.results.against(node), (i) => nodesOf(systems[i]));
  const own = graph.results.of(node).filter((i) => nodesOf(systems[i]).includes(node));
  add(own, (i) => nodesOf(versus[i]));
}

/**
 * Answer what an entity is compared with most: the systems, by the number of papers that compare the two.
 * @param {Graph} graph
 * @param {number} node
 * @returns {Answer}
 */
function comparisonsOf(graph, node) {
  const name = graph.label[node];
  const counts = graph.mentionCounts;
  const rivals = [...rivalsOf(graph, node)].filter(([other]) => !graph.hidden[other]);
  rivals.sort(
    ([a, m], [b, n]) =>
      n.papers.size - m.papers.size || n.direct.size - m.direct.size || counts[b] - counts[a] || a - b,
  );
  const rows = rivals.map(([other, { papers, direct, better, worse, evidence }]) => ({
    cells: [{ nodes: [other] }, papers.size, direct.size, better.size, worse.size],
    evidence,
    beside: [node, other],
  }));
  const short = truncated(graph.shortName(node) || name, 16);
  const headings = ["Compared with", "Papers", "Head to head", "Rival is better", `${short} is better`];
  return {
    title: `What is ${name} compared with most?`,
    subjects: [node],
    note:
      "Papers that compare the two: they introduce one and compare it with the other (head to head), or compare their " +
      "own work with both. The last columns count the papers that introduce one and claim that it is better.",
    tables: [answerTable("Rivals", headings, rows, `No paper compares ${name} with anything.`)],
  };
}
