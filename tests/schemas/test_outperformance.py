"""Which entity outperforms which: derived from reported changes and from pairs of scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citekg.schemas.outperformance import outperformances
from citekg.schemas.records import Result, ResultName

KITE, HERON, POND = (ResultName(name, name.casefold()) for name in ("Kite", "Heron", "Pond"))
GAIN = Result(
    "p", 9, 19, "4.2 points", "change", "up", "accuracy", (POND,), (KITE,), (HERON,), "",
    (0, 40), 0.8,
)  # fmt: skip
SCORE = replace(GAIN, value="82%", kind="score", direction="")
OTHER_SCORE = replace(SCORE, start=30, value="80.5%", systems=(HERON,), versus=(), confidence=0.6)


def winners_and_losers(*results: Result) -> list[tuple[str, str, str]]:
    return [(one.winner, one.loser, one.margin) for one in outperformances(results)]


@pytest.mark.parametrize(
    ("metric", "direction", "winner"),
    [
        ("accuracy", "up", "kite"),
        ("accuracy", "down", "heron"),
        ("error rate", "down", "kite"),
        ("", "up", "kite"),
        ("", "down", None),
        ("velocity", "up", None),
    ],
)
def test_the_metric_and_direction_of_a_change_decide_the_winner(
    metric: str, direction: str, winner: str | None
) -> None:
    found = winners_and_losers(replace(GAIN, metric=metric, direction=direction))
    loser = "heron" if winner == "kite" else "kite"
    assert found == ([(winner, loser, "4.2 points")] if winner else [])


def test_an_increase_without_metric_and_unit_has_no_winner() -> None:
    assert winners_and_losers(replace(GAIN, metric="", value="0.25")) == []


def test_compared_names_without_entities_are_ignored() -> None:
    assert winners_and_losers(replace(GAIN, versus=(ResultName("the baseline"),))) == []


def test_two_scores_in_one_sentence_give_a_winner_and_a_margin() -> None:
    assert winners_and_losers(SCORE, OTHER_SCORE) == [("kite", "heron", "1.5 points")]
    (one,) = outperformances([SCORE, OTHER_SCORE])
    assert (one.result, one.confidence, one.on) == (SCORE.id, 0.6, ("Pond",))
    slower = [
        replace(r, metric="latency", value=r.value.replace("%", " ms"))
        for r in (SCORE, OTHER_SCORE)
    ]
    assert winners_and_losers(*slower) == [("heron", "kite", "1.5 ms")]


@pytest.mark.parametrize(
    "other",
    [
        {"sentence": (50, 90)},
        {"metric": "top-1 accuracy"},
        {"on": (ResultName("Lake"),)},
        {"value": "80.5"},
        {"value": "82%"},
        {"systems": (ResultName("Wader", "wader"),)},
    ],
)
def test_scores_under_different_conditions_are_not_compared(other: dict[str, object]) -> None:
    assert winners_and_losers(SCORE, replace(OTHER_SCORE, **other)) == []  # type: ignore[arg-type]
