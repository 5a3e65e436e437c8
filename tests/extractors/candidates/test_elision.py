"""Elided names: each number of a list is expanded to the name before it with that number."""

from __future__ import annotations

import pytest

from citekg.extractors.candidates.elision import add_elided
from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper
from tests.pipelines import shipped_pipeline

KNOWN = Lexicon.of([Entry("KITE-10", "Dataset"), Entry("KITE-100", "Dataset")])


def proposed(text: str) -> dict[str, tuple[Candidate, list[str]]]:
    doc = make_document(Paper("p", "On birds", text))
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS))
    return {
        c.key: (c, [doc.span_text(*s) for s in c.spans])
        for c in add_elided(doc, found.values(), KNOWN)
    }


@pytest.mark.parametrize(
    ("text", "elided"),
    [
        ("on KITE-10/100 here", {"kite100": "100"}),
        ("with Kite-3.1-8B/70B here", {"kite3.1-70b": "70B"}),
        ("with Kite-3.1-{8B,70B} here", {"kite3.1-70b": "70B"}),
        ("with Kite-2/3 here", {"kite3": "3"}),
        ("on KITE 2024/2025 here", {"kite2025": "2025"}),
        ("on KITE10/100 here", {"kite100": "100"}),
        ("on KITE15/16/17 here", {"kite16": "16", "kite17": "17"}),
        ("with Kite V1/V2 here", {"kite-v2": "V2"}),
        ("with KiteV1/V2 here", {"kite-v2": "V2"}),
        ("with Kite-7B/13B here", {"kite-13b": "13B"}),
        ("with Kite-2 (7B/13B) here", {"kite2-7b": "7B", "kite2-13b": "13B"}),
        (
            "with Kite2.5 (3B/7B/14B) here",
            {"kite2.5-3b": "3B", "kite2.5-7b": "7B", "kite2.5-14b": "14B"},
        ),
    ],
)
def test_each_number_of_a_list_is_expanded_to_a_name(text: str, elided: dict[str, str]) -> None:
    found = proposed(f"We test {text}.")
    assert {c.key: spelled for c, (spelled,) in found.values() if c.name} == elided
    assert not any("/" in spelled for c, spellings in found.values() for spelled in spellings)


@pytest.mark.parametrize(
    "text",
    [
        "about 10/100 birds",
        "from 8B/2024 on",
        "Kite I/O here",
        "KITE10/KITE100 here",
        "KR15/2 here",
    ],
)
def test_other_slashes_do_not_create_elided_names(text: str) -> None:
    assert not any(c.name for c, _ in proposed(f"We count {text}.").values())


def test_an_elided_name_has_its_lexicon_entry_and_the_spans_of_all_its_mentions() -> None:
    found = proposed("We test on KITE-10/100. KITE-100 is hard.")
    candidate, spellings = found["kite100"]
    assert candidate.entry
    assert sorted(spellings) == ["100", "KITE-100"]


def test_members_of_a_list_are_entities_with_separate_spans() -> None:
    paper = Paper("p", "Seeing", "We evaluate on CIFAR-10/100, ImageNet and SVHN.")
    found = {e.name: e for e in shipped_pipeline().extract(paper).entities}
    assert {"CIFAR-10", "CIFAR-100"} <= found.keys()
    assert [paper.text[a:b] for a, b in found["CIFAR-100"].spans] == ["100"]
