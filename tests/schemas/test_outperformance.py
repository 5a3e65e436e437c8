"""Which entity does better than which: from changes and from pairs of scores, where it is known."""

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
RIVAL = replace(SCORE, start=30, value="80.5%", systems=(HERON,), versus=(), confidence=0.6)


def said(*results: Result) -> list[tuple[str, str, str]]:
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
def test_a_change_to_the_better_is_won_by_its_system(
    metric: str, direction: str, winner: str | None
) -> None:
    found = said(replace(GAIN, metric=metric, direction=direction))
    loser = "heron" if winner == "kite" else "kite"
    assert found == ([(winner, loser, "4.2 points")] if winner else [])


def test_a_rise_without_metric_and_unit_is_not_a_result() -> None:
    assert said(replace(GAIN, metric="", value="0.25")) == []


def test_names_without_entities_do_not_compete() -> None:
    assert said(replace(GAIN, versus=(ResultName("the baseline"),))) == []


def test_two_scores_in_one_sentence_differ_by_their_margin() -> None:
    assert said(SCORE, RIVAL) == [("kite", "heron", "1.5 points")]
    (one,) = outperformances([SCORE, RIVAL])
    assert (one.result, one.confidence, one.on) == (SCORE.id, 0.6, ("Pond",))
    slower = [
        replace(r, metric="latency", value=r.value.replace("%", " ms")) for r in (SCORE, RIVAL)
    ]
    assert said(*slower) == [("heron", "kite", "1.5 ms")]


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
def test_scores_of_other_conditions_are_not_compared(other: dict[str, object]) -> None:
    assert said(SCORE, replace(RIVAL, **other)) == []  # type: ignore[arg-type]
