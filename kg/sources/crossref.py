"""CrossRef works: responses of the REST API, JSON Lines and dumps of works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import InvalidRecord, first, get_list, get_object, get_text, get_texts
from citekg.sources.json_records import json_format

#: The fields of dates; `issued` is the earliest one, and others may be more precise.
_DATES: Final = ("issued", "published", "published-online", "published-print", "posted")


def _paper(work: dict[str, Any], source: Source) -> Paper:
    page = get_text(get_object(get_object(work, "resource"), "primary"), "URL")
    return fields.make_paper(
        source,
        _title(work),
        get_text(work, "abstract"),
        links=(first(get_text(work, "URL"), page), get_text(work, "DOI"), *_preprints(work)),
        more=(page, *_pdfs(work)),
        references=[get_text(one, "DOI") for one in _objects(work, "reference")],
        date=_date(work),
        authors=tuple(filter(None, map(_author, _objects(work, "author")))),
        venue=first(
            *get_texts(work, "container-title"),
            get_text(get_object(work, "event"), "name"),
            *(get_text(one, "name") for one in _objects(work, "institution")),
        ),
    )


def _objects(work: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list. Raises `InvalidRecord` if it holds other values."""
    found = get_list(work, name)
    if not all(isinstance(one, Mapping) for one in found):
        raise InvalidRecord(f"{name!r} is not a list of objects")
    return found


def _title(work: Mapping[str, Any]) -> str:
    """Return the title, with the subtitle unless the title contains it."""
    title, subtitle = first(*get_texts(work, "title")), first(*get_texts(work, "subtitle"))
    return (
        title
        if not title or subtitle.lower() in title.lower()
        else f"{title.rstrip(':')}: {subtitle}"
    )


def _author(author: Mapping[str, Any]) -> str:
    """Return the name of a person or an organisation."""
    parts = (get_text(author, name) for name in ("given", "family", "suffix"))
    return first(
        " ".join(" ".join(parts).split()), get_text(author, "name"), get_text(author, "literal")
    )


def _date(work: Mapping[str, Any]) -> str:
    """Return the most precise date in the year in which the work was issued."""
    dates = [date for date in (_parts(get_object(work, name)) for name in _DATES) if date]
    return max((date for date in dates if date[:4] == dates[0][:4]), key=len, default="")


def _parts(date: Mapping[str, Any]) -> str:
    """Return the date of a list of year, month and day; month and day may be missing."""
    whole = next(iter(get_list(date, "date-parts")), None)
    parts = [str(part).zfill(2) for part in whole if part] if isinstance(whole, list) else []
    return fields.date_prefix("-".join(parts))


def _preprints(work: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of the work's preprints on arXiv."""
    yield from filter(
        arxiv_id,
        (get_text(one, "id") for one in _objects(get_object(work, "relation"), "has-preprint")),
    )


def _pdfs(work: Mapping[str, Any]) -> Iterator[str]:
    """Yield the links to the work as PDF."""
    yield from (
        get_text(one, "URL")
        for one in _objects(work, "link")
        if "pdf" in get_text(one, "content-type")
    )


FORMAT: Final = json_format(
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
