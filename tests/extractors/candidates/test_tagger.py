"""The tagger: which token spans may be names."""

from __future__ import annotations

import numpy as np

from citekg.extractors.candidates.tagger import LABELS, LabelSums, LikelySpans
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper

BEGINS = [i for i, label in enumerate(LABELS) if label.startswith("B-")]
INSIDE = [i for i, label in enumerate(LABELS) if label.startswith("I-")]


def likely_spans(text: str, begins: dict[str, float], inside: dict[str, float]) -> LikelySpans:
    """Return the likely spans of a text with these probabilities of words, spread over types."""
    doc = make_document(Paper("p", "", text))
    probabilities = np.zeros((len(doc.words), len(LABELS)), dtype=np.float32)
    for labels, by_word in ((BEGINS, begins), (INSIDE, inside)):
        for word, probability in by_word.items():
            probabilities[np.ix_([doc.words.index(word)], labels)] = probability / len(labels)
    return LikelySpans(doc, LabelSums.of(probabilities))


def test_a_token_is_a_likely_start_if_the_sum_of_its_begin_labels_is_high() -> None:
    found = likely_spans("We fly Marsh Reed Nets", {"Marsh": 0.12, "Reed": 0.08}, {"Nets": 0.9})
    assert found.starts() == [2]


def test_a_span_may_be_a_name_if_its_tokens_continue_it_and_the_next_one_does_not() -> None:
    found = likely_spans("We fly Marsh Reed Nets", {"Marsh": 0.5}, {"Reed": 0.99, "Nets": 0.3})
    spans = [(first, last) for first in range(5) for last in range(first + 1, 6)]
    assert [*filter(found.may_be_name, spans)] == [(2, 4), (2, 5)]


def test_a_token_without_a_space_before_it_continues_a_name_in_any_case() -> None:
    found = likely_spans("We fly R(KITE)-2 here", {"R": 0.9}, {})
    assert found.may_be_name((2, 8))
    assert not found.may_be_name((2, 9))
