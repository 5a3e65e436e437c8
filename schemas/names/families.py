"""Broader names: the chain from "Qwen2.5-VL-7B-Instruct" up to the family "Qwen"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from citekg.schemas.names.parsing import Name, parse
from citekg.schemas.names.words import (
    DATE,
    DECORATION,
    MODEL_LINES,
    SIZE,
    STAGE,
    SUBSET,
    VARIANT,
    VERSION,
    YEAR,
)

_TOKEN: Final = re.compile(r"[^\W\d_]+?(?=[vV]\d)|[^\W\d_]+|\d+(?:\.\d+)*|[^\w\s]")
_SEPARATORS: Final = " \t\n-_\u2010\u2011\u2012\u2013\u2014/:('\u2019,"
_MIN_FAMILY_LETTERS: Final = 3
_MAX_PART_TOKENS: Final = 6


def broader(surface: str, known: Callable[[str], bool] | None = None) -> str | None:
    """Return the surface of the next broader name, or None.

    A part that is unambiguously a size, stage, version or year makes a variant of any family. Any
    other part needs a family for which `known` is true; by default a heuristic accepts families of
    at least three letters before a number or a special character.

    >>> broader("Qwen2.5-VL-7B-Instruct"), broader("AIME'24"), broader("TD3"), broader("PPO-max")
    ('Qwen2.5-VL-7B', 'AIME', None, None)
    """
    name = parse(surface)
    for count in range(len(name.parts) - 1, -1, -1):
        parent = Name(name.family, name.parts[:count])
        kind, part = name.parts[count]
        text = _surface_of(parent, surface)
        if _is_unambiguous(kind, part, parent) or (
            known(text) if known else _is_plausible(kind, part, parent)
        ):
            return text
    return None


def _is_unambiguous(kind: str, part: str, parent: Name) -> bool:
    """Return whether the part makes a variant of any family before it."""
    if parent.family in MODEL_LINES:
        return True
    letters = sum(map(str.isalpha, parent.family))
    if kind == SIZE:
        return part[0].isdigit() and part[-1] in "bm" and letters >= _MIN_FAMILY_LETTERS
    if kind == VERSION:
        return ("." in part or part[0] == "v") and letters >= _MIN_FAMILY_LETTERS
    kinds = {k for k, _ in parent.parts}
    if kind == SUBSET:
        return YEAR in kinds
    return letters > 1 and (
        kind == YEAR or (kind in {STAGE, DATE, VARIANT} and bool(kinds & {VERSION, SIZE}))
    )


def _is_plausible(kind: str, part: str, parent: Name) -> bool:
    """Return whether a number or a special character suffices to accept the parent as a family."""
    long_enough = len(parent.family) >= _MIN_FAMILY_LETTERS and parent.family[-2:].isalpha()
    if kind == SUBSET:
        return long_enough and len(part) >= _MIN_FAMILY_LETTERS
    return long_enough and (kind == VERSION or (kind == DECORATION and part[0] != "@"))


def _surface_of(parent: Name, surface: str) -> str:
    """Return the parent as its child spells it: the surface without the child's further parts."""
    return next((text for text in _shortened(surface) if parse(text) == parent), parent.key)


def _shortened(surface: str) -> Iterator[str]:
    """Yield the surface without its last tokens, then without some tokens in the middle."""
    tokens = list(_TOKEN.finditer(surface))
    for token in reversed(tokens[1:]):
        yield surface[: token.start()].rstrip(_SEPARATORS)
    for first in range(len(tokens) - 1, -1, -1):
        for last in range(first, min(first + _MAX_PART_TOKENS, len(tokens))):
            left, right = surface[: tokens[first].start()], surface[tokens[last].end() :]
            yield (left.rstrip(_SEPARATORS) + right).strip(_SEPARATORS)
