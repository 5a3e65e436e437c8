"""Reported results: which numbers are results, and how their fields are filled.

The sentences of `results_examples.tsv` are examples with their expected values, kinds, directions
and metrics.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.results import values
from citekg.extractors.results.values import find_values
from citekg.schemas.records import Paper, Result
from tests.pipelines import shipped_pipeline

EXAMPLES = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "results_examples.tsv").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def results(abstract: str, title: str = "Kite: Fast Search") -> tuple[Result, ...]:
    text = f"We introduce Kite, a new search method. {abstract}"
    return shipped_pipeline().extract(Paper("p", title, text)).results


@pytest.mark.parametrize(
    ("sentence", "wanted"), [(line[0], "".join(line[1:])) for line in EXAMPLES]
)
def test_the_expected_results_of_an_example_sentence_are_extracted(
    sentence: str, wanted: str
) -> None:
    found = [f"{r.value},{r.kind},{r.direction},{r.metric}" for r in results(sentence)]
    assert "|".join(found) == wanted


def test_a_result_holds_its_benchmark_and_the_method_of_the_paper() -> None:
    (one,) = results("Our method achieves 76% accuracy on ImageNet.")
    assert [n.text for n in one.on] == ["ImageNet"]
    assert [n.text for n in one.systems] == ["Kite"]


def test_the_value_after_from_is_the_previous_value_and_not_a_separate_result() -> None:
    (one,) = results("Kite raises the success rate from 18.5% to 81.0%.")
    assert (one.value, one.previous) == ("81.0%", "18.5%")


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Kite achieves 92.5% accuracy, up from 46.1%.", [("92.5%", "46.1%")]),
        (
            "Kite achieves an accuracy of 58.2%, improving on the best reported accuracy of 46.1%.",
            [("58.2%", "46.1%")],
        ),
        (
            "Kite achieves an accuracy of 92.5%, compared with 46.1% for the best baseline.",
            [("92.5%", "46.1%")],
        ),
        (
            "Kite achieves an accuracy of 92.5%, outperforming the previous best method by 4.1%.",
            [("92.5%", ""), ("4.1%", "")],
        ),
    ],
)
def test_the_value_of_unnamed_earlier_work_is_the_previous_value_of_the_score(
    sentence: str, wanted: list[tuple[str, str]]
) -> None:
    assert [(r.value, r.previous) for r in results(sentence)] == wanted


def test_the_name_after_than_is_the_compared_system() -> None:
    (one,) = results("Kite is 3.5 times faster than ResNet.")
    assert [n.text for n in one.versus] == ["ResNet"]


def test_a_value_keeps_only_the_tex_markup_inside_it() -> None:
    (one,) = results(r"Kite achieves \textbf{47.3\%} accuracy on ImageNet.")
    assert one.value == r"47.3\%"


def test_a_result_of_the_title_that_the_abstract_repeats_is_reported_once() -> None:
    found = results("Kite runs at 65 FPS on one GPU.", "Kite: Object Tracking at 65 FPS")
    assert [r.value for r in found] == ["65 FPS"]
    assert found[0].start > len("Kite: Object Tracking at 65 FPS")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("between 2-3x less memory", ["2-3x"]),
        ("two orders of magnitude", ["two orders of magnitude"]),
        ("by 21 times and 3.5 times", ["21 times", "3.5 times"]),
        ("gains of 81%/14% on", ["81%", "14%"]),
        ("9 out of 10 runs", ["9 out of 10"]),
        ("the 2016/2020 editions", []),
        ("in ResNet-50, GPT-4, F1, SE(3), [12] and 2019", []),
        ("a 4 degrees of freedom arm", []),
        ("doubling the speed", ["doubling"]),
        ("53.2 ± 0.4 points", ["53.2 ± 0.4 points"]),
    ],
)
def test_the_grammar_finds_numbers_with_their_units(text: str, wanted: list[str]) -> None:
    assert [value.text for value in find_values(text)] == wanted


@given(st.from_regex(values._PATTERN))
def test_a_text_with_a_value_is_never_taken_for_one_without(text: str) -> None:
    assert values.has_values(text) == bool(
        values._DIGIT.search(text) or values._VALUE_WORD.pattern.search(text)
    )


_STARTS = (
    f"{values._WORD[3:-1]}|twice|twofold|threefold|fourfold|fivefold|tenfold|doubled|tripling"
    "|quadruple|halving|half|Twice|DOUBLES|order|plusmn|3|.5|±|-|+|a|the|of|magnitude|%|times"
).split("|")


@given(st.lists(st.sampled_from(_STARTS), max_size=12).map(" ".join))
def test_the_test_of_the_first_characters_loses_no_value(text: str) -> None:
    slow = re.compile(values._PATTERN.pattern.replace(f"(?={values._START})", ""))
    assert values._PATTERN.pattern != slow.pattern
    assert [one.span() for one in values._PATTERN.finditer(text)] == [
        one.span() for one in slow.finditer(text)
    ]


@given(
    st.lists(
        st.sampled_from(
            "Kite gains 5 % $ \\% of accuracy ± to from 3.5 x , and ( ) - . \n é 2-3 times ImageNet by".split(
                " "
            )
        ),
        max_size=30,
    ).map(" ".join)
)
def test_each_value_is_a_slice_of_the_text(abstract: str) -> None:
    paper = Paper("p", "Kite", abstract)
    for one in shipped_pipeline().extract(paper).results:
        assert one.value == paper.text[one.start : one.end]
        assert one.sentence[0] <= one.start < one.end <= one.sentence[1]
        assert 0 <= one.confidence <= 1
