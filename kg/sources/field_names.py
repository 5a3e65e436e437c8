"""The names of a paper's fields in tables and JSON records: one list for CSV, Parquet and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

#: The normalised names of each field. The first one with a value counts, or the most precise date.
FIELD_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "title": ("title", "papertitle", "documenttitle", "articletitle", "ti"),
    "abstract": ("abstract", "abstractnote", "abstracttext", "summary", "ab"),
    "date": (
        "date",
        "publicationdate",
        "datepublished",
        "publisheddate",
        "published",
        "publishedat",
        "year",
        "publicationyear",
        "pubyear",
        "py",
    ),
    "authors": ("authors", "author", "authorfullnames", "authornames", "af", "au"),
    "venue": (
        "venue",
        "journal",
        "conference",
        "booktitle",
        "sourcetitle",
        "publicationtitle",
        "publication",
        "so",
    ),
    "url": ("url", "link", "paperurl", "articleurl", "pdflink"),
    "links": ("links", "code", "codeurl", "github", "projectpage", "pdf", "pdfurl"),
    "references": ("references", "referencedworks"),
    "doi": ("doi", "di"),
    "arxiv_id": ("arxivid", "arxiv"),
    "id": ("id", "paperid"),
}
#: All names that are read.
KNOWN_KEYS: Final = frozenset(name for names in FIELD_KEYS.values() for name in names)
#: The names of fields that may hold a list.
LIST_KEYS: Final = frozenset(
    name for field in ("authors", "links", "references") for name in FIELD_KEYS[field]
)


def normalise_key(name: str) -> str:
    """Return the letters and digits of a name in lower case, for comparison.

    >>> normalise_key("Publication Date"), normalise_key("arxiv_id"), normalise_key("paperTitle")
    ('publicationdate', 'arxivid', 'papertitle')
    """
    return "".join(character for character in name.lower() if character.isalnum())


def values_by_field(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the non-empty values of each field, in the order of `FIELD_KEYS`.

    >>> values_by_field({"Paper Title": "Kites", "summary": " ", "id": 0})["title"]
    ['Kites']
    """
    named: dict[str, Any] = {}
    for name, value in record.items():
        if _is_filled(value):
            named.setdefault(normalise_key(name), value)
    return {
        field: [named[name] for name in names if name in named]
        for field, names in FIELD_KEYS.items()
    }


def _is_filled(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value not in (None, [], {})


def are_paper_columns(columns: Iterable[str]) -> bool:
    """Return whether normalised columns are those of papers: a title and one more known column."""
    named = set(columns) & KNOWN_KEYS
    return bool(named & {*FIELD_KEYS["title"]}) and bool(named - {*FIELD_KEYS["title"]})


def missing_columns_message(columns: Iterable[str]) -> str:
    """Return the message for a table whose columns are not those of papers."""
    found = ", ".join(repr(column) for column in columns)
    fields = ", ".join(field for field in FIELD_KEYS if field != "title")
    return f"the columns wanted are title and at least one of {fields}; found are {found[:200]}"
