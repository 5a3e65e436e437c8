"""arXiv metadata of Kaggle: JSON Lines, with line breaks inside abstracts and titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from citekg.schemas.accents import decode_tex_accents
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import parse_arxiv_authors
from citekg.sources.decoding import replace_controls
from citekg.sources.extra_links import find_urls
from citekg.sources.fields import InvalidRecord, first, get_list, get_text
from citekg.sources.json_records import json_format


def _paper(record: dict[str, Any], source: Source) -> Paper:
    own_id = get_text(record, "id").strip()
    return fields.make_paper(
        source,
        decode_tex_accents(get_text(record, "title")),
        decode_tex_accents(get_text(record, "abstract")),
        own_id=own_id,
        links=(f"https://arxiv.org/abs/{own_id}" if own_id else "", get_text(record, "doi")),
        more=find_urls(get_text(record, "comments")),
        date=first(_first_version(record), fields.date_prefix(get_text(record, "update_date"))),
        authors=tuple(map(_author, get_list(record, "authors_parsed")))
        or parse_arxiv_authors(decode_tex_accents(get_text(record, "authors"))),
        venue=decode_tex_accents(get_text(record, "journal-ref")),
    )


def _first_version(record: Mapping[str, Any]) -> str:
    """Return the day of the first version, or an empty text."""
    for version in get_list(record, "versions")[:1]:
        return (
            fields.parse_email_date(get_text(version, "created"))
            if isinstance(version, Mapping)
            else ""
        )
    return ""


def _author(parts: object) -> str:
    """Return the name of an author given as last name, first names and suffix."""
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise InvalidRecord("an author in 'authors_parsed' is not a list of texts")
    last, given, suffix = [*parts, "", "", ""][:3]
    return " ".join(replace_controls(decode_tex_accents(" ".join((given, last, suffix)))).split())


FORMAT: Final = json_format(
    "arXiv metadata of Kaggle: JSON Lines",
    [frozenset({"authors_parsed"}), frozenset({"submitter", "categories", "update_date"})],
    _paper,
)
