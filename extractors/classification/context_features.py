"""Context features: features of a candidate from the probabilities of the other candidates.

The members of a list tend to have one type, and a name inside a more probable, longer name is not
an entity. The entity model first scores each candidate alone. From these scores each candidate gets
features of its context, and a second softmax regression decides with them (stacking; Cohen and
Carvalho, "Stacked sequential learning", 2005).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.features import binned, in_one_list
from citekg.extractors.classification.hashing import FeatureRows, hash_features
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


def columns_with_context(
    documents: Iterable[tuple[Document, Sequence[Candidate]]],
    own: FeatureRows,
    alone: NDArray[np.float32],
) -> FeatureRows:
    """Return the columns of all candidates of some documents with those of their context features.

    `own` are the columns without context, and `alone` the probabilities of each candidate from
    these, `(candidates, labels)`.
    """
    context: list[Collection[int]] = []
    for doc, candidates in documents:
        rows = slice(len(context), len(context) + len(candidates))
        context += _context_columns(doc, candidates, alone[rows])
    return own.joined(context)


def _context_columns(
    doc: Document, candidates: Sequence[Candidate], probabilities: NDArray[np.float32]
) -> Iterator[Collection[int]]:
    """Yield the columns of the context features of each candidate."""
    confidences: list[float] = (1 - probabilities[:, 0]).tolist()
    types: list[int] = probabilities[:, 1:].argmax(axis=1).tolist()
    highest: list[float] = probabilities.max(axis=1, initial=0.0).tolist()
    strong = sorted(
        (s, j) for j, c in enumerate(candidates) if confidences[j] > _WEAK for s in c.spans
    )
    longest = max((b - a for (a, b), _ in strong), default=0)
    for j, candidate in enumerate(candidates):
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
        yield _columns(
            (types[j], binned(confidences[j]), binned(highest[j])),
            (binned(longer), binned(inner), binned(crossing)),
            min(free, 2),
            tuple(sorted(_listed_types(doc, around))),
            has_enclosed=len(candidate.spans) > free,
        )


@lru_cache(maxsize=1 << 14)
def _columns(
    own: tuple[int, int, int],
    overlaps: tuple[int, int, int],
    free: int,
    listed: tuple[int, ...],
    *,
    has_enclosed: bool,
) -> frozenset[int]:
    """Return the columns of the features of a context.

    `own` is the type of the candidate, and the bins of its probability and of that of its label.
    `overlaps` are the bins of the probabilities of enclosing, inner and crossing names. `free` is
    the number of mentions that no name encloses, at most 2.
    """
    type_, level, highest = own
    longer, inner, crossing = overlaps
    texts = [
        f"p1:{level}",
        f"p1:{type_}:{level}",
        f"p1m:{highest}",
        f"longer:{longer}",
        f"inner:{inner}",
        f"crossing:{crossing}",
        f"free:{free}:{has_enclosed}",
        f"longer:{longer}&{level}&{free}",
        f"inner:{inner}&{level}",
        f"crossing:{crossing}&{level}",
    ]
    for near in listed:
        texts += [f"near1:{near}", f"near1:{near}&{type_}"]
    return frozenset(hash_features(texts))


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
