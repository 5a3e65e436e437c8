"""The neighbours of a paper or an entity in the graph, and the edges to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from citekg.graph.lookup import find_any
from citekg.graph.record_sets import Records
from citekg.graph.usage import variants_of
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Citation, Entity, Introduction, Link, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES, LINKS

_VARIANT = "is a variant of"
_REFERENCE = "has in its references"


@dataclass(frozen=True)
class Neighbour:
    """A neighbour of a paper or an entity, with the label of the edge, such as `extends`.

    `forward` is true if the edge leads to this neighbour. `claim` is the record of the edge: a
    relation or a link (`graph.evidence` returns its evidence), a known introduction, a citation of
    a reference list, or `None` for a variant.
    """

    node: Paper | Entity
    words: str
    forward: bool
    claim: Relation | Link | Introduction | Citation | None = None

    @property
    def name(self) -> str:
        """Return the title of a paper or the name of an entity."""
        return self.node.title if isinstance(self.node, Paper) else self.node.name


class Neighbours(Records[Neighbour]):
    """The neighbours of a paper or an entity, strongest roles first."""

    nouns = ("neighbour", "neighbours")
    header = ("neighbour", "type", "joined by", "confidence")

    def _row(self, record: Neighbour) -> tuple[str, ...]:
        kind = "Paper" if isinstance(record.node, Paper) else record.node.type
        confidence = (
            f"{record.claim.confidence:.2f}" if isinstance(record.claim, (Relation, Link)) else ""
        )
        return record.name, kind, f"{'→' if record.forward else '←'} {record.words}", confidence


def neighbours(graph: KnowledgeGraph, of: Entity | Paper | str) -> Neighbours:
    """Return the neighbours of an entity or a paper; a text is looked up by `find_any`.

    Raises `UnknownName` if the look-up fails.
    """
    node = find_any(graph, of) if isinstance(of, str) else of
    found = (
        _entity_neighbours(graph, node)
        if isinstance(node, Entity)
        else _paper_neighbours(graph, node)
    )
    return Neighbours(found, graph)


def _entity_neighbours(graph: KnowledgeGraph, entity: Entity) -> Iterator[Neighbour]:
    for claim in _claims(graph, lambda claim: claim.entity == entity.id):
        yield Neighbour(
            graph.cited_by_id[claim.paper], _label(graph, claim), forward=False, claim=claim
        )
    if entity.family and entity.family in graph.entity_by_id:
        yield Neighbour(graph.entity_by_id[entity.family], _VARIANT, forward=True)
    for variant in variants_of(graph, entity):
        yield Neighbour(variant, _VARIANT, forward=False)


def _paper_neighbours(graph: KnowledgeGraph, paper: Paper) -> Iterator[Neighbour]:
    for claim in _claims(graph, lambda claim: claim.paper == paper.id):
        yield Neighbour(
            graph.entity_by_id[claim.entity], _label(graph, claim), forward=True, claim=claim
        )
    edges: tuple[Link | Citation, ...] = (*graph.links, *graph.citations)
    for edge in edges:
        if paper.id in (edge.citing, edge.cited):
            forward = edge.citing == paper.id
            other = graph.cited_by_id[edge.cited if forward else edge.citing]
            yield Neighbour(
                other,
                LINKS[edge.kind].label if isinstance(edge, Link) else _REFERENCE,
                forward,
                edge,
            )


def _claims(
    graph: KnowledgeGraph, wanted: Callable[[Relation | Introduction], bool]
) -> Iterator[Relation | Introduction]:
    """Yield the relations, strongest roles first, then the introductions without one."""
    order = list(graph.vocabulary.roles)
    relations = sorted(
        filter(wanted, graph.relations), key=lambda r: (order.index(r.role), -r.confidence)
    )
    read = {(r.paper, r.entity) for r in relations if r.role == INTRODUCES}
    yield from relations
    yield from (i for i in filter(wanted, graph.introductions) if (i.paper, i.entity) not in read)


def _label(graph: KnowledgeGraph, claim: Relation | Introduction) -> str:
    roles = graph.vocabulary.roles
    return (
        roles[claim.role].label
        if isinstance(claim, Relation)
        else f"{roles[INTRODUCES].label} (known)"
    )
