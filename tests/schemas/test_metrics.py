"""Metrics: their keys, and whether lower or higher is better."""

from __future__ import annotations

import pytest

from citekg.schemas.metrics import lower_is_better, metric_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("accuracy", "Accuracies"),
        ("success rate", "Success rates"),
        ("win rate", "win-rates"),
        ("F1", "F1-score"),
        ("BLEU", "BLEU scores"),
        ("pass@1", "pass@1 score"),
        ("mAP", "mean average precision"),
        ("FPS", "frames per second"),
        ("success", "Success"),
        (r"$\text{IoU}$", "IoU"),
    ],
)
def test_spellings_of_a_metric_have_one_key(one: str, other: str) -> None:
    assert metric_key(one) == metric_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("accuracy", "top-1 accuracy"),
        ("top-1 accuracy", "top-5 accuracy"),
        ("accuracy", "average accuracy"),
        ("pass@1", "pass@10"),
        ("mean score", "mean"),
        ("ROUGE-1", "ROUGE-2"),
        ("IoU", "mIoU"),
    ],
)
def test_different_metrics_have_different_keys(one: str, other: str) -> None:
    assert metric_key(one) != metric_key(other)


@pytest.mark.parametrize(
    "metric",
    [
        "error rate",
        "mean absolute error of the contact force",
        "classification errors",
        "FID",
        "word error rate",
        "inference costs",
        "peak GPU memory usage",
        "time to find an accurate solution",
        "accuracy drop",
        "number of collisions",
        "seconds per frame",
        "Top5-Errors",
        "BD-rate",
        "false positive rate",
        "parameters",
    ],
)
def test_lower_is_better_for_errors_and_costs(metric: str) -> None:
    assert lower_is_better(metric) is True


@pytest.mark.parametrize(
    "metric",
    [
        "accuracy",
        "top-1 accuracies",
        "success rates",
        "pass@1",
        "AP75",
        "error reduction",
        "sample efficiency",
        "sample-efficient",
        "tokens per second",
        "FPS",
        "win rate",
        "average score",
        "performance",
        "ROUGE-L",
    ],
)
def test_higher_is_better_for_scores_and_speed(metric: str) -> None:
    assert lower_is_better(metric) is False


@pytest.mark.parametrize(
    "metric", ["", "attack success rate", "velocity", "latency and throughput"]
)
def test_the_direction_of_an_ambiguous_metric_is_unknown(metric: str) -> None:
    assert lower_is_better(metric) is None
