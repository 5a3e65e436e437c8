/* What the grid counts: papers that give two entities certain roles, or results of one on the other. */

const RESULTS = "results"; // the kind of count of reported results, instead of papers

/**
 * Return the papers that give two entities certain roles, with these relations; an empty role stands for any.
 * @param {Graph} graph
 * @param {number} row
 * @param {number} column
 * @param {string} rowRole
 * @param {string} columnRole
 */
function papersWithRoles(graph, row, column, rowRole, columnRole) {
  const { from, label } = graph.relations;
  const [first, second] = [
    [row, rowRole],
    [column, columnRole],
  ].map(([node, role]) => {
    const relations = relationsIn(graph, Number(node), () => true).filter((i) => hasRole(graph, label[i], String(role)));
    return grouped(relations, (i) => from[i]);
  });
  const shared = [...first.keys()].filter((paper) => second.has(paper));
  return new Map(shared.map((paper) => [paper, [...(first.get(paper) ?? []), ...(second.get(paper) ?? [])]]));
}

/** Whether a role is another one or narrower; an empty name stands for any role. @param {Graph} graph @param {number} role @param {string} name */
function hasRole(graph, role, name) {
  return !name || graph.roles[role].name === name || graph.roles[role].parent === name;
}

/** Return the results of one entity on the other, in either order. @param {Graph} graph @param {number} system @param {number} data */
function resultsOn(graph, system, data) {
  const { on, systems } = graph.results.columns;
  /** @param {number} i @param {number} a @param {number} b */
  const joins = (i, a, b) => on[i].includes(a) && nodesOf(systems[i]).includes(b);
  return graph.results.of(data).filter((i) => joins(i, data, system) || joins(i, system, data));
}

/**
 * Answer what is behind a number of the grid.
 * @param {Graph} graph
 * @param {number} row
 * @param {number} column
 * @param {string} rowRole
 * @param {string} columnRole
 * @param {string} kind papers or results
 * @returns {Answer}
 */
function behindCell(graph, row, column, rowRole, columnRole, kind) {
  const name = `${graph.label[row]} and ${graph.label[column]}`;
  const answer = { title: name, subjects: [row, column], note: "Over all papers of this page, regardless of the filters." };
  if (kind === RESULTS) {
    const { columns, measures } = graph.results;
    const rows = resultsOn(graph, row, column).map((i) => ({
      cells: [columns.label[i], measures.title[columns.measure[i]], { nodes: [columns.paper[i]] }],
      evidence: statements("result", [i]),
    }));
    return { ...answer, tables: [answerTable("Reported results", ["Value", "Measure", "Paper"], rows, "")] };
  }
  const papers = papersWithRoles(graph, row, column, rowRole, columnRole);
  /** @param {number} paper @param {number} node */
  const rolesOf = (paper, node) => {
    const { to, label } = graph.relations;
    const relations = (papers.get(paper) ?? []).filter((i) => to[i] === node && !graph.isImplied(i));
    return relations.map((i) => graph.roles[label[i]].label).join(", ");
  };
  const rows = [...papers.keys()].sort(byDate(graph)).map((paper) => ({
    cells: [{ nodes: [paper] }, rolesOf(paper, row), rolesOf(paper, column), graph.dateOf(paper)],
    evidence: statements("relation", (papers.get(paper) ?? []).filter((i) => !graph.isImplied(i))),
  }));
  const headings = ["Paper", ...[row, column].map((node) => truncated(graph.label[node], 24)), "Date"];
  return { ...answer, tables: [answerTable("Papers", headings, rows, "")] };
}
