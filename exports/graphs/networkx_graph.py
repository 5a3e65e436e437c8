"""The graph as a networkx view: the nodes and edges of the node-link format, in memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from citekg.exports.graphs.node_link import FORMAT, edges, nodes, result_record
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import DEFAULT

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: KnowledgeGraph) -> nx.MultiDiGraph[str]:
    """Return a multigraph of papers, stubs and entities with keyed edges.

    Edges are relations, introductions, links, citations, families and outperformances. The
    attributes are those of the JSON export, with tuples for lists; the mentions, the results, the
    run, the topics and a vocabulary other than the shipped one are graph attributes.
    """
    import networkx as nx

    view: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        format=FORMAT,
        mentions=[asdict(mention) for mention in graph.mentions],
        results=[result_record(result) for result in graph.results],
        run=asdict(graph.run),
        topics=[asdict(topic) for topic in graph.topics],
    )
    if graph.vocabulary != DEFAULT:
        view.graph["vocabulary"] = asdict(graph.vocabulary)
    for node in nodes(graph):
        view.add_node(node.pop("id"), **node)
    for edge in edges(graph):
        view.add_edge(edge.pop("source"), edge.pop("target"), edge.pop("key"), **edge)
    return view
