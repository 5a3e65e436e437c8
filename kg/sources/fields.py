"""The fields of a record as texts: what every reader of structured formats takes them by.

A field of the wrong kind raises `InvalidRecord`, whose text says why; the reader tells it with the file
and the line, and reads on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sized
from email.utils import parsedate_to_datetime
from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id, doi, identifiers
from citekg.schemas.records import Paper, Source
from citekg.sources.decoding import cleaned
from citekg.sources.extra_links import further, is_web
from citekg.sources.limits import RECORD, TEXT, megabytes
from citekg.sources.markup import plain

_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?!\d)")


TOO_LONG: Final = f"the record is longer than {megabytes(RECORD)}"


class InvalidRecord(Exception):
    """A record that is no paper; its text says why."""


def text(value: Mapping[str, Any], name: str) -> str:
    """The field as text, empty where it is missing or null. Raises `InvalidRecord` where it is no text or number."""
    item = value.get(name)
    if item is None:
        return ""
    if isinstance(item, bool) or not isinstance(item, (str, int)):
        raise InvalidRecord(f"{name!r} is {named(item)} where text is due")
    return cleaned(str(item))


def below(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object that a field holds, an empty one where it is missing. Raises `InvalidRecord` for anything else."""
    item = value.get(name)
    if item is None:
        return {}
    if not isinstance(item, Mapping):
        raise InvalidRecord(f"{name!r} is {named(item)} where an object is due")
    return item


def listed(value: Mapping[str, Any], name: str) -> list[Any]:
    """The list that a field holds, an empty one where it is missing. Raises `InvalidRecord` for anything else."""
    item = value.get(name)
    if item is None:
        return []
    if not isinstance(item, list):
        raise InvalidRecord(f"{name!r} is {named(item)} where a list is due")
    return item


def texts(value: Mapping[str, Any], name: str) -> list[str]:
    """The texts of a field that is a text, a list of texts or an object of texts. Raises `InvalidRecord` for anything else."""
    item = value.get(name)
    told = [*item.values()] if isinstance(item, Mapping) else item if isinstance(item, list) else [item]
    return [text({name: one}, name).strip() for one in told]


def names(people: Iterable[object], field: str = "name") -> tuple[str, ...]:
    """The names of authors given as texts or as objects that hold the name in `field`."""
    found = [text(one, field) if isinstance(one, Mapping) else text({"author": one}, "author") for one in people]
    return tuple(" ".join(name.split()) for name in found if name.strip())


def first(*texts: str) -> str:
    """The first text that says something, without spaces around it, or an empty one."""
    return next((t.strip() for t in texts if t.strip()), "")


def date(*written: str) -> str:
    """The first of the dates that begins with YYYY, YYYY-MM or YYYY-MM-DD, cut to that, or an empty text."""
    return next((found[0] for found in (_DATE.match(w.strip()) for w in written) if found), "")


def named(value: object) -> str:
    """What JSON calls the value."""
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def short(record: str) -> str:
    """The text of one record. Raises `InvalidRecord` where it is too long to be one."""
    if len(record) > RECORD:
        raise InvalidRecord(TOO_LONG)
    return record


def fitting(*texts: Sized) -> None:
    """Raise `InvalidRecord` where a title and an abstract are together longer than either ever is."""
    if (length := sum(map(len, texts))) > TEXT:
        raise InvalidRecord(f"title and abstract hold {length} characters, more than the {TEXT} that are read")


def day(written: str) -> str:
    """The day of a date as e-mails write it, or an empty text.

    >>> day("Mon, 6 May 2024 19:18:42 GMT"), day("some day")
    ('2024-05-06', '')
    """
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (TypeError, ValueError, OverflowError, IndexError):
        return ""


def paper(
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
    """A paper of one source, its lines joined and its markup gone.

    The first of `links` that is a web address becomes its `url`. It goes by its arXiv id where one of `links`,
    which may be identifiers too, tells one, else by its DOI, else by `own_id`, so that different sources mean
    the same paper. `more` are web addresses that may be about other things, `references` identify what it
    cites, in any form.
    """
    title, abstract = (" ".join(plain(told).split()) for told in (title, abstract))
    fitting(title, abstract)
    told = [link.strip() for link in links if link.strip()]
    arxiv = first(*map(arxiv_id, told))
    own_doi = first(*(doi(link) for link in told if not arxiv_id(link)))
    url = next(filter(is_web, told), "")
    return Paper(
        id=first(arxiv, own_doi, own_id),
        title=title,
        abstract=abstract,
        date=date,
        authors=tuple(map(plain, authors)),
        url=url,
        arxiv_id=arxiv,
        venue=" ".join(plain(venue).split()),
        sources=(source,),
        doi=own_doi,
        links=further((*told, *(link.strip() for link in more)), url, arxiv, own_doi),
        references=identifiers(references),
    )
