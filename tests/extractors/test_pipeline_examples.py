"""Extraction by example: the texts of `pipeline_examples.yaml`.

Each example is a short text with its expected surface forms by type (a surface form may have one of
two types if both are acceptable; `=` joins the surface forms of one entity), and with surface forms
that must not be extracted.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from citekg.extractors.gold import normalise
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Extraction, Paper
from tests.extent import ALL
from tests.pipelines import shipped_pipeline


@dataclass(frozen=True)
class Example:
    """A text with required names, as `(surface, types, surfaces of the entity)`, and forbidden ones."""

    title: str
    abstract: str
    names: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    never: tuple[str, ...]


#: The keys of an example that list names, and the types that they allow.
KINDS = {
    "method": ("Method",),
    "benchmark": ("Benchmark",),
    "model": ("Model",),
    "dataset": ("Dataset",),
    "data": ("Dataset", "Benchmark"),
    "system": ("Method", "Model"),
}


def make_example(title: str, abstract: str, never: str = "", **named: str) -> Example:
    """Return an example; lists are separated by `; `, surfaces of one entity by ` = `."""
    names = []
    for kind, listed in named.items():
        for entity in listed.split("; "):
            surfaces = tuple(entity.split(" = "))
            names += [(surface, KINDS[kind], surfaces) for surface in surfaces]
    return Example(title, abstract, tuple(names), tuple(never.split("; ")) if never else ())


EXAMPLES: dict[str, list[Example]] = {
    group: [make_example(**row) for row in rows]
    for group, rows in yaml.safe_load(
        (Path(__file__).parent / "pipeline_examples.yaml").read_text(encoding="utf-8")
    ).items()
}
#: Examples that the shipped weights fail, as "class-title": to be fixed by training.
EXPECTED_FAILURES = frozenset(
    [
        "introduced by a verb-Search in latent space",
        "hyphenated compound-Masked pretraining for time series",
        "library or framework-Serving at scale",
    ]
)


def _cases(examples: dict[str, list[Example]]) -> list[Any]:
    return [
        pytest.param(group, example, marks=_marks(group, example), id=f"{group}-{_id(example)}")
        for group, listed in examples.items()
        for example in listed
    ]


def _marks(group: str, example: Example) -> list[pytest.MarkDecorator]:
    if f"{group}-{_id(example)}" not in EXPECTED_FAILURES:
        return []
    return [pytest.mark.xfail(reason="the shipped weights do not see it yet", strict=True)]


def _id(example: Example) -> str:
    return re.sub(r"\W+", " ", example.title).strip()[:40] or "untitled"


def _deviations(example: Example, extraction: Extraction) -> list[str]:
    """Return the missing, wrong and unexpected names of the extraction, as messages."""
    found = {
        normalise(surface): entity for entity in extraction.entities for surface in entity.surfaces
    }
    faults = []
    for surface, types, same in example.names:
        entity = found.get(normalise(surface))
        if entity is None:
            faults.append(f"not found: {surface}")
        elif entity.type not in types:
            faults.append(f"{surface} is a {entity.type}, not {' or '.join(types)}")
        elif any(found.get(normalise(other), entity) is not entity for other in same):
            faults.append(f"{surface} is not the same as {' = '.join(same)}")
    spelled = {surface for entity in extraction.entities for surface in entity.surfaces}
    return faults + [f"too much: {surface}" for surface in example.never if surface in spelled]


@pytest.fixture(scope="module")
def pipeline() -> ExtractionPipeline:
    return shipped_pipeline()


@pytest.mark.parametrize(("group", "example"), _cases(EXAMPLES))
def test_the_entities_of_an_example_are_extracted(
    pipeline: ExtractionPipeline, group: str, example: Example
) -> None:
    extraction = pipeline.extract(Paper("p", example.title, example.abstract))
    assert not _deviations(example, extraction), group


def test_at_least_150_examples_are_expected_to_pass_and_few_to_fail() -> None:
    names = [f"{group}-{_id(example)}" for group, listed in EXAMPLES.items() for example in listed]
    assert all(names.count(name) == 1 for name in EXPECTED_FAILURES)
    assert len(names) - len(EXPECTED_FAILURES) >= 150
    assert len(EXPECTED_FAILURES) <= 0.05 * len(names)


#: Fragments that occur in abstracts, and some that should not.
PIECES = (
    *(
        "PPO",
        "GPT-4o",
        "LLaMA-2-70B",
        "Decision Transformer",
        "soft actor-critic (SAC)",
        "MMLU",
        "SE(3)-",
        "AIME 2024 and 2025",
    ),
    *(
        "$\\mathcal{B}$-",
        "\\textbf{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "-",
        "–",
        "--",
        ".",
        ". ",
        ",",
        ", ",
        ": ",
        " ",
        "\n",
        "'s",
        "’s",
    ),
    *(
        "*",
        "+",
        "/",
        "²",
        "²²",
        "İ",
        "ß",
        "ﬁ",
        "e\u0301",
        "强化学习",
        "を",
        "。",
        "🙂",
        "\u200b",
        "\x00",
        "propose ",
        "based",
        "on",
    ),
)
ANY_TEXT = st.text(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def _check_spans(extraction: Extraction) -> None:
    """Check that every span is a surface form of its entity, in text order and without overlaps."""
    text = extraction.paper.text
    for entity in extraction.entities:
        assert list(entity.spans) == sorted(entity.spans)
        assert {text[start:end] for start, end in entity.spans} == set(entity.surfaces)
        assert entity.name.strip()
    spans = sorted(span for entity in extraction.entities for span in entity.spans)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    firsts = [entity.spans[0] for entity in extraction.entities]
    assert firsts == sorted(firsts)


@settings(derandomize=True)
@given(title=ANY_TEXT, abstract=ANY_TEXT)
def test_spans_of_any_text_are_sorted_slices_that_do_not_overlap(title: str, abstract: str) -> None:
    _check_spans(shipped_pipeline().extract(Paper("p", title, abstract)))


@settings(derandomize=True)
@given(title=ANY_TEXT, abstract=ANY_TEXT)
def test_sentences_are_in_text_order_and_do_not_overlap(title: str, abstract: str) -> None:
    paper = Paper("p", title, abstract)
    sentences = shipped_pipeline().extract(paper).sentences
    assert all(0 <= start < end <= len(paper.text) for start, end in sentences)
    assert all(before[1] <= after[0] for before, after in pairwise(sentences))


LENGTH = 100_000 if ALL else 20_000
LONG = {
    "prose": "We extend PPO and report results of Qwen2.5-7B on GSM8K, MATH-500 and 40 Atari games. ",
    "one word": "x",
    "Chinese": "强化学习",
    "brackets": "((((",
    "hyphen breaks": "a- b ",
    "LaTeX": "$\\alpha_{1}$ ",
    "definitions": "a b (AB) ",
}


@pytest.mark.slow
@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_a_very_long_text_is_processed_in_bounded_time(
    pipeline: ExtractionPipeline, piece: str
) -> None:
    paper = Paper("p", "A very long text", piece * (LENGTH // len(piece)))
    begun = time.process_time()
    extraction = pipeline.extract(paper)
    assert time.process_time() - begun < 60 * LENGTH / 100_000
    _check_spans(extraction)


def test_names_at_both_ends_of_a_very_long_text_have_the_right_spans(
    pipeline: ExtractionPipeline,
) -> None:
    filler = "The weather was fine and nothing of note took place. " * 1_900
    paper = Paper(
        "p",
        "A very long text",
        f"We fine-tune GPT-2 on GSM8K. {filler}We compare with PPO and DPO on MMLU.",
    )
    extraction = pipeline.extract(paper)
    found = {surface: entity.spans for entity in extraction.entities for surface in entity.surfaces}
    for name in ("GPT-2", "GSM8K", "PPO", "DPO", "MMLU"):
        start = paper.text.index(name)
        assert found[name] == ((start, start + len(name)),)
