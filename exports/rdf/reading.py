"""Reading a graph from RDF, by the mapping that wrote it.

A file with `evidence="sentence"` yields an equal graph. Without statement nodes, relations and
links have confidence 1 and no evidence, the entities of the links are inferred from the roles of
the two papers, and the topics are those of the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.graph_files import listed_parts, read_safe_rdf
from citekg.exports.rdf import mapping
from citekg.exports.rdf.iris import Iris
from citekg.exports.rdf.mapping import Field, Properties, members, only_value, read_fields
from citekg.exports.rdf.result_reading import ResultReader
from citekg.exports.rdf.vocabulary import read_vocabulary
from citekg.schemas.errors import FormatError, GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import (
    Entity,
    Introduction,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    Run,
    Source,
    Topic,
)
from citekg.schemas.vocabulary import INTRODUCES, LINKS, MENTIONS, Vocabulary

if TYPE_CHECKING:
    from pyoxigraph import Triple

Subjects = dict[str, dict[str, list[str]]]

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

    If the file is the core of a split graph, the provenance beside it is read too. Raises
    `GraphError` with the file, and the line or the node that is wrong.
    """
    from pyoxigraph import BlankNode, Triple

    found: Subjects = {}
    for triple in parse_triples(path, rdf_format):
        subject, value = triple.subject, triple.object
        if isinstance(subject, (BlankNode, Triple)) or isinstance(value, (BlankNode, Triple)):
            raise GraphError(f"{path}: {subject} has a blank or quoted node; citekg writes none")
        found.setdefault(subject.value, {}).setdefault(triple.predicate.value, []).append(
            value.value
        )
    return graph_from_subjects(found, str(path))


def parse_triples(path: Path, rdf_format: str) -> Iterator[Triple]:
    """Yield the triples of an RDF file and of its other part; raises `GraphError` with the line."""
    from pyoxigraph import RdfFormat, parse

    if rdf_format not in RDF_FORMATS:
        raise FormatError(rdf_format, RDF_FORMATS)
    for file in rdf_files(path):
        try:
            for quad in parse(
                read_safe_rdf(file, rdf_format), format=getattr(RdfFormat, RDF_FORMATS[rdf_format])
            ):
                yield quad.triple
        except SyntaxError as error:
            line = f":{error.lineno}" if error.lineno else ""
            raise GraphError(f"{file}{line}: not {rdf_format}: {error.msg}") from error


def rdf_files(path: Path) -> tuple[Path, ...]:
    """Return the files of a graph: the file itself, or the files of a list of parts.

    For `graph.core.ttl`, `graph.provenance.ttl` is added if it exists.
    """
    if parts := listed_parts(path):
        return parts
    other = path.with_name(path.name.replace(".core.", ".provenance.", 1))
    return (path, other) if other != path and other.exists() else (path,)


def graph_from_subjects(found: Subjects, place: str) -> KnowledgeGraph:
    """Return the graph that these subjects describe; raises `GraphError` for an invalid node."""
    try:
        return _GraphReader(found, place).graph()
    except (GraphError, ValueError, KeyError) as error:
        message = str(error)
        if not message.startswith(f"{place}: "):
            message = f"{place}: not a citekg graph: {message}"
        raise GraphError(message) from error


def declared_vocabulary(found: Subjects) -> Vocabulary:
    """Return the vocabulary that these subjects declare; raises `GraphError` if it is invalid."""
    return read_vocabulary(found, _by_class(found))


def _by_class(found: Subjects) -> defaultdict[str, list[str]]:
    """Return the subjects by class."""
    nodes: defaultdict[str, list[str]] = defaultdict(list)
    for subject, properties in found.items():
        for class_ in properties.get(mapping.TYPE, ()):
            nodes[class_].append(subject)
    return nodes


class _GraphReader:
    """A reader that turns the nodes of a graph, grouped by class, into records."""

    def __init__(self, found: Subjects, place: str) -> None:
        self.found = found
        self.place = place
        self.nodes = _by_class(found)
        self.statements: defaultdict[str, list[str]] = defaultdict(list)
        for node in self.nodes[mapping.STATEMENT]:
            for predicate in found[node].get(mapping.PREDICATE, ()):
                self.statements[predicate].append(node)
        self.vocabulary = self._vocabulary()
        self.iris = Iris(self._base(), self.vocabulary)
        self.known = self.iris.node(mapping.KNOWN)

    def graph(self) -> KnowledgeGraph:
        entities = tuple(self._entities())
        bare = not any(self.statements[role] for role in self.vocabulary.role_of_iri)
        relations = tuple(
            self._relations_without_statements() if bare else self._stated_relations()
        )
        introductions = tuple(self._introductions())
        types = {entity.id: entity.type for entity in entities}
        return KnowledgeGraph.of(
            papers=map(self._paper, self.nodes[mapping.PAPER]),
            entities=entities,
            mentions=map(self._mention, self.nodes[mapping.ANNOTATION]),
            relations=relations,
            links=self._links_without_statements(relations, introductions, types)
            if bare
            else self._stated_links(),
            run=self._run(),
            stubs=map(self._paper, self.nodes[mapping.STUB]),
            introductions=introductions,
            vocabulary=self.vocabulary,
            results=self._results(entities),
            stated_topics=(*self._topics(),) or None if bare else None,
        )

    def _topics(self) -> Iterator[Topic]:
        """Yield the topics, those with most papers first; of the entities, the names come first."""
        topics = map(self._topic, self.nodes[mapping.TOPIC])
        yield from sorted(topics, key=lambda topic: (-len(topic.papers), topic.id))

    def _topic(self, node: str) -> Topic:
        with self._at(node) as properties:
            names = [self.iris.entity_id(entity) for entity in members(properties)]
            entities = sorted(map(self.iris.entity_id, properties.get(mapping.MEMBER, ())))
            papers = map(self.iris.paper_id, properties.get(mapping.TOPIC_PAPER, ()))
            label = only_value(properties, mapping.TOPIC_NAME)
        rest = (entity for entity in entities if entity not in names)
        return Topic("_".join(names), label, (*names, *rest), tuple(sorted(papers)))

    def _results(self, entities: Iterable[Entity]) -> Iterator[Result]:
        names = {str(self.iris.entity(entity.id)): entity.name for entity in entities}
        reader = ResultReader(self.found, self.nodes, self.iris, names)
        for node in self.nodes[mapping.RESULT]:
            with self._at(node):
                yield reader.result(node)

    def _vocabulary(self) -> Vocabulary:
        try:
            return read_vocabulary(self.found, self.nodes)
        except (GraphError, ValueError) as error:
            raise GraphError(f"{self.place}: the vocabulary {error}") from error

    def _base(self) -> str:
        for node in self.nodes[mapping.DATASET]:
            for base in self.found[node].get(mapping.URI_SPACE, ()):
                return base
        raise GraphError(f"{self.place}: not a citekg graph: no void:Dataset with a void:uriSpace")

    @contextmanager
    def _at(self, node: str) -> Iterator[Properties]:
        """Yield the properties of a node; an error in the context names the file and the node."""
        try:
            yield self.found.get(node, {})
        except (GraphError, ValueError, KeyError) as error:
            raise GraphError(f"{self.place}: <{node}>: {error}") from error

    def _fields(self, node: str, fields: Sequence[Field]) -> dict[str, Any]:
        with self._at(node) as properties:
            return read_fields(properties, fields, self.iris)

    def _paper(self, node: str) -> Paper:
        properties = self.found[node]
        authors = [
            name
            for seq in properties.get(mapping.AUTHOR_LIST, ())
            for name in members(self.found.get(seq, {}))
        ]
        nodes = [n for n in properties.get(mapping.FROM_SOURCE, ()) if n in self.found]
        sources = [Source(**self._fields(n, mapping.SOURCE_FIELDS)) for n in nodes]
        fields = self._fields(node, mapping.PAPER_FIELDS)
        return Paper(**fields, authors=tuple(authors), sources=tuple(sorted(sources)))

    def _entities(self) -> Iterator[Entity]:
        types = self._types()
        for class_, name in self.vocabulary.type_of_iri.items():
            for node in self.nodes[class_]:
                with self._at(node):
                    entity = self.iris.entity_id(node)
                fields = self._fields(node, mapping.ENTITY_FIELDS)
                yield Entity(id=entity, type=name, types=types.get(node, ()), **fields)

    def _types(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """Return the types of each entity node with their support, by position."""
        found: defaultdict[str, list[tuple[int, str, int]]] = defaultdict(list)
        for node in self.statements[mapping.TYPE]:
            with self._at(node) as properties:
                position, support = (
                    int(only_value(properties, p)) for p in (mapping.POSITION, mapping.SUPPORT)
                )
                name = self.vocabulary.type_of_iri[only_value(properties, mapping.OBJECT)]
                found[only_value(properties, mapping.SUBJECT)].append((position, name, support))
        return {
            node: tuple((name, support) for _, name, support in sorted(types))
            for node, types in found.items()
        }

    def _mention(self, node: str) -> Mention:
        with self._at(node) as properties:
            target = only_value(properties, mapping.TARGET)
            start, end = (int(only_value(properties, p)) for p in mapping.SENTENCE)
        annotation = self._fields(node, mapping.MENTION_FIELDS)
        return Mention(
            **annotation, **self._fields(target, mapping.SELECTOR_FIELDS), sentence=(start, end)
        )

    def _stated_relations(self) -> Iterator[Relation]:
        """Yield the relations with statement nodes, except those that only the list states."""
        for role in self.vocabulary.role_of_iri:
            for node in self.statements[role]:
                if self.found[node].get(mapping.DERIVED) != [self.known]:
                    yield Relation(
                        **self._fields(node, mapping.RELATION_FIELDS), evidence=self._evidence(node)
                    )

    def _stated_links(self) -> Iterator[Link]:
        for kind in mapping.LINK_BY_IRI:
            for node in self.statements[kind]:
                yield Link(**self._fields(node, mapping.LINK_FIELDS), evidence=self._evidence(node))

    def _introductions(self) -> Iterator[Introduction]:
        """Yield the introductions of the list: without a mention, or with a statement from it."""
        role = self.iris.property(INTRODUCES)
        papers = (*self.nodes[mapping.PAPER], *self.nodes[mapping.STUB])
        pairs = {(paper, entity) for paper in papers for entity in self._unmentioned(paper)}
        for node in self.statements[role]:
            if self.known in self.found[node].get(mapping.DERIVED, ()):
                with self._at(node) as properties:
                    pairs.add(
                        (
                            only_value(properties, mapping.SUBJECT),
                            only_value(properties, mapping.OBJECT),
                        )
                    )
        for paper, entity in pairs:
            with self._at(paper):
                yield Introduction(self.iris.paper_id(paper), self.iris.entity_id(entity))

    def _unmentioned(self, paper: str) -> set[str]:
        """Return the entity nodes that a paper introduces, but does not mention."""
        introduced, named = (
            self.found[paper].get(p, ())
            for p in (self.iris.property(INTRODUCES), mapping.SCHEMA_MENTIONS)
        )
        return {*introduced} - {*named}

    def _evidence(self, node: str) -> tuple[str, ...]:
        with self._at(node) as properties:
            if ordered := members(properties):
                return tuple(map(self.iris.mention_id, ordered))
            others = {properties[mapping.SUBJECT][0], self.known}
            mentions = [n for n in properties.get(mapping.DERIVED, ()) if n not in others]
            return mapping.in_text_order(map(self.iris.mention_id, mentions))

    def _relations_without_statements(self) -> Iterator[Relation]:
        """Yield the narrowest roles among the properties of the papers."""
        for node in self.nodes[mapping.PAPER]:
            roles_by_entity: defaultdict[str, set[str]] = defaultdict(set)
            for property_, role in self.vocabulary.role_of_iri.items():
                for entity in self.found[node].get(property_, ()):
                    roles_by_entity[entity].add(role)
            for entity in self._unmentioned(node):
                del roles_by_entity[entity]
            for entity, roles in roles_by_entity.items():
                for role in roles - self._implied_roles(roles):
                    with self._at(node):
                        yield Relation(
                            self.iris.paper_id(node), role, self.iris.entity_id(entity), 1.0, ()
                        )

    def _implied_roles(self, roles: set[str]) -> set[str]:
        """Return the roles that are broader than another of these."""
        return {
            broader
            for role in roles
            if role != MENTIONS
            for broader in (*self.vocabulary.broader_roles(role), MENTIONS)
        }

    def _links_without_statements(
        self, relations: Iterable[Relation], known: Iterable[Introduction], types: dict[str, str]
    ) -> Iterator[Link]:
        """Yield the links among the properties of the papers, with the strongest possible kind."""
        introduced = {(r.paper, r.entity) for r in relations if r.role == INTRODUCES}
        introduced |= {(i.paper, i.entity) for i in known}
        kinds: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
        for relation in relations:
            kind = self.vocabulary.link(relation.role, types.get(relation.entity, ""))
            nodes = self.found[self.iris.paper(relation.paper)].get(LINKS[kind].iri, ())
            for cited in map(self.iris.paper_id, nodes):
                if (cited, relation.entity) in introduced and cited != relation.paper:
                    kinds[relation.paper, cited, relation.entity].add(kind)
        for (citing, cited, entity), found in kinds.items():
            yield Link(citing, min(found, key=[*LINKS].index), cited, entity, 1.0, ())

    def _run(self) -> Run:
        for node in self.nodes[mapping.RUN]:
            with self._at(node) as properties:
                software = only_value(properties, mapping.MADE_BY)
            return Run(
                **self._fields(node, mapping.RUN_FIELDS),
                **self._fields(software, mapping.SOFTWARE_FIELDS),
            )
        raise GraphError(f"{self.place}: not a citekg graph: no prov:Activity that made it")
