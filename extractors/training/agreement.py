"""Agreement of predicted and annotated token labels, counted in typed spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from citekg.extractors.candidates import tagger


def count_agreement(found: np.ndarray[Any, Any], annotated: np.ndarray[Any, Any]) -> Counter[str]:
    """Return the numbers of typed spans `found`, `annotated` and in `both`.

    Both arrays hold one index into `tagger.LABELS` for each token.
    """
    first, second = (set(_typed_spans(labels)) for labels in (found, annotated))
    return Counter(found=len(first), annotated=len(second), both=len(first & second))


def _typed_spans(labels: np.ndarray[Any, Any]) -> Iterator[tuple[int, int, str]]:
    """Yield the token spans of the labels, with the type of their first token."""
    for first, last in tagger.decode_spans(np.eye(len(tagger.LABELS), dtype=np.float32)[labels]):
        yield first, last, tagger.LABELS[int(labels[first])][2:]


def scores(agreement: Mapping[str, int]) -> dict[str, float]:
    """Return precision, recall and F1 of the counts of `count_agreement`; 0 without spans.

    >>> scores({"found": 4, "annotated": 5, "both": 3})
    {'precision': 0.75, 'recall': 0.6, 'F1': 0.667}
    """
    found, annotated, both = (agreement[count] for count in ("found", "annotated", "both"))
    values = {
        "precision": both / max(found, 1),
        "recall": both / max(annotated, 1),
        "F1": 2 * both / max(found + annotated, 1),
    }
    return {name: round(value, 3) for name, value in values.items()}
