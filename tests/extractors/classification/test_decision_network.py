"""The decision network: probabilities from features and from the vectors of the tagger."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decision_network import (
    DecisionNetwork,
    shipped_decision_network,
    span_vectors,
)
from citekg.extractors.classification.decoding import LABELS
from citekg.extractors.classification.hashing import COLUMNS

WIDTH = 4


@pytest.fixture(scope="module")
def network() -> DecisionNetwork:
    """A network with random weights for the columns 1 to 9."""
    random = np.random.default_rng(5)
    row_of = np.zeros(COLUMNS, dtype=np.int32)
    row_of[1:10] = np.arange(1, 10)
    embeddings = random.normal(size=(10, 3 + len(LABELS))).astype(np.float32)
    embeddings[0] = 0
    dense = random.normal(size=(3 * WIDTH, 3)).astype(np.float32)
    offset = random.normal(size=3).astype(np.float32)
    bias = random.normal(size=len(LABELS)).astype(np.float32)
    mean = random.normal(size=3 * WIDTH).astype(np.float32)
    out = random.normal(size=(3, len(LABELS))).astype(np.float32)
    return DecisionNetwork(row_of, embeddings, dense, offset, mean, out, bias, 0.5)


def test_the_probabilities_of_a_candidate_sum_to_one(network: DecisionNetwork) -> None:
    rows = [{1, 2}, {3}, {4, 5, 9}]
    found = network.probabilities(rows, np.ones((3, 3 * WIDTH), dtype=np.float32))
    assert found.shape == (3, len(LABELS))
    assert found.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-6)


def test_without_candidates_the_probabilities_are_empty(network: DecisionNetwork) -> None:
    assert network.probabilities([], None).shape == (0, len(LABELS))


def test_columns_without_weights_do_not_change_the_probabilities(network: DecisionNetwork) -> None:
    vector = np.ones((1, 3 * WIDTH), dtype=np.float32)
    with_unknown = network.probabilities([{1, 2, 77, 4000}], vector)
    assert (with_unknown == network.probabilities([{1, 2}], vector)).all()


def test_without_the_tagger_a_candidate_has_the_mean_vector(network: DecisionNetwork) -> None:
    without = network.probabilities([{1, 2}], None)
    assert without == pytest.approx(network.probabilities([{1, 2}], network.mean[None]))


@given(st.permutations([1, 9, 17, 33, 65]))  # a set of them has the order of insertion
def test_the_order_of_the_features_does_not_matter(
    network: DecisionNetwork, columns: list[int]
) -> None:
    found = network.probabilities([set(columns)], None)
    assert (found == network.probabilities([{1, 9, 17, 33, 65}], None)).all()


def test_the_span_vector_concatenates_the_name_and_the_tokens_before_and_after() -> None:
    tokens = np.arange(5 * WIDTH, dtype=np.float32).reshape(5, WIDTH)
    found = span_vectors(tokens, [Candidate("kite-search", [(1, 3)])])
    assert found[0] == pytest.approx(np.concatenate([tokens[1:3].mean(0), tokens[0], tokens[3]]))


def test_a_missing_token_before_or_after_gives_zeros_in_the_span_vector() -> None:
    tokens = np.ones((2, WIDTH), dtype=np.float32)
    found = span_vectors(tokens, [Candidate("kite", [(0, 2)])])
    assert found[0].tolist() == [1.0] * WIDTH + [0.0] * 2 * WIDTH


def test_the_span_vector_is_the_mean_over_the_mentions() -> None:
    tokens = np.random.default_rng(3).normal(size=(9, WIDTH)).astype(np.float32)
    heron, kite = Candidate("heron", [(4, 5)]), Candidate("kite", [(1, 2), (6, 8)])
    alone = [span_vectors(tokens, [Candidate("kite", [span])])[0] for span in kite.spans]
    found = span_vectors(tokens, [heron, kite])
    assert found[1] == pytest.approx(np.mean(alone, axis=0), abs=1e-5)


def test_the_shipped_network_fits_the_shipped_tagger() -> None:
    from citekg.extractors.candidates.tagger import shipped_tagger

    width = len(shipped_tagger().arrays["in.b"])
    assert shipped_decision_network().dense.shape[0] == 3 * width
