"""CrossRef works: answers of the REST API (a work, a list of works), and JSON Lines or dumps of works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import InvalidRecord, below, first, listed, text, texts
from citekg.sources.json_records import json_reader

#: Where a work's date stands; that of `issued` is the earliest, which the others may give more fully.
_DATES: Final = ("issued", "published", "published-online", "published-print", "posted")


def _paper(work: dict[str, Any], source: Source) -> Paper:
    page = text(below(below(work, "resource"), "primary"), "URL")
    return fields.paper(
        source,
        _title(work),
        text(work, "abstract"),
        links=(first(text(work, "URL"), page), text(work, "DOI"), *_preprints(work)),
        more=(page, *_pdfs(work)),
        references=[text(one, "DOI") for one in _objects(work, "reference")],
        date=_date(work),
        authors=tuple(filter(None, map(_author, _objects(work, "author")))),
        venue=first(
            *texts(work, "container-title"),
            text(below(work, "event"), "name"),
            *(text(one, "name") for one in _objects(work, "institution")),
        ),
    )


def _objects(work: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects of a list. Raises `Unfit` where another value stands among them."""
    found = listed(work, name)
    if not all(isinstance(one, Mapping) for one in found):
        raise InvalidRecord(f"{name!r} is no list of objects")
    return found


def _title(work: Mapping[str, Any]) -> str:
    """The title, with the subtitle where the title does not hold it already."""
    title, subtitle = first(*texts(work, "title")), first(*texts(work, "subtitle"))
    return title if not title or subtitle.lower() in title.lower() else f"{title.rstrip(':')}: {subtitle}"


def _author(author: Mapping[str, Any]) -> str:
    """The name of a person, or of an organisation."""
    parts = (text(author, name) for name in ("given", "family", "suffix"))
    return first(" ".join(" ".join(parts).split()), text(author, "name"), text(author, "literal"))


def _date(work: Mapping[str, Any]) -> str:
    """The fullest of the dates in the year that the work is issued in."""
    dates = [date for date in (_parts(below(work, name)) for name in _DATES) if date]
    return max((date for date in dates if date[:4] == dates[0][:4]), key=len, default="")


def _parts(date: Mapping[str, Any]) -> str:
    """A date that is given as a list of year, month and day, of which the last may be missing."""
    whole = next(iter(listed(date, "date-parts")), None)
    parts = [str(part).zfill(2) for part in whole if part] if isinstance(whole, list) else []
    return fields.date("-".join(parts))


def _preprints(work: Mapping[str, Any]) -> Iterator[str]:
    """The identifiers of the work's preprints on arXiv."""
    yield from filter(arxiv_id, (text(one, "id") for one in _objects(below(work, "relation"), "has-preprint")))


def _pdfs(work: Mapping[str, Any]) -> Iterator[str]:
    """The links to the work as PDF."""
    yield from (text(one, "URL") for one in _objects(work, "link") if "pdf" in text(one, "content-type"))


READER: Final = json_reader(
    "CrossRef works: JSON of the REST API or JSON Lines",
    [
        frozenset({"message-type", "message-version"}),
        frozenset({"DOI", "is-referenced-by-count"}),
        frozenset({"DOI", "reference-count"}),
        frozenset({"indexed", "reference-count"}),
    ],
    _paper,
    lists=frozenset({"message", "items"}),
)
