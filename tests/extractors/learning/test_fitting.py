"""Learning: minimisation, label sequences, and regularisation towards the shipped scores."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from citekg.extractors.adaptation.learnt_tagger import (
    best_path,
    forbidden,
    is_whole,
    name_spans,
    posteriors,
)
from citekg.extractors.adaptation.name_rates import looked_up, with_neighbours
from citekg.extractors.adaptation.token_features import token_columns
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.learning.linear import Regularisation, regularisation_of_labels
from citekg.extractors.learning.name_rates import NameRates
from citekg.extractors.learning.optimising import Vector, minimise
from citekg.extractors.learning.roles import fit_calibration
from citekg.extractors.learning.sequences import LabelledTokens, fit_tagger
from citekg.extractors.learning.softmax import fit_softmax
from citekg.extractors.nlp import make_document
from citekg.extractors.roles.calibration import Answer, shipped_calibration
from citekg.schemas.records import Paper


def test_a_quadratic_function_is_minimised() -> None:
    scale = np.array([1.0, 10.0, 100.0])

    def function(x: Vector) -> tuple[float, Vector]:
        return float(scale @ (x - 2) ** 2) + 1, 2 * scale * (x - 2)

    assert np.allclose(minimise(function, np.zeros(3), tolerance=1e-9), 2, atol=1e-3)


def _all_paths(scores: Vector, transitions: Vector) -> dict[tuple[int, ...], float]:
    labels = range(scores.shape[1])
    return {
        path: float(
            sum(scores[i, label] for i, label in enumerate(path))
            + sum(transitions[a, b] for a, b in zip((0, *path), path, strict=False))
        )
        for path in product(labels, repeat=len(scores))
    }


def test_marginals_and_the_best_path_match_an_enumeration_of_all_sequences() -> None:
    randomness = np.random.default_rng(1)
    scores = randomness.normal(size=(4, 3))
    transitions = randomness.normal(size=(3, 3)) + forbidden(1)
    paths = _all_paths(scores, transitions)
    weights = {path: np.exp(score) for path, score in paths.items()}
    expected = np.zeros(scores.shape)
    for path, weight in weights.items():
        expected[np.arange(len(path)), path] += weight / sum(weights.values())
    assert np.allclose(posteriors(scores, transitions)[0], expected, atol=1e-5)
    assert tuple(best_path(scores, transitions)) == max(paths, key=paths.__getitem__)


def test_the_probability_of_a_name_is_the_sum_over_the_sequences_with_this_name() -> None:
    randomness = np.random.default_rng(2)
    scores = randomness.normal(size=(4, 5))
    transitions = randomness.normal(size=(5, 5)) + forbidden(2)
    paths = _all_paths(scores, transitions)
    total = sum(map(np.exp, paths.values()))
    found = {each[:3]: each[3] for each in name_spans(*posteriors(scores, transitions))}
    for (first, last), type_ in product(((0, 1), (1, 3), (2, 4)), (0, 1)):
        name = (2 * type_ + 1, *[2 * type_ + 2] * (last - first - 1))
        with_name = sum(
            np.exp(score)
            for path, score in paths.items()
            if path[first:last] == name and path[last : last + 1] != (2 * type_ + 2,)
        )
        assert found.get((first, last, type_), 0.0) == pytest.approx(with_name / total, abs=0.02)
    assert all(probability > 0.01 for probability in found.values())


def test_shipped_scores_that_match_the_annotations_do_not_change() -> None:
    base = np.log(np.array([[0.75, 0.25]] * 4, dtype=np.float32))
    targets = np.array([[1, 0]] * 3 + [[0, 1]], dtype=np.float32)
    layer = fit_softmax(
        [{1}] * 4, np.zeros((4, 0), np.float32), base, targets, Regularisation(1, 1)
    )
    assert np.abs(layer.scores([{1}], np.zeros((1, 0), np.float32))).max() < 0.05


def test_weights_of_a_schema_type_change_more_than_weights_of_a_shipped_type() -> None:
    base = np.zeros((6, 3), dtype=np.float32)
    targets = np.eye(3, dtype=np.float32)[[0, 0, 1, 1, 2, 2]]
    strengths = regularisation_of_labels(
        [False, False, True], Regularisation(20, 100, 100), Regularisation(2, 0.1)
    )
    layer = fit_softmax(
        [{n // 2} for n in range(6)], np.ones((6, 1), np.float32), base, targets, strengths
    )
    moved = np.abs(layer.weights).max(axis=0)
    assert moved[2] > 3 * moved[1]


def test_without_answers_the_calibration_is_the_shipped_one() -> None:
    found = fit_calibration([], ["uses", "dates"]).lines
    assert found["uses"] == shipped_calibration().lines["uses"]
    assert found["dates"] == (1.0, 0.0)


def test_wrong_answers_lower_only_the_confidence_of_their_role() -> None:
    wrong = [Answer("uses", 0.9, is_right=n % 2 == 0) for n in range(200)]
    found, shipped = fit_calibration(wrong, ["uses", "extends"]), shipped_calibration()
    assert abs(found.probability("uses", 0.9) - 0.5) < 0.1 < shipped.probability("uses", 0.9) - 0.5
    assert found.probability("extends", 0.9) == shipped.probability("extends", 0.9)


def test_weaker_regularisation_changes_the_shipped_scores_more() -> None:
    base = np.zeros((4, 2), dtype=np.float32)
    targets = np.array([[0, 1]] * 4, dtype=np.float32)
    strong, weak = (
        fit_softmax(
            [{1}] * 4,
            np.zeros((4, 0), np.float32),
            base,
            targets,
            Regularisation(strength, 1, strength),
        )
        for strength in (10.0, 0.1)
    )
    none = np.zeros((1, 0), np.float32)
    assert 0 < strong.scores([{1}], none)[0, 1] < weak.scores([{1}], none)[0, 1]


def test_the_tagger_learns_labels_that_depend_on_the_previous_label() -> None:
    columns = [{1}, {2}, {3}, {3}]
    document = LabelledTokens(
        columns * 6,
        np.array([[1], [2], [3], [3]] * 6),
        np.zeros((24, 0), dtype=np.float32),
        tuple((4 * n, 4 * n + 4) for n in range(6)),
        np.array([0, 1, 2, 0] * 6),
    )
    tagger = fit_tagger([document], ("Kite",))
    rates = looked_up(tagger.rates, document.rate_columns)[:4]
    scores = tagger.layer.scores(columns, with_neighbours(rates)).astype(np.float64)
    path = best_path(scores, tagger.transitions.astype(np.float64) + forbidden(1))
    assert path[:3].tolist() == [0, 1, 2]


def test_a_short_form_has_the_head_of_its_long_form_as_a_feature() -> None:
    defined, undefined = (
        make_document(Paper("1", "Boats", f"We describe {text}. A CLBR sank."))
        for text in ("clinker built racers (CLBR)", "a clinker built racer, CLBR")
    )
    head = hash_features(["stands for:racers"])
    with_head, without = (
        [
            doc.words[i]
            for i, own in enumerate(token_columns(doc, [[]] * len(doc.words)))
            if head <= own
        ]
        for doc in (defined, undefined)
    )
    assert with_head == ["CLBR", "CLBR"]
    assert without == []


def test_a_word_has_features_of_the_neighbours_of_its_other_occurrences() -> None:
    doc = make_document(Paper("1", "Boats", "A red kite flew. Every kite sank."))
    columns = token_columns(doc, [[]] * len(doc.words))
    first, second = (i for i, word in enumerate(doc.words) if word == "kite")
    assert hash_features(["elsewhere-1:every", "elsewhere1:sank"]) <= columns[first]
    assert hash_features(["elsewhere-1:red", "elsewhere1:flew"]) <= columns[second]
    assert not hash_features(["elsewhere-1:red"]) <= columns[first]


def test_a_word_has_features_of_the_schema_matches_of_its_neighbours() -> None:
    doc = make_document(Paper("1", "", "A red kite flew."))
    matches = [["cue:Bird:True:True"] if word == "kite" else [] for word in doc.words]
    columns = dict(zip(doc.words, token_columns(doc, matches), strict=True))
    assert hash_features(["1 cue:Bird:True:True"]) <= columns["red"]
    assert hash_features(["-1 cue:Bird:True:True"]) <= columns["flew"]
    assert not hash_features(["1 cue:Bird:True:True"]) <= columns["A"]


def test_the_name_rates_of_a_paper_exclude_its_own_names() -> None:
    columns = [np.array([[1], [2]]), np.array([[1], [3]])]
    rates = NameRates(columns, [np.array([1, 0]), np.array([1, 2])], types=1)
    inside = looked_up(rates.layer(), np.array([[1], [2], [3], [4]]))[:, 0]
    assert inside[0] > 0
    assert inside[1] < 0 < inside[2]
    assert inside[3] == 0
    own = rates.without_itself(1)[:, 0]
    assert own[0] > 0
    assert own[1] == 0


def test_whole_names_have_balanced_brackets_and_no_punctuation_at_the_edges() -> None:
    whole = (["Heron"], ["Heron", "(", "H2", ")"], ["Heron", "-", "ware"])
    incomplete = (["Heron", "."], [",", "Heron"], ["H2", "]", "ware"], ["Heron", "(", "H2"])
    assert all(map(is_whole, whole))
    assert not any(map(is_whole, incomplete))
