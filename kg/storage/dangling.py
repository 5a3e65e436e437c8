"""Whether the records of a graph refer only to what is in it, as everything that reads one relies on."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import chain

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Link, Relation
from citekg.schemas.vocabulary import LINKS


def dangling_references(graph: KnowledgeGraph) -> str:
    """The first reference to something that neither the graph nor the vocabulary holds, or an empty text."""
    for what, name, known in chain(_words(graph), _references(graph)):
        if name not in known:
            return f"{what} refers to {name!r}, which is not there"
    return ""


def _words(graph: KnowledgeGraph) -> Iterator[tuple[str, str, Container[str]]]:
    """The types, roles and links that the records speak of."""
    types, roles = graph.vocabulary.types, graph.vocabulary.roles
    for entity in graph.entities:
        yield from (("an entity", name, types) for name in (entity.type, *dict(entity.types)))
    yield from (("a mention", mention.type, types) for mention in graph.mentions)
    yield from (("a relation", relation.role, roles) for relation in graph.relations)
    yield from (("a link", link.kind, LINKS) for link in graph.links)


def _references(graph: KnowledgeGraph) -> Iterator[tuple[str, str, Container[str]]]:
    """Each record, what it refers to, and where that must be found."""
    papers, entities = ({record.id for record in records} for records in (graph.papers, graph.entities))
    cited, mentions = papers | {stub.id for stub in graph.stubs}, {mention.id for mention in graph.mentions}
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
    claims: tuple[Relation | Link, ...] = (*graph.relations, *graph.links)
    for claim in claims:
        yield "a claim", claim.entity, entities
        yield from (("a claim", proof, mentions) for proof in claim.evidence)
