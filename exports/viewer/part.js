/* The part of a big graph that the page opens on. */

/** Of a big graph, the best connected core of so many nodes, and whatever else is asked for by name. */
function core(graph, many, wanted) {
  const admitted = new Uint8Array(graph.size);
  const things = Array.from({ length: graph.entityCount }, (_, node) => node);
  things.sort((a, b) => graph.uses[b] - graph.uses[a] || a - b);
  for (const thing of things.slice(0, Math.round(many * 0.4))) admitted[thing] = 1;
  const inside = new Int32Array(graph.size);
  const { from, to, count } = graph.relations;
  for (let i = 0; i < count; i++) inside[from[i]] += admitted[to[i]];
  const papers = Array.from({ length: graph.size - graph.entityCount }, (_, i) => graph.entityCount + i);
  papers.sort((a, b) => inside[b] - inside[a] || a - b);
  for (const paper of papers.slice(0, Math.round(many * 0.6))) admitted[paper] = 1;
  for (const node of wanted) admitWithNeighbours(graph, admitted, node);
  return admitted;
}

function admitWithNeighbours(graph, admitted, node) {
  admitted[node] = 1;
  const { from, to } = graph.relations;
  for (const i of graph.relationsOf.of(node)) admitted[from[i]] = admitted[to[i]] = 1;
  for (const i of graph.linksOf.of(node)) admitted[graph.links.from[i]] = admitted[graph.links.to[i]] = 1;
  for (const i of graph.citationsOf.of(node)) admitted[graph.citations.from[i]] = admitted[graph.citations.to[i]] = 1;
}
