"""The graph as an igraph view: the nodes and edges of the node-link format, in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citekg.exports.graphs.node_link import Record, edges, nodes
from citekg.schemas.errors import MissingPackage
from citekg.schemas.graph import KnowledgeGraph

if TYPE_CHECKING:
    import igraph


def to_igraph(graph: KnowledgeGraph) -> igraph.Graph:
    """Return a directed igraph graph with the nodes, edges and attributes of the networkx view.

    The `name` of a vertex is its node id, such as `e-grpo`; its `label` is the name or title.
    Raises `MissingPackage` without igraph.
    """
    try:
        import igraph
    except ImportError as error:
        raise MissingPackage("to_igraph", "igraph", "igraph") from error

    vertices = [{**node, "name": node["id"]} for node in nodes(graph)]
    number = {vertex["name"]: at for at, vertex in enumerate(vertices)}
    arcs = list(edges(graph))
    return igraph.Graph(
        n=len(vertices),
        edges=[(number[arc["source"]], number[arc["target"]]) for arc in arcs],
        directed=True,
        vertex_attrs=_columns(vertices, exclude=("id",)),
        edge_attrs=_columns(arcs, exclude=("source", "target")),
    )


def _columns(records: list[Record], exclude: tuple[str, ...]) -> dict[str, list[object]]:
    """Return a list of values for each field, with None for records without it."""
    fields = dict.fromkeys(field for record in records for field in record if field not in exclude)
    return {field: [record.get(field) for record in records] for field in fields}
