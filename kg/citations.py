"""Paper-to-paper links: a paper stands to the one that introduced what it uses, extends or compares with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from schemas.records import Link, Paper, Relation
from schemas.vocabulary import CITES, INTRODUCES, LINK_OF_ROLE, LINKS


def introducers(relations: Iterable[Relation]) -> dict[str, tuple[str, ...]]:
    """The papers that introduce each entity, sorted; more than one means that the name is contested."""
    found: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        if relation.role == INTRODUCES:
            found[relation.entity].add(relation.paper)
    return {entity: tuple(sorted(papers)) for entity, papers in found.items()}


def links(papers: Iterable[Paper], relations: Iterable[Relation], type_of: dict[str, str]) -> Iterator[Link]:
    """The links that follow from the relations, one a citing paper, cited paper and entity.

    An entity that several papers claim gives none. No paper links to itself or to a later one.
    """
    listed = list(relations)
    dates = {p.id: p.date for p in papers}
    introduced_by = {entity: by[0] for entity, by in introducers(listed).items() if len(by) == 1}
    best: dict[tuple[str, str], Link] = {}
    strongest = list(LINKS)
    for relation in listed:
        cited = introduced_by.get(relation.entity)
        if cited is None or cited == relation.paper or is_later(dates[cited], dates[relation.paper]):
            continue
        kind = LINK_OF_ROLE.get((relation.role, type_of[relation.entity]), CITES)
        link = Link(relation.paper, kind, cited, relation.entity, relation.confidence, relation.evidence)
        known = best.get((link.citing, link.entity))
        if known is None or strongest.index(kind) < strongest.index(known.kind):
            best[link.citing, link.entity] = link
    yield from best.values()


def is_later(one: str, other: str) -> bool:
    """Whether a date is surely later than another, as far as both are known.

    >>> is_later("2024-05", "2023"), is_later("2024-05", "2024"), is_later("", "2024")
    (True, False, False)
    """
    shared = min(len(one), len(other))
    return one[:shared] > other[:shared]
