"""Nodes and edges with one plain value a field, for programs whose attributes are no lists.

The fields are those of the networkx view. A list becomes one text, joined by `; `; what is empty is left out. An edge
also carries the first sentence that proves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from exports.node_link import FAMILY, REFERENCE, Record, edges, nodes
from schemas.graph import KnowledgeGraph
from schemas.records import Mention
from schemas.vocabulary import INTRODUCES

Plain = dict[str, str | float]

#: The fields of nodes and of edges beside `id`, `source` and `target`; all are texts but for `confidence`.
NODE_FIELDS: Final = (
    "kind", "label", "type", "date", "authors", "venue", "url", "arxiv_id", "doi", "links", "references", "abstract",
    "aliases", "types", "family", "paper", "entity", "sources",
)  # fmt: skip
EDGE_FIELDS: Final = ("kind", "label", "role", "link", "entity", "confidence", "sentence", "evidence")

_LABELS: Final = {"introduction": INTRODUCES, "citation": REFERENCE, "family": FAMILY}


def flat_nodes(graph: KnowledgeGraph) -> Iterator[Plain]:
    """Papers, stubs and entities: `id` and those of `NODE_FIELDS` that say something."""
    for node in nodes(graph):
        yield {"id": node["id"], **_told(node, NODE_FIELDS)}


def flat_edges(graph: KnowledgeGraph) -> Iterator[Plain]:
    """Relations, introductions, links, citations and families: `id`, `source`, `target` and what `EDGE_FIELDS` say."""
    for number, edge in enumerate(edges(graph)):
        ends = {"id": f"edge{number}", "source": edge["source"], "target": edge["target"]}
        label = edge.get("role") or edge.get("link") or _LABELS[edge["kind"]]
        told = {**edge, "label": label, "sentence": _first_sentence(graph, edge.get("evidence", ()))}
        yield {**ends, **_told(told, EDGE_FIELDS)}


def sentence_of(graph: KnowledgeGraph, mention: Mention) -> str:
    """The sentence that the mention stands in."""
    start, end = mention.sentence
    return graph.paper_by_id[mention.paper].text[start:end]


def _first_sentence(graph: KnowledgeGraph, evidence: tuple[str, ...]) -> str:
    return sentence_of(graph, graph.mention_by_id[evidence[0]]) if evidence else ""


def _told(record: Record, fields: tuple[str, ...]) -> Plain:
    values = {field: joined(record[field]) for field in fields if field in record}
    return {field: value for field, value in values.items() if value != ""}


def joined(value: Any, between: str = "; ") -> Any:
    """A list as one text, a source as `name:line`, any other value as it is."""
    if isinstance(value, dict):
        return f"{value['name']}:{value['line']}" if value["line"] else value["name"]
    if isinstance(value, (tuple, list)):
        return between.join(str(joined(part, " ")) for part in value)
    return value
