"""Parse the names of authors in tables, JSON records and reference managers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from citekg.sources.field_names import normalise_key
from citekg.sources.fields import InvalidRecord, first, get_text, json_type

#: Text in parentheses, nested up to two levels.
_PARENTHESES: Final = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_INITIALS: Final = re.compile(r"(?:[A-Z]{1,3}|[^\W\d_](?:[.\s-]+[^\W\d_])*)\.?")
_AND: Final = re.compile(r",?\s+(?:and|&)\s+")
#: The keys of an object with a full name, and those with its parts in order.
_FULL_NAME: Final = ("name", "fullname", "displayname", "literal")
_NAME_PARTS: Final = (
    ("given", "givenname", "first", "firstname"),
    ("droppingparticle",),
    ("nondroppingparticle",),
    ("family", "familyname", "last", "lastname", "surname"),
    ("suffix",),
)


def given_name_first(name: str) -> str:
    """Return "Last, First" as "First Last"; any other name is unchanged.

    >>> given_name_first("Lark, Ada B."), given_name_first("Wren, Bo, Jr.")
    ('Ada B. Lark', 'Bo Wren Jr.')
    >>> given_name_first("Ada Lark")
    'Ada Lark'
    """
    last, given, suffix = [*(part.strip() for part in name.split(",", 2)), "", ""][:3]
    return " ".join(f"{given} {last} {suffix}".split())


def split_authors(written: str) -> tuple[str, ...]:
    """Return the authors in a text, separated by semicolons or bars, else "and", else commas.

    >>> split_authors("Lark, Ada; Wren, Bo"), split_authors("Lark, Ada and Wren, Bo")
    (('Ada Lark', 'Bo Wren'), ('Ada Lark', 'Bo Wren'))
    >>> split_authors("Ada Lark, Bo Wren and Cy Owl"), split_authors("Ada Lark, Bo Wren")
    (('Ada Lark', 'Bo Wren', 'Cy Owl'), ('Ada Lark', 'Bo Wren'))
    >>> split_authors("Lark, Ada"), split_authors("Lark, A. B., Wren, B.")
    (('Ada Lark',), ('A. B. Lark', 'B. Wren'))
    """
    for sign in (";", "|"):
        if sign in written:
            return tuple(filter(None, map(given_name_first, written.split(sign))))
    parts = _AND.split(written)
    if len(parts) == 1 or all(len(part.split()) > 1 for part in ",".join(parts).split(",")):
        return tuple(name for part in parts for name in _split_commas(part))
    return tuple(filter(None, map(given_name_first, parts)))


def _split_commas(written: str) -> list[str]:
    """Return the names in a list with commas, which may also separate last and first names."""
    parts = [" ".join(part.split()) for part in written.split(",") if part.strip()]
    one = (
        len(parts) == 2
        and any(len(part.split()) == 1 for part in parts)
        and not _INITIALS.fullmatch(parts[0])
    )
    if one or (
        len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])) and len(parts) > 2
    ):
        return [f"{given} {last}" for last, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts


def parse_authors(value: object) -> tuple[str, ...]:
    """Return the authors of a JSON record: one text, or a list of texts or objects with names.

    Raises `InvalidRecord` for another type.
    """
    if isinstance(value, str):
        return split_authors(value)
    listed = [value] if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        raise InvalidRecord(f"'authors' is {json_type(value)} where a list is expected")
    names = (author_name(one) if isinstance(one, Mapping) else _check_name(one) for one in listed)
    return tuple(filter(None, names))


def _check_name(value: object) -> str:
    """Return a name, stripped. Raises `InvalidRecord` if it is not a text."""
    if isinstance(value, InvalidRecord):
        raise value
    if not isinstance(value, str):
        raise InvalidRecord("an author is neither a text nor an object with a name")
    return get_text({"author": value}, "author").strip()


def author_name(author: Mapping[str, Any]) -> str:
    """Return the name in an object, full or in parts. Raises `InvalidRecord` without a name."""
    by_key = {normalise_key(key): value for key, value in author.items() if isinstance(value, str)}
    parts = (first(*(by_key.get(key, "") for key in keys)) for keys in _NAME_PARTS)
    whole = first(*(by_key.get(key, "") for key in _FULL_NAME), " ".join(" ".join(parts).split()))
    return _check_name(whole or None)


def parse_arxiv_authors(written: str) -> tuple[str, ...]:
    """Return the authors of an arXiv submission: one line, with institutions in parentheses.

    >>> parse_arxiv_authors("Ada Lark (1 and 2), Bo Wren (2) and Cy Owl ((1) Sky, (2) Sea)")
    ('Ada Lark', 'Bo Wren', 'Cy Owl')
    """
    names = re.split(r",|\sand\s", _PARENTHESES.sub(" ", written))
    return tuple(" ".join(name.split()) for name in names if name.strip())
