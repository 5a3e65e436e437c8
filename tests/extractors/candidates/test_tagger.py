"""The tagger: which tokens may begin a name."""

from __future__ import annotations

import numpy as np

from citekg.extractors.candidates.tagger import LABELS, likely_starts


def test_a_token_is_a_likely_start_if_the_sum_of_its_begin_labels_is_high() -> None:
    probabilities = np.zeros((4, len(LABELS)), dtype=np.float32)
    begins = [i for i, label in enumerate(LABELS) if label.startswith("B-")]
    inside = [i for i, label in enumerate(LABELS) if label.startswith("I-")]
    probabilities[0, begins[:2]] = 0.03  # of two types, with a sum above the threshold
    probabilities[1, begins[0]] = 0.04
    probabilities[2, inside] = 0.2
    probabilities[3, begins[-1]] = 0.9
    assert likely_starts(probabilities) == [0, 3]
