/* The part of a big graph that the page opens on. */

/**
 * Of what passes the filters, the best connected part of so many nodes, as a mask: two entities for three papers, more
 * of the one where there are fewer of the other; `wanted` nodes and their neighbours come besides.
 */
function core(shown, many, wanted) {
  const { graph, passing, papers, relation } = shown;
  const { from, to, count: relations } = graph.relations;
  const part = new Uint8Array(graph.size);
  const nodes = Array.from(passing.keys()).filter((node) => passing[node]);
  const entities = nodes.filter((node) => !graph.isPaper(node));
  const room = Math.max(Math.round(many * 0.4), many - (nodes.length - entities.length));
  entities.sort((a, b) => papers[b] - papers[a] || a - b);
  for (const entity of entities.slice(0, room)) part[entity] = 1;
  const inside = new Int32Array(graph.size);
  for (let i = 0; i < relations; i++) inside[from[i]] += relation[i] && part[to[i]];
  const ranked = nodes.filter((node) => graph.isPaper(node)).sort((a, b) => inside[b] - inside[a] || a - b);
  for (const paper of ranked.slice(0, many - Math.min(room, entities.length))) part[paper] = 1;
  for (const node of wanted) admitWithNeighbours(graph, part, node);
  return part.map((on, node) => on & passing[node]);
}

function admitWithNeighbours(graph, part, node) {
  part[node] = 1;
  const { from, to } = graph.relations;
  for (const i of graph.relationsOf.of(node)) part[from[i]] = part[to[i]] = 1;
  for (const i of graph.linksOf.of(node)) part[graph.links.from[i]] = part[graph.links.to[i]] = 1;
  for (const i of graph.citationsOf.of(node)) part[graph.citations.from[i]] = part[graph.citations.to[i]] = 1;
}
