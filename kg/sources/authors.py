"""Names of authors as tables, JSON records and reference managers write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from citekg.sources.field_names import folded
from citekg.sources.fields import InvalidRecord, first, named, text

#: What stands in parentheses, which may hold others.
_ASIDE: Final = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_INITIALS: Final = re.compile(r"(?:[A-Z]{1,3}|[^\W\d_](?:[.\s-]+[^\W\d_])*)\.?")
_AND: Final = re.compile(r",?\s+(?:and|&)\s+")
#: The keys of an object that hold a whole name, and those that hold its parts in their order.
_WHOLE: Final = ("name", "fullname", "displayname", "literal")
_PARTS: Final = (
    ("given", "givenname", "first", "firstname"),
    ("droppingparticle",),
    ("nondroppingparticle",),
    ("family", "familyname", "last", "lastname", "surname"),
    ("suffix",),
)


def name_first(name: str) -> str:
    """A name with its last part first, turned around; any other name as it is.

    >>> name_first("Lark, Ada B."), name_first("Wren, Bo, Jr."), name_first("Ada Lark")
    ('Ada B. Lark', 'Bo Wren Jr.', 'Ada Lark')
    """
    last, given, suffix = [*(part.strip() for part in name.split(",", 2)), "", ""][:3]
    return " ".join(f"{given} {last} {suffix}".split())


def author_names(written: str) -> tuple[str, ...]:
    """The authors of one text: separated by semicolons or bars, else by "and", else by commas.

    >>> people("Lark, Ada; Wren, Bo"), people("Lark, Ada and Wren, Bo"), people("Ada Lark, Bo Wren and Cy Owl")
    (('Ada Lark', 'Bo Wren'), ('Ada Lark', 'Bo Wren'), ('Ada Lark', 'Bo Wren', 'Cy Owl'))
    >>> people("Ada Lark, Bo Wren"), people("Lark, Ada"), people("Lark, A. B., Wren, B.")
    (('Ada Lark', 'Bo Wren'), ('Ada Lark',), ('A. B. Lark', 'B. Wren'))
    """
    for sign in (";", "|"):
        if sign in written:
            return tuple(filter(None, map(name_first, written.split(sign))))
    parts = _AND.split(written)
    if len(parts) == 1 or all(len(part.split()) > 1 for part in ",".join(parts).split(",")):
        return tuple(name for part in parts for name in _between_commas(part))
    return tuple(filter(None, map(name_first, parts)))


def _between_commas(written: str) -> list[str]:
    """The names in a list with commas, of which some may stand between the last and the first names of one author."""
    parts = [" ".join(part.split()) for part in written.split(",") if part.strip()]
    one = len(parts) == 2 and any(len(part.split()) == 1 for part in parts) and not _INITIALS.fullmatch(parts[0])
    if one or (len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])) and len(parts) > 2):
        return [f"{given} {last}" for last, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts


def authors(value: object) -> tuple[str, ...]:
    """The authors of a JSON record: one text, or a list of texts or of objects that hold names.

    Raises `Unfit` for anything else.
    """
    if isinstance(value, str):
        return author_names(value)
    listed = [value] if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        raise InvalidRecord(f"'authors' is {named(value)} where a list is due")
    names = (person(one) if isinstance(one, Mapping) else _name(one) for one in listed)
    return tuple(filter(None, names))


def _name(value: object) -> str:
    if isinstance(value, InvalidRecord):
        raise value
    if not isinstance(value, str):
        raise InvalidRecord("an author is neither a text nor an object with a name")
    return text({"author": value}, "author").strip()


def person(author: Mapping[str, Any]) -> str:
    """The name in an object, whole or in parts. Raises `Unfit` where there is none."""
    by_key = {folded(key): value for key, value in author.items() if isinstance(value, str)}
    parts = (first(*(by_key.get(key, "") for key in keys)) for keys in _PARTS)
    whole = first(*(by_key.get(key, "") for key in _WHOLE), " ".join(" ".join(parts).split()))
    return _name(whole or None)


def submitted(written: str) -> tuple[str, ...]:
    """The authors as they are submitted to arXiv: on one line, their institutions in parentheses left out.

    >>> submitted("Ada Lark (1 and 2), Bo Wren (2) and Cy Owl ((1) Sky, (2) Sea)")
    ('Ada Lark', 'Bo Wren', 'Cy Owl')
    """
    names = re.split(r",|\sand\s", _ASIDE.sub(" ", written))
    return tuple(" ".join(name.split()) for name in names if name.strip())
