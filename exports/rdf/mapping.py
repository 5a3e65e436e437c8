"""The mapping between fields of records and RDF properties, shared by the writer and the reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from citekg.exports.rdf.iris import Iris, Node
from citekg.schemas.errors import GraphError
from citekg.schemas.identifiers import identifier, identifier_at, url_of
from citekg.schemas.vocabulary import LINKS, PREFIXES


def iri(name: str) -> str:
    """Return the IRI of a prefixed name such as `dcterms:title`."""
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


class Literal(NamedTuple):
    """A literal as the object of a triple: its lexical form and the IRI of its datatype."""

    text: str
    datatype: str


Object = Node | Literal
Properties = Mapping[str, Sequence[str]]

TEXT: Final = iri("xsd:string")
INTEGER: Final = iri("xsd:integer")
DECIMAL: Final = iri("xsd:decimal")
BOOLEAN: Final = iri("xsd:boolean")
TYPE: Final = iri("rdf:type")

#: Classes, and properties that do not correspond to a single field.
PAPER: Final = iri("schema:ScholarlyArticle")
STUB: Final = iri("ckg:StubPaper")
AUTHOR_LIST: Final = iri("bibo:authorList")
SEQUENCE: Final = iri("rdf:Seq")
NTH: Final = iri("rdf:_")
CREATOR: Final = iri("dcterms:creator")
FROM_SOURCE: Final = iri("dcterms:source")
RECORD: Final = iri("prov:Entity")
#: The list of well-known introductions: the local name of its node, and its title.
KNOWN: Final = "introductions"
KNOWN_TITLE: Final = Literal("A list of well-known introductions", TEXT)
SCHEMA_MENTIONS: Final = iri("schema:mentions")
CITES: Final = iri("cito:cites")
HAS_REFERENCE: Final = iri("ckg:hasReference")
STATEMENT: Final = iri("rdf:Statement")
SUBJECT: Final = iri("rdf:subject")
PREDICATE: Final = iri("rdf:predicate")
OBJECT: Final = iri("rdf:object")
SUPPORT: Final = iri("ckg:support")
POSITION: Final = iri("schema:position")
TENTATIVE: Final = iri("ckg:tentative")
TRUE: Final = Literal("true", BOOLEAN)
DERIVED: Final = iri("prov:wasDerivedFrom")
ANNOTATION: Final = iri("oa:Annotation")
TARGET: Final = iri("oa:hasTarget")
SELECTOR: Final = iri("oa:TextPositionSelector")
HAS_SELECTOR: Final = iri("oa:hasSelector")
SENTENCE: Final = (iri("ckg:sentenceStart"), iri("ckg:sentenceEnd"))
RUN: Final = iri("prov:Activity")
SOFTWARE: Final = iri("prov:SoftwareAgent")
MADE_BY: Final = iri("prov:wasAssociatedWith")
DATASET: Final = iri("void:Dataset")
TITLE: Final = iri("dcterms:title")
GENERATED: Final = iri("prov:wasGeneratedBy")
URI_SPACE: Final = iri("void:uriSpace")
TRIPLES: Final = iri("void:triples")
ENTITIES: Final = iri("void:entities")
CLASS: Final = iri("void:class")
CLASS_PARTITION: Final = iri("void:classPartition")

#: Results: their classes and the properties of their slots, by field.
RESULT: Final = iri("ckg:Result")
RESULT_NAME: Final = iri("ckg:ResultName")
RESULT_ANNOTATION: Final = iri("ckg:ResultAnnotation")
OUTPERFORMANCE: Final = iri("ckg:Outperformance")
SLOTS: Final = {
    "on": iri("ckg:on"),
    "systems": iri("ckg:system"),
    "versus": iri("ckg:versus"),
}
#: Topics: their class, and the properties to their entities and papers.
TOPIC: Final = iri("ckg:Topic")
COLLECTION: Final = iri("skos:Collection")
TOPIC_NAME: Final = iri("skos:prefLabel")
MEMBER: Final = iri("skos:member")
TOPIC_PAPER: Final = iri("schema:subjectOf")
IN_RESULT: Final = iri("ckg:inResult")
SLOT: Final = iri("ckg:slot")
DENOTES: Final = iri("ckg:denotes")
NAME_TEXT: Final = iri("rdf:value")
BODY: Final = iri("oa:hasBody")
LOWEST: Final = iri("schema:minValue")
HIGHEST: Final = iri("schema:maxValue")
UNIT_TEXT: Final = iri("schema:unitText")
HAS_UNIT: Final = iri("qudt:hasUnit")

#: The kinds of links by the IRIs of their properties, for reading.
LINK_BY_IRI: Final = {kind.iri: kind.name for kind in LINKS.values()}


@dataclass(frozen=True, slots=True)
class Codec:
    """The encoding of a field's value as an object, and the decoding of the object's text."""

    write: Callable[[Any, Iris], Object]
    read: Callable[[str, Iris], Any]


def decimal(value: float) -> str:
    """Return a number in the canonical form of `xsd:decimal`, without an exponent.

    >>> decimal(1.0), decimal(0.85), decimal(1e-7)
    ('1.0', '0.85', '0.0000001')
    """
    text = format(Decimal(repr(float(value))), "f")
    return text if "." in text else f"{text}.0"


_DATES: Final = (
    (re.compile(r"[1-9]\d{3}"), "-01-01", iri("xsd:gYear")),
    (re.compile(r"[1-9]\d{3}-\d\d"), "-01", iri("xsd:gYearMonth")),
    (re.compile(r"[1-9]\d{3}-\d\d-\d\d"), "", iri("xsd:date")),
)


def date_literal(text: str) -> Literal:
    """Return a date with the datatype of its precision; an invalid date has `xsd:string`."""
    for pattern, rest, datatype in _DATES:
        if pattern.fullmatch(text) and text.isascii():
            try:
                date.fromisoformat(text + rest)
            except ValueError:
                break
            return Literal(text, datatype)
    return Literal(text, TEXT)


def _literal(datatype: str, read: Callable[[str], Any], write: Callable[[Any], str] = str) -> Codec:
    return Codec(lambda value, _: Literal(write(value), datatype), lambda text, _: read(text))


_TEXT: Final = _literal(TEXT, str)
_URL: Final = _literal(iri("xsd:anyURI"), str)
_INTEGER: Final = _literal(INTEGER, int)
_DECIMAL: Final = _literal(DECIMAL, float, decimal)
_DATE: Final = Codec(lambda value, _: date_literal(value), lambda text, _: text)
_ENTITY: Final = Codec(
    lambda value, iris: iris.entity(value), lambda text, iris: iris.entity_id(text)
)
_PAPER: Final = Codec(lambda value, iris: iris.paper(value), lambda text, iris: iris.paper_id(text))
_REFERENCE: Final = Codec(
    lambda value, _: _reference_node(value), lambda text, _: _reference_name(text)
)
_CLASS: Final = Codec(
    lambda value, iris: iris.class_(value), lambda text, iris: _type_name(text, iris)
)
_ROLE: Final = Codec(
    lambda value, iris: iris.property(value), lambda text, iris: iris.vocabulary.role_of_iri[text]
)
_LINK: Final = Codec(lambda value, _: Node(LINKS[value].iri), lambda text, _: LINK_BY_IRI[text])


def _reference_node(name: str) -> Node:
    if identifier(name) != name:
        raise GraphError(
            f"{name!r} is not a reference: give citekg.schemas.identifiers.identifier of it"
        )
    return Node(url_of(name))


def _reference_name(text: str) -> str:
    name = identifier_at(text)
    if not name:
        raise GraphError(f"<{text}> does not identify a paper")
    return name


def _type_name(text: str, iris: Iris) -> str:
    if text not in iris.vocabulary.type_of_iri:
        raise GraphError(f"<{text}> is not an entity type")
    return iris.vocabulary.type_of_iri[text]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record with its property and codec.

    A value equal to `default` is not written, and a missing property is read as `default`; a field
    with the default None is required. The value of a `many` field is a sorted tuple.
    """

    name: str
    property: str
    codec: Codec = _TEXT
    default: object = None
    many: bool = False


def _field(
    name: str, prefixed: str, codec: Codec = _TEXT, default: object = None, *, many: bool = False
) -> Field:
    return Field(name, iri(prefixed), codec, default, many)


PAPER_FIELDS: Final = (
    _field("id", "dcterms:identifier"),
    _field("title", "dcterms:title"),
    _field("abstract", "dcterms:abstract", default=""),
    _field("date", "dcterms:date", _DATE, ""),
    _field("arxiv_id", "fabio:hasArXivId", default=""),
    _field("url", "schema:url", _URL, ""),
    _field("venue", "prism:publicationName", default=""),
    _field("doi", "bibo:doi", default=""),
    _field("links", "schema:relatedLink", _URL, many=True),
    _field("references", "dcterms:references", _REFERENCE, many=True),
)
SOURCE_FIELDS: Final = (
    _field("name", "dcterms:title"),
    _field("line", "ckg:line", _INTEGER, 0),
)
ENTITY_FIELDS: Final = (
    _field("name", "skos:prefLabel"),
    _field("aliases", "skos:altLabel", many=True),
    _field("hidden_names", "skos:hiddenLabel", many=True),
    _field("family", "skos:broader", _ENTITY, ""),
)
MENTION_FIELDS: Final = (
    _field("entity", "oa:hasBody", _ENTITY),
    _field("type", "dcterms:type", _CLASS),
    _field("layer", "ckg:layer"),
    _field("confidence", "ckg:confidence", _DECIMAL),
)
SELECTOR_FIELDS: Final = (
    _field("paper", "oa:hasSource", _PAPER),
    _field("start", "oa:start", _INTEGER),
    _field("end", "oa:end", _INTEGER),
    _field("text", "oa:exact"),
)
RELATION_FIELDS: Final = (
    _field("paper", "rdf:subject", _PAPER),
    _field("role", "rdf:predicate", _ROLE),
    _field("entity", "rdf:object", _ENTITY),
    _field("confidence", "ckg:confidence", _DECIMAL),
)
LINK_FIELDS: Final = (
    _field("citing", "rdf:subject", _PAPER),
    _field("kind", "rdf:predicate", _LINK),
    _field("cited", "rdf:object", _PAPER),
    _field("entity", "ckg:through", _ENTITY),
    _field("confidence", "ckg:confidence", _DECIMAL),
)
RESULT_FIELDS: Final = (
    _field("paper", "ckg:reportedIn", _PAPER),
    _field("value", "ckg:valueText"),
    _field("kind", "ckg:resultKind"),
    _field("direction", "ckg:direction", default=""),
    _field("metric", "ckg:metric", default=""),
    _field("previous", "ckg:previousValue", default=""),
    _field("confidence", "ckg:confidence", _DECIMAL),
)
RESULT_SPAN_FIELDS: Final = (
    _field("paper", "oa:hasSource", _PAPER),
    _field("start", "oa:start", _INTEGER),
    _field("end", "oa:end", _INTEGER),
    _field("value", "oa:exact"),
)
OUTPERFORMANCE_FIELDS: Final = (
    _field("winner", "ckg:winner", _ENTITY),
    _field("loser", "ckg:loser", _ENTITY),
    _field("paper", "ckg:reportedIn", _PAPER),
    _field("metric", "ckg:metric", default=""),
    _field("margin", "ckg:margin"),
    _field("confidence", "ckg:confidence", _DECIMAL),
)
SOFTWARE_FIELDS: Final = (
    _field("software", "schema:name"),
    _field("version", "schema:softwareVersion"),
)
RUN_FIELDS: Final = (
    _field("configuration", "ckg:configurationHash"),
    _field("inputs", "ckg:inputsHash"),
    _field("weights", "ckg:weightsHash", default=""),
)


def write_fields(
    record: object, fields: Sequence[Field], iris: Iris
) -> Iterator[tuple[str, Object]]:
    """Yield the properties and objects of a record, in the order of the fields."""
    for field in fields:
        value = getattr(record, field.name)
        if value == field.default:
            continue
        for item in value if field.many else (value,):
            yield field.property, field.codec.write(item, iris)


def read_fields(properties: Properties, fields: Sequence[Field], iris: Iris) -> dict[str, Any]:
    """Return the fields of a record from the properties of its node.

    Raises `GraphError` for a missing, duplicate or malformed value.
    """
    return {field.name: _read_field(properties, field, iris) for field in fields}


def in_text_order(mentions: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of a paper's mentions, sorted by their start in the text."""
    return tuple(sorted(mentions, key=lambda mention: int(mention.rpartition("_m")[2])))


def only_value(properties: Properties, property_: str) -> str:
    """Return the only value of a property; raises `GraphError` for none or several."""
    values = properties.get(property_, ())
    if len(values) != 1:
        raise GraphError(f"needs one <{property_}>, has {', '.join(map(repr, values)) or 'none'}")
    return values[0]


def members(properties: Properties) -> list[str]:
    """Return the members of an `rdf:Seq` in order."""
    numbers = sorted(
        int(p[len(NTH) :]) for p in properties if p.startswith(NTH) and p[len(NTH) :].isdecimal()
    )
    return [value for n in numbers for value in properties[f"{NTH}{n}"]]


def _read_field(properties: Properties, field: Field, iris: Iris) -> Any:
    try:
        if field.many:
            return tuple(
                sorted(
                    field.codec.read(value, iris) for value in properties.get(field.property, ())
                )
            )
        if field.default is not None and field.property not in properties:
            return field.default
        return field.codec.read(only_value(properties, field.property), iris)
    except (ValueError, KeyError) as error:
        raise GraphError(f"has a bad <{field.property}>: {error}") from error
