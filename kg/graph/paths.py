"""The shortest paths between two entities or papers, over the roles of papers and the families of entities.

Links between papers add no edge: each follows from the roles of its two papers for one entity.
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
#: What a step costs: naming a thing in passing joins less than doing something with it.
_COST: Final = 1.0
_PASSING: Final = 2.5
_FAMILY: Final = 0.5


@dataclass(frozen=True)
class Step:
    """One edge of a way: from one name to the next, what the first does to the second, and the proof of it.

    `forward` is false where the edge is walked against its direction; `confidence` is `None` where no text claims it.
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
    """The shortest paths between two entities or papers, at most so many, the shortest first.

    A text is what `find_any` finds. The paths lead over relations of at least `min_confidence`. Empty where no path
    joins them. Raises `UnknownName`.
    """
    import networkx as nx

    ends = _node(graph, one), _node(graph, other)
    net = _net(graph, min_confidence)
    try:
        found = islice(nx.shortest_simple_paths(net, *ends, weight="cost"), count)
        return [tuple(_step(graph, net, a, b) for a, b in pairwise(way)) for way in found]
    except nx.NetworkXNoPath:
        return []


def _node(graph: KnowledgeGraph, given: Entity | Paper | str) -> _Node:
    found = find_any(graph, given) if isinstance(given, str) else given
    return ("paper" if isinstance(found, Paper) else "entity"), found.id


def _net(graph: KnowledgeGraph, min_confidence: float) -> nx.Graph[_Node]:
    """Everything that joins, the cheapest edge between two nodes alone, whatever the order of the records."""
    import networkx as nx

    net: nx.Graph[_Node] = nx.Graph()
    net.add_nodes_from(("entity", e.id) for e in graph.entities)
    net.add_nodes_from(("paper", paper) for paper in graph.cited_by_id)
    for start, end, cost, words, claim in sorted(_edges(graph), key=lambda e: e[:4]):
        confident = claim is None or claim.confidence >= min_confidence
        if confident and not net.has_edge(start, end):
            net.add_edge(start, end, cost=cost, words=words, claim=claim, start=start)
    return net


def _edges(graph: KnowledgeGraph) -> Iterable[tuple[_Node, _Node, float, str, Relation | None]]:
    roles = graph.vocabulary.roles
    for r in graph.relations:
        cost = _PASSING if r.role == MENTIONS else _COST
        yield ("paper", r.paper), ("entity", r.entity), cost + 1 - r.confidence, roles[r.role].label, r
    read = {(r.paper, r.entity) for r in graph.relations}
    for i in graph.introductions:
        if (i.paper, i.entity) not in read:
            yield ("paper", i.paper), ("entity", i.entity), _COST, f"{roles[INTRODUCES].label} (known)", None
    for e in graph.entities:
        if e.family:
            yield ("entity", e.id), ("entity", e.family), _FAMILY, "is a variant of", None


def _step(graph: KnowledgeGraph, net: nx.Graph[_Node], a: _Node, b: _Node) -> Step:
    edge = net.edges[a, b]
    claim: Relation | None = edge["claim"]
    proof, confidence = (tuple(graph.evidence(claim)), claim.confidence) if claim else ((), None)
    return Step(_name(graph, a), edge["words"], _name(graph, b), edge["start"] == a, proof, confidence)


def _name(graph: KnowledgeGraph, node: _Node) -> str:
    kind, name = node
    return graph.entity_by_id[name].name if kind == "entity" else graph.cited_by_id[name].title


def as_values(found: Iterable[Iterable[Step]]) -> list[list[dict[str, Any]]]:
    """The ways as lists of steps, each written in the direction of its edge: what `kg path --json` prints."""
    return [[_values(step) for step in way] for way in found]


def _values(step: Step) -> dict[str, Any]:
    ends = (step.start, step.end) if step.forward else (step.end, step.start)
    sentences = [{"mention": e.mention.text, "sentence": e.sentence} for e in step.evidence]
    claim = {"from": ends[0], "says": step.words, "to": ends[1], "forward": step.forward}
    return {**claim, "confidence": step.confidence, "evidence": sentences}


def as_text(found: list[tuple[Step, ...]]) -> str:
    """The ways for a reader: names in a column, between them what joins them and the sentence that says so."""
    if not found:
        return "No path in this graph joins them."
    return "\n\n".join("\n".join(_lines(way)) or "Both names are of the same node." for way in found)


def _lines(way: tuple[Step, ...]) -> Iterator[str]:
    for step in way:
        yield step.start
        confidence = "" if step.confidence is None else f" ({step.confidence:.2f})"
        yield f"  {'↓' if step.forward else '↑'} {step.words}{confidence}"
        for proof in step.evidence[:1]:
            yield f"    “{' '.join(proof.sentence.split())}”"
    yield from (step.end for step in way[-1:])
