"""The agreement of predicted and annotated spans in the training report."""

from __future__ import annotations

import numpy as np

from citekg.extractors.candidates.tagger import LABELS
from citekg.extractors.training.agreement import count_agreement, scores


def _labels(*names: str) -> np.ndarray:
    return np.array([LABELS.index(name) for name in names])


def test_a_span_agrees_only_with_the_same_tokens_and_type() -> None:
    found = _labels("B-Method", "I-Method", "O", "B-Model", "B-Dataset", "O", "B-Model")
    annotated = _labels("B-Method", "I-Method", "O", "B-Dataset", "B-Dataset", "I-Dataset", "O")
    assert count_agreement(found, annotated) == {"found": 4, "annotated": 3, "both": 1}


def test_precision_is_relative_to_found_spans_and_recall_to_annotated_spans() -> None:
    assert scores({"found": 4, "annotated": 10, "both": 2}) == {
        "precision": 0.5,
        "recall": 0.2,
        "F1": 0.286,
    }


def test_without_spans_all_scores_are_zero() -> None:
    assert set(scores(count_agreement(_labels("O"), _labels("O"))).values()) == {0.0}
