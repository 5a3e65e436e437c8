"""The shortest paths between two entities or papers, over roles and families.

Links between papers add no edge: each derives from the roles of its two papers for one entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from citekg.graph.lookup import find_any
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Evidence, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES, MENTIONS

if TYPE_CHECKING:
    import networkx as nx

_Node = tuple[str, str]
#: The cost of an edge: a role, a mere mention, and a variant of a family.
_ROLE_COST: Final = 1.0
_MENTION_COST: Final = 2.5
_FAMILY_COST: Final = 0.5


@dataclass(frozen=True)
class Step:
    """One edge of a path: two names, the label of the edge, and its evidence.

    `forward` is false if the path follows the edge against its direction. `confidence` is `None` if
    no text states the edge.
    """

    start: str
    words: str
    end: str
    forward: bool
    evidence: tuple[Evidence, ...]
    confidence: float | None = None


def paths(
    graph: KnowledgeGraph,
    one: Entity | Paper | str,
    other: Entity | Paper | str,
    count: int = 1,
    min_confidence: float = 0.0,
) -> list[tuple[Step, ...]]:
    """Return at most `count` shortest paths between two entities or papers, shortest first.

    A text is looked up by `find_any`. The paths use relations of at least `min_confidence`. The
    list is empty if there is no path. Raises `UnknownName`.
    """
    import networkx as nx

    ends = _node(graph, one), _node(graph, other)
    net = _network(graph, min_confidence)
    try:
        found = islice(nx.shortest_simple_paths(net, *ends, weight="cost"), count)
        return [tuple(_step(graph, net, a, b) for a, b in pairwise(path)) for path in found]
    except nx.NetworkXNoPath:
        return []


def _node(graph: KnowledgeGraph, given: Entity | Paper | str) -> _Node:
    found = find_any(graph, given) if isinstance(given, str) else given
    return ("paper" if isinstance(found, Paper) else "entity"), found.id


def _network(graph: KnowledgeGraph, min_confidence: float) -> nx.Graph[_Node]:
    """Return the network of all edges, with the cheapest edge between two nodes.

    The result does not depend on the order of the records.
    """
    import networkx as nx

    net: nx.Graph[_Node] = nx.Graph()
    net.add_nodes_from(("entity", e.id) for e in graph.entities)
    net.add_nodes_from(("paper", paper) for paper in graph.cited_by_id)
    for start, end, cost, words, claim in sorted(_edges(graph), key=lambda e: e[:4]):
        confident = claim is None or graph.confidence(claim) >= min_confidence
        if confident and not net.has_edge(start, end):
            net.add_edge(start, end, cost=cost, words=words, claim=claim, start=start)
    return net


def _edges(graph: KnowledgeGraph) -> Iterable[tuple[_Node, _Node, float, str, Relation | None]]:
    roles = graph.vocabulary.roles
    for r in graph.relations:
        cost = _MENTION_COST if r.role == MENTIONS else _ROLE_COST
        yield (
            ("paper", r.paper),
            ("entity", r.entity),
            cost + 1 - r.confidence,
            roles[r.role].label,
            r,
        )
    read = {(r.paper, r.entity) for r in graph.relations}
    for i in graph.introductions:
        if (i.paper, i.entity) not in read:
            yield (
                ("paper", i.paper),
                ("entity", i.entity),
                _ROLE_COST,
                f"{roles[INTRODUCES].label} (known)",
                None,
            )
    for e in graph.entities:
        if e.family:
            yield ("entity", e.id), ("entity", e.family), _FAMILY_COST, "is a variant of", None


def _step(graph: KnowledgeGraph, net: nx.Graph[_Node], a: _Node, b: _Node) -> Step:
    edge = net.edges[a, b]
    claim: Relation | None = edge["claim"]
    evidence = tuple(graph.evidence(claim)) if claim else ()
    confidence = claim.confidence if claim else None
    return Step(
        _name(graph, a), edge["words"], _name(graph, b), edge["start"] == a, evidence, confidence
    )


def _name(graph: KnowledgeGraph, node: _Node) -> str:
    kind, name = node
    return graph.entity_by_id[name].name if kind == "entity" else graph.cited_by_id[name].title


def as_values(found: Iterable[Iterable[Step]]) -> list[list[dict[str, Any]]]:
    """Return paths as lists of steps, each in the direction of its edge, for `kg path --json`."""
    return [[_values(step) for step in path] for path in found]


def _values(step: Step) -> dict[str, Any]:
    ends = (step.start, step.end) if step.forward else (step.end, step.start)
    sentences = [{"mention": e.mention.text, "sentence": e.sentence} for e in step.evidence]
    claim = {"from": ends[0], "says": step.words, "to": ends[1], "forward": step.forward}
    return {**claim, "confidence": step.confidence, "evidence": sentences}


def as_text(found: list[tuple[Step, ...]]) -> str:
    """Return paths as text: names in a column, with the edges and their sentences between them."""
    if not found:
        return "There is no path between them in this graph."
    return "\n\n".join(
        "\n".join(_lines(path)) or "Both names denote the same node." for path in found
    )


def _lines(path: tuple[Step, ...]) -> Iterator[str]:
    for step in path:
        yield step.start
        confidence = "" if step.confidence is None else f" ({step.confidence:.2f})"
        yield f"  {'↓' if step.forward else '↑'} {step.words}{confidence}"
        for evidence in step.evidence[:1]:
            yield f"    “{' '.join(evidence.sentence.split())}”"
    yield from (step.end for step in path[-1:])
