"""Build the vocabulary of a schema file: its types and roles, and the shipped ones it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from citekg.domains.files import SchemaValue
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import (
    INTRODUCES,
    LINKS,
    MENTIONS,
    METHOD,
    ONTOLOGY,
    PREFIXES,
    REQUIRED_ROLES,
    ROLES,
    TYPES,
    EntityType,
    Role,
    Vocabulary,
)

#: The keys that define a type or a role; the other keys control its extraction.
TYPE_KEYS: Final = ("label", "plural", "comment", "like", "link", "roles")
ROLE_KEYS: Final = ("label", "comment", "fits", "parent", "link")
#: Names with another meaning in a format or in the viewer, in lower case.
_RESERVED: Final = frozenset(
    "paper stub stubpaper entity known broader variant relation link cites".split()
)
#: Properties of the ontology, which no role in its namespace may redefine.
_PROPERTIES: Final = frozenset(
    """behavesLike confidence configurationHash givesLink inputsHash layer line plural sentenceEnd
    sentenceStart support through weightsHash""".split()
)
_TYPE: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_ROLE: Final = re.compile(r"[a-z][A-Za-z0-9]*")
_WORD_BOUNDARY: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_NAMESPACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*[/#]")


def read_vocabulary(schema: SchemaValue) -> Vocabulary:
    """Return the vocabulary of a schema; raises `SchemaError` with file, line and key."""
    fields = schema.table()
    namespaces = _namespaces(fields)
    space = namespaces[0][1] if namespaces else ONTOLOGY
    kept = _kept_names(fields.get("extends"))
    own_types = [
        _type(name, t, space) for name, t in _tables(fields.get("types")) if name not in TYPES
    ]
    types = (*(t for t in TYPES.values() if t.name in kept), *own_types)
    own_roles = [
        _role(name, t, space, own_types)
        for name, t in _tables(fields.get("roles"))
        if name not in ROLES
    ]
    allowed = {name: _allowed_roles(t, kept) for name, t in _tables(fields.get("types"))}
    roles = [_with_types(r, types, allowed) for r in ROLES.values() if r.name in kept]
    try:
        return Vocabulary(tuple(types), (*roles[:1], *own_roles, *roles[1:]), namespaces)
    except GraphError as error:
        raise schema.error(f"the vocabulary {error}") from error


def _tables(terms: SchemaValue | None) -> Iterable[tuple[str, SchemaValue]]:
    return terms.table().items() if terms else ()


def _namespaces(fields: dict[str, SchemaValue]) -> tuple[tuple[str, str], ...]:
    if "namespace" not in fields and "prefix" not in fields:
        return ()
    for one, other in (("namespace", "prefix"), ("prefix", "namespace")):
        if one not in fields:
            raise fields[other].error(f"give a {one} too")
    prefix, space = fields["prefix"].text(), fields["namespace"].text()
    if not _PREFIX.fullmatch(prefix) or prefix in PREFIXES:
        raise fields["prefix"].error(f"{prefix!r} is taken or unsafe: choose other letters")
    if not _NAMESPACE.fullmatch(space):
        raise fields["namespace"].error(
            f"{space!r} is not a safe IRI: give an absolute one that ends in / or #"
        )
    if space in PREFIXES.values():
        raise fields["namespace"].error(
            f"{space!r} belongs to another vocabulary: choose one of your own"
        )
    return ((prefix, space),)


def _kept_names(extends: SchemaValue | None) -> set[str]:
    """Return the names of the shipped types and roles that a schema keeps."""
    everything = {*TYPES, *ROLES}
    if extends is None or extends.value == "default":
        return everything
    if extends.value == "none":
        return {*REQUIRED_ROLES}
    kept = {
        item.one_of(("default", "none") if extends.value == item.value else everything)
        for item in extends.items()
    }
    return {
        *REQUIRED_ROLES,
        *kept,
        *(parent for name in kept & {*ROLES} if (parent := ROLES[name].parent)),
    }


def _type(name: str, term: SchemaValue, space: str) -> EntityType:
    given = term.table()
    if not _TYPE.fullmatch(name):
        raise term.error(
            "the name of a type is a capital, then letters and digits, such as GeneOrProtein"
        )
    _check_not_reserved(name, term, space)
    label = _text(given, "label", _split_camel_case(name))
    return EntityType(
        name,
        label,
        _text(given, "plural", f"{label[:1].upper()}{label[1:]}s"),
        _text(given, "comment", ""),
        given["like"].one_of(TYPES) if "like" in given else METHOD,
        given["link"].one_of(LINKS) if "link" in given else "",
        space,
    )


def _role(name: str, term: SchemaValue, space: str, types: list[EntityType]) -> Role:
    given = term.table()
    if not _ROLE.fullmatch(name):
        raise term.error(
            "the name of a role is a small letter, then letters and digits, such as associatedWith"
        )
    _check_not_reserved(name, term, space)
    return Role(
        name,
        _text(given, "label", _split_camel_case(name)),
        _fits(given.get("fits"), types),
        _text(given, "comment", ""),
        _parent(given.get("parent")),
        given["link"].one_of(LINKS) if "link" in given else "",
        space,
    )


def _fits(value: SchemaValue | None, types: list[EntityType]) -> tuple[str, ...]:
    """Return the types that a role applies to, in vocabulary order; default: the schema's own."""
    own = [type_.name for type_ in types]
    if value is None:
        return tuple(own)
    named = {item.one_of((*TYPES, *own)) for item in value.items()}
    return tuple(name for name in (*TYPES, *own) if name in named)


def _parent(value: SchemaValue | None) -> str | None:
    if value is None or value.text() == MENTIONS:
        return None
    if value.text() == INTRODUCES:
        raise value.error(
            "introduces cannot be a parent: give introduces phrases of your own instead"
        )
    return value.text()


def _check_not_reserved(name: str, term: SchemaValue, space: str) -> None:
    if name.casefold() in _RESERVED or (space == ONTOLOGY and name in _PROPERTIES):
        raise term.error(f"{name} is a reserved name: choose another")


def _allowed_roles(term: SchemaValue, kept: set[str]) -> set[str]:
    """Return the shipped roles that a type may have; by default all that are kept."""
    given = term.table()
    if "roles" not in given:
        return kept
    return {
        MENTIONS,
        *(item.one_of(name for name in ROLES if name in kept) for item in given["roles"].items()),
    }


def _with_types(role: Role, types: Iterable[EntityType], allowed: Mapping[str, set[str]]) -> Role:
    """Return a shipped role with its types: those that behave like its own types and allow it."""
    fitting = (
        t.name for t in types if t.like in role.fits and role.name in allowed.get(t.name, ROLES)
    )
    return replace(role, fits=tuple(fitting))


def _text(given: dict[str, SchemaValue], key: str, default: str) -> str:
    return given[key].text() if key in given else default


def _split_camel_case(name: str) -> str:
    """Return the words of a camel-case name in lower case.

    >>> _split_camel_case("GeneOrProtein")
    'gene or protein'
    """
    return _WORD_BOUNDARY.sub(" ", name).lower()
