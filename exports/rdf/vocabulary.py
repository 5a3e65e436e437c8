"""Declarations of a vocabulary in RDF: writing and reading the types and roles of a graph.

A graph with the shipped vocabulary declares nothing. Any other graph declares all its classes and
properties, so that the file is self-contained; `schema:position` keeps their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from citekg.exports.rdf.iris import Node
from citekg.exports.rdf.mapping import (
    INTEGER,
    POSITION,
    SCHEMA_MENTIONS,
    TEXT,
    TYPE,
    Literal,
    Object,
    Properties,
    iri,
    only_value,
)
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import (
    DEFAULT,
    LINKS,
    MENTIONS,
    ONTOLOGY,
    TYPES,
    EntityType,
    Role,
    Vocabulary,
)

_CLASS: Final = iri("owl:Class")
_PROPERTY: Final = iri("owl:ObjectProperty")
_ONTOLOGY: Final = iri("owl:Ontology")
_PREFIX: Final = iri("vann:preferredNamespacePrefix")
_SPACE: Final = iri("vann:preferredNamespaceUri")
_LABEL: Final = iri("rdfs:label")
_COMMENT: Final = iri("rdfs:comment")
_PLURAL: Final = iri("ckg:plural")
_LIKE: Final = iri("ckg:behavesLike")
_LINK: Final = iri("ckg:givesLink")
_APPLIES_TO: Final = iri("schema:rangeIncludes")
_BROADER_CLASS: Final = iri("rdfs:subClassOf")
_BROADER: Final = iri("rdfs:subPropertyOf")
_ENTITY: Final = iri("ckg:Entity")
_NAMED: Final = re.compile(r"(.*[/#:=])([A-Za-z0-9]+)")

#: The prefixes of the declarations, in addition to those of every export.
DECLARATION_PREFIXES: Final = ("owl", "rdfs", "vann")

Block = tuple[Node, Iterable[tuple[str, Object]]]
_Found = Mapping[str, Properties]


def declaration_blocks(vocabulary: Vocabulary) -> Iterator[Block]:
    """Yield the declarations of a vocabulary: none for the shipped one."""
    if vocabulary == DEFAULT:
        return
    for prefix, space in vocabulary.namespaces:
        pairs = (
            (TYPE, Node(_ONTOLOGY)),
            (_PREFIX, Literal(prefix, TEXT)),
            (_SPACE, Literal(space, TEXT)),
        )
        yield Node(space.rstrip("/#")), pairs
    for position, type_ in enumerate(vocabulary.entity_types, 1):
        yield Node(type_.iri), _type(type_, position)
    for position, role in enumerate(vocabulary.paper_roles, 1):
        yield Node(role.iri), _role(role, position, vocabulary)


def _type(type_: EntityType, position: int) -> Iterator[tuple[str, Object]]:
    yield TYPE, Node(_CLASS)
    yield _BROADER_CLASS, Node(_ENTITY)
    yield _PLURAL, Literal(type_.plural, TEXT)
    yield _LIKE, Node(TYPES[type_.like].iri)
    yield from _description(type_, position)


def _role(role: Role, position: int, vocabulary: Vocabulary) -> Iterator[tuple[str, Object]]:
    yield TYPE, Node(_PROPERTY)
    if role.name != MENTIONS:
        yield _BROADER, Node(vocabulary.roles[role.parent].iri if role.parent else SCHEMA_MENTIONS)
    for name in role.fits:
        yield _APPLIES_TO, Node(vocabulary.types[name].iri)
    yield from _description(role, position)


def _description(term: EntityType | Role, position: int) -> Iterator[tuple[str, Object]]:
    yield _LABEL, Literal(term.label, TEXT)
    if term.comment:
        yield _COMMENT, Literal(term.comment, TEXT)
    if term.link:
        yield _LINK, Node(LINKS[term.link].iri)
    yield POSITION, Literal(str(position), INTEGER)


def read_vocabulary(found: _Found, nodes: Mapping[str, Iterable[str]]) -> Vocabulary:
    """Return the declared vocabulary, or else the shipped one; `nodes` are the subjects by class.

    Raises `GraphError` for an invalid declaration.
    """
    classes = [
        node for node in nodes.get(_CLASS, ()) if _ENTITY in found[node].get(_BROADER_CLASS, ())
    ]
    if not classes:
        return DEFAULT
    types = {node: _read_type(node, found[node]) for node in _by_position(classes, found)}
    properties = _by_position(
        (n for n in nodes.get(_PROPERTY, ()) if _BROADER in found[n] or n == SCHEMA_MENTIONS), found
    )
    names = {node: _name(node)[1] for node in properties}
    roles = tuple(_read_role(node, found[node], types, names) for node in properties)
    spaces = (found[node] for node in nodes.get(_ONTOLOGY, ()) if _SPACE in found[node])
    namespaces = sorted((only_value(n, _PREFIX), only_value(n, _SPACE)) for n in spaces)
    return Vocabulary(tuple(types.values()), roles, tuple(namespaces))


def _by_position(nodes: Iterable[str], found: _Found) -> list[str]:
    return sorted(nodes, key=lambda node: int(only_value(found[node], POSITION)))


def _name(node: str) -> tuple[str, str]:
    """Split the IRI of a class or property into namespace and name; raises `GraphError`."""
    if node == SCHEMA_MENTIONS:
        return ONTOLOGY, MENTIONS
    if not (parts := _NAMED.fullmatch(node)):
        raise GraphError(f"<{node}> does not end in a name of letters and digits")
    return parts[1], parts[2]


def _read_type(node: str, properties: Properties) -> EntityType:
    namespace, name = _name(node)
    like = DEFAULT.type_of_iri.get(only_value(properties, _LIKE), "")
    plural = only_value(properties, _PLURAL)
    return EntityType(
        name,
        only_value(properties, _LABEL),
        plural,
        _comment(properties),
        like,
        _link(properties),
        namespace,
    )


def _read_role(
    node: str, properties: Properties, types: Mapping[str, EntityType], names: Mapping[str, str]
) -> Role:
    namespace, name = _name(node)
    fitting = {*properties.get(_APPLIES_TO, ())}
    broader = next(
        (names[p] for p in properties.get(_BROADER, ()) if p in names and p != SCHEMA_MENTIONS),
        None,
    )
    fits = tuple(type_.name for iri_, type_ in types.items() if iri_ in fitting)
    label = only_value(properties, _LABEL)
    return Role(name, label, fits, _comment(properties), broader, _link(properties), namespace)


def _comment(properties: Properties) -> str:
    return only_value(properties, _COMMENT) if _COMMENT in properties else ""


def _link(properties: Properties) -> str:
    if _LINK not in properties:
        return ""
    iri_ = only_value(properties, _LINK)
    return next((kind.name for kind in LINKS.values() if kind.iri == iri_), iri_)
