"""The graph as triples: the story of what is written for each record.

They come grouped by subject, in the order of the graph's records: the core (papers, entities and
what stands between them), its provenance, and the description of the data set, which counts the
rest. No blank nodes, no clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from citekg.exports import EvidenceLevel, ExportOptions
from citekg.exports.rdf import mapping
from citekg.exports.rdf.alignment import aligned
from citekg.exports.rdf.iris import Iris, Node
from citekg.exports.rdf.mapping import Literal, Object, write_fields
from citekg.exports.rdf.vocabulary import declared
from citekg.exports.vocabulary_check import refuse_unknown_claims, refuse_unknown_types
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.schemas.records import Entity, Link, Mention, Paper, Relation, Run
from citekg.schemas.vocabulary import INTRODUCES, LINKS

Triple = tuple[Node, str, Object]
Pairs = Iterator[tuple[str, Object]]
Block = tuple[Node, Iterable[tuple[str, Object]]]


@dataclass(frozen=True, slots=True)
class Rest:
    """What the shards of a graph hold: how many papers and triples, and whether known introductions are among them."""

    papers: int
    triples: int
    introductions: bool


def triples(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[Triple]:
    """Every triple of the graph once, in the order in which it is written."""
    iris = _iris(graph, options)
    others = aligned(graph, iris, graph.entities) if options.align else {}
    core = chain(_papers(graph, iris, options, others), _entity_triples(graph, iris, others))
    proofs = chain(
        _sources(graph, iris, options),
        _type_evidence(graph, iris, options),
        _list_of_introductions(iris, options) if graph.introductions else (),
        _claims(graph, iris, options),
    )
    count = yield from _of_part(core, proofs, options)
    yield from _description(graph, iris, options, len(graph.papers), count)


def shard_triples(shard: Shard, options: ExportOptions) -> Iterator[Triple]:
    """Those of the triples of a graph that tell of the papers of a shard."""
    iris = _iris(shard, options)
    others = aligned(shard, iris, ()) if options.align else {}
    added = ((iris.entity(entity.id), others.get(iris.entity(entity.id), ())) for entity in shard.entities)
    core = chain(_papers(shard, iris, options, others), added)
    yield from _of_part(core, chain(_sources(shard, iris, options), _claims(shard, iris, options)), options)


def head_triples(head: KnowledgeGraph, options: ExportOptions, rest: Rest) -> Iterator[Triple]:
    """The triples of a graph that its shards do not have."""
    iris = _iris(head, options)
    others = aligned(head, iris, head.entities) if options.align else {}
    listed = _list_of_introductions(iris, options) if rest.introductions or head.introductions else ()
    core = chain(_papers(head, iris, options, others), _entity_triples(head, iris, others))
    proofs = chain(_type_evidence(head, iris, options), listed, _claims(head, iris, options))
    count = yield from _of_part(core, proofs, options)
    yield from _description(head, iris, options, rest.papers, rest.triples + count)


def _iris(graph: KnowledgeGraph, options: ExportOptions) -> Iris:
    refuse_unknown_types(graph)
    refuse_unknown_claims(graph)
    return Iris(options.base_iri, graph.vocabulary)


def _of_part(core: Iterable[Block], proofs: Iterable[Block], options: ExportOptions) -> Generator[Triple, None, int]:
    """The triples of the part that is asked for; gives back how many there are of both."""
    count = 0
    for part, blocks in (("core", core), ("provenance", proofs)):
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
    graph: KnowledgeGraph, iris: Iris, options: ExportOptions, others: Mapping[Node, list[tuple[str, Object]]]
) -> Iterator[Block]:
    stands = _stands(graph, iris)
    for class_, papers in ((mapping.PAPER, graph.papers), (mapping.STUB, graph.stubs)):
        for paper in papers:
            node = iris.paper(paper.id)
            yield node, [*_paper(paper, class_, iris, options.evidence), *stands[paper.id], *others.get(node, ())]
            if paper.authors:
                yield _author_list(paper, iris)


def _entity_triples(
    graph: KnowledgeGraph, iris: Iris, others: Mapping[Node, list[tuple[str, Object]]]
) -> Iterator[Block]:
    for entity in graph.entities:
        node = iris.entity(entity.id)
        yield node, [*_entity(entity, iris), *others.get(node, ())]
    yield from declared(graph.vocabulary)
    yield from _run(graph.run, iris)


def _claims(graph: KnowledgeGraph, iris: Iris, options: ExportOptions) -> Iterator[Block]:
    """The statements of relations and links with what proves them, and the mentions."""
    level = options.evidence
    known = {(i.paper, i.entity) for i in graph.introductions}
    if level != "none":
        yield from _known_alone(graph, iris)
        for relation in graph.relations:
            listed = (relation.paper, relation.entity) in known and relation.role == INTRODUCES
            yield _relation_statement(relation, iris, level, iris.node(mapping.KNOWN) if listed else None)
        for link in graph.links:
            yield _link_statement(link, iris, level)
    if level == "sentence":
        for mention in graph.mentions:
            yield from _mention(mention, iris)


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


def _stands(graph: KnowledgeGraph, iris: Iris) -> defaultdict[str, list[tuple[str, Object]]]:
    """How each paper stands to entities and to other papers, wider properties included.

    What is known beside the texts is no mention.
    """
    stands: defaultdict[str, list[tuple[str, Object]]] = defaultdict(list)
    for relation in graph.relations:
        entity, roles = iris.entity(relation.entity), (relation.role, *graph.vocabulary.wider(relation.role))
        stands[relation.paper] += [(p, entity) for p in (*map(iris.property, roles), mapping.SCHEMA_MENTIONS)]
    for known in graph.introductions:
        stands[known.paper].append((iris.property(INTRODUCES), iris.entity(known.entity)))
    for mention in graph.mentions:
        stands[mention.paper].append((mapping.SCHEMA_MENTIONS, iris.entity(mention.entity)))
    for link in graph.links:
        cited = iris.paper(link.cited)
        stands[link.citing] += [(LINKS[link.kind].iri, cited), (mapping.CITES, cited)]
    for citation in graph.citations:
        cited = iris.paper(citation.cited)
        stands[citation.citing] += [(mapping.HAS_REFERENCE, cited), (mapping.CITES, cited)]
    for pairs in stands.values():
        pairs.sort()
    return stands


def _authors(paper: Paper, iris: Iris) -> Node:
    return iris.joined(iris.paper(paper.id), "authors")


def _author_list(paper: Paper, iris: Iris) -> Block:
    items = ((f"{mapping.NTH}{n}", Literal(name, mapping.TEXT)) for n, name in enumerate(paper.authors, 1))
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
            ((mapping.TYPE, Node(mapping.RECORD)), *write_fields(source, mapping.SOURCE_FIELDS, iris)),
        )


def _type_evidence(graph: KnowledgeGraph, iris: Iris, options: ExportOptions) -> Iterator[Block]:
    if options.evidence != "none":
        for entity in graph.entities:
            yield from _type_statements(entity, iris)


def _type_statements(entity: Entity, iris: Iris) -> Iterator[Block]:
    subject = iris.entity(entity.id)
    for position, (name, papers) in enumerate(entity.types, 1):
        yield (
            iris.joined(subject, name),
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
        yield iris.node(mapping.KNOWN), ((mapping.TYPE, Node(mapping.RECORD)), (mapping.TITLE, mapping.KNOWN_TITLE))


def _known_alone(graph: KnowledgeGraph, iris: Iris) -> Iterator[Block]:
    """What is known by the list of well-known introductions and told by no text."""
    known = iris.node(mapping.KNOWN)
    told = {(r.paper, r.entity) for r in graph.relations if r.role == INTRODUCES}
    for one in graph.introductions:
        if (one.paper, one.entity) not in told:
            yield _relation_statement(Relation(one.paper, INTRODUCES, one.entity, 1.0, ()), iris, "sentence", known)


def _relation_statement(relation: Relation, iris: Iris, level: EvidenceLevel, known: Node | None) -> Block:
    """The statement node of a relation, with its proof; `known` is the list of introductions that has it too."""
    paper = iris.paper(relation.paper)
    subject = iris.joined(paper, relation.role, iris.entity(relation.entity))
    fields = write_fields(relation, mapping.RELATION_FIELDS, iris)
    listed = ((mapping.DERIVED, known),) if known else ()
    return subject, (
        (mapping.TYPE, Node(mapping.STATEMENT)),
        *fields,
        *_evidence(relation, paper, iris, level),
        *listed,
    )


def _link_statement(link: Link, iris: Iris, level: EvidenceLevel) -> Block:
    citing = iris.paper(link.citing)
    subject = iris.joined(citing, link.kind, iris.paper(link.cited), iris.entity(link.entity))
    fields = write_fields(link, mapping.LINK_FIELDS, iris)
    return subject, ((mapping.TYPE, Node(mapping.STATEMENT)), *fields, *_evidence(link, citing, iris, level))


def _evidence(claim: Relation | Link, paper: Node, iris: Iris, level: EvidenceLevel) -> Pairs:
    """The mentions that a claim rests on, or the paper alone where mentions are not written.

    Where the best proof is not the first in the text, the mentions are numbered too.
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
    target = iris.joined(node, "t")
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
    yield software, ((mapping.TYPE, Node(mapping.SOFTWARE)), *write_fields(run, mapping.SOFTWARE_FIELDS, iris))


def _description(
    graph: KnowledgeGraph, iris: Iris, options: ExportOptions, papers: int, count: int
) -> Iterator[Triple]:
    """The data set with the number of papers read; `count` is the number of triples before this description."""
    if options.part == "provenance":
        return
    partitions = list(_partitions(graph, iris, papers))
    dataset = iris.node("dataset")
    pairs: list[tuple[str, Object]] = [
        (mapping.TYPE, Node(mapping.DATASET)),
        (mapping.TITLE, Literal("A citekg knowledge graph", mapping.TEXT)),
        (mapping.GENERATED, iris.node("run")),
        (mapping.URI_SPACE, Literal(iris.base, mapping.TEXT)),
        (mapping.ENTITIES, Literal(str(papers + len(graph.stubs) + len(graph.entities)), mapping.INTEGER)),
        *((mapping.CLASS_PARTITION, node) for node, _ in partitions),
    ]
    rest = list(_distinct(partitions))
    total = count + len(rest) + len(pairs) + 1
    pairs.append((mapping.TRIPLES, Literal(str(total), mapping.INTEGER)))
    yield from _distinct([(dataset, pairs)])
    yield from rest


def _partitions(graph: KnowledgeGraph, iris: Iris, papers: int) -> Iterator[Block]:
    counts = {mapping.PAPER: papers} | ({mapping.STUB: len(graph.stubs)} if graph.stubs else {})
    counts |= {kind.iri: sum(e.type == name for e in graph.entities) for name, kind in graph.vocabulary.types.items()}
    for class_, number in counts.items():
        name = class_.rpartition("#")[2].rpartition("/")[2]
        yield (
            iris.node(f"dataset_{name}"),
            (
                (mapping.CLASS, Node(class_)),
                (mapping.ENTITIES, Literal(str(number), mapping.INTEGER)),
            ),
        )
