"""Gold annotations, and their alignment with extracted entities.

An extracted entity matches an annotated one if a surface form of each is the same after
normalisation, which ignores markup, case, accents, spaces, punctuation, a plural s, a leading
article and trailing head nouns such as "algorithm".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citekg.extractors.markup import clean
from citekg.extractors.wording.head_nouns import TRAILING_HEADS

if TYPE_CHECKING:
    from citekg.extractors.candidates.generate import Candidate
    from citekg.extractors.nlp import Document
    from citekg.schemas.records import PaperEntity


def normalise(text: str) -> str:
    """Return the normalised form by which surface forms are compared."""
    decomposed = unicodedata.normalize("NFKD", clean(text).text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    words = re.findall(r"[a-z0-9*+^]+|[^\x00-\x7f]+", plain.replace("'s ", " "))
    if words and words[0] in ("the", "a", "an"):
        words = words[1:]
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words = words[:-1]
    return "".join(_singular(w) for w in words)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def normalised_forms(surfaces: Iterable[str]) -> frozenset[str]:
    """Return the normalised forms of surfaces, without empty ones."""
    return frozenset(filter(None, map(normalise, surfaces)))


@dataclass(frozen=True, eq=False)
class GoldEntity:
    """An annotated entity: normalised forms, type and role, with the alternatives that also count.

    An optional entity counts neither as found nor as missed.
    """

    name: str
    forms: frozenset[str]
    type: str
    other_types: tuple[str, ...]
    role: str
    other_roles: tuple[str, ...]
    optional: bool
    surfaces: tuple[str, ...] = ()


def gold_entities(row: dict[str, Any]) -> list[GoldEntity]:
    """Return the annotated entities of a paper, given as a row of an annotation file."""
    return [
        GoldEntity(
            name=e["name"],
            forms=normalised_forms(e["surfaces"]),
            type=e["type"],
            other_types=tuple(e.get("also", ())),
            role=e["relation"],
            other_roles=tuple(e.get("also_relation", ())),
            optional=bool(e.get("optional", False)),
            surfaces=tuple(e["surfaces"]),
        )
        for e in row["entities"]
    ]


def align(
    gold: Sequence[GoldEntity], found: Sequence[tuple[str, frozenset[str]]]
) -> list[tuple[int, int]]:
    """Return index pairs of annotated and extracted entities that match, one to one.

    `found` holds the type and the normalised forms of each extracted entity. Among several possible
    pairs, those of the same type have priority, then annotations that are not optional, then pairs
    with more shared forms.
    """
    possible = [
        (type_ not in (g.type, *g.other_types), g.optional, -len(g.forms & forms), i, j)
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


def align_entities(
    gold: Sequence[GoldEntity], found: Iterable[PaperEntity]
) -> list[tuple[int, int]]:
    """Return the index pairs of `align` for the entities of an extraction."""
    return align(gold, [(entity.type, normalised_forms(entity.surfaces)) for entity in found])


def named_entity(
    doc: Document, candidate: Candidate, gold: Collection[GoldEntity]
) -> GoldEntity | None:
    """Return the annotated entity that a candidate names, if any."""
    folded = normalise(doc.span_text(*candidate.spans[0]))
    return next((entity for entity in gold if folded in entity.forms), None)
