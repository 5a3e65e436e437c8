"""From a schema file to a domain: the vocabulary, and the names, cues and phrases that find it in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from citekg.domains.files import SchemaValue, read_values
from citekg.domains.vocabularies import ROLE_KEYS, TYPE_KEYS, vocabulary_of
from citekg.extractors.candidates.lexicon import Entry, read_table
from citekg.extractors.candidates.patterns import (
    WORDS,
    Cue,
    context_pattern,
    head_pattern,
    shape_pattern,
    suffix_pattern,
)
from citekg.extractors.domain import Domain, RoleTemplate
from citekg.extractors.roles.patterns import compile_template
from citekg.schemas.vocabulary import ROLES, TYPES

_KEYS: Final = ("prefix", "namespace", "extends", "lexicon", "types", "roles")
#: The kinds of cue: what makes a pattern of one, and what it is worth.
_CUES: Final[dict[str, tuple[Callable[[str], str], float]]] = {
    "cues": (context_pattern, 0.8),
    "endings": (suffix_pattern, 0.75),
    "heads": (head_pattern, 0.7),
    "shapes": (shape_pattern, 0.7),
}
#: What a cue is worth whose name may be plain words.
_PLAIN: Final = 0.6
#: What a phrase is worth that tells a role.
_PHRASE: Final = 0.9
#: What is less sure is never reported.
_LEAST: Final = 0.5
_FINDING: Final = (*_CUES, "names", "never", "confidence")
_SAYING: Final = ("phrases", "confidence")


def read_domain(path: Path) -> Domain:
    """The domain that a schema file describes, with the lexicon files beside it.

    Raises `SchemaError` naming the file, the line and the key, and `LexiconError` for a row of a lexicon.
    """
    schema = read_values(path)
    told = schema.only(_KEYS)
    types, roles = (told[k].table() if k in told else {} for k in ("types", "roles"))
    for name, type_ in types.items():
        _check(type_, name in TYPES, TYPE_KEYS, _FINDING)
    for name, role in roles.items():
        _check(role, name in ROLES, ROLE_KEYS, _SAYING)
    vocabulary = vocabulary_of(schema)
    for name, term in (*types.items(), *roles.items()):
        if name not in vocabulary.types and name not in vocabulary.roles:
            raise term.error("is left out by extends: keep it there, or say nothing of it")
    entries = [e for name, type_ in types.items() for e in _names(name, type_)]
    files = told["lexicon"].items() if "lexicon" in told else ()
    entries += [e for file in files for e in read_table(path.parent / file.text(), vocabulary)]
    _check_one_type(entries, schema)
    cues = [cue for name, type_ in types.items() for cue in _cues(name, type_)]
    tellings = [telling for name, role in roles.items() for telling in _tellings(name, role)]
    return Domain(vocabulary, tuple(entries), tuple(cues), tuple(tellings))


def _check(term: SchemaValue, shipped: bool, what: tuple[str, ...], how: tuple[str, ...]) -> None:  # noqa: FBT001
    """Refuse unknown keys, and a shipped type or role that is told anew."""
    given = term.only((*what, *how))
    if shipped and (told := [key_ for key_ in what if key_ in given]):
        raise given[told[0]].error(f"{term.keys[-1]} is one of the shipped ones: say {', '.join(how)}, or rename yours")


def _names(type_: str, told: SchemaValue) -> Iterator[Entry]:
    """The names of a type; a list within the list is a name with its aliases."""
    given = told.table()
    for item in given["names"].items() if "names" in given else ():
        name, *aliases = (form.text() for form in item.items()) if item.items() else ("",)
        if not all(any(map(str.isalnum, form)) for form in (name, *aliases)):
            raise item.error("a name is empty, or has neither letters nor digits")
        yield Entry(name, type_, tuple(aliases))


def _check_one_type(entries: list[Entry], schema: SchemaValue) -> None:
    """Refuse a name of two types, unless a flag tells the two apart."""
    types: dict[str, str] = {}
    for entry in entries:
        if entry.exact or entry.context or entry.sense:
            continue
        for form in (entry.name, *entry.aliases):
            if types.setdefault(form.casefold(), entry.type) != entry.type:
                both = f"{types[form.casefold()]} and of {entry.type}"
                raise schema.error(f"{form!r} is a name of {both}: leave one out, or tell them apart by a flag")


def _cues(type_: str, told: SchemaValue) -> Iterator[Cue]:
    given = told.table()
    never = frozenset(item.text().lower() for item in given["never"].items()) if "never" in given else frozenset()
    sure = given["confidence"].share(_LEAST) if "confidence" in given else 0.0
    for kind, (pattern_of, worth) in _CUES.items():
        for item in given[kind].items() if kind in given else ():
            plain = kind == "cues" and WORDS in item.text()
            written = kind == "cues" and not plain
            yield Cue(type_, _pattern(item, pattern_of), sure or (_PLAIN if plain else worth), never, written)


def _pattern(item: SchemaValue, pattern_of: Callable[[str], str]) -> re.Pattern[str]:
    try:
        return re.compile(pattern_of(item.text()))
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        raise item.error(str(error)) from error


def _tellings(role: str, told: SchemaValue) -> Iterator[RoleTemplate]:
    given = told.table()
    sure = given["confidence"].share(_LEAST) if "confidence" in given else _PHRASE
    for item in given["phrases"].items() if "phrases" in given else ():
        try:
            yield RoleTemplate(role, *compile_template(item.text()), sure)
        except ValueError as error:
            raise item.error(str(error)) from error
