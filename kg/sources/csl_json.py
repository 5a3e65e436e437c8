"""CSL-JSON: the items of Zotero and other reference managers, as citation processors read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import person
from citekg.sources.dates import Dated, dated
from citekg.sources.fields import InvalidRecord, below, first, listed, text, texts
from citekg.sources.format import Problem
from citekg.sources.json_records import json_reader

#: Where an item says when it was published, else when it was handed in or put online.
_DATES: Final = ("issued", "published", "submitted", "available-date")
#: Where it says what it was published in.
_VENUES: Final = ("container-title", "collection-title", "event-title", "event")


def _papers(record: dict[str, Any], source: Source) -> Iterator[Paper | Problem]:
    date = _date(record)
    doi = text(record, "DOI").strip()
    yield fields.paper(
        source,
        text(record, "title"),
        text(record, "abstract"),
        links=(text(record, "URL"), f"https://doi.org/{doi}" if doi.startswith("10.") else doi, doi, *_arxiv(record)),
        date=date.date,
        authors=tuple(filter(None, map(_author, listed(record, "author")))),
        venue=first(*(one for name in _VENUES for one in texts(record, name))),
    )
    if date.warning:
        yield Problem(str(source), date.warning, warning=True)


def _author(author: object) -> str:
    if not isinstance(author, Mapping):
        raise InvalidRecord("an author is no object with a name")
    return person(author)


def _arxiv(record: Mapping[str, Any]) -> Iterator[str]:
    """The arXiv ids in the number of a report or preprint and in the notes."""
    for name in ("number", "archive_location", "note"):
        yield from (word for word in text(record, name).replace(",", " ").split() if arxiv_id(word))


def _date(record: Mapping[str, Any]) -> Dated:
    given = next(filter(None, (below(record, name) for name in _DATES)), {})
    parts = next(iter(listed(given, "date-parts")), None)
    numbers = [str(part) for part in parts if part] if isinstance(parts, list) else []
    written = "-".join(numbers) or first(text(given, "raw"), text(given, "literal"))
    return dated([written] if written else [])


READER: Final = json_reader(
    "CSL-JSON: items of Zotero and other reference managers",
    [
        frozenset({"id", "type", "issued", "date-parts"}),
        frozenset({"id", "type", "container-title"}),
        frozenset({"id", "type", "author", "family"}),
        frozenset({"id", "type", "citation-key"}),
    ],
    _papers,
    lists=frozenset({"items"}),
)
