"""The Papers with Code archive: papers with abstracts, one JSON list or JSON Lines."""

from __future__ import annotations

from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import first, get_list, get_text
from citekg.sources.json_records import json_format


def _paper(record: dict[str, Any], source: Source) -> Paper:
    page = get_text(record, "paper_url")
    places = ("url_abs", "conference_url_abs", "url_pdf", "conference_url_pdf")
    return fields.make_paper(
        source,
        get_text(record, "title"),
        first(get_text(record, "abstract"), get_text(record, "short_abstract")),
        own_id=page.rstrip("/").rpartition("/")[2],
        links=(*(get_text(record, name) for name in places), page, get_text(record, "arxiv_id")),
        date=fields.date_prefix(get_text(record, "date")),
        authors=fields.author_names(get_list(record, "authors")),
        venue=first(
            get_text(record, "proceeding"), _conference_name(get_text(record, "conference"))
        ),
    )


def _conference_name(conference: str) -> str:
    """Return the conference, unless it is a slug of a web address, as in most records."""
    return "" if "-" in conference and " " not in conference else conference


FORMAT: Final = json_format(
    "Papers with Code archive: JSON of the papers with abstracts",
    [frozenset({"paper_url", "abstract"}), frozenset({"paper_url", "url_abs"})],
    _paper,
)
