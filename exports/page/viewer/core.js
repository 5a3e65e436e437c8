/* The initial excerpt of a large graph. */

/**
 * Return a mask of the best connected nodes that pass the filters: `count` nodes, two entities for every three papers
 * (more of one kind if there are too few of the other), plus the `wanted` nodes and their neighbours.
 * @param {VisibleGraph} shown
 * @param {number} count
 * @param {number[]} wanted
 */
function core(shown, count, wanted) {
  const { graph, passing, papers, relation } = shown;
  const { from, to, count: relations } = graph.relations;
  const part = new Uint8Array(graph.size);
  const nodes = Array.from(passing.keys()).filter((node) => passing[node]);
  const entities = nodes.filter((node) => !graph.isPaper(node));
  const entityLimit = Math.max(Math.round(count * 0.4), count - (nodes.length - entities.length));
  entities.sort((a, b) => papers[b] - papers[a] || a - b);
  for (const entity of entities.slice(0, entityLimit)) part[entity] = 1;
  const relationCounts = new Int32Array(graph.size);
  for (let i = 0; i < relations; i++) relationCounts[from[i]] += relation[i] && part[to[i]];
  const ranked = nodes
    .filter((node) => graph.isPaper(node))
    .sort((a, b) => relationCounts[b] - relationCounts[a] || a - b);
  for (const paper of ranked.slice(0, count - Math.min(entityLimit, entities.length))) part[paper] = 1;
  for (const node of wanted) addWithNeighbours(graph, part, node);
  return part.map((on, node) => on & passing[node]);
}

/** @param {Graph} graph @param {Uint8Array} part @param {number} node */
function addWithNeighbours(graph, part, node) {
  part[node] = 1;
  const { from, to } = graph.relations;
  for (const i of graph.relationsOf.of(node)) part[from[i]] = part[to[i]] = 1;
  for (const i of graph.linksOf.of(node)) part[graph.links.from[i]] = part[graph.links.to[i]] = 1;
  for (const i of graph.citationsOf.of(node)) part[graph.citations.from[i]] = part[graph.citations.to[i]] = 1;
}
