"""The predicates by which `where` and `subset` filter records.

A filter that is not given has no predicate (`None`). An unknown name raises `FilterError` or
`UnknownName`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeVar

from citekg.graph.lookup import find, find_paper
from citekg.schemas.errors import FilterError
from citekg.schemas.records import Entity, Paper

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph

_T = TypeVar("_T")
Test = Callable[[_T], bool]

_DATE: Final = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


def entity(graph: KnowledgeGraph, given: Entity | str) -> Entity:
    """Return an entity by record, name, alias or id; raises `UnknownName`."""
    return given if isinstance(given, Entity) else find(graph, given)


def entities(
    graph: KnowledgeGraph, given: Entity | str | Iterable[Entity | str] | None
) -> frozenset[str] | None:
    """Return the ids of one or several entities; raises `UnknownName`."""
    if given is None:
        return None
    listed = (given,) if isinstance(given, (Entity, str)) else given
    return frozenset(entity(graph, one).id for one in listed)


def papers(
    graph: KnowledgeGraph, given: Paper | str | Iterable[Paper | str] | None
) -> frozenset[str] | None:
    """Return the ids of one or several papers, by record, id or title; raises `UnknownName`."""
    if given is None:
        return None
    listed = (given,) if isinstance(given, (Paper, str)) else given
    return frozenset(
        one.id if isinstance(one, Paper) else find_paper(graph, one).id for one in listed
    )


def types(graph: KnowledgeGraph, given: str | Iterable[str] | None) -> frozenset[str] | None:
    """Return the types given, of the vocabulary or of any entity; raises `FilterError`."""
    return known("type", given, {*graph.vocabulary.types, *(e.type for e in graph.entities)})


def roles(graph: KnowledgeGraph, given: str | Iterable[str] | None) -> frozenset[str] | None:
    """Return the roles given, of the vocabulary or of any relation; raises `FilterError`."""
    return known("role", given, {*graph.vocabulary.roles, *(r.role for r in graph.relations)})


def known(
    what: str, given: str | Iterable[str] | None, all_known: Collection[str]
) -> frozenset[str] | None:
    """Return the names given; raises `FilterError` for one that is not known."""
    if given is None:
        return None
    wanted = frozenset((given,) if isinstance(given, str) else given)
    for name in sorted(wanted.difference(all_known)):
        raise FilterError(
            f"no {what} is called {name!r}: choose one of {', '.join(sorted(all_known)) or 'none'}"
        )
    return wanted


def among(wanted: frozenset[str] | None, value: Callable[[_T], str]) -> Test[_T] | None:
    """Return a predicate: a value of the record is among those wanted."""
    return None if wanted is None else lambda record: value(record) in wanted


def confident(
    minimum: float, of: Callable[[_T], float] = attrgetter("confidence")
) -> Test[_T] | None:
    """Return a predicate: the confidence of a record is at least the minimum."""
    return (lambda record: of(record) >= minimum) if minimum > 0 else None


def since(given: str | int | None) -> Test[Paper] | None:
    """Return a predicate: the date of a paper is not before a date.

    A date without a month or day counts as its first day.
    """
    first = _date(given)
    return (lambda p: p.date >= first) if first else None


def until(given: str | int | None) -> Test[Paper] | None:
    """Return a predicate: a paper has a date, and it is not after a date."""
    last = _date(given)
    return (lambda p: "" < p.date[: len(last)] <= last) if last else None


def _date(given: str | int | None) -> str:
    if given is not None and not _DATE.fullmatch(str(given)):
        raise FilterError(f"{given!r} is not a date: write 2025, 2025-03 or 2025-03-14")
    return "" if given is None else str(given)


def containing(wanted: str | None, texts: Callable[[Paper], Iterable[str]]) -> Test[Paper] | None:
    """Return a predicate: one of the texts of a paper contains a text, ignoring case."""
    folded = (wanted or "").casefold()
    return (
        None
        if wanted is None
        else lambda paper: any(folded in text.casefold() for text in texts(paper))
    )
