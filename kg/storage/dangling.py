"""Referential integrity of the records of a graph, on which every consumer relies."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Link, Relation
from citekg.schemas.vocabulary import LINKS


def dangling_references(graph: KnowledgeGraph) -> str:
    """Return a message for the first dangling reference, or an empty text."""
    for record, name, known in chain(_vocabulary_references(graph), _references(graph)):
        if name not in known:
            return f"{record} refers to {name!r}, which is not there"
    return ""


def _vocabulary_references(graph: KnowledgeGraph) -> Iterator[tuple[str, str, Container[str]]]:
    """Yield the types, roles and link kinds of the records, with those that exist."""
    types, roles = graph.vocabulary.types, graph.vocabulary.roles
    for entity in graph.entities:
        yield from (("an entity", name, types) for name in (entity.type, *dict(entity.types)))
    yield from (("a mention", mention.type, types) for mention in graph.mentions)
    yield from (("a relation", relation.role, roles) for relation in graph.relations)
    yield from (("a link", link.kind, LINKS) for link in graph.links)


def _references(graph: KnowledgeGraph) -> Iterator[tuple[str, str, Container[str]]]:
    """Yield the kind of each record, an id that it refers to, and the ids that exist."""
    papers, entities = (
        {record.id for record in records} for records in (graph.papers, graph.entities)
    )
    cited, mentions = (
        papers | {stub.id for stub in graph.stubs},
        {mention.id for mention in graph.mentions},
    )
    for mention in graph.mentions:
        yield "a mention", mention.paper, papers
        yield "a mention", mention.entity, entities
    for relation in graph.relations:
        yield "a relation", relation.paper, papers
    for link in graph.links:
        yield "a link", link.citing, papers
        yield "a link", link.cited, cited
    for introduction in graph.introductions:
        yield "an introduction", introduction.paper, cited
        yield "an introduction", introduction.entity, entities
    for result in graph.results:
        yield "a result", result.paper, papers
        yield from (("a result", name.entity, entities) for name in result.names if name.entity)
    claims: tuple[Relation | Link, ...] = (*graph.relations, *graph.links)
    for claim in claims:
        yield "a claim", claim.entity, entities
        yield from (("a claim", mention, mentions) for mention in claim.evidence)
