"""Who introduced a thing, and who does what with it."""

from __future__ import annotations

from collections.abc import Iterable

from citekg.inference import citation_links
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper, Relation


def papers_naming(graph: KnowledgeGraph, entity: str) -> int:
    """How many papers name the entity of this id."""
    return len(graph.usage[entity].named)


def introducers(graph: KnowledgeGraph, entity: Entity) -> tuple[Paper, ...]:
    """The papers that introduce the entity, stubs among them; more than one means that it is contested."""
    relations = (r for r in graph.relations if r.entity == entity.id)
    known = (i for i in graph.introductions if i.entity == entity.id)
    found = citation_links.introducers(relations, known).get(entity.id, ())
    return tuple(sorted((graph.cited_by_id[paper] for paper in found), key=lambda p: (p.date, p.id)))


def users_of(graph: KnowledgeGraph, entity: Entity, roles: Iterable[str] = ()) -> tuple[Relation, ...]:
    """What papers do with the entity in these roles, by role and then newest paper first.

    Without roles those of `graph.vocabulary.adoption_roles` are meant.
    """
    wanted = {*roles} or graph.vocabulary.adoption_roles
    order = list(graph.vocabulary.roles)
    found = [r for r in graph.relations if r.entity == entity.id and r.role in wanted]
    newest = sorted(found, key=lambda r: (graph.paper_by_id[r.paper].date, r.confidence, r.paper), reverse=True)
    return tuple(sorted(newest, key=lambda r: order.index(r.role)))


def variants_of(graph: KnowledgeGraph, entity: Entity) -> tuple[Entity, ...]:
    """The versions, sizes and years of the entity, one step down."""
    return tuple(e for e in graph.entities if e.family == entity.id)


def families_of(graph: KnowledgeGraph, entity: Entity) -> tuple[Entity, ...]:
    """What the entity is a variant of, the nearest first."""
    found: list[Entity] = []
    while entity.family and (wider := graph.entity_by_id.get(entity.family)) and wider not in found:
        found.append(wider)
        entity = wider
    return tuple(found)
