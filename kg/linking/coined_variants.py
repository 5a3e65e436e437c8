"""Variants with a coined name that contains a known one: "Critique-GRPO" and "GRPO-λ" of GRPO."""

from __future__ import annotations

import re
from typing import Final

from citekg.linking.known_names import KnownNames
from citekg.schemas.names import key
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.records import Entity
from citekg.schemas.vocabulary import METHOD, MODEL

_MAX_WORDS_BEFORE: Final = 3
_SEPARATOR: Final = re.compile(r"[\s-]+")
_MAY_BE_GREEK: Final = re.compile(r"[$\\]|[^\x00-\x7f]")
_GREEK_SUFFIX: Final = re.compile(r"-[α-ω]$")
#: Words that negate the name after them, or relate it to something else.
_NEGATING_WORDS: Final = frozenset("anti non no post pre un versus vs without".split())
_JOINING_SIGN: Final = re.compile(r"[+/&,:]")


def carried_name(entity: Entity, known: KnownNames) -> str | None:
    """Return the known acronym that the name of a method or model contains, or None.

    It is the last part of the name, or the whole name without a Greek letter at its end. A name of
    two known ones, such as "BERT-CRF", combines them and is not a variant of either.
    """
    name = entity.name
    if entity.type not in (METHOD, MODEL) or _JOINING_SIGN.search(name):
        return None
    separators = list(_SEPARATOR.finditer(name))
    if separators and _MAY_BE_GREEK.search(name) and _GREEK_SUFFIX.search(key(name)):
        before = name[: separators[-1].start()]
        return before if _is_family(before, entity, known) else None
    for separator in separators:
        before, last = name[: separator.start()], name[separator.end() :]
        if _is_family(last, entity, known):
            return None if _is_other_entity(before, known) else last
    return None


def _is_family(surface: str, entity: Entity, known: KnownNames) -> bool:
    """Return whether a part of a name is a known acronym of a method or model."""
    name_key = known.key_of_coined(surface)
    type_ = known.type_of_key(name_key) if name_key else None
    entry = known.lexicon.entries.get(name_key)
    fits = type_ == entity.type or (type_, entity.type) == (MODEL, METHOD)
    return fits and not (entry and entry.umbrella)


def _is_other_entity(before: str, known: KnownNames) -> bool:
    """Return whether the words before a known name make it another entity, or a sentence."""
    words = _SEPARATOR.split(before)
    return (
        len(words) > _MAX_WORDS_BEFORE
        or not _NEGATING_WORDS.isdisjoint(map(str.lower, words))
        or not FUNCTION_WORDS.isdisjoint(map(str.lower, words))
        or words[0].endswith("ing")
        or any(known.key_of_coined(word) for word in (words[-1], before))
    )
