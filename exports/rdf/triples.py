"""The graph as RDF triples.

The triples are grouped by subject, in the order of the graph's records: first the core (papers,
entities and the properties between them), then its provenance, then the VoID description of the
data set with its counts. There are no blank nodes and no timestamps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from citekg.exports.rdf import mapping
from citekg.exports.rdf.alignment import aligned_properties
from citekg.exports.rdf.iris import Iris, Node
from citekg.exports.rdf.mapping import Literal, Object, write_fields
from citekg.exports.rdf.result_triples import result_blocks, result_evidence
from citekg.exports.rdf.vocabulary import declaration_blocks
from citekg.exports.vocabulary_check import refuse_unknown_claims, refuse_unknown_types
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.schemas.plugins import EvidenceLevel, ExportOptions
from citekg.schemas.records import Entity, Link, Mention, Paper, Relation, Run
from citekg.schemas.topics import NAMES_OF_TOPIC
from citekg.schemas.vocabulary import INTRODUCES, LINKS

Triple = tuple[Node, str, Object]
Pairs = Iterator[tuple[str, Object]]
Block = tuple[Node, Iterable[tuple[str, Object]]]


@dataclass(frozen=True, slots=True)
class ShardCounts:
    """The papers, triples and results of shards, and whether they have known introductions."""

    papers: int
    triples: int
    introductions: bool
    results: int = 0


def triples(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[Triple]:
    """Yield the triples of the graph without duplicates, in the order of the file."""
    iris = _iris(graph, options)
    others = aligned_properties(graph, iris, graph.entities) if options.align else {}
    core = chain(
        _papers(graph, iris, options, others),
        _entity_triples(graph, iris, others),
        result_blocks(graph, iris, options.evidence, others),
        _topics(graph, iris),
    )
    provenance = chain(
        _sources(graph, iris, options),
        _type_evidence(graph, iris, options),
        _list_of_introductions(iris, options) if graph.introductions else (),
        _claims(graph, iris, options),
    )
    count = yield from _select_part(core, provenance, options)
    whole = ShardCounts(len(graph.papers), count, introductions=False, results=len(graph.results))
    yield from _description(graph, iris, options, whole)


def shard_triples(shard: Shard, options: ExportOptions) -> Iterator[Triple]:
    """Yield the triples of a shard, with their provenance."""
    iris = _iris(shard, options)
    others = aligned_properties(shard, iris, ()) if options.align else {}
    added = (
        (iris.entity(entity.id), others.get(iris.entity(entity.id), ()))
        for entity in shard.entities
    )
    core = chain(
        _papers(shard, iris, options, others),
        added,
        result_blocks(shard, iris, options.evidence, others),
    )
    yield from _select_part(
        core, chain(_sources(shard, iris, options), _claims(shard, iris, options)), options
    )


def head_triples(
    head: KnowledgeGraph, options: ExportOptions, rest: ShardCounts
) -> Iterator[Triple]:
    """Yield the triples of the head of a graph; `rest` are the counts of its shards."""
    iris = _iris(head, options)
    others = aligned_properties(head, iris, head.entities) if options.align else {}
    listed = (
        _list_of_introductions(iris, options) if rest.introductions or head.introductions else ()
    )
    core = chain(
        _papers(head, iris, options, others),
        _entity_triples(head, iris, others),
        _topics(head, iris),
    )
    provenance = chain(_type_evidence(head, iris, options), listed, _claims(head, iris, options))
    count = yield from _select_part(core, provenance, options)
    yield from _description(head, iris, options, replace(rest, triples=rest.triples + count))


def _iris(graph: KnowledgeGraph, options: ExportOptions) -> Iris:
    refuse_unknown_types(graph)
    refuse_unknown_claims(graph)
    return Iris(options.base_iri, graph.vocabulary)


def _select_part(
    core: Iterable[Block], provenance: Iterable[Block], options: ExportOptions
) -> Generator[Triple, None, int]:
    """Yield the triples of the requested part; return the number of triples of both parts."""
    count = 0
    for part, blocks in (("core", core), ("provenance", provenance)):
        for triple in _distinct(blocks):
            count += 1
            if options.part in ("all", part):
                yield triple
    return count


def _distinct(blocks: Iterable[Block]) -> Iterator[Triple]:
    for subject, pairs in blocks:
        for predicate, value in dict.fromkeys(pairs):
            yield subject, predicate, value


def _papers(
    graph: KnowledgeGraph,
    iris: Iris,
    options: ExportOptions,
    others: Mapping[Node, list[tuple[str, Object]]],
) -> Iterator[Block]:
    """Yield the papers. A paper that another shard describes has only its links and citations."""
    properties = _paper_properties(graph, iris)
    for class_, papers in ((mapping.PAPER, graph.papers), (mapping.STUB, graph.stubs)):
        for paper in papers:
            node = iris.paper(paper.id)
            yield (
                node,
                [
                    *_paper(paper, class_, iris, options.evidence),
                    *properties[paper.id],
                    *others.get(node, ()),
                ],
            )
            if paper.authors:
                yield _author_list(paper, iris)
    elsewhere = properties.keys() - {paper.id for paper in (*graph.papers, *graph.stubs)}
    yield from ((iris.paper(paper), properties[paper]) for paper in sorted(elsewhere))


def _entity_triples(
    graph: KnowledgeGraph, iris: Iris, others: Mapping[Node, list[tuple[str, Object]]]
) -> Iterator[Block]:
    for entity in graph.entities:
        node = iris.entity(entity.id)
        yield node, [*_entity(entity, iris), *others.get(node, ())]
    yield from declaration_blocks(graph.vocabulary)
    yield from _run(graph.run, iris)


def _topics(graph: KnowledgeGraph, iris: Iris) -> Iterator[Block]:
    """Yield the topics with their names, entities and papers; rdf:_1 to rdf:_3 name them."""
    for topic in graph.topics:
        names = topic.entities[:NAMES_OF_TOPIC]
        yield (
            iris.topic(names),
            (
                (mapping.TYPE, Node(mapping.COLLECTION)),
                (mapping.TYPE, Node(mapping.TOPIC)),
                (mapping.TOPIC_NAME, Literal(topic.label, mapping.TEXT)),
                *((mapping.MEMBER, iris.entity(entity)) for entity in topic.entities),
                *((f"{mapping.NTH}{n}", iris.entity(name)) for n, name in enumerate(names, 1)),
                *((mapping.TOPIC_PAPER, iris.paper(paper)) for paper in topic.papers),
            ),
        )


def _claims(graph: KnowledgeGraph, iris: Iris, options: ExportOptions) -> Iterator[Block]:
    """Yield the statements of relations and links with their evidence, and the mentions."""
    level = options.evidence
    if level != "none":
        yield from _unstated_introductions(graph, iris)
        for relation in graph.relations:
            pair = (relation.paper, relation.entity)
            listed = relation.role == INTRODUCES and pair in graph.listed_introductions
            yield _relation_statement(
                relation,
                iris,
                level,
                iris.node(mapping.KNOWN) if listed else None,
                tentative=graph.is_tentative(relation),
            )
        for link in graph.links:
            yield _link_statement(link, iris, level, tentative=graph.is_tentative(link))
    if level == "sentence":
        for mention in graph.mentions:
            yield from _mention(mention, iris)
        yield from result_evidence(graph, iris)


def _paper(paper: Paper, class_: str, iris: Iris, level: EvidenceLevel) -> Pairs:
    yield mapping.TYPE, Node(class_)
    yield from write_fields(paper, mapping.PAPER_FIELDS, iris)
    for author in paper.authors:
        yield mapping.CREATOR, Literal(author, mapping.TEXT)
    if paper.authors:
        yield mapping.AUTHOR_LIST, _authors(paper, iris)
    if level != "none":
        for source in paper.sources:
            yield mapping.FROM_SOURCE, iris.source(source)


def _paper_properties(
    graph: KnowledgeGraph, iris: Iris
) -> defaultdict[str, list[tuple[str, Object]]]:
    """Return the properties from each paper to entities and other papers, broader ones included.

    Known introductions do not imply `schema:mentions`.
    """
    properties: defaultdict[str, list[tuple[str, Object]]] = defaultdict(list)
    for relation in graph.relations:
        entity, roles = (
            iris.entity(relation.entity),
            (relation.role, *graph.vocabulary.broader_roles(relation.role)),
        )
        properties[relation.paper] += [
            (p, entity) for p in (*map(iris.property, roles), mapping.SCHEMA_MENTIONS)
        ]
    for known in graph.introductions:
        properties[known.paper].append((iris.property(INTRODUCES), iris.entity(known.entity)))
    for mention in graph.mentions:
        properties[mention.paper].append((mapping.SCHEMA_MENTIONS, iris.entity(mention.entity)))
    for link in graph.links:
        cited = iris.paper(link.cited)
        properties[link.citing] += [(LINKS[link.kind].iri, cited), (mapping.CITES, cited)]
    for citation in graph.citations:
        cited = iris.paper(citation.cited)
        properties[citation.citing] += [(mapping.HAS_REFERENCE, cited), (mapping.CITES, cited)]
    for pairs in properties.values():
        pairs.sort()
    return properties


def _authors(paper: Paper, iris: Iris) -> Node:
    return iris.statement(iris.paper(paper.id), "authors")


def _author_list(paper: Paper, iris: Iris) -> Block:
    items = (
        (f"{mapping.NTH}{n}", Literal(name, mapping.TEXT))
        for n, name in enumerate(paper.authors, 1)
    )
    return _authors(paper, iris), ((mapping.TYPE, Node(mapping.SEQUENCE)), *items)


def _entity(entity: Entity, iris: Iris) -> Pairs:
    yield mapping.TYPE, iris.class_(entity.type)
    yield from write_fields(entity, mapping.ENTITY_FIELDS, iris)


def _sources(graph: KnowledgeGraph, iris: Iris, options: ExportOptions) -> Iterator[Block]:
    if options.evidence == "none":
        return
    for source in sorted({source for paper in graph.papers for source in paper.sources}):
        yield (
            iris.source(source),
            (
                (mapping.TYPE, Node(mapping.RECORD)),
                *write_fields(source, mapping.SOURCE_FIELDS, iris),
            ),
        )


def _type_evidence(graph: KnowledgeGraph, iris: Iris, options: ExportOptions) -> Iterator[Block]:
    if options.evidence != "none":
        for entity in graph.entities:
            yield from _type_statements(entity, iris)


def _type_statements(entity: Entity, iris: Iris) -> Iterator[Block]:
    subject = iris.entity(entity.id)
    for position, (name, papers) in enumerate(entity.types, 1):
        yield (
            iris.statement(subject, name),
            (
                (mapping.TYPE, Node(mapping.STATEMENT)),
                (mapping.SUBJECT, subject),
                (mapping.PREDICATE, Node(mapping.TYPE)),
                (mapping.OBJECT, iris.class_(name)),
                (mapping.SUPPORT, Literal(str(papers), mapping.INTEGER)),
                (mapping.POSITION, Literal(str(position), mapping.INTEGER)),
            ),
        )


def _list_of_introductions(iris: Iris, options: ExportOptions) -> Iterator[Block]:
    if options.evidence != "none":
        yield (
            iris.node(mapping.KNOWN),
            ((mapping.TYPE, Node(mapping.RECORD)), (mapping.TITLE, mapping.KNOWN_TITLE)),
        )


def _unstated_introductions(graph: KnowledgeGraph, iris: Iris) -> Iterator[Block]:
    """Yield the statements of introductions from the list that no text states."""
    known = iris.node(mapping.KNOWN)
    stated = {(r.paper, r.entity) for r in graph.relations if r.role == INTRODUCES}
    for one in graph.introductions:
        if (one.paper, one.entity) not in stated:
            yield _relation_statement(
                Relation(one.paper, INTRODUCES, one.entity, 1.0, ()), iris, "sentence", known
            )


def _relation_statement(
    relation: Relation,
    iris: Iris,
    level: EvidenceLevel,
    known: Node | None,
    *,
    tentative: bool = False,
) -> Block:
    """Return the statement of a relation with its evidence, and the list `known` as a source."""
    paper = iris.paper(relation.paper)
    subject = iris.statement(paper, relation.role, iris.entity(relation.entity))
    fields = write_fields(relation, mapping.RELATION_FIELDS, iris)
    listed = ((mapping.DERIVED, known),) if known else ()
    return subject, (
        (mapping.TYPE, Node(mapping.STATEMENT)),
        *fields,
        *_mark(tentative=tentative),
        *_evidence(relation, paper, iris, level),
        *listed,
    )


def _link_statement(link: Link, iris: Iris, level: EvidenceLevel, *, tentative: bool) -> Block:
    citing = iris.paper(link.citing)
    subject = iris.statement(citing, link.kind, iris.paper(link.cited), iris.entity(link.entity))
    fields = write_fields(link, mapping.LINK_FIELDS, iris)
    return subject, (
        (mapping.TYPE, Node(mapping.STATEMENT)),
        *fields,
        *_mark(tentative=tentative),
        *_evidence(link, citing, iris, level),
    )


def _mark(*, tentative: bool) -> Pairs:
    """Yield the mark of a tentative claim; other claims have none."""
    if tentative:
        yield mapping.TENTATIVE, mapping.TRUE


def _evidence(claim: Relation | Link, paper: Node, iris: Iris, level: EvidenceLevel) -> Pairs:
    """Yield the evidence of a claim: its mentions, or the paper if mentions are not exported.

    If the order of the evidence is not that of the text, the mentions are also numbered.
    """
    if level == "paper":
        yield mapping.DERIVED, paper
        return
    for mention in claim.evidence:
        yield mapping.DERIVED, iris.mention(mention)
    if claim.evidence != mapping.in_text_order(claim.evidence):
        for n, mention in enumerate(claim.evidence, 1):
            yield f"{mapping.NTH}{n}", iris.mention(mention)


def _mention(mention: Mention, iris: Iris) -> Iterator[Block]:
    node = iris.mention(mention.id)
    target = iris.statement(node, "t")
    yield node, _annotation(mention, target, iris)
    yield (
        target,
        (
            (mapping.TYPE, Node(mapping.SELECTOR)),
            (mapping.HAS_SELECTOR, target),
            *write_fields(mention, mapping.SELECTOR_FIELDS, iris),
        ),
    )


def _annotation(mention: Mention, target: Node, iris: Iris) -> Pairs:
    yield mapping.TYPE, Node(mapping.ANNOTATION)
    yield mapping.TARGET, target
    yield from write_fields(mention, mapping.MENTION_FIELDS, iris)
    for property_, offset in zip(mapping.SENTENCE, mention.sentence, strict=True):
        yield property_, Literal(str(offset), mapping.INTEGER)


def _run(run: Run, iris: Iris) -> Iterator[Block]:
    software = iris.node("software")
    yield (
        iris.node("run"),
        (
            (mapping.TYPE, Node(mapping.RUN)),
            (mapping.MADE_BY, software),
            *write_fields(run, mapping.RUN_FIELDS, iris),
        ),
    )
    yield (
        software,
        ((mapping.TYPE, Node(mapping.SOFTWARE)), *write_fields(run, mapping.SOFTWARE_FIELDS, iris)),
    )


def _description(
    graph: KnowledgeGraph, iris: Iris, options: ExportOptions, counts: ShardCounts
) -> Iterator[Triple]:
    """Yield the VoID description; `counts` has all papers, results and triples before it."""
    if options.part == "provenance":
        return
    partitions = list(_partitions(graph, iris, counts))
    dataset = iris.node("dataset")
    pairs: list[tuple[str, Object]] = [
        (mapping.TYPE, Node(mapping.DATASET)),
        (mapping.TITLE, Literal("A citekg knowledge graph", mapping.TEXT)),
        (mapping.GENERATED, iris.node("run")),
        (mapping.URI_SPACE, Literal(iris.base, mapping.TEXT)),
        (
            mapping.ENTITIES,
            Literal(str(counts.papers + len(graph.stubs) + len(graph.entities)), mapping.INTEGER),
        ),
        *((mapping.CLASS_PARTITION, node) for node, _ in partitions),
    ]
    rest = list(_distinct(partitions))
    total = counts.triples + len(rest) + len(pairs) + 1
    pairs.append((mapping.TRIPLES, Literal(str(total), mapping.INTEGER)))
    yield from _distinct([(dataset, pairs)])
    yield from rest


def _partitions(graph: KnowledgeGraph, iris: Iris, given: ShardCounts) -> Iterator[Block]:
    counts = {mapping.PAPER: given.papers} | (
        {mapping.STUB: len(graph.stubs)} if graph.stubs else {}
    )
    types = Counter(e.type for e in graph.entities)
    counts |= {kind.iri: types[name] for name, kind in graph.vocabulary.types.items()}
    counts |= {mapping.RESULT: given.results} if given.results else {}
    counts |= {mapping.TOPIC: len(graph.topics)} if graph.topics else {}
    for class_, number in counts.items():
        name = class_.rpartition("#")[2].rpartition("/")[2]
        yield (
            iris.node(f"dataset_{name}"),
            (
                (mapping.CLASS, Node(class_)),
                (mapping.ENTITIES, Literal(str(number), mapping.INTEGER)),
            ),
        )
