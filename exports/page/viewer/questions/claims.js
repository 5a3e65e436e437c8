/* What the answers to questions count: claims by role, and the parts of an answer. */

const NONE = "None in this corpus."; // the start of an answer without rows

/** Return whether entities of a node's type are data: benchmarks or datasets. @param {Graph} graph @param {number} node */
function isData(graph, node) {
  return graph.types[graph.type[node]]?.data === true;
}

/**
 * Return the relations of a node in some roles, without introductions that only the curated list knows.
 * @param {Graph} graph
 * @param {number} node
 * @param {(role: RoleInfo) => boolean} fits
 */
function relationsIn(graph, node, fits) {
  const { label, known } = graph.relations;
  return Array.from(graph.relationsOf.of(node)).filter((i) => !known[i] && fits(graph.roles[label[i]]));
}

/** @param {RoleInfo} role */
function isIntroducing(role) {
  return role.name === "introduces";
}

/** @param {RoleInfo} role */
function isExtending(role) {
  return role.name === "extends";
}

/** @param {RoleInfo} role */
function isOutperforming(role) {
  return role.name === "outperforms";
}

/** @param {RoleInfo} role */
function isComparing(role) {
  return role.name === "comparesTo" || isOutperforming(role);
}

/** Whether a paper with this role takes an entity up in its own work. @param {RoleInfo} role */
function isUsing(role) {
  return role.use && !isIntroducing(role);
}

/** @param {Graph} graph @returns {number[]} the papers of the corpus that are not hidden */
function corpusPapers(graph) {
  const papers = Array.from({ length: graph.size - graph.entityCount }, (_, i) => graph.entityCount + i);
  return papers.filter((paper) => !graph.isStub(paper) && !graph.hidden[paper]);
}

/** @param {Graph} graph @returns {number[]} the entities that are not hidden */
function shownEntities(graph) {
  return Array.from({ length: graph.entityCount }, (_, i) => i).filter((entity) => !graph.hidden[entity]);
}

/**
 * Return which entities a corpus paper introduces, extends and so on, each with the relations that say so.
 * @param {Graph} graph
 * @param {number} paper
 * @param {(role: RoleInfo) => boolean} fits
 */
function entitiesIn(graph, paper, fits) {
  return grouped(relationsIn(graph, paper, fits), (i) => graph.relations.to[i]);
}

/**
 * Group items by a key, in the order of their first appearance.
 * @template Item
 * @template Key
 * @param {Iterable<Item>} items
 * @param {(item: Item) => Key} key
 */
function grouped(items, key) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** @param {"relation" | "link" | "result" | "citation"} set @param {Iterable<number>} numbers @returns {Statement[]} */
function statements(set, numbers) {
  return Array.from(new Set(numbers), (i) => ({ set, i }));
}

/** Compare papers or entities by date, newest first, undated last. @param {Graph} graph */
function byDate(graph) {
  /** @param {number} a @param {number} b */
  return (a, b) => graph.dateOf(b).localeCompare(graph.dateOf(a)) || a - b;
}

/**
 * Return a table of an answer, without columns that are empty in all rows; `none` says what is missing without rows.
 * @param {string} title
 * @param {string[]} headings
 * @param {AnswerRow[]} rows
 * @param {string} none
 * @returns {AnswerTable}
 */
function answerTable(title, headings, rows, none) {
  const isFilled = headings.map((_heading, i) => rows.some(({ cells }) => cells[i] !== ""));
  return {
    title,
    headings: headings.filter((_heading, i) => isFilled[i]),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_cell, i) => isFilled[i]) })),
    none: `${NONE} ${none}`.trim(),
  };
}
