/* What papers of the corpus introduce, and other papers use. */

/**
 * Answer what the corpus introduces and others of its papers use in their own work, most users first. The links between
 * papers say so.
 * @param {Graph} graph
 * @returns {Answer}
 */
function introducedAndUsed(graph) {
  const { from, to, via, label, count } = graph.links;
  const links = Array.from({ length: count }, (_, i) => i).filter(
    (i) => graph.kinds[label[i]].use && !graph.isStub(to[i]) && from[i] !== to[i] && !graph.hidden[via[i]],
  );
  const users = [...grouped(links, (i) => via[i])].map(([entity, mine]) => ({
    entity,
    mine,
    papers: new Set(mine.map((i) => from[i])),
  }));
  users.sort((a, b) => b.papers.size - a.papers.size || a.entity - b.entity);
  const rows = users.map(({ entity, mine, papers }) => ({
    cells: [{ nodes: [entity] }, graph.typeLabel(entity), { nodes: [...new Set(mine.map((i) => to[i]))] }, papers.size],
    evidence: statements("link", mine),
  }));
  const headings = ["Name", "Type", "Introduced by", "Used by papers"];
  const none = "No paper uses what another paper of the corpus introduced.";
  return {
    title: "What was introduced here and is used by others?",
    subjects: [],
    note: "Names that a paper of this corpus introduced, and other papers of this corpus extend, use, train on or evaluate on.",
    tables: [answerTable("Introduced here", headings, rows, none)],
  };
}
