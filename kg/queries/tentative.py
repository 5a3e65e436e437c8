"""Tentative claims in a store: they are in a separate named graph.

Named queries use only the default graph and so exclude tentative claims. All other queries use the
union of both graphs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from citekg.exports.rdf import mapping
from citekg.exports.rdf.mapping import iri
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES

if TYPE_CHECKING:
    import pyoxigraph as ox

    Subject = ox.NamedNode | ox.BlankNode | ox.Triple
    Term = Subject | ox.Literal

#: The name of the graph with the tentative claims.
GRAPH: Final = "urn:citekg:tentative"
_INTRODUCES: Final = DEFAULT.roles[INTRODUCES].iri
_BROADER: Final = iri("skos:broader")
_SOURCE: Final = iri("oa:hasSource")


def both_graphs(store: ox.Store) -> list[ox.DefaultGraph | ox.NamedNode] | None:
    """Return the graphs that hold all claims, or `None` if the default graph holds them."""
    import pyoxigraph as ox

    name = ox.NamedNode(GRAPH)
    return [ox.DefaultGraph(), name] if store.contains_named_graph(name) else None


def set_apart(store: ox.Store) -> None:
    """Move triples that only tentative claims state from the default graph to a separate graph.

    These are the statements, the properties that follow from them, the mentions of an entity in a
    paper that has no other claim about it, and entities and stubs that no other claim names.
    """
    marked = [
        quad.subject
        for quad in store.quads_for_pattern(None, _node(mapping.TENTATIVE), None, _default())
    ]
    if marked:
        _Mover(store).move_claims(marked)


class _Mover:
    """Moves triples of a store from the default graph to the graph of tentative claims."""

    def __init__(self, store: ox.Store) -> None:
        self.store = store
        self.to = _node(GRAPH)

    def move_claims(self, statements: list[Subject]) -> None:
        """Move tentative statements and all triples that only they support."""
        pairs: dict[tuple[ox.NamedNode, ox.NamedNode], set[str]] = defaultdict(set)
        for statement in statements:
            subject, predicate, object_node = (
                self._iri(statement, p)
                for p in (mapping.SUBJECT, mapping.PREDICATE, mapping.OBJECT)
            )
            if subject is not None and predicate is not None and object_node is not None:
                pairs[subject, object_node].add(predicate.value)
            self._move(statement)
            self._move_result(statement)
        entities: set[ox.NamedNode] = set()
        for (subject, object_node), properties in pairs.items():
            if self._move_properties(subject, object_node, properties):
                self._move_mentions(subject, object_node)
                entities.add(object_node)
        self._move_entities(entities)

    def _move_result(self, result: Subject) -> None:
        """Move the annotation of a result, its span, and the names as the text spells them."""
        import pyoxigraph as ox

        if isinstance(result, ox.NamedNode):
            for quad in list(self._quads(None, mapping.IN_RESULT, result)):
                self._move(quad.subject)
            for quad in list(self._quads(None, mapping.BODY, result)):
                target = self._iri(quad.subject, mapping.TARGET)
                self._move(quad.subject)
                if target is not None:
                    self._move(target)

    def _move_properties(
        self, subject: ox.NamedNode, object_node: ox.NamedNode, properties: set[str]
    ) -> bool:
        """Move a pair's properties that only tentative claims state; return if one is a mention."""
        certain = {
            self._iri(other.subject, mapping.PREDICATE)
            for other in self._quads(None, mapping.SUBJECT, subject)
            if self._iri(other.subject, mapping.OBJECT) == object_node
        }
        kept = {p for node in certain if node is not None for p in self._implied(node.value)}
        if next(self._quads(subject, mapping.HAS_REFERENCE, object_node), None):
            kept.add(mapping.CITES)
        moved = {p for name in properties for p in self._implied(name)} - kept
        for name in moved:
            self._move(subject, name, object_node)
        return mapping.SCHEMA_MENTIONS in moved

    def _implied(self, property_: str) -> frozenset[str]:
        """Return a property with all broader ones, also of a role that the graph declares."""
        found = {property_}
        for role in DEFAULT.paper_roles:
            if role.iri == property_:
                found.update(DEFAULT.roles[name].iri for name in DEFAULT.broader_roles(role.name))
        if property_ in mapping.LINK_BY_IRI:
            return frozenset(found | {mapping.CITES})
        broader = self._iri(_node(property_), iri("rdfs:subPropertyOf"))
        if broader is not None and broader.value not in found:
            found |= self._implied(broader.value)
        return frozenset(found | {mapping.SCHEMA_MENTIONS})

    def _move_mentions(self, paper: ox.NamedNode, entity: ox.NamedNode) -> None:
        for quad in list(self._quads(None, mapping.BODY, entity)):
            target = self._iri(quad.subject, mapping.TARGET)
            if target is not None and self._iri(target, _SOURCE) == paper:
                self._move(quad.subject)
                self._move(target)

    def _move_entities(self, entities: set[ox.NamedNode]) -> None:
        """Move the entities that no paper names any more, with families that only they have."""
        while entities:
            gone = {entity for entity in entities if not self._is_named(entity)}
            entities = set()
            for entity in gone:
                family = self._iri(entity, _BROADER)
                for quad in list(self._quads(None, mapping.SUBJECT, entity)):
                    self._move(quad.subject)
                self._move(entity)
                self._move_stubs(entity)
                if family is not None:
                    entities.add(family)

    def _is_named(self, entity: ox.NamedNode) -> bool:
        variants = self._quads(None, _BROADER, entity)
        named = self._quads(None, mapping.SCHEMA_MENTIONS, entity)
        known = (
            quad
            for quad in self._quads(None, _INTRODUCES, entity)
            if next(self._quads(quad.subject, mapping.TYPE, _node(mapping.PAPER)), None)
        )
        reported = (
            quad for slot in mapping.SLOTS.values() for quad in self._quads(None, slot, entity)
        )
        return any(next(quads, None) for quads in (variants, named, known, reported))

    def _move_stubs(self, entity: ox.NamedNode) -> None:
        """Move the introductions of an entity, and the stubs that introduced nothing else."""
        for introduction in list(self._quads(None, _INTRODUCES, entity)):
            stub = introduction.subject
            self._move(stub, _INTRODUCES, entity)
            for quad in list(self._quads(None, mapping.SUBJECT, stub)):
                if self._iri(quad.subject, mapping.OBJECT) == entity:
                    self._move(quad.subject)
            if next(self._quads(stub, _INTRODUCES, None), None) is None:
                self._move(stub)

    def _quads(
        self, subject: Subject | None, property_: str, value: Term | None
    ) -> Iterator[ox.Quad]:
        return self.store.quads_for_pattern(subject, _node(property_), value, _default())

    def _iri(self, subject: Subject, property_: str) -> ox.NamedNode | None:
        """Return the value of a property that is an IRI."""
        import pyoxigraph as ox

        found = (quad.object for quad in self._quads(subject, property_, None))
        return next((node for node in found if isinstance(node, ox.NamedNode)), None)

    def _move(self, subject: Subject, property_: str = "", value: Term | None = None) -> None:
        """Move all triples of a subject, or those with a property and a value."""
        import pyoxigraph as ox

        name = _node(property_) if property_ else None
        for quad in list(self.store.quads_for_pattern(subject, name, value, _default())):
            self.store.remove(quad)
            self.store.add(ox.Quad(quad.subject, quad.predicate, quad.object, self.to))


@cache
def _node(name: str) -> ox.NamedNode:
    import pyoxigraph as ox

    return ox.NamedNode(name)


def _default() -> ox.DefaultGraph:
    import pyoxigraph as ox

    return ox.DefaultGraph()
