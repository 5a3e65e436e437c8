"""Citation-style links: from a paper to the papers that introduced its entities.

Links follow from the records alone: the same relations and introductions give the same links.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from citekg.schemas.records import Introduction, Link, Paper, Relation
from citekg.schemas.vocabulary import (
    CITES,
    DEFAULT,
    INTRODUCES,
    LINKS,
    MIN_CONFIDENCE,
    Vocabulary,
)

#: The lead in confidence from which one paper's claim outweighs all others.
_MARGIN: Final = 0.25
#: The share of the papers that name an entity, from which those of earlier years refute a claim.
_MIN_EARLIER: Final = 0.05
#: The number of papers that name an entity, by year, which is empty if it is unknown.
Years = Mapping[str, int]
_NO_DATES: Final[Mapping[str, str]] = MappingProxyType({})
_NO_YEARS: Final[Mapping[str, Years]] = MappingProxyType({})
#: The year and month at the start of an arXiv identifier; old ones begin with the archive.
_ARXIV_MONTH: Final = re.compile(
    r"(?:[a-z.-]+/)?(?P<year>\d\d)(?P<month>0[1-9]|1[0-2])(?:\.\d{4,5}|\d{3})(?:v\d+)?", re.I
)
#: Two-digit years above this one are in the 20th century: arXiv began in 1991.
_LAST_CENTURY: Final = "90"


def introducers(
    relations: Iterable[Relation],
    known: Iterable[Introduction] = (),
    dates: Mapping[str, str] = _NO_DATES,
    years: Mapping[str, Years] = _NO_YEARS,
) -> dict[str, tuple[str, ...]]:
    """Return the papers that introduce each entity, sorted; several mean that it is contested.

    A known introduction, or else a claim that leads all others in confidence by `_MARGIN`, is the
    only one. Claims below `MIN_CONFIDENCE` do not count. Neither does the only claim to an entity
    that papers of earlier years name (see `is_named_before`): `dates` holds the dates of papers,
    and `years` those of `naming_years`, without which no claim is refuted.
    """
    claims: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for relation in relations:
        if relation.role == INTRODUCES and relation.confidence >= MIN_CONFIDENCE:
            claims[relation.entity].append((relation.confidence, relation.paper))
    claimed = {
        entity: _leading_papers(sorted(found, reverse=True)) for entity, found in claims.items()
    }
    introduced = {
        entity: papers
        for entity, papers in claimed.items()
        if len(papers) > 1 or not is_named_before(dates.get(papers[0], ""), years.get(entity, {}))
    }
    return introduced | {introduction.entity: (introduction.paper,) for introduction in known}


def sole_introducers(
    relations: Iterable[Relation],
    known: Iterable[Introduction],
    dates: Mapping[str, str],
    years: Mapping[str, Years],
) -> dict[str, str]:
    """Return the paper that introduces each entity, without contested ones (see `introducers`)."""
    found = introducers(relations, known, dates, years)
    return {entity: papers[0] for entity, papers in found.items() if len(papers) == 1}


def naming_years(
    relations: Iterable[Relation], dates: Mapping[str, str]
) -> dict[str, Counter[str]]:
    """Return how many papers name each entity in each year, with `MIN_CONFIDENCE` or more."""
    naming = {(r.entity, r.paper) for r in relations if r.confidence >= MIN_CONFIDENCE}
    years: dict[str, Counter[str]] = defaultdict(Counter)
    for entity, paper in naming:
        years[entity][_year(dates[paper])] += 1
    return years


def is_named_before(date: str, years: Years) -> bool:
    """Return whether papers of earlier years than a date name an entity.

    They must be 5 % of the papers that name it, because a few may mean another entity.

    >>> is_named_before("2011-05", {"2009": 1, "2011": 3})
    True
    >>> is_named_before("2011-05", {"2009": 1, "2012": 30})
    False
    """
    earlier = sum(papers for year, papers in years.items() if "" < year < _year(date))
    return earlier > 0 and earlier >= _MIN_EARLIER * sum(years.values())


def _year(date: str) -> str:
    return date[:4]


def _leading_papers(claims: list[tuple[float, str]]) -> tuple[str, ...]:
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
    """Yield the links that follow from the relations: see `links_to_introducers`.

    `papers` includes the stubs. An entity that several papers claim, or that papers of earlier
    years name, gives no link.
    """
    all_relations = list(relations)
    dates = {p.id: date_of(p) for p in papers}
    years = naming_years(all_relations, dates)
    found = sole_introducers(all_relations, known, dates, years)
    introduced_by = {entity: (paper, dates[paper]) for entity, paper in found.items()}
    return links_to_introducers(introduced_by, all_relations, dates, type_of, vocabulary)


def links_to_introducers(
    introduced_by: Mapping[str, tuple[str, str]],
    relations: Iterable[Relation],
    dates: Mapping[str, str],
    type_of: Mapping[str, str],
    vocabulary: Vocabulary = DEFAULT,
) -> Iterator[Link]:
    """Yield the links to the paper, given with its date, that introduced each entity.

    A paper that has several roles for an entity may link through it in several ways: it has one
    link of each kind, from the most confident role of that kind. `cites` is broader than the other
    kinds, so it is left out beside one that is at least as confident. `dates` holds the dates of
    the citing papers. No paper links to itself or to a later one, and a claim of introduction gives
    no link.
    """
    best: dict[tuple[str, str], dict[str, Link]] = defaultdict(dict)
    for relation in relations:
        cited, date = introduced_by.get(relation.entity, ("", ""))
        if relation.role == INTRODUCES and relation.confidence >= MIN_CONFIDENCE:
            continue
        if not cited or cited == relation.paper or is_later(date, dates[relation.paper]):
            continue
        kind = vocabulary.link(relation.role, type_of[relation.entity])
        link = Link(
            relation.paper, kind, cited, relation.entity, relation.confidence, relation.evidence
        )
        kinds = best[link.citing, link.entity]
        kinds[kind] = min(link, kinds.get(kind, link), key=_rank)
    for kinds in best.values():
        yield from _without_implied(kinds)


def _rank(link: Link) -> tuple[float, tuple[str, ...]]:
    """Return a sort key of links of one kind, from the most confident to the least."""
    return -link.confidence, link.evidence


def _without_implied(kinds: Mapping[str, Link]) -> Iterator[Link]:
    """Yield the links of a pair by kind, strongest first, without a redundant `cites`."""
    surest = max((link.confidence for kind, link in kinds.items() if kind != CITES), default=-1.0)
    for kind in LINKS:
        if kind in kinds and (kind != CITES or kinds[kind].confidence > surest):
            yield kinds[kind]


def date_of(paper: Paper) -> str:
    """Return the date of a paper, or else the year and month of its arXiv identifier, if any.

    >>> date_of(Paper("p", "Kites", "", arxiv_id="2405.00001"))
    '2024-05'
    >>> date_of(Paper("cs/0112017", "Kites", ""))
    '2001-12'
    """
    if paper.date:
        return paper.date
    found = _ARXIV_MONTH.fullmatch(paper.arxiv_id or paper.id)
    if not found:
        return ""
    year, month = found["year"], found["month"]
    return f"{'19' if year > _LAST_CENTURY else '20'}{year}-{month}"


def is_later(date: str, other: str) -> bool:
    """Return whether a date is later than another, as far as both are known.

    >>> is_later("2024-05", "2023"), is_later("2024-05", "2024"), is_later("", "2024")
    (True, False, False)
    """
    shared = min(len(date), len(other))
    return date[:shared] > other[:shared]
