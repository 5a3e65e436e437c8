"""Subsets of a graph: the claims that match a selection, and all records that they refer to.

A claim is a relation, or a known introduction, which counts as `introduces` with confidence 1. A
subset is closed: none of its records refers to a record outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from citekg.graph import filters
from citekg.graph.record_sets import Papers
from citekg.graph.usage import families_of
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Introduction, Link, Paper, Relation, Result
from citekg.schemas.vocabulary import INTRODUCES

_Graph = TypeVar("_Graph", bound=KnowledgeGraph)
_Claim = Relation | Introduction


@dataclass(frozen=True, slots=True)
class Selection:
    """Which claims and papers to keep; a field that is not given keeps all.

    `about`, `role`, `type` and `min_confidence` select claims, the other fields papers. `about`
    names entities and includes their variants; `type` is the type of the entity.
    """

    about: Entity | str | Iterable[Entity | str] | None = None
    role: str | Iterable[str] | None = None
    type: str | Iterable[str] | None = None
    papers: Paper | str | Iterable[Paper | str] | None = None
    since: str | int | None = None
    until: str | int | None = None
    venue: str | None = None
    author: str | None = None
    text: str | None = None
    min_confidence: float = 0.0


def subset(graph: _Graph, selection: Selection) -> _Graph:
    """Return the part of a graph that a selection keeps, in the order of the graph.

    - A paper stays if it matches and makes a matching claim, if `about`, `role` or `type` is given.
    - A claim stays with its paper, its entity and every mention of that entity in that paper.
    - An entity stays with its families; its aliases and types are those of the whole graph.
    - A stub stays if it introduces an entity that stays and `role` includes introductions.
    - A link stays if both its papers stay, with the claims that it derives from.
    - The topics are those of the claims that stay.
    - A result stays with its paper; names of entities that do not stay are only texts.

    An empty selection returns the graph itself. Raises `FilterError` for an unknown role or type or
    an invalid date, and `UnknownName` for an unknown entity or paper.
    """
    if selection == Selection():
        return graph
    kept = _kept(graph, selection)
    named = {(claim.paper, claim.entity) for claim in kept.claims}
    return replace(
        graph,
        papers=tuple(p for p in graph.papers if p.id in kept.papers),
        entities=tuple(e for e in graph.entities if e.id in kept.entities),
        mentions=tuple(m for m in graph.mentions if (m.paper, m.entity) in named),
        relations=kept.relations,
        links=tuple(
            link for link in _supported(graph, kept) if link.confidence >= selection.min_confidence
        ),
        stubs=tuple(s for s in graph.stubs if s.id in kept.papers),
        introductions=kept.introductions,
        results=tuple(_results(graph, kept, selection.min_confidence)),
        stated_topics=None,
    )


def _results(graph: KnowledgeGraph, kept: _Kept, min_confidence: float) -> Iterator[Result]:
    """Yield the results of the papers that stay."""
    for result in graph.results:
        if result.paper in kept.papers and result.confidence >= min_confidence:
            yield result.with_entities(
                lambda name: name.entity if name.entity in kept.entities else ""
            )


@dataclass(frozen=True, slots=True)
class _Kept:
    """The matching claims, and the ids of the papers, stubs and entities that stay with them."""

    papers: frozenset[str]
    entities: frozenset[str]
    relations: tuple[Relation, ...]
    introductions: tuple[Introduction, ...]

    @property
    def claims(self) -> tuple[_Claim, ...]:
        return (*self.relations, *self.introductions)


def _kept(graph: KnowledgeGraph, selection: Selection) -> _Kept:
    about = None if selection.about is None else _with_variants(graph, selection.about)
    passes = _claim_test(graph, selection, about)
    papers = {p.id for p in _passing_papers(graph, selection)}
    relations = tuple(r for r in graph.relations if r.paper in papers and passes(r))
    known = tuple(filter(passes, graph.introductions))
    own: list[_Claim] = [*relations, *(i for i in known if i.paper in papers)]
    if any(given is not None for given in (about, selection.role, selection.type)):
        papers = {claim.paper for claim in own}
    named = {claim.entity for claim in own} | (about or set())
    stubs = {stub.id for stub in graph.stubs}
    entities = frozenset(_with_families(graph, named))
    introductions = tuple(
        i for i in known if i.paper in papers or (i.paper in stubs and i.entity in entities)
    )
    papers |= {i.paper for i in introductions}
    return _Kept(frozenset(papers), entities, relations, introductions)


def _passing_papers(graph: KnowledgeGraph, selection: Selection) -> Papers:
    wanted = filters.papers(graph, selection.papers)
    dated = Papers(graph.papers, graph).where(
        since=selection.since,
        until=selection.until,
        venue=selection.venue,
        author=selection.author,
        text=selection.text,
    )
    return dated if wanted is None else Papers((p for p in dated if p.id in wanted), graph)


def _claim_test(
    graph: KnowledgeGraph, selection: Selection, about: set[str] | None
) -> Callable[[_Claim], bool]:
    roles = filters.roles(graph, selection.role)
    types = filters.types(graph, selection.type)

    def passes(claim: _Claim) -> bool:
        role = claim.role if isinstance(claim, Relation) else INTRODUCES
        return (
            graph.confidence(claim) >= selection.min_confidence
            and (about is None or claim.entity in about)
            and (roles is None or role in roles)
            and (types is None or graph.entity_by_id[claim.entity].type in types)
        )

    return passes


def _with_variants(graph: KnowledgeGraph, about: Entity | str | Iterable[Entity | str]) -> set[str]:
    """Return the ids of entities and of all their variants, of every depth."""
    found = {*(filters.entities(graph, about) or ())}
    while more := {e.id for e in graph.entities if e.family in found} - found:
        found |= more
    return found


def _with_families(graph: KnowledgeGraph, entities: Iterable[str]) -> Iterator[str]:
    """Yield the ids of entities and of their families."""
    for entity in entities:
        yield entity
        yield from (wider.id for wider in families_of(graph, graph.entity_by_id[entity]))


def _supported(graph: KnowledgeGraph, kept: _Kept) -> Iterator[Link]:
    """Yield the links whose two claims stay: a citing paper's role and the introduction."""
    type_of = {e.id: e.type for e in graph.entities}
    kinds = {
        (r.paper, r.entity, graph.vocabulary.link(r.role, type_of[r.entity]))
        for r in kept.relations
    }
    introduced = {
        (c.paper, c.entity)
        for c in kept.claims
        if isinstance(c, Introduction) or c.role == INTRODUCES
    }
    for link in graph.links:
        if (link.citing, link.entity, link.kind) in kinds and (
            link.cited,
            link.entity,
        ) in introduced:
            yield link
