"""CSL-JSON: the items of Zotero and other reference managers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.plugins import Problem
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import author_name
from citekg.sources.dates import ParsedDate, parse_date
from citekg.sources.fields import InvalidRecord, first, get_list, get_object, get_text, get_texts
from citekg.sources.json_records import json_format

#: The fields of dates: published, else submitted or put online.
_DATES: Final = ("issued", "published", "submitted", "available-date")
#: The fields of venues.
_VENUES: Final = ("container-title", "collection-title", "event-title", "event")


def _papers(record: dict[str, Any], source: Source) -> Iterator[Paper | Problem]:
    date = _date(record)
    doi = get_text(record, "DOI").strip()
    yield fields.make_paper(
        source,
        get_text(record, "title"),
        get_text(record, "abstract"),
        links=(
            get_text(record, "URL"),
            f"https://doi.org/{doi}" if doi.startswith("10.") else doi,
            doi,
            *_arxiv(record),
        ),
        date=date.date,
        authors=tuple(filter(None, map(_author, get_list(record, "author")))),
        venue=first(*(one for name in _VENUES for one in get_texts(record, name))),
    )
    if date.warning:
        yield Problem(str(source), date.warning, warning=True)


def _author(author: object) -> str:
    if not isinstance(author, Mapping):
        raise InvalidRecord("an author is not an object with a name")
    return author_name(author)


def _arxiv(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arXiv ids in the number of a report or preprint and in the notes."""
    for name in ("number", "archive_location", "note"):
        yield from (
            word for word in get_text(record, name).replace(",", " ").split() if arxiv_id(word)
        )


def _date(record: Mapping[str, Any]) -> ParsedDate:
    given = next(filter(None, (get_object(record, name) for name in _DATES)), {})
    parts = next(iter(get_list(given, "date-parts")), None)
    numbers = [str(part) for part in parts if part] if isinstance(parts, list) else []
    written = "-".join(numbers) or first(get_text(given, "raw"), get_text(given, "literal"))
    return parse_date([written] if written else [])


FORMAT: Final = json_format(
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
