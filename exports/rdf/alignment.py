"""Vocabulary alignment: the same facts in other vocabularies, so that existing queries work.

The vocabularies are Linked Papers With Code, schema.org, FaBiO, ML-Schema, FAIR4ML and Croissant.
Each table maps a term of citekg to an equivalent or broader term.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from citekg.exports.rdf.iris import Iris, Node
from citekg.exports.rdf.mapping import TEXT, TYPE, Literal, Object, date_literal, iri
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper
from citekg.schemas.vocabulary import (
    BENCHMARK,
    DATASET,
    EVALUATES_ON,
    EXTENDS,
    INTRODUCES,
    METHOD,
    MODEL,
    TRAINS_ON,
    USES,
)

Pairs = Iterator[tuple[str, Object]]

PAPER_CLASSES: Final = ("fabio:ResearchPaper", "lpwc:paper")
ENTITY_CLASSES: Final[dict[str, tuple[str, ...]]] = {
    METHOD: ("mls:Algorithm", "lpwc:method"),
    BENCHMARK: ("cr:TaskProblem",),
    MODEL: ("fair4ml:MLModel", "lpwc:model"),
    DATASET: ("schema:Dataset", "lpwc:dataset"),
}
PAPER_TEXTS: Final = {
    "title": "schema:name",
    "abstract": "schema:abstract",
    "id": "schema:identifier",
}
ENTITY_NAMES: Final = ("schema:name", "foaf:name")
RESULT_CLASSES: Final = ("schema:Observation",)
INTRODUCED_BY: Final = "lpwcp:introducedBy"

_DATA: Final = (BENCHMARK, DATASET)

#: The property of a paper, by the role and the type of the entity.
RELATIONS: Final[dict[tuple[str, str], str]] = {
    **{(role, METHOD): "lpwcp:hasMethod" for role in (INTRODUCES, USES, EXTENDS)},
    **{(role, MODEL): "lpwcp:hasModel" for role in (INTRODUCES, USES, EXTENDS)},
    **{
        (role, type_): "lpwcp:usesDataset"
        for role in (USES, EVALUATES_ON, TRAINS_ON)
        for type_ in (BENCHMARK, DATASET)
    },
}


def aligned_properties(
    graph: KnowledgeGraph, iris: Iris, entities: Iterable[Entity]
) -> Mapping[Node, list[tuple[str, Object]]]:
    """Return the added properties of papers, entities and results by node.

    Only the given entities get names and classes.
    """
    added: defaultdict[Node, list[tuple[str, Object]]] = defaultdict(list)
    for paper in graph.papers:
        added[iris.paper(paper.id)] += _paper(paper)
    for entity in entities:
        added[iris.entity(entity.id)] += _entity(entity)
    for relation in graph.relations:
        paper_node, entity_node = iris.paper(relation.paper), iris.entity(relation.entity)
        type_ = graph.entity_by_id[relation.entity].type
        if property_ := RELATIONS.get((relation.role, type_)):
            added[paper_node].append((iri(property_), entity_node))
        if relation.role == INTRODUCES:
            added[entity_node].append((iri(INTRODUCED_BY), paper_node))
    for known in graph.introductions:
        added[iris.entity(known.entity)].append((iri(INTRODUCED_BY), iris.paper(known.paper)))
    for result in graph.results:
        added[iris.result(result.id)] += _types(RESULT_CLASSES)
    return added


def _paper(paper: Paper) -> Pairs:
    yield from _types(PAPER_CLASSES)
    for field, property_ in PAPER_TEXTS.items():
        if text := getattr(paper, field):
            yield iri(property_), Literal(text, TEXT)
    if paper.date:
        yield iri("schema:datePublished"), date_literal(paper.date)
    for author in paper.authors:
        yield iri("schema:author"), Literal(author, TEXT)


def _entity(entity: Entity) -> Pairs:
    yield from _types(ENTITY_CLASSES.get(entity.type, ()))
    for property_ in ENTITY_NAMES:
        yield iri(property_), Literal(entity.name, TEXT)


def _types(classes: Iterable[str]) -> Pairs:
    for class_ in classes:
        yield TYPE, Node(iri(class_))
