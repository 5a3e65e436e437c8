"""The papers that introduce, name and use an entity, and its variants and families."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from citekg.inference import citation_links
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper, Relation


def papers_naming(graph: KnowledgeGraph, entity: str) -> int:
    """Return the number of papers that name the entity with this id."""
    return len(graph.usage[entity].named)


def introducers(graph: KnowledgeGraph, entity: Entity) -> tuple[Paper, ...]:
    """Return the papers and stubs that introduce an entity; several mean it is contested.

    A paper introduces nothing that papers of earlier years name.
    """
    relations = [r for r in graph.relations if r.entity == entity.id]
    known = (i for i in graph.introductions if i.entity == entity.id)
    dates = {r.paper: citation_links.date_of(graph.paper_by_id[r.paper]) for r in relations}
    years = citation_links.naming_years(relations, dates)
    found = citation_links.introducers(relations, known, dates, years).get(entity.id, ())
    return tuple(
        sorted((graph.cited_by_id[paper] for paper in found), key=lambda p: (p.date, p.id))
    )


def users_of(
    graph: KnowledgeGraph, entity: Entity, roles: Iterable[str] = ()
) -> tuple[Relation, ...]:
    """Return the relations to an entity with these roles, by role, then newest paper first.

    The default roles are `graph.vocabulary.adoption_roles`.
    """
    wanted = {*roles} or graph.vocabulary.adoption_roles
    order = list(graph.vocabulary.roles)
    found = [r for r in graph.relations if r.entity == entity.id and r.role in wanted]
    newest = sorted(
        found, key=lambda r: (graph.paper_by_id[r.paper].date, r.confidence, r.paper), reverse=True
    )
    return tuple(sorted(newest, key=lambda r: order.index(r.role)))


def variants_of(graph: KnowledgeGraph, entity: Entity) -> tuple[Entity, ...]:
    """Return the direct variants of an entity: its versions, sizes and years."""
    return tuple(e for e in graph.entities if e.family == entity.id)


def papers_naming_variants(graph: KnowledgeGraph, entity: Entity) -> int:
    """Return the number of papers that name variants of an entity, at any depth, but not itself."""
    variants: dict[str, list[str]] = defaultdict(list)
    for each in graph.entities:
        variants[each.family].append(each.id)
    members, queue = {entity.id}, [entity.id]
    while queue:
        queue = [v for wider in queue for v in variants[wider] if v not in members]
        members.update(queue)
    named = (graph.usage[member].named for member in members - {entity.id})
    return len(frozenset().union(*named) - frozenset(graph.usage[entity.id].named))


def families_of(graph: KnowledgeGraph, entity: Entity) -> tuple[Entity, ...]:
    """Return the entities of which an entity is a variant, nearest first."""
    found: list[Entity] = []
    while entity.family and (wider := graph.entity_by_id.get(entity.family)) and wider not in found:
        found.append(wider)
        entity = wider
    return tuple(found)
