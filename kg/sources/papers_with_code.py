"""The Papers with Code archive: its file of papers with abstracts, one long JSON list or JSON Lines."""

from __future__ import annotations

from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import first, listed, text
from citekg.sources.json_records import json_reader


def _paper(record: dict[str, Any], source: Source) -> Paper:
    page = text(record, "paper_url")
    places = ("url_abs", "conference_url_abs", "url_pdf", "conference_url_pdf")
    return fields.paper(
        source,
        text(record, "title"),
        first(text(record, "abstract"), text(record, "short_abstract")),
        own_id=page.rstrip("/").rpartition("/")[2],
        links=(*(text(record, name) for name in places), page, text(record, "arxiv_id")),
        date=fields.date(text(record, "date")),
        authors=fields.names(listed(record, "authors")),
        venue=first(text(record, "proceeding"), _named(text(record, "conference"))),
    )


def _named(conference: str) -> str:
    """The conference where that is its name and not, as mostly, the address of the paper's page on it."""
    return "" if "-" in conference and " " not in conference else conference


READER: Final = json_reader(
    "Papers with Code archive: JSON of the papers with abstracts",
    [frozenset({"paper_url", "abstract"}), frozenset({"paper_url", "url_abs"})],
    _paper,
)
