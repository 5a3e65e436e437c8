"""The reported results of a graph as RDF, with their evidence and the outperformances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from math import isfinite

from citekg.exports.rdf import mapping
from citekg.exports.rdf.iris import Iris, Node
from citekg.exports.rdf.mapping import Literal, Object, write_fields
from citekg.exports.rdf.units import qudt_unit
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import EvidenceLevel
from citekg.schemas.quantities import parse_quantity
from citekg.schemas.records import Outperformance, Result, ResultName

Pairs = Iterator[tuple[str, Object]]
Block = tuple[Node, Pairs]


def result_blocks(
    graph: KnowledgeGraph,
    iris: Iris,
    level: EvidenceLevel,
    others: Mapping[Node, list[tuple[str, Object]]],
) -> Iterator[Block]:
    """Yield the results, then the outperformances that derive from them.

    `others` are additional properties by node, such as those of the alignment.
    """
    for result in graph.results:
        node = iris.result(result.id)
        annotated = level == "sentence"
        evidence = [(mapping.DERIVED, _annotation(node, iris))] if annotated else []
        yield node, chain(_result(graph, result, iris), evidence, others.get(node, ()))
    for one in graph.outperformances:
        ends = iris.entity(one.winner), iris.entity(one.loser)
        yield (
            iris.statement(iris.result(one.result), *ends),
            _outperformance(graph, one, iris),
        )


def result_evidence(graph: KnowledgeGraph, iris: Iris) -> Iterator[Block]:
    """Yield the annotations of the values in the texts, and the names as the texts spell them."""
    for result in graph.results:
        node = iris.result(result.id)
        annotation, target = _annotation(node, iris), iris.statement(node, "t")
        yield (
            annotation,
            iter(
                [
                    (mapping.TYPE, Node(mapping.RESULT_ANNOTATION)),
                    (mapping.BODY, node),
                    (mapping.TARGET, target),
                ]
            ),
        )
        yield target, _span(result, target, iris)
        for field, property_ in mapping.SLOTS.items():
            names: tuple[ResultName, ...] = getattr(result, field)
            for position, name in enumerate(names, 1):
                own = iris.statement(node, f"{property_.rpartition('#')[2]}{position}")
                yield own, _name(name, node, property_, position, iris)


def _annotation(result: Node, iris: Iris) -> Node:
    return iris.statement(result, "a")


def _result(graph: KnowledgeGraph, result: Result, iris: Iris) -> Pairs:
    yield mapping.TYPE, Node(mapping.RESULT)
    yield from write_fields(result, mapping.RESULT_FIELDS, iris)
    if graph.is_tentative(result):
        yield mapping.TENTATIVE, mapping.TRUE
    yield from _quantity(result.value)
    for field, property_ in mapping.SLOTS.items():
        for name in getattr(result, field):
            yield property_, _entity_or_text(name, iris)
    for property_, offset in zip(mapping.SENTENCE, result.sentence, strict=True):
        yield property_, Literal(str(offset), mapping.INTEGER)


def _quantity(value: str) -> Pairs:
    """Yield the numbers and the unit of a value, if it has numbers in digits."""
    quantity = parse_quantity(value)
    if quantity is None or not (isfinite(quantity.low) and isfinite(quantity.high)):
        return
    for property_, number in ((mapping.LOWEST, quantity.low), (mapping.HIGHEST, quantity.high)):
        yield property_, Literal(mapping.decimal(number), mapping.DECIMAL)
    if quantity.unit:
        yield mapping.UNIT_TEXT, Literal(quantity.unit, mapping.TEXT)
    if unit := qudt_unit(quantity.unit):
        yield mapping.HAS_UNIT, Node(unit)


def _entity_or_text(name: ResultName, iris: Iris) -> Object:
    return iris.entity(name.entity) if name.entity else Literal(name.text, mapping.TEXT)


def _span(result: Result, target: Node, iris: Iris) -> Pairs:
    yield mapping.TYPE, Node(mapping.SELECTOR)
    yield mapping.HAS_SELECTOR, target
    yield from write_fields(result, mapping.RESULT_SPAN_FIELDS, iris)


def _name(name: ResultName, result: Node, slot: str, position: int, iris: Iris) -> Pairs:
    yield mapping.TYPE, Node(mapping.RESULT_NAME)
    yield mapping.IN_RESULT, result
    yield mapping.SLOT, Node(slot)
    yield mapping.POSITION, Literal(str(position), mapping.INTEGER)
    yield mapping.NAME_TEXT, Literal(name.text, mapping.TEXT)
    if name.entity:
        yield mapping.DENOTES, iris.entity(name.entity)


def _outperformance(graph: KnowledgeGraph, one: Outperformance, iris: Iris) -> Pairs:
    yield mapping.TYPE, Node(mapping.OUTPERFORMANCE)
    yield from write_fields(one, mapping.OUTPERFORMANCE_FIELDS, iris)
    for place in _places(graph, one):
        yield mapping.SLOTS["on"], _entity_or_text(place, iris)
    if graph.is_tentative(one):
        yield mapping.TENTATIVE, mapping.TRUE
    yield mapping.DERIVED, iris.result(one.result)


def _places(graph: KnowledgeGraph, one: Outperformance) -> tuple[ResultName, ...]:
    return graph.result_by_id[one.result].on
