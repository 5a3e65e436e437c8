"""Paper-to-paper links: a paper stands to the one that introduced what it uses, extends or compares with.

Links follow from the records alone: the same relations and introductions always give the same links.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from citekg.schemas.records import Introduction, Link, Paper, Relation
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES, LINKS, Vocabulary

#: How much surer one paper's claim must be than every other's to settle who introduced a thing.
_MARGIN: Final = 0.25
#: A claim that is less sure than this is a guess, and no ground for links from other papers.
MIN_CONFIDENCE: Final = 0.5


def introducers(relations: Iterable[Relation], known: Iterable[Introduction] = ()) -> dict[str, tuple[str, ...]]:
    """The papers that introduce each entity, sorted; more than one means that the name is contested.

    What is known settles it, and so does a claim that is clearly surer than all others. A claim that is
    no more than a guess counts for nothing.
    """
    claims: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for relation in relations:
        if relation.role == INTRODUCES and relation.confidence >= MIN_CONFIDENCE:
            claims[relation.entity].append((relation.confidence, relation.paper))
    settled = {entity: _settled(sorted(found, reverse=True)) for entity, found in claims.items()}
    return settled | {introduction.entity: (introduction.paper,) for introduction in known}


def _settled(claims: list[tuple[float, str]]) -> tuple[str, ...]:
    if len(claims) > 1 and claims[0][0] - claims[1][0] >= _MARGIN:
        return (claims[0][1],)
    return tuple(sorted(paper for _, paper in claims))


def links(
    papers: Iterable[Paper],
    relations: Iterable[Relation],
    type_of: Mapping[str, str],
    known: Iterable[Introduction] = (),
    vocabulary: Vocabulary = DEFAULT,
) -> Iterator[Link]:
    """The links that follow from the relations, one a citing paper, cited paper and entity.

    `papers` holds the stubs too. An entity that several papers claim gives no link.
    """
    listed = list(relations)
    dates = {p.id: p.date for p in papers}
    introduced_by = {e: (by[0], dates[by[0]]) for e, by in introducers(listed, known).items() if len(by) == 1}
    return links_to(introduced_by, listed, dates, type_of, vocabulary)


def links_to(
    introduced_by: Mapping[str, tuple[str, str]],
    relations: Iterable[Relation],
    dates: Mapping[str, str],
    type_of: Mapping[str, str],
    vocabulary: Vocabulary = DEFAULT,
) -> Iterator[Link]:
    """The links of papers with these dates to the paper, with its date, that introduced an entity.

    No paper links to itself or to a later one.
    """
    best: dict[tuple[str, str], Link] = {}
    for relation in relations:
        cited, date = introduced_by.get(relation.entity, ("", ""))
        if not cited or cited == relation.paper or is_later(date, dates[relation.paper]):
            continue
        kind = vocabulary.link(relation.role, type_of[relation.entity])
        link = Link(relation.paper, kind, cited, relation.entity, relation.confidence, relation.evidence)
        place = (link.citing, link.entity)
        best[place] = min(link, best.get(place, link), key=_weakness)
    yield from best.values()


def _weakness(link: Link) -> tuple[int, float, tuple[str, ...]]:
    """What sorts links from the strongest claim to the weakest, and never leaves two alike."""
    return list(LINKS).index(link.kind), -link.confidence, link.evidence


def is_later(one: str, other: str) -> bool:
    """Whether a date is surely later than another, as far as both are known.

    >>> is_later("2024-05", "2023"), is_later("2024-05", "2024"), is_later("", "2024")
    (True, False, False)
    """
    shared = min(len(one), len(other))
    return one[:shared] > other[:shared]
