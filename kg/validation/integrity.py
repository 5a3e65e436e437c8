"""Integrity checks between the records of a graph."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from citekg.inference.citation_links import is_later
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.identifiers import identifier
from citekg.schemas.records import Introduction, Link, Mention, Relation, Result
from citekg.schemas.vocabulary import INTRODUCES


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A violated rule: its name, the node that violates it, and a message."""

    rule: str
    node: str
    message: str


def check_integrity(graph: KnowledgeGraph) -> Iterator[Violation]:
    """Yield every inconsistency between the records of a graph."""
    yield from _identities(graph)
    yield from _references(graph)
    for mention in graph.mentions:
        yield from _mention(mention, graph)
    yield from _overlaps(graph)
    yield from _entities(graph)
    for relation in graph.relations:
        yield from _relation(relation, graph)
    for introduction in graph.introductions:
        yield from _introduction(introduction, graph)
    for result in graph.results:
        yield from _result(result, graph)
    roles = _roles(graph)
    for link in graph.links:
        yield from _link(link, graph, roles)


def _identities(graph: KnowledgeGraph) -> Iterator[Violation]:
    keys = {
        "paper": [p.id for p in (*graph.papers, *graph.stubs)],
        "entity": [e.id for e in graph.entities],
        "mention": [m.id for m in graph.mentions],
        "relation": [f"{r.paper} {r.role} {r.entity}" for r in graph.relations],
        "introduction": [f"{i.paper} of {i.entity}" for i in graph.introductions],
        "result": [r.id for r in graph.results],
        "link": [f"{k.citing} {k.kind} {k.cited} through {k.entity}" for k in graph.links],
    }
    for name, listed in keys.items():
        for key, times in sorted(Counter(listed).items()):
            if times > 1:
                yield Violation("unique", key, f"this {name} occurs {times} times")


def _references(graph: KnowledgeGraph) -> Iterator[Violation]:
    for paper in (*graph.papers, *graph.stubs):
        for name in paper.references:
            if identifier(name) != name:
                yield Violation(
                    "references",
                    paper.id,
                    f"has the reference {name!r}, which is not an identifier",
                )


def _mention(mention: Mention, graph: KnowledgeGraph) -> Iterator[Violation]:
    if mention.entity not in graph.entity_by_id:
        yield Violation(
            "known", mention.id, f"names the entity {mention.entity!r}, which is not in the graph"
        )
    if mention.paper not in graph.paper_by_id:
        yield _unknown_paper(mention)
        return
    yield from _span(mention, "text", mention.text, graph)
    if not 0 <= mention.confidence <= 1:
        yield Violation("confidence", mention.id, f"{mention.confidence} is not between 0 and 1")


def _overlaps(graph: KnowledgeGraph) -> Iterator[Violation]:
    for one, other in zip(graph.mentions, graph.mentions[1:], strict=False):
        if one.paper == other.paper and other.start < one.end:
            yield Violation("overlap", other.id, f"overlaps {one.id}")


def _entities(graph: KnowledgeGraph) -> Iterator[Violation]:
    for entity in graph.entities:
        if entity.name in entity.aliases:
            yield Violation(
                "aliases", entity.id, f"has its own name, {entity.name!r}, among its aliases"
            )
        if entity.type not in graph.vocabulary.types or (
            entity.types and entity.types[0][0] != entity.type
        ):
            yield Violation(
                "types", entity.id, f"its type, {entity.type}, is not the first of its types"
            )
        if entity.family and entity.family not in graph.entity_by_id:
            yield Violation(
                "known", entity.id, f"its family, {entity.family!r}, is not in the graph"
            )
        if entity.id in _ancestors(entity.id, graph):
            yield Violation("family", entity.id, "is its own ancestor")


def _ancestors(entity: str, graph: KnowledgeGraph) -> set[str]:
    found: set[str] = set()
    while (known := graph.entity_by_id.get(entity)) and known.family and known.family not in found:
        entity = known.family
        found.add(entity)
    return found


def _relation(relation: Relation, graph: KnowledgeGraph) -> Iterator[Violation]:
    name = f"{relation.paper} {relation.role} {relation.entity}"
    if relation.paper not in graph.paper_by_id:
        yield Violation("known", name, "its paper is not in the graph")
    entity, roles = graph.entity_by_id.get(relation.entity), graph.vocabulary.roles
    if entity is None:
        yield Violation("known", name, "its entity is not in the graph")
    elif relation.role not in roles:
        yield Violation("role", name, f"{relation.role} is none of {', '.join(roles)}")
    elif not {entity.type, *dict(entity.types)} & {*roles[relation.role].fits}:
        yield Violation(
            "role", name, f"{roles[relation.role].label} does not apply to a {entity.type}"
        )
    yield from _claim(relation, name, relation.paper, graph)


def _result(result: Result, graph: KnowledgeGraph) -> Iterator[Violation]:
    for name in result.names:
        if name.entity and name.entity not in graph.entity_by_id:
            yield Violation(
                "known", result.id, f"names the entity {name.entity!r}, which is not in the graph"
            )
    if not 0 <= result.confidence <= 1:
        yield Violation("confidence", result.id, f"{result.confidence} is not between 0 and 1")
    if result.paper not in graph.paper_by_id:
        yield _unknown_paper(result)
        return
    yield from _span(result, "value", result.value, graph)


def _unknown_paper(record: Mention | Result) -> Violation:
    message = f"names the paper {record.paper!r}, which is not in the graph"
    return Violation("known", record.id, message)


def _span(
    record: Mention | Result, field: str, stated: str, graph: KnowledgeGraph
) -> Iterator[Violation]:
    """Check that a span of a paper has the text that the record states, inside its sentence."""
    text = graph.paper_by_id[record.paper].text
    found = text[record.start : record.end]
    if found != stated or not 0 <= record.start < record.end:
        yield Violation(
            "offsets", record.id, f"has the {field} {stated!r}, but the paper has {found!r}"
        )
    start, end = record.sentence
    if not 0 <= start <= record.start < record.end <= end <= len(text):
        yield Violation(
            "offsets", record.id, f"its sentence, {start} to {end}, does not contain it"
        )


def _introduction(introduction: Introduction, graph: KnowledgeGraph) -> Iterator[Violation]:
    name = f"{introduction.paper} introduces {introduction.entity}"
    if introduction.paper not in graph.cited_by_id:
        yield Violation("known", name, "its paper is neither a paper nor a stub of the graph")
    if introduction.entity not in graph.entity_by_id:
        yield Violation("known", name, "its entity is not in the graph")


def _link(
    link: Link, graph: KnowledgeGraph, roles: dict[tuple[str, str], set[str]]
) -> Iterator[Violation]:
    name = f"{link.citing} {link.kind} {link.cited} through {link.entity}"
    if link.citing == link.cited:
        yield Violation("link", name, "a paper does not cite itself")
    if INTRODUCES not in roles[link.cited, link.entity]:
        yield Violation("link", name, "the cited paper does not introduce the entity")
    if link.kind not in _kinds(link, graph, roles):
        yield Violation(
            "link", name, "no role of the entity in the citing paper implies this kind of link"
        )
    papers = [graph.cited_by_id.get(paper) for paper in (link.citing, link.cited)]
    if papers[0] and papers[1] and is_later(papers[1].date, papers[0].date):
        yield Violation("link", name, "the cited paper is the later one")
    yield from _claim(link, name, link.citing, graph)


def _kinds(link: Link, graph: KnowledgeGraph, roles: dict[tuple[str, str], set[str]]) -> set[str]:
    """Return the kinds of link that the roles of its entity in the citing paper imply."""
    entity, known = graph.entity_by_id.get(link.entity), graph.vocabulary
    if entity is None or entity.type not in known.types:
        return set()
    return {
        known.link(role, entity.type)
        for role in roles[link.citing, link.entity] & known.roles.keys()
    }


def _claim(
    claim: Relation | Link, name: str, paper: str, graph: KnowledgeGraph
) -> Iterator[Violation]:
    """Check that the evidence of a claim lies in its paper and mentions its entity."""
    if not 0 <= claim.confidence <= 1:
        yield Violation("confidence", name, f"{claim.confidence} is not between 0 and 1")
    for mention_id in claim.evidence:
        mention = graph.mention_by_id.get(mention_id)
        if mention is None:
            yield Violation("evidence", name, f"the mention {mention_id} is not in the graph")
        elif (mention.paper, mention.entity) != (paper, claim.entity):
            yield Violation(
                "evidence", name, f"{mention_id} is not a mention of {claim.entity} in {paper}"
            )


def _roles(graph: KnowledgeGraph) -> dict[tuple[str, str], set[str]]:
    """Return the roles by (paper, entity), including known introductions."""
    roles: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for relation in graph.relations:
        roles[relation.paper, relation.entity].add(relation.role)
    for introduction in graph.introductions:
        roles[introduction.paper, introduction.entity].add(INTRODUCES)
    return roles
