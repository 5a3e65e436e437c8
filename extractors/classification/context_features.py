"""The second look: what the first answers for a paper's candidates say of one another.

A list of benchmarks is a list of benchmarks; a name inside a surer, longer name is no name of its
own. The first answers of all candidates give each one features of its company, and a second softmax
regression decides with them (stacking; Cohen and Carvalho, "Stacked sequential learning", 2005).
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

_WEAK, _STRONG = 0.3, 0.5
_REACH: Final = 8

Span = tuple[int, int]
#: A place with the probability and type of the name that stands there.
Other = tuple[Span, float, int]


def context_features(doc: Document, candidates: Sequence[Candidate], first: NDArray[np.float32]) -> Iterator[list[str]]:
    """For each candidate the features of its company; `first` are the first answers, `(candidates, answers)`."""
    accepted: list[float] = (1 - first[:, 0]).tolist()
    types: list[int] = first[:, 1:].argmax(axis=1).tolist()
    surest: list[float] = first.max(axis=1, initial=0.0).tolist()
    strong = sorted((s, j) for j, c in enumerate(candidates) if accepted[j] > _WEAK for s in c.spans)
    longest = max((b - a for (a, b), _ in strong), default=0)
    for j, candidate in enumerate(candidates):
        own = binned(accepted[j])
        out = [f"p1:{own}", f"p1:{types[j]}:{own}", f"p1m:{binned(surest[j])}"]
        around = [
            (span, [(s, accepted[k], types[k]) for s, k in _near(strong, span, longest) if k != j])
            for span in candidate.spans
        ]
        longer, inner, crossing, free = _overlaps(around)
        alone = min(free, 2)
        out += [f"longer:{binned(longer)}", f"inner:{binned(inner)}", f"crossing:{binned(crossing)}"]
        out += [f"free:{alone}:{len(candidate.spans) > free}", f"longer:{binned(longer)}&{own}&{alone}"]
        out += [f"inner:{binned(inner)}&{own}", f"crossing:{binned(crossing)}&{own}"]
        for near in sorted(_listed_types(doc, around)):
            out += [f"near1:{near}", f"near1:{near}&{types[j]}"]
        yield out


def _near(strong: list[tuple[Span, int]], span: Span, longest: int) -> list[tuple[Span, int]]:
    """Those of the sorted spans that overlap with a span or stand within reach of it, and few others."""
    low = bisect_left(strong, ((span[0] - longest - _REACH, 0), 0))
    return strong[low : bisect_left(strong, ((span[1] + _REACH + 1, 0), 0))]


def _overlaps(around: list[tuple[Span, list[Other]]]) -> tuple[float, float, float, int]:
    """The surest longer, inner and crossing neighbours, and at how many places no sure longer one stands."""
    longer = inner = crossing = 0.0
    free = 0
    for (a, b), others in around:
        covered = 0.0
        for (c, d), sure, _ in others:
            if c <= a and b <= d:
                covered = max(covered, sure)
            elif a <= c and d <= b:
                inner = max(inner, sure)
            elif c < b and a < d:
                crossing = max(crossing, sure)
        longer = max(longer, covered)
        free += covered <= _STRONG
    return longer, inner, crossing, free


def _listed_types(doc: Document, around: list[tuple[Span, list[Other]]]) -> set[int]:
    """The types of the sure names that stand in one list with the candidate."""
    out = set()
    for (a, b), others in around:
        for (c, d), sure, type_ in others:
            gap = (b, c) if b <= c else (d, a)
            if sure > _STRONG and 0 < gap[1] - gap[0] <= _REACH and in_one_list(doc, *gap):
                out.add(type_)
    return out
