"""The names that tables and JSON records give to the fields of a paper: one table for CSV, Parquet and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

#: The names of each field, folded. Of several that a record fills the first counts, but for dates the fullest.
KEYS: Final[dict[str, tuple[str, ...]]] = {
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
#: Every name that is read.
KNOWN: Final = frozenset(name for names in KEYS.values() for name in names)
#: The names of fields that may hold a list.
LISTS: Final = frozenset(name for field in ("authors", "links", "references") for name in KEYS[field])


def folded(name: str) -> str:
    """The letters and digits of a name in lower case, by which names are compared.

    >>> folded("Publication Date"), folded("arxiv_id"), folded("paperTitle")
    ('publicationdate', 'arxivid', 'papertitle')
    """
    return "".join(character for character in name.lower() if character.isalnum())


def values_by_field(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What the record holds for each field, in the order of the table, without what is empty.

    >>> values_by_field({"Paper Title": "Kites", "summary": " ", "id": 0})["title"]
    ['Kites']
    """
    named: dict[str, Any] = {}
    for name, value in record.items():
        if _filled(value):
            named.setdefault(folded(name), value)
    return {field: [named[name] for name in names if name in named] for field, names in KEYS.items()}


def _filled(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value not in (None, [], {})


def holds_papers(columns: Iterable[str]) -> bool:
    """Whether a table of these columns, folded, is one of papers: a title, and anything else that is known."""
    named = set(columns) & KNOWN
    return bool(named & {*KEYS["title"]}) and bool(named - {*KEYS["title"]})


def wanted(columns: Iterable[str]) -> str:
    """The message for a table whose columns are not those of papers."""
    found = ", ".join(repr(column) for column in columns)
    fields = ", ".join(field for field in KEYS if field != "title")
    return f"the columns wanted are title and at least one of {fields}; found are {found[:200]}"
