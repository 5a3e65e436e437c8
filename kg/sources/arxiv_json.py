"""arXiv's metadata as Kaggle hands it out: an object a line, abstracts and titles with hard line ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.accents import accented
from citekg.sources.authors import submitted
from citekg.sources.decoding import cleaned
from citekg.sources.extra_links import web_links
from citekg.sources.fields import InvalidRecord, first, listed, text
from citekg.sources.json_records import json_reader


def _paper(record: dict[str, Any], source: Source) -> Paper:
    own_id = text(record, "id").strip()
    return fields.paper(
        source,
        accented(text(record, "title")),
        accented(text(record, "abstract")),
        own_id=own_id,
        links=(f"https://arxiv.org/abs/{own_id}" if own_id else "", text(record, "doi")),
        more=web_links(text(record, "comments")),
        date=first(_first_version(record), fields.date(text(record, "update_date"))),
        authors=tuple(map(_author, listed(record, "authors_parsed"))) or submitted(accented(text(record, "authors"))),
        venue=accented(text(record, "journal-ref")),
    )


def _first_version(record: Mapping[str, Any]) -> str:
    """The day on which the first version came, or an empty text."""
    for version in listed(record, "versions")[:1]:
        return fields.day(text(version, "created")) if isinstance(version, Mapping) else ""
    return ""


def _author(parts: object) -> str:
    """The name of an author that is given as last name, first names and suffix."""
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise InvalidRecord("an author in 'authors_parsed' is no list of texts")
    last, given, suffix = [*parts, "", "", ""][:3]
    return " ".join(cleaned(accented(" ".join((given, last, suffix)))).split())


READER: Final = json_reader(
    "arXiv metadata of Kaggle: JSON Lines",
    [frozenset({"authors_parsed"}), frozenset({"submitter", "categories", "update_date"})],
    _paper,
)
