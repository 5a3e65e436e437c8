"""The graph read back from its RDF, by the same table that wrote it.

A file written with `evidence="sentence"` gives the equal graph. One with less gives what it holds:
relations without statement nodes have confidence 1 and no evidence, and links without them are
left out, because nothing says what they go through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from exports import terms
from exports.iris import Iris
from exports.reading import contents
from exports.terms import Field, Properties, members, one, read_fields
from schemas.errors import FormatError, GraphError
from schemas.graph import KnowledgeGraph
from schemas.records import Entity, Link, Mention, Paper, Relation, Run, Source
from schemas.vocabulary import MENTIONS, ROLES

Subjects = dict[str, dict[str, list[str]]]
R = TypeVar("R")

#: The names of pyoxigraph's formats by file ending.
RDF_FORMATS: Final = {
    "ttl": "TURTLE",
    "nt": "N_TRIPLES",
    "nq": "N_QUADS",
    "trig": "TRIG",
    "jsonld": "JSON_LD",
    "rdf": "RDF_XML",
}


def read_rdf(path: Path, rdf_format: str) -> KnowledgeGraph:
    """Read a graph from an RDF file; `rdf_format` is one of `RDF_FORMATS`.

    The core of a graph written in two files is read with the provenance that lies beside it.
    Raises `GraphError`, naming the file and the line or the node where something is wrong.
    """
    found: Subjects = {}
    for file in files_of(path):
        add_subjects(found, contents(file), rdf_format, str(file))
    return graph_of(found, str(path))


def files_of(path: Path) -> tuple[Path, ...]:
    """The file itself, and for `graph.core.ttl` also `graph.provenance.ttl` where it is there."""
    other = path.with_name(path.name.replace(".core.", ".provenance.", 1))
    return (path, other) if other != path and other.exists() else (path,)


def add_subjects(found: Subjects, data: bytes, rdf_format: str, place: str) -> None:
    """Add the objects of every subject by property; `place` names the data in errors."""
    from pyoxigraph import BlankNode, RdfFormat, Triple, parse

    if rdf_format not in RDF_FORMATS:
        raise FormatError(rdf_format, RDF_FORMATS)
    try:
        for quad in parse(data, format=getattr(RdfFormat, RDF_FORMATS[rdf_format])):
            subject, value = quad.subject, quad.object
            if isinstance(subject, (BlankNode, Triple)) or isinstance(value, (BlankNode, Triple)):
                raise GraphError(f"{place}: {subject} has a blank or quoted node; citekg writes none")
            found.setdefault(subject.value, {}).setdefault(quad.predicate.value, []).append(value.value)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise GraphError(f"{place}{line}: not {rdf_format}: {error.msg}") from error


def graph_of(found: Subjects, place: str) -> KnowledgeGraph:
    """The graph that these subjects describe; raises `GraphError` for nodes that break the rules."""
    return _Reading(found, place).graph()


class _Reading:
    """The nodes of one file by class, turned into records."""

    def __init__(self, found: Subjects, place: str) -> None:
        self.found = found
        self.place = place
        self.nodes: defaultdict[str, list[str]] = defaultdict(list)
        self.statements: defaultdict[str, list[str]] = defaultdict(list)
        for subject, properties in found.items():
            for class_ in properties.get(terms.TYPE, ()):
                self.nodes[class_].append(subject)
        for node in self.nodes[terms.STATEMENT]:
            for predicate in found[node].get(terms.PREDICATE, ()):
                self.statements[predicate].append(node)
        self.iris = Iris(self._base())

    def graph(self) -> KnowledgeGraph:
        return KnowledgeGraph.of(
            papers=map(self._paper, self.nodes[terms.PAPER]),
            entities=self._entities(),
            mentions=map(self._mention, self.nodes[terms.ANNOTATION]),
            relations=self._relations(),
            links=self._claims(Link, terms.LINK_FIELDS, terms.LINK_OF),
            run=self._run(),
        )

    def _base(self) -> str:
        for node in self.nodes[terms.DATASET]:
            for base in self.found[node].get(terms.URI_SPACE, ()):
                return base
        raise GraphError(f"{self.place}: not a citekg graph: no void:Dataset with a void:uriSpace")

    @contextmanager
    def _at(self, node: str) -> Iterator[Properties]:
        """The properties of a node; an error inside is told with the file and the node."""
        try:
            yield self.found.get(node, {})
        except (GraphError, ValueError, KeyError) as error:
            raise GraphError(f"{self.place}: <{node}>: {error}") from error

    def _fields(self, node: str, fields: Sequence[Field]) -> dict[str, Any]:
        with self._at(node) as properties:
            return read_fields(properties, fields, self.iris)

    def _paper(self, node: str) -> Paper:
        properties = self.found[node]
        authors = [name for seq in properties.get(terms.AUTHOR_LIST, ()) for name in members(self.found.get(seq, {}))]
        told = [n for n in properties.get(terms.FROM_SOURCE, ()) if n in self.found]
        sources = [Source(**self._fields(n, terms.SOURCE_FIELDS)) for n in told]
        fields = self._fields(node, terms.PAPER_FIELDS)
        return Paper(**fields, authors=tuple(authors), sources=tuple(sorted(sources)))

    def _entities(self) -> Iterator[Entity]:
        types = self._types()
        for class_, name in terms.TYPE_OF.items():
            for node in self.nodes[class_]:
                with self._at(node):
                    entity = self.iris.entity_id(node)
                fields = self._fields(node, terms.ENTITY_FIELDS)
                yield Entity(id=entity, type=name, types=types.get(node, ()), **fields)

    def _types(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """The types of each entity node with their support, in their order."""
        found: defaultdict[str, list[tuple[int, str, int]]] = defaultdict(list)
        for node in self.statements[terms.TYPE]:
            with self._at(node) as properties:
                position, support = (int(one(properties, p)) for p in (terms.POSITION, terms.SUPPORT))
                name = terms.TYPE_OF[one(properties, terms.OBJECT)]
                found[one(properties, terms.SUBJECT)].append((position, name, support))
        return {node: tuple((name, support) for _, name, support in sorted(types)) for node, types in found.items()}

    def _mention(self, node: str) -> Mention:
        with self._at(node) as properties:
            target = one(properties, terms.TARGET)
            start, end = (int(one(properties, p)) for p in terms.SENTENCE)
        annotation = self._fields(node, terms.MENTION_FIELDS)
        return Mention(**annotation, **self._fields(target, terms.SELECTOR_FIELDS), sentence=(start, end))

    def _relations(self) -> Iterator[Relation]:
        if any(self.statements[role] for role in terms.ROLE_OF):
            yield from self._claims(Relation, terms.RELATION_FIELDS, terms.ROLE_OF)
        else:
            yield from self._bare_relations()

    def _claims(self, record: Callable[..., R], fields: Sequence[Field], predicates: Iterable[str]) -> Iterator[R]:
        """The relations or links that have statement nodes."""
        for predicate in predicates:
            for node in self.statements[predicate]:
                yield record(**self._fields(node, fields), evidence=self._evidence(node))

    def _evidence(self, node: str) -> tuple[str, ...]:
        with self._at(node) as properties:
            if ordered := members(properties):
                return tuple(map(self.iris.mention_id, ordered))
            proof = [n for n in properties.get(terms.DERIVED, ()) if n != properties[terms.SUBJECT][0]]
            return terms.in_text_order(map(self.iris.mention_id, proof))

    def _bare_relations(self) -> Iterator[Relation]:
        """The strongest roles that the papers' own properties tell."""
        for node in self.nodes[terms.PAPER]:
            told: defaultdict[str, set[str]] = defaultdict(set)
            for property_, role in terms.ROLE_OF.items():
                for entity in self.found[node].get(property_, ()):
                    told[entity].add(role)
            for entity, roles in told.items():
                for role in roles - {wider for r in roles for wider in (ROLES[r].parent, MENTIONS) if r != MENTIONS}:
                    with self._at(node):
                        yield Relation(self.iris.paper_id(node), role, self.iris.entity_id(entity), 1.0, ())

    def _run(self) -> Run:
        for node in self.nodes[terms.RUN]:
            with self._at(node) as properties:
                software = one(properties, terms.MADE_BY)
            return Run(**self._fields(node, terms.RUN_FIELDS), **self._fields(software, terms.SOFTWARE_FIELDS))
        raise GraphError(f"{self.place}: not a citekg graph: no prov:Activity that made it")
