"""What a name is a variant of: the chain from "Qwen2.5-VL-7B-Instruct" up to "Qwen"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from citekg.schemas.names.parsing import Name, parse
from citekg.schemas.names.words import DATE, DECORATION, MODEL_LINES, SIZE, STAGE, SUBSET, VARIANT, VERSION, YEAR

_TOKEN: Final = re.compile(r"[^\W\d_]+?(?=[vV]\d)|[^\W\d_]+|\d+(?:\.\d+)*|[^\w\s]")
_SEPARATORS: Final = " \t\n-_\u2010\u2011\u2012\u2013\u2014/:('\u2019,"
_SHORTEST: Final = 3
_LONGEST_PART: Final = 6


def broader(surface: str, known: Callable[[str], bool] | None = None) -> str | None:
    """The surface of the next wider name, or nothing.

    A part that can only be a size, a stage, a version or a year is enough for a family; any other
    part needs a family that is `known` (asked with a surface; by default every family of three
    letters is, but for words that many names end in).

    >>> broader("Qwen2.5-VL-7B-Instruct"), broader("AIME'24"), broader("TD3"), broader("PPO-max")
    ('Qwen2.5-VL-7B', 'AIME', None, None)
    """
    name = parse(surface)
    for count in range(len(name.parts) - 1, -1, -1):
        parent = Name(name.family, name.parts[:count])
        kind, part = name.parts[count]
        text = _surface_of(parent, surface)
        if _unmistakable(kind, part, parent) or (known(text) if known else _plausible(kind, part, parent)):
            return text
    return None


def _unmistakable(kind: str, part: str, parent: Name) -> bool:
    """Whether the part makes a variant of whatever stands before it."""
    if parent.family in MODEL_LINES:
        return True
    letters = sum(map(str.isalpha, parent.family))
    if kind == SIZE:
        return part[0].isdigit() and part[-1] in "bm" and letters >= _SHORTEST
    if kind == VERSION:
        return ("." in part or part[0] == "v") and letters >= _SHORTEST
    kinds = {k for k, _ in parent.parts}
    if kind == SUBSET:
        return YEAR in kinds
    return letters > 1 and (kind == YEAR or (kind in {STAGE, DATE, VARIANT} and bool(kinds & {VERSION, SIZE})))


def _plausible(kind: str, part: str, parent: Name) -> bool:
    """Whether a family nobody asked for may be meant: only signs and numbers speak for it."""
    long_enough = len(parent.family) >= _SHORTEST and parent.family[-2:].isalpha()
    if kind == SUBSET:
        return long_enough and len(part) >= _SHORTEST
    return long_enough and (kind == VERSION or (kind == DECORATION and part[0] != "@"))


def _surface_of(parent: Name, surface: str) -> str:
    """The parent in the spelling of its child: cut behind it, or cut out of it."""
    return next((text for text in _shortened(surface) if parse(text) == parent), parent.key)


def _shortened(surface: str) -> Iterator[str]:
    tokens = list(_TOKEN.finditer(surface))
    for token in reversed(tokens[1:]):
        yield surface[: token.start()].rstrip(_SEPARATORS)
    for first in range(len(tokens) - 1, -1, -1):
        for last in range(first, min(first + _LONGEST_PART, len(tokens))):
            left, right = surface[: tokens[first].start()], surface[tokens[last].end() :]
            yield (left.rstrip(_SEPARATORS) + right).strip(_SEPARATORS)
