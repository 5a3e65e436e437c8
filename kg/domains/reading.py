"""Read a schema file as a domain: a vocabulary, and the names, cues and phrases to extract it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from citekg.domains.files import SchemaValue, read_values
from citekg.domains.vocabularies import ROLE_KEYS, TYPE_KEYS, read_vocabulary
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
#: The kinds of cue: the function that makes a pattern of one, and its confidence.
_CUES: Final[dict[str, tuple[Callable[..., str], float]]] = {
    "cues": (context_pattern, 0.8),
    "endings": (suffix_pattern, 0.75),
    "heads": (head_pattern, 0.7),
    "shapes": (shape_pattern, 0.7),
}
#: The kinds whose items are joined into one pattern for speed, because they may be many.
_JOINED: Final = frozenset({"endings", "heads"})
#: Confidence of a cue whose name may be plain words.
_PLAIN_CONFIDENCE: Final = 0.6
#: Confidence of a phrase that states a role.
_PHRASE_CONFIDENCE: Final = 0.9
#: The minimum confidence; candidates below it are never reported.
_MIN_CONFIDENCE: Final = 0.5
_TYPE_EXTRACTION_KEYS: Final = (*_CUES, "names", "never", "confidence")
_ROLE_EXTRACTION_KEYS: Final = ("phrases", "confidence")


def read_domain(path: Path) -> Domain:
    """Return the domain of a schema file; paths of lexicon files are relative to its folder.

    Raises `SchemaError` with file, line and key, and `LexiconError` for a row of a lexicon.
    """
    schema = read_values(path)
    fields = schema.with_known_keys(_KEYS)
    types, roles = (fields[k].table() if k in fields else {} for k in ("types", "roles"))
    for name, type_ in types.items():
        _check_keys(type_, name in TYPES, TYPE_KEYS, _TYPE_EXTRACTION_KEYS)
    for name, role in roles.items():
        _check_keys(role, name in ROLES, ROLE_KEYS, _ROLE_EXTRACTION_KEYS)
    vocabulary = read_vocabulary(schema)
    for name, term in (*types.items(), *roles.items()):
        if name not in vocabulary.types and name not in vocabulary.roles:
            raise term.error("extends leaves it out: add it there, or remove this entry")
    entries = [e for name, type_ in types.items() for e in _names(name, type_)]
    files = fields["lexicon"].items() if "lexicon" in fields else ()
    entries += [e for file in files for e in read_table(path.parent / file.text(), vocabulary)]
    _check_one_type(entries, schema)
    cues = [cue for name, type_ in types.items() for cue in _cues(name, type_)]
    templates = [template for name, role in roles.items() for template in _templates(name, role)]
    return Domain(vocabulary, tuple(entries), tuple(cues), tuple(templates))


def _check_keys(
    term: SchemaValue,
    shipped: bool,  # noqa: FBT001
    definition: tuple[str, ...],
    extraction: tuple[str, ...],
) -> None:
    """Reject unknown keys, and keys that would redefine a shipped type or role."""
    given = term.with_known_keys((*definition, *extraction))
    if shipped and (redefined := [key_ for key_ in definition if key_ in given]):
        raise given[redefined[0]].error(
            f"{term.keys[-1]} is a shipped term: give only {', '.join(extraction)}, or rename yours"
        )


def _names(type_: str, term: SchemaValue) -> Iterator[Entry]:
    """Yield the lexicon entries of a type; an inner list is a name with its aliases."""
    given = term.table()
    for item in given["names"].items() if "names" in given else ():
        name, *aliases = (form.text() for form in item.items()) if item.items() else ("",)
        if not all(any(map(str.isalnum, form)) for form in (name, *aliases)):
            raise item.error("a name is empty, or has neither letters nor digits")
        yield Entry(name, type_, tuple(aliases))


def _check_one_type(entries: list[Entry], schema: SchemaValue) -> None:
    """Reject a name of two types, unless a flag distinguishes them."""
    types: dict[str, str] = {}
    for entry in entries:
        if entry.exact or entry.context or entry.sense:
            continue
        for form in (entry.name, *entry.aliases):
            if types.setdefault(form.casefold(), entry.type) != entry.type:
                both = f"{types[form.casefold()]} and of {entry.type}"
                raise schema.error(
                    f"{form!r} is a name of {both}: remove one, or distinguish them with a flag"
                )


def _cues(type_: str, term: SchemaValue) -> Iterator[Cue]:
    given = term.table()
    never = (
        frozenset(item.text().lower() for item in given["never"].items())
        if "never" in given
        else frozenset()
    )
    confidence = given["confidence"].fraction(_MIN_CONFIDENCE) if "confidence" in given else 0.0
    for kind, (make_pattern, default) in _CUES.items():
        items = given[kind].items() if kind in given else ()
        patterns = [_compile(item, make_pattern) for item in items]
        if kind in _JOINED and patterns:
            joined = make_pattern(*(item.text() for item in items))
            yield Cue(type_, re.compile(joined), confidence or default, never)
            continue
        for item, pattern in zip(items, patterns, strict=True):
            plain = kind == "cues" and WORDS in item.text()
            written = kind == "cues" and not plain
            chosen = confidence or (_PLAIN_CONFIDENCE if plain else default)
            yield Cue(type_, pattern, chosen, never, written)


def _compile(item: SchemaValue, make_pattern: Callable[[str], str]) -> re.Pattern[str]:
    try:
        return re.compile(make_pattern(item.text()))
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        raise item.error(str(error)) from error


def _templates(role: str, term: SchemaValue) -> Iterator[RoleTemplate]:
    given = term.table()
    confidence = (
        given["confidence"].fraction(_MIN_CONFIDENCE)
        if "confidence" in given
        else _PHRASE_CONFIDENCE
    )
    for item in given["phrases"].items() if "phrases" in given else ():
        try:
            yield RoleTemplate(role, *compile_template(item.text()), confidence)
        except ValueError as error:
            raise item.error(str(error)) from error
