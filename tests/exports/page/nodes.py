"""The nodes of the page with their positions, and its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citekg.exports.page.page_data import edge_columns, node_records
from citekg.exports.page.positions import started_positions

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph


def nodes_and_edges(
    graph: KnowledgeGraph,
) -> tuple[list[dict[str, Any]], dict[str, dict[str, list[Any]]]]:
    """Return the nodes with their positions, and the columns of the edges of each kind."""
    nodes = node_records(graph)
    with started_positions(graph) as place:
        place(nodes)
    return nodes, edge_columns(graph)
