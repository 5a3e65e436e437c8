"""What stands beside a paper or an entity in the graph, and what joins the two."""

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
    """A paper or an entity beside another, and what joins them, in words such as `extends`.

    `forward` says that the words lead from the one asked about to this one; `claim` is the relation or link
    that joins them, whose proof `graph.evidence` gives, or the known introduction, or the citation on a list of
    references, or `None` for a variant.
    """

    node: Paper | Entity
    words: str
    forward: bool
    claim: Relation | Link | Introduction | Citation | None = None

    @property
    def name(self) -> str:
        """The title of a paper, the name of an entity."""
        return self.node.title if isinstance(self.node, Paper) else self.node.name


class Neighbours(Records[Neighbour]):
    """What stands beside a paper or an entity, the strongest roles first."""

    nouns = ("neighbour", "neighbours")
    header = ("neighbour", "type", "joined by", "confidence")

    def _row(self, record: Neighbour) -> tuple[str, ...]:
        kind = "Paper" if isinstance(record.node, Paper) else record.node.type
        sure = f"{record.claim.confidence:.2f}" if isinstance(record.claim, (Relation, Link)) else ""
        return record.name, kind, f"{'→' if record.forward else '←'} {record.words}", sure


def neighbours(graph: KnowledgeGraph, of: Entity | Paper | str) -> Neighbours:
    """Everything that one edge joins with an entity or a paper; a text is what `find_any` finds.

    Raises `UnknownName` where it finds nothing.
    """
    node = find_any(graph, of) if isinstance(of, str) else of
    found = _beside_entity(graph, node) if isinstance(node, Entity) else _beside_paper(graph, node)
    return Neighbours(found, graph)


def _beside_entity(graph: KnowledgeGraph, entity: Entity) -> Iterator[Neighbour]:
    for claim in _claims(graph, lambda claim: claim.entity == entity.id):
        yield Neighbour(graph.cited_by_id[claim.paper], _words(graph, claim), forward=False, claim=claim)
    if entity.family and entity.family in graph.entity_by_id:
        yield Neighbour(graph.entity_by_id[entity.family], _VARIANT, forward=True)
    for variant in variants_of(graph, entity):
        yield Neighbour(variant, _VARIANT, forward=False)


def _beside_paper(graph: KnowledgeGraph, paper: Paper) -> Iterator[Neighbour]:
    for claim in _claims(graph, lambda claim: claim.paper == paper.id):
        yield Neighbour(graph.entity_by_id[claim.entity], _words(graph, claim), forward=True, claim=claim)
    edges: tuple[Link | Citation, ...] = (*graph.links, *graph.citations)
    for edge in edges:
        if paper.id in (edge.citing, edge.cited):
            forward = edge.citing == paper.id
            other = graph.cited_by_id[edge.cited if forward else edge.citing]
            yield Neighbour(other, LINKS[edge.kind].label if isinstance(edge, Link) else _REFERENCE, forward, edge)


def _claims(
    graph: KnowledgeGraph, wanted: Callable[[Relation | Introduction], bool]
) -> Iterator[Relation | Introduction]:
    """What papers do with entities, the strongest roles first, and what is known beside what they say."""
    order = list(graph.vocabulary.roles)
    said = sorted(filter(wanted, graph.relations), key=lambda r: (order.index(r.role), -r.confidence))
    read = {(r.paper, r.entity) for r in said if r.role == INTRODUCES}
    yield from said
    yield from (i for i in filter(wanted, graph.introductions) if (i.paper, i.entity) not in read)


def _words(graph: KnowledgeGraph, claim: Relation | Introduction) -> str:
    roles = graph.vocabulary.roles
    return roles[claim.role].label if isinstance(claim, Relation) else f"{roles[INTRODUCES].label} (known)"
