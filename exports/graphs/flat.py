"""Nodes and edges with scalar attributes, for formats whose attributes cannot be lists.

The fields are those of the networkx view, with counts, years and weights as numbers. A list becomes
a text, joined by `; `. Empty values are left out, and so is `tentative` where it is false. An edge
also has its first sentence of evidence. A projection has only papers or only entities as nodes, and
one weighted edge per pair.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, Final, Literal

from citekg.exports.graphs.node_link import (
    FAMILY,
    OUTPERFORMANCE,
    REFERENCE,
    Record,
    edges,
    entity_node,
    nodes,
    paper_node,
)
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import NodeSet
from citekg.schemas.vocabulary import INTRODUCES, LINKS, OUTPERFORMS

FlatRecord = dict[str, str | float]
Kind = Literal["text", "integer", "number", "yes"]

_TEXT: Final[Kind] = "text"
#: The fields of nodes except `id`, with the kinds of their values. `papers` is the number of papers
#: that name an entity, `used` the number of those that use it.
NODE_FIELDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("kind", "label", "type", "date"), _TEXT),
    "year": "integer",
    "papers": "integer",
    "used": "integer",
    **dict.fromkeys(
        ("authors", "venue", "url", "arxiv_id", "doi", "links", "references", "abstract", "aliases",
        "types", "family", "hidden_names",
         "paper", "entity", "sources"),
        _TEXT,
    ),
}  # fmt: skip
#: The fields of edges except `id`, `source` and `target`.
EDGE_FIELDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("kind", "label", "role", "link", "entity"), _TEXT),
    "confidence": "number",
    "tentative": "yes",
    "weight": "number",
    **dict.fromkeys(("sentence", "evidence", "metric", "on", "margin", "result"), _TEXT),
}
_LABELS: Final = {
    "introduction": INTRODUCES,
    "citation": REFERENCE,
    "family": FAMILY,
    OUTPERFORMANCE: OUTPERFORMS,
}
_YEAR: Final = re.compile(r"[0-9]{4}(?![0-9])")
_NODE_KINDS: Final[dict[NodeSet, frozenset[str]]] = {
    "all": frozenset({"paper", "stub", "entity"}),
    "papers": frozenset({"paper", "stub"}),
    "entities": frozenset({"entity"}),
}


def flat_nodes(graph: KnowledgeGraph, shown: NodeSet = "all") -> Iterator[FlatRecord]:
    """Yield the nodes of a projection: `id` and the non-empty `NODE_FIELDS`."""
    for node in nodes(graph):
        if node["kind"] in _NODE_KINDS[shown]:
            yield {"id": node["id"], **_flat_fields({**node, **_numbers(graph, node)}, NODE_FIELDS)}


def _numbers(graph: KnowledgeGraph, node: Record) -> FlatRecord:
    """Return the year of a paper, or the number of papers that name and use an entity."""
    if node["kind"] == "entity":
        usage = graph.usage[node["entity"]]
        return {"papers": len(usage.named), "used": len(usage.used)}
    year = _YEAR.match(node["date"])
    return {"year": int(year[0])} if year else {}


def flat_edges(graph: KnowledgeGraph, shown: NodeSet = "all") -> Iterator[FlatRecord]:
    """Yield the edges of a projection: `id`, `source`, `target` and the non-empty `EDGE_FIELDS`.

    Without projection they are relations, introductions, links, citations, families and
    outperformances, and `weight` is the confidence, 1 by default. See `_citation_edges` and
    `_co_mention_edges` for the projections.
    """
    for number, edge in enumerate(_EDGES[shown](graph)):
        ends = {"id": f"edge{number}", "source": edge["source"], "target": edge["target"]}
        yield {**ends, **_flat_fields(edge, EDGE_FIELDS)}


def _all_edges(graph: KnowledgeGraph) -> Iterator[Record]:
    for edge in edges(graph):
        label = edge.get("role") or edge.get("link") or _LABELS[edge["kind"]]
        sentence = (
            graph.sentence(graph.result_by_id[edge["result"]])
            if edge["kind"] == OUTPERFORMANCE
            else first_sentence(graph, edge.get("evidence", ()))
        )
        yield {**edge, "label": label, "weight": edge.get("confidence", 1.0), "sentence": sentence}


def _citation_edges(graph: KnowledgeGraph) -> Iterator[Record]:
    """Yield one edge from a paper to each paper that it links to or cites in its references.

    The label is the strongest kind of link; `weight` is the number of entities behind the links,
    plus one for a citation.
    """
    strength = [*LINKS, REFERENCE]
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for link in graph.links:
        found[link.citing, link.cited].append((link.kind, link.entity))
    for citation in graph.citations:
        found[citation.citing, citation.cited].append((REFERENCE, ""))
    for (citing, cited), reasons in sorted(found.items()):
        label = min((kind for kind, _ in reasons), key=strength.index)
        weight = float(len({entity for _, entity in reasons}))
        ends = {"source": paper_node(citing), "target": paper_node(cited)}
        yield {**ends, "kind": "citing", "label": label, "weight": weight}


def _co_mention_edges(graph: KnowledgeGraph) -> Iterator[Record]:
    """Yield one edge for two entities that the same papers name; `weight` is their number."""
    named: dict[str, list[str]] = defaultdict(list)
    for entity, usage in sorted(graph.usage.items()):
        for paper in usage.named:
            named[paper].append(entity)
    weights: dict[tuple[str, str], int] = defaultdict(int)
    for entities in named.values():
        for pair in combinations(entities, 2):
            weights[pair] += 1
    for (one, other), weight in sorted(weights.items()):
        ends = {"source": entity_node(one), "target": entity_node(other)}
        yield {**ends, "kind": "together", "label": "named together", "weight": float(weight)}


_EDGES: Final[dict[NodeSet, Callable[[KnowledgeGraph], Iterator[Record]]]] = {
    "all": _all_edges,
    "papers": _citation_edges,
    "entities": _co_mention_edges,
}


def first_sentence(graph: KnowledgeGraph, evidence: tuple[str, ...]) -> str:
    """Return the sentence of the first mention in the evidence; empty without evidence."""
    return graph.sentence(graph.mention_by_id[evidence[0]]) if evidence else ""


def _flat_fields(record: Record, fields: Iterable[str]) -> FlatRecord:
    values = {field: flat_value(record[field]) for field in fields if field in record}
    return {field: value for field, value in values.items() if value != "" and value is not False}


def flat_value(value: Any, separator: str = "; ") -> Any:
    """Return a list as a text, a source as `name:line`, and any other value unchanged."""
    if isinstance(value, dict):
        return f"{value['name']}:{value['line']}" if value["line"] else value["name"]
    if isinstance(value, (tuple, list)):
        return separator.join(str(flat_value(part, " ")) for part in value)
    return value
