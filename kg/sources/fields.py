"""Access to the fields of a structured record, with type checks, and the conversion to a paper.

A field of the wrong type raises `InvalidRecord` with the reason; the format reports it with file
and line and goes on with the next record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sized
from email.utils import parsedate_to_datetime
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id, doi, identifiers
from citekg.schemas.records import Paper, Source
from citekg.sources.decoding import replace_controls
from citekg.sources.extra_links import further_links, is_web_url
from citekg.sources.limits import MAX_RECORD_LENGTH, MAX_TEXT_LENGTH, megabytes
from citekg.sources.markup import strip_markup

_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?!\d)")


TOO_LONG: Final = f"the record is longer than {megabytes(MAX_RECORD_LENGTH)}"


class InvalidRecord(Exception):
    """A record that cannot be converted to a paper; the message states the reason."""


def get_text(value: Mapping[str, Any], name: str) -> str:
    """Return a field as text, empty if missing or null. Raises `InvalidRecord` for another type."""
    item = value.get(name)
    if item is None:
        return ""
    if isinstance(item, bool) or not isinstance(item, (str, int)):
        raise InvalidRecord(f"{name!r} is {json_type(item)} where text is expected")
    return replace_controls(str(item))


def get_object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the object in a field, empty if missing. Raises `InvalidRecord` for another type."""
    item = value.get(name)
    if item is None:
        return {}
    if not isinstance(item, Mapping):
        raise InvalidRecord(f"{name!r} is {json_type(item)} where an object is expected")
    return item


def get_list(value: Mapping[str, Any], name: str) -> list[Any]:
    """Return the list in a field, empty if missing. Raises `InvalidRecord` for another type."""
    item = value.get(name)
    if item is None:
        return []
    if not isinstance(item, list):
        raise InvalidRecord(f"{name!r} is {json_type(item)} where a list is expected")
    return item


def get_texts(value: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a field: a text, a list or an object of texts. Raises `InvalidRecord`."""
    item = value.get(name)
    values = (
        [*item.values()]
        if isinstance(item, Mapping)
        else item
        if isinstance(item, list)
        else [item]
    )
    return [get_text({name: one}, name).strip() for one in values]


def author_names(people: Iterable[object], field: str = "name") -> tuple[str, ...]:
    """Return the names of authors, given as texts or as objects with the name in `field`."""
    found = [
        get_text(one, field) if isinstance(one, Mapping) else get_text({"author": one}, "author")
        for one in people
    ]
    return tuple(" ".join(name.split()) for name in found if name.strip())


def first(*texts: str) -> str:
    """Return the first text that is not blank, stripped, or an empty text."""
    return next((t.strip() for t in texts if t.strip()), "")


def date_prefix(*written: str) -> str:
    """Return the first prefix YYYY, YYYY-MM or YYYY-MM-DD among the texts, or an empty text."""
    return next((found[0] for found in (_DATE.match(w.strip()) for w in written) if found), "")


def json_type(value: object) -> str:
    """Return the JSON type of a value, with its article."""
    kinds = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        type(None): "null",
    }
    return kinds.get(type(value), "a number")


def check_record_length(record: str) -> str:
    """Return the text of a record. Raises `InvalidRecord` if it is too long."""
    if len(record) > MAX_RECORD_LENGTH:
        raise InvalidRecord(TOO_LONG)
    return record


def check_text_length(*texts: Sized) -> None:
    """Raise `InvalidRecord` if a title and an abstract together are too long."""
    if (length := sum(map(len, texts))) > MAX_TEXT_LENGTH:
        raise InvalidRecord(
            f"title and abstract hold {length} characters,"
            f" more than the {MAX_TEXT_LENGTH} that are read"
        )


def parse_email_date(written: str) -> str:
    """Return the day of a date in e-mail format (RFC 5322), or an empty text.

    >>> parse_email_date("Mon, 6 May 2024 19:18:42 GMT"), parse_email_date("some day")
    ('2024-05-06', '')
    """
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (TypeError, ValueError, OverflowError, IndexError):
        return ""


def make_paper(
    source: Source,
    title: str,
    abstract: str,
    *,
    own_id: str = "",
    links: Iterable[str] = (),
    more: Iterable[str] = (),
    references: Iterable[str] = (),
    date: str = "",
    authors: tuple[str, ...] = (),
    venue: str = "",
) -> Paper:
    """Return the paper of a record, with white space normalised and markup removed.

    `links` are web addresses and identifiers of the paper; the first web address becomes its `url`.
    Its id is the arXiv id or else the DOI in `links`, else `own_id`, so that records of different
    sources get the same id. `more` are further web addresses. `references` are identifiers of cited
    papers in any notation.
    """
    title, abstract = (" ".join(strip_markup(raw).split()) for raw in (title, abstract))
    check_text_length(title, abstract)
    values = [link.strip() for link in links if link.strip()]
    arxiv = first(*map(arxiv_id, values))
    own_doi = first(*(doi(link) for link in values if not arxiv_id(link)))
    url = next(filter(is_web_url, values), "")
    return Paper(
        id=first(arxiv, own_doi, own_id),
        title=title,
        abstract=abstract,
        date=date,
        authors=tuple(map(strip_markup, authors)),
        url=url,
        arxiv_id=arxiv,
        venue=" ".join(strip_markup(venue).split()),
        sources=(source,),
        doi=own_doi,
        links=further_links((*values, *(link.strip() for link in more)), url, arxiv, own_doi),
        references=identifiers(references),
    )
