"""The types and roles of a schema file, with those of the package that it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from citekg.domains.files import SchemaValue
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import (
    ALWAYS,
    INTRODUCES,
    LINKS,
    MENTIONS,
    METHOD,
    ONTOLOGY,
    PREFIXES,
    ROLES,
    TYPES,
    EntityType,
    Role,
    Vocabulary,
)

#: The keys that tell what a type or a role is; the others tell how it is found.
TYPE_KEYS: Final = ("label", "plural", "comment", "like", "link", "roles")
ROLE_KEYS: Final = ("label", "comment", "fits", "parent", "link")
#: What formats and the viewer call something else, in lower case.
_TAKEN: Final = frozenset("paper stub stubpaper entity known broader variant relation link cites".split())
#: Properties of the ontology that no role may be called, if it lies there.
_PROPERTIES: Final = frozenset(
    """behavesLike confidence configurationHash givesLink inputsHash layer line plural sentenceEnd sentenceStart support
    through""".split()
)
_TYPE: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_ROLE: Final = re.compile(r"[a-z][A-Za-z0-9]*")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_NAMESPACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*[/#]")


def vocabulary_of(schema: SchemaValue) -> Vocabulary:
    """The vocabulary of a schema; raises `SchemaError` naming file, line and key."""
    told = schema.table()
    namespaces = _namespaces(told)
    space = namespaces[0][1] if namespaces else ONTOLOGY
    kept = _kept(told.get("extends"))
    own_types = [_type(name, t, space) for name, t in _tables(told.get("types")) if name not in TYPES]
    types = (*(t for t in TYPES.values() if t.name in kept), *own_types)
    own_roles = [_role(name, t, space, own_types) for name, t in _tables(told.get("roles")) if name not in ROLES]
    said = {name: _said(t, kept) for name, t in _tables(told.get("types"))}
    roles = [_fitted(r, types, said) for r in ROLES.values() if r.name in kept]
    try:
        return Vocabulary(tuple(types), (*roles[:1], *own_roles, *roles[1:]), namespaces)
    except GraphError as error:
        raise schema.error(f"the vocabulary {error}") from error


def _tables(told: SchemaValue | None) -> Iterable[tuple[str, SchemaValue]]:
    return told.table().items() if told else ()


def _namespaces(told: dict[str, SchemaValue]) -> tuple[tuple[str, str], ...]:
    if "namespace" not in told and "prefix" not in told:
        return ()
    for one, other in (("namespace", "prefix"), ("prefix", "namespace")):
        if one not in told:
            raise told[other].error(f"give a {one} too")
    prefix, space = told["prefix"].text(), told["namespace"].text()
    if not _PREFIX.fullmatch(prefix) or prefix in PREFIXES:
        raise told["prefix"].error(f"{prefix!r} is taken or unsafe: choose other letters")
    if not _NAMESPACE.fullmatch(space):
        raise told["namespace"].error(f"{space!r} is no safe IRI: give an absolute one that ends in / or #")
    if space in PREFIXES.values():
        raise told["namespace"].error(f"{space!r} belongs to another vocabulary: choose one of your own")
    return ((prefix, space),)


def _kept(told: SchemaValue | None) -> set[str]:
    """The names of the shipped types and roles that a schema keeps."""
    everything = {*TYPES, *ROLES}
    if told is None or told.value == "default":
        return everything
    if told.value == "none":
        return {*ALWAYS}
    kept = {item.one_of(("default", "none") if told.value == item.value else everything) for item in told.items()}
    return {*ALWAYS, *kept, *(parent for name in kept & {*ROLES} if (parent := ROLES[name].parent))}


def _type(name: str, told: SchemaValue, space: str) -> EntityType:
    given = told.table()
    if not _TYPE.fullmatch(name):
        raise told.error("a type is called by letters and digits, a capital first, such as GeneOrProtein")
    _check_free(name, told, space)
    label = _text(given, "label", _spoken(name))
    return EntityType(
        name,
        label,
        _text(given, "plural", f"{label[:1].upper()}{label[1:]}s"),
        _text(given, "comment", ""),
        given["like"].one_of(TYPES) if "like" in given else METHOD,
        given["link"].one_of(LINKS) if "link" in given else "",
        space,
    )


def _role(name: str, told: SchemaValue, space: str, types: list[EntityType]) -> Role:
    given = told.table()
    if not _ROLE.fullmatch(name):
        raise told.error("a role is called by letters and digits, a small letter first, such as associatedWith")
    _check_free(name, told, space)
    return Role(
        name,
        _text(given, "label", _spoken(name)),
        _fits(given.get("fits"), types),
        _text(given, "comment", ""),
        _parent(given.get("parent")),
        given["link"].one_of(LINKS) if "link" in given else "",
        space,
    )


def _fits(told: SchemaValue | None, types: list[EntityType]) -> tuple[str, ...]:
    """The types that a role is said of, in the order of the vocabulary; without a word of it, the schema's own."""
    own = [type_.name for type_ in types]
    if told is None:
        return tuple(own)
    named = {item.one_of((*TYPES, *own)) for item in told.items()}
    return tuple(name for name in (*TYPES, *own) if name in named)


def _parent(told: SchemaValue | None) -> str | None:
    if told is None or told.text() == MENTIONS:
        return None
    if told.text() == INTRODUCES:
        raise told.error("nothing lies below introduces: give introduces phrases of your own instead")
    return told.text()


def _check_free(name: str, told: SchemaValue, space: str) -> None:
    if name.casefold() in _TAKEN or (space == ONTOLOGY and name in _PROPERTIES):
        raise told.error(f"{name} means something else in every graph: choose another name")


def _said(told: SchemaValue, kept: set[str]) -> set[str]:
    """The shipped roles that may be said of a type; without a word of it, all that are kept."""
    given = told.table()
    if "roles" not in given:
        return kept
    return {MENTIONS, *(item.one_of(name for name in ROLES if name in kept) for item in given["roles"].items())}


def _fitted(role: Role, types: Iterable[EntityType], said: Mapping[str, set[str]]) -> Role:
    """A shipped role with the types that it is said of: those that behave so and may have it said of them."""
    fitting = (t.name for t in types if t.like in role.fits and role.name in said.get(t.name, ROLES))
    return replace(role, fits=tuple(fitting))


def _text(given: dict[str, SchemaValue], key: str, otherwise: str) -> str:
    return given[key].text() if key in given else otherwise


def _spoken(name: str) -> str:
    """A name as it is spoken.

    >>> _spoken("GeneOrProtein")
    'gene or protein'
    """
    return _HUMP.sub(" ", name).lower()
