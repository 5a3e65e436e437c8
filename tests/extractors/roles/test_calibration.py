"""Calibration of roles: lines that turn scores into probabilities, and their fitting."""

from __future__ import annotations

from itertools import pairwise

import pytest

from citekg.extractors.roles.calibration import (
    FURTHER,
    Answer,
    Calibration,
    log_odds,
    shipped_calibration,
)
from citekg.extractors.roles.classifier import ROLE_LABELS

SCORES = (0.0, 0.2, 0.5, 0.8, 1.0)


def test_a_role_without_a_line_keeps_its_score() -> None:
    assert [Calibration().probability("uses", score) for score in SCORES] == [*SCORES]


def test_a_line_transforms_the_log_odds_of_a_score() -> None:
    calibration = Calibration({"uses": (0.5, 1.0)})
    found = calibration.probability("uses", 0.8)
    assert log_odds(found) == pytest.approx(0.5 * log_odds(0.8) + 1.0)
    assert calibration.probability("extends", 0.8) == 0.8


def test_scores_of_zero_and_one_give_probabilities_between_zero_and_one() -> None:
    calibration = Calibration({"uses": (1.0, 0.0)})
    assert 0 < calibration.probability("uses", 0.0) < 0.01
    assert 0.99 < calibration.probability("uses", 1.0) < 1


def test_without_a_plane_the_probability_of_a_relation_is_its_score() -> None:
    assert Calibration().relation_probability("uses", 0.4, 0.9) == 0.4


def test_a_plane_transforms_the_log_odds_of_a_relation() -> None:
    strict = Calibration(relation_planes={"comparesTo": (1.0, -0.5, -1.0)})
    for role in ("comparesTo", "outperforms"):
        found = strict.relation_probability(role, 0.4, 0.2)
        assert log_odds(found) == pytest.approx(log_odds(0.4) - 0.5 * log_odds(0.2) - 1.0)


@pytest.mark.parametrize("role", [*ROLE_LABELS, FURTHER])
def test_the_shipped_line_of_each_role_is_increasing(role: str) -> None:
    assert role in shipped_calibration().lines
    found = [shipped_calibration().probability(role, score) for score in SCORES]
    assert all(lower < higher for lower, higher in pairwise(found))


@pytest.mark.parametrize("role", ROLE_LABELS)
def test_the_shipped_plane_of_each_role_is_increasing_in_the_score(role: str) -> None:
    assert role in shipped_calibration().relation_planes
    found = [shipped_calibration().relation_probability(role, score, 0.5) for score in SCORES]
    assert all(lower < higher for lower, higher in pairwise(found))


@pytest.mark.parametrize("role", ["introduces", "uses", "mentions"])
def test_a_relation_is_less_probable_if_its_entity_is_borderline(role: str) -> None:
    shipped = shipped_calibration()
    found = [shipped.relation_probability(role, 0.8, borderline) for borderline in SCORES]
    assert all(lower > higher for lower, higher in pairwise(found))


def test_fitting_sets_the_confidence_to_the_share_of_right_answers() -> None:
    pytest.importorskip(
        "sklearn", reason="scikit-learn is not installed: pip install --group train"
    )
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install --group train")
    from citekg.extractors.training.roles import fit_calibration

    modest = [Answer("uses", 0.6, n % 10 != 0) for n in range(100)]
    bold = [Answer("extends", 0.9, n % 2 == 0) for n in range(100)]
    rare = [Answer("trainsOn", 0.9, is_right=True)]
    calibration = fit_calibration([*modest, *bold, *rare])
    assert calibration.probability("uses", 0.6) == pytest.approx(0.9, abs=0.02)
    assert calibration.probability("extends", 0.9) == pytest.approx(0.5, abs=0.02)
    assert calibration.lines["trainsOn"] == calibration.lines["mentions"]
