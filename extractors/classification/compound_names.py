"""Compound names: names that consist of known names, and names with the size of a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.nlp import Document
from citekg.schemas.names import key, without_maker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A name that ends in the size of a model: "Kite 33B", "Heron-Kite-7B".
_SIZED: Final = re.compile(r"[^\W\d_][\w.-]*[ -]\d+(?:\.\d+)?B")


def with_compounds(
    doc: Document, candidates: Sequence[Candidate], probabilities: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the probabilities, `(candidates, labels)`, adjusted for unknown compound names.

    "OpenAI HumanEval" is HumanEval, and "PPO/DPO" is two methods: such a name is not an entity, and
    the known names inside become at least as probable as it was. A name with a size, as "Kite 33B",
    is as probable as the name before the size.
    """
    out: NDArray[np.float32] = probabilities.copy()
    row_of = {candidate.key: i for i, candidate in enumerate(candidates)}
    for i, candidate in enumerate(candidates):
        if candidate.entry or candidate.partners or candidate.cue_types or candidate.like:
            continue
        surface = doc.span_text(*candidate.spans[0])
        if inner := _known_parts(surface, candidates, row_of):
            for j in inner:
                entity = max(1 - out[j, 0], 1 - probabilities[i, 0])
                out[j, 1:] *= entity / out[j, 1:].sum()
                out[j, 0] = 1 - entity
            out[i] = 0
            out[i, 0] = 1
        elif _SIZED.fullmatch(surface):
            parts = [row_of[k] for k in map(key, _ends(surface)) if k in row_of]
            out[i] = probabilities[min([i, *parts], key=lambda j: float(probabilities[j, 0]))]
    return out


def is_sized(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a name ends in the size of a model: "Kite 33B"."""
    return _SIZED.fullmatch(doc.span_text(*span)) is not None


def without_size(surface: str) -> str:
    """Return a name that ends in a size without it.

    >>> without_size("Kite 33B"), without_size("Red-Kite-7B")
    ('Kite', 'Red-Kite')
    """
    return re.split(r"[ -](?=[^ -]*$)", surface)[0]


def _known_parts(
    surface: str, candidates: Sequence[Candidate], row_of: dict[str, int]
) -> list[int]:
    """Return the rows of the known names that a name consists of; empty if a part is unknown."""
    if bare := without_maker(surface):
        parts = [bare]
    else:
        parts = surface.split("/") if not any(map(str.isspace, surface)) else []
    rows = [row_of.get(key(part)) for part in parts]
    known = [i for i in rows if i is not None and _is_reported(candidates[i])]
    return known if len(known) == len(parts) else []


def _is_reported(candidate: Candidate) -> bool:
    return candidate.entry is not None and not candidate.entry.umbrella


def _ends(surface: str) -> list[str]:
    """Return a name without its size, and its sized parts after hyphens, such as "Kite-7B"."""
    ends = [surface[at + 1 :] for at, sign in enumerate(surface) if sign == "-"]
    return [without_size(surface), *(end for end in ends if _SIZED.fullmatch(end))]
