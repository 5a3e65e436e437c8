/* What extends an entity, and what replaced it. */

/**
 * Answer what extends an entity: the papers that say so, each with what it introduces.
 * @param {Graph} graph
 * @param {number} node
 * @returns {Answer}
 */
function extensionsOf(graph, node) {
  const name = graph.label[node];
  const { from, confidence } = graph.relations;
  const claims = relationsIn(graph, node, isExtending);
  const newest = byDate(graph);
  claims.sort((a, b) => newest(from[a], from[b]) || confidence[b] - confidence[a]);
  const rows = claims.map((i) => {
    const own = newEntities(graph, from[i], node);
    /** @type {AnswerCell[]} */
    const cells = [{ nodes: [...own.keys()] }, { nodes: [from[i]] }, graph.dateOf(from[i])];
    return { cells, evidence: statements("relation", [i, ...[...own.values()].flat()]) };
  });
  const none = `No paper says that it extends ${name}.`;
  const tables = [answerTable("Extensions", ["New", "Paper", "Date"], rows, none)];
  const variants = variantRows(graph, node);
  if (variants.length) tables.push(answerTable("Variants by name", ["Variant", "Introduced by"], variants, ""));
  return {
    title: `What extends ${name}?`,
    subjects: [node],
    note: "Papers that extend it, with the new names that they introduce; then entities whose names mark them as variants.",
    tables,
  };
}

/**
 * Return a row for each variant of an entity, with the papers that introduce it.
 * @param {Graph} graph
 * @param {number} node
 */
function variantRows(graph, node) {
  return graph.variantsOf(node).map((variant) => {
    const papers = grouped(relationsIn(graph, variant, isIntroducing), (i) => graph.relations.from[i]);
    const all = relationsIn(graph, variant, () => true).filter((i) => !graph.isImplied(i));
    const introductions = [...papers.values()].flat();
    return {
      cells: [{ nodes: [variant] }, papers.size ? { nodes: [...papers.keys()] } : ""],
      evidence: statements("relation", introductions.length ? introductions : all),
    };
  });
}

/**
 * Map the entities that a paper introduces, of the same sort as another (systems or data), to the relations that say so.
 * @param {Graph} graph
 * @param {number} paper
 * @param {number} other
 */
function newEntities(graph, paper, other) {
  const introduced = [...entitiesIn(graph, paper, isIntroducing)];
  return new Map(introduced.filter(([entity]) => entity !== other && isData(graph, entity) === isData(graph, other)));
}

/**
 * Answer what an entity was replaced by: what papers introduce that extend it and compare with it, or use it and claim
 * to outperform it. The named query `replacements` has the same rule.
 * @param {Graph} graph
 * @param {number} node
 * @returns {Answer}
 */
function replacementsOf(graph, node) {
  const { from } = graph.relations;
  const name = graph.label[node];
  const groups = grouped(relationsIn(graph, node, (role) => !isIntroducing(role)), (i) => from[i]);
  /** @type {AnswerRow[]} */
  const rows = [];
  for (const paper of [...groups.keys()].sort(byDate(graph))) {
    const claims = groups.get(paper) ?? [];
    const ground = replacingGround(claims.map((i) => graph.roles[graph.relations.label[i]]));
    const own = [...entitiesIn(graph, paper, isIntroducing)].filter(
      ([entity]) => entity !== node && graph.type[entity] === graph.type[node],
    );
    if (!ground || !own.length) continue;
    rows.push({
      cells: [{ nodes: own.map(([entity]) => entity) }, ground, { nodes: [paper] }, graph.dateOf(paper)],
      evidence: statements("relation", [...claims, ...own.flatMap(([, relations]) => relations)]),
    });
  }
  const none = `No paper introduces something that extends ${name} and compares with it, or uses and outperforms it.`;
  return {
    title: `What was ${name} replaced by?`,
    subjects: [node],
    note: "What papers introduce that extend it and compare with it, or use it and claim to outperform it.",
    tables: [answerTable("Replacements", ["New", "Claim", "Paper", "Date"], rows, none)],
  };
}

/** Return in words why a paper with these roles replaces an entity, or "". @param {RoleInfo[]} roles */
function replacingGround(roles) {
  const [isExtended, isCompared, isOutperformed] = [isExtending, isComparing, isOutperforming].map((is) =>
    roles.some(is),
  );
  if (isExtended && isOutperformed) return "extends and outperforms it";
  if (isExtended && isCompared) return "extends it and compares with it";
  if (isOutperformed && roles.some((role) => role.name === "uses")) return "uses and outperforms it";
  return "";
}
