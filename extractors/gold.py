"""Annotations, and when a found name is an annotated one.

An entity of ours matches an annotated one when a surface form of each is the same after folding:
case, accents, spaces and punctuation, a plural s, a leading article and trailing heads such as
"algorithm" do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

#: Heads that may trail a name without being part of it.
TRAILING_HEADS: Final = frozenset(
    """algorithm algorithms method methods approach approaches framework frameworks model models benchmark benchmarks
    dataset datasets datum data corpus environment environments suite task tasks game games architecture architectures
    objective objectives loss training technique techniques prompting series family simulator library toolkit""".split()
)


def normalise(text: str) -> str:
    """A surface form as annotations are compared."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    words = re.findall(r"[a-z0-9*+^]+|[^\x00-\x7f]+", plain.replace("'s ", " "))
    if words and words[0] in ("the", "a", "an"):
        words = words[1:]
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words = words[:-1]
    return "".join(_singular(w) for w in words)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@dataclass(frozen=True, eq=False)
class GoldEntity:
    """An annotated entity: its folded forms, type and role, the other defensible ones, and whether it is optional.

    Optional ones are neither rewarded nor punished.
    """

    name: str
    forms: frozenset[str]
    type: str
    also: tuple[str, ...]
    role: str
    also_roles: tuple[str, ...]
    optional: bool
    surfaces: tuple[str, ...] = ()


def gold_entities(row: dict[str, Any]) -> list[GoldEntity]:
    """The annotated entities of a paper."""
    return [
        GoldEntity(
            name=e["name"],
            forms=frozenset(filter(None, map(normalise, e["surfaces"]))),
            type=e["type"],
            also=tuple(e.get("also", ())),
            role=e["relation"],
            also_roles=tuple(e.get("also_relation", ())),
            optional=bool(e.get("optional", False)),
            surfaces=tuple(e["surfaces"]),
        )
        for e in row["entities"]
    ]


def align(gold: Sequence[GoldEntity], found: Sequence[tuple[str, frozenset[str]]]) -> list[tuple[int, int]]:
    """The numbers of annotated and found entities that are one thing, one to one.

    `found` holds the type and the folded forms of each found entity. Where several could be paired,
    those of the same type go first, then annotations that are not optional, then more shared forms.
    """
    possible = [
        (type_ not in (g.type, *g.also), g.optional, -len(g.forms & forms), i, j)
        for i, g in enumerate(gold)
        for j, (type_, forms) in enumerate(found)
        if g.forms & forms
    ]
    taken_gold: set[int] = set()
    taken_found: set[int] = set()
    out = []
    for *_, i, j in sorted(possible):
        if i not in taken_gold and j not in taken_found:
            taken_gold.add(i)
            taken_found.add(j)
            out.append((i, j))
    return out
