"""The agreement of predicted and annotated spans, as the training report gives it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from citekg.extractors.candidates.tagger import LABELS
from citekg.extractors.training.agreement import count_agreement, scores


def _labels(*names: str) -> np.ndarray:
    return np.array([LABELS.index(name) for name in names])


def test_a_span_agrees_only_with_the_same_tokens_and_type() -> None:
    found = _labels("B-Method", "I-Method", "O", "B-Model", "B-Dataset", "O", "B-Model")
    annotated = _labels("B-Method", "I-Method", "O", "B-Dataset", "B-Dataset", "I-Dataset", "O")
    assert count_agreement(found, annotated) == {"found": 4, "annotated": 3, "both": 1}


def test_precision_is_of_what_was_found_and_recall_of_what_was_annotated() -> None:
    assert scores({"found": 4, "annotated": 10, "both": 2}) == {
        "precision": 0.5,
        "recall": 0.2,
        "F1": 0.286,
    }


def test_no_spans_give_scores_of_zero() -> None:
    assert set(scores(count_agreement(_labels("O"), _labels("O"))).values()) == {0.0}


def test_the_training_report_has_the_scores_of_the_held_out_folds() -> None:
    pytest.importorskip("torch", reason="training needs PyTorch (the dependency group train)")
    train = pytest.importorskip("citekg.extractors.training.train")
    labels = _labels("B-Method", "I-Method", "O", "B-Model")
    probabilities = np.eye(len(LABELS))[_labels("B-Method", "I-Method", "B-Model", "O")]
    report = train._report([], 7, 3, Counter(train._count_agreement(probabilities, labels)))
    assert report["network"]["typed spans in papers of other folds"] == {
        "folds": 3,
        "precision": 0.5,
        "recall": 0.5,
        "F1": 0.5,
    }
