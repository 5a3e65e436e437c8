"""Context features: features of a candidate from the probabilities of the other candidates.

The members of a list tend to have one type, and a name inside a more probable, longer name is no
entity. The entity model first scores each candidate alone. From these scores each candidate gets
features of its context, and a second softmax regression decides with them (stacking; Cohen and
Carvalho, "Stacked sequential learning", 2005).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.features import binned, in_one_list
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The probabilities from which a candidate counts as a neighbour, and as a confident one.
_WEAK, _STRONG = 0.3, 0.5
#: How far neighbours may lie from a candidate, in tokens.
_WINDOW: Final = 8

Span = tuple[int, int]
#: A token span with the probability and the type of the name in it.
Neighbour = tuple[Span, float, int]


def context_features(
    doc: Document, candidates: Sequence[Candidate], probabilities: NDArray[np.float32]
) -> Iterator[list[str]]:
    """Yield the context features of each candidate.

    `probabilities` are those of each candidate alone, `(candidates, labels)`.
    """
    confidences: list[float] = (1 - probabilities[:, 0]).tolist()
    types: list[int] = probabilities[:, 1:].argmax(axis=1).tolist()
    highest: list[float] = probabilities.max(axis=1, initial=0.0).tolist()
    strong = sorted(
        (s, j) for j, c in enumerate(candidates) if confidences[j] > _WEAK for s in c.spans
    )
    longest = max((b - a for (a, b), _ in strong), default=0)
    for j, candidate in enumerate(candidates):
        own = binned(confidences[j])
        out = [f"p1:{own}", f"p1:{types[j]}:{own}", f"p1m:{binned(highest[j])}"]
        around = [
            (
                span,
                [
                    (s, confidences[k], types[k])
                    for s, k in _neighbours(strong, span, longest)
                    if k != j
                ],
            )
            for span in candidate.spans
        ]
        longer, inner, crossing, free = _overlaps(around)
        free_count = min(free, 2)
        out += [
            f"longer:{binned(longer)}",
            f"inner:{binned(inner)}",
            f"crossing:{binned(crossing)}",
        ]
        out += [
            f"free:{free_count}:{len(candidate.spans) > free}",
            f"longer:{binned(longer)}&{own}&{free_count}",
        ]
        out += [f"inner:{binned(inner)}&{own}", f"crossing:{binned(crossing)}&{own}"]
        for near in sorted(_listed_types(doc, around)):
            out += [f"near1:{near}", f"near1:{near}&{types[j]}"]
        yield out


def _neighbours(strong: list[tuple[Span, int]], span: Span, longest: int) -> list[tuple[Span, int]]:
    """Return the spans that may overlap with a span or lie within the window around it.

    `strong` is sorted; `longest` is the length of its longest span, in tokens.
    """
    low = bisect_left(strong, ((span[0] - longest - _WINDOW, 0), 0))
    return strong[low : bisect_left(strong, ((span[1] + _WINDOW + 1, 0), 0))]


def _overlaps(around: list[tuple[Span, list[Neighbour]]]) -> tuple[float, float, float, int]:
    """Return the highest confidences of enclosing, inner and crossing neighbours, and a count.

    The count is the number of spans that no confident neighbour encloses.
    """
    longer = inner = crossing = 0.0
    free = 0
    for (a, b), others in around:
        enclosing = 0.0
        for (c, d), confidence, _ in others:
            if c <= a and b <= d:
                enclosing = max(enclosing, confidence)
            elif a <= c and d <= b:
                inner = max(inner, confidence)
            elif c < b and a < d:
                crossing = max(crossing, confidence)
        longer = max(longer, enclosing)
        free += enclosing <= _STRONG
    return longer, inner, crossing, free


def _listed_types(doc: Document, around: list[tuple[Span, list[Neighbour]]]) -> set[int]:
    """Return the types of the confident names in one list with the candidate."""
    out = set()
    for (a, b), others in around:
        for (c, d), confidence, type_ in others:
            gap = (b, c) if b <= c else (d, a)
            if confidence > _STRONG and 0 < gap[1] - gap[0] <= _WINDOW and in_one_list(doc, *gap):
                out.add(type_)
    return out
