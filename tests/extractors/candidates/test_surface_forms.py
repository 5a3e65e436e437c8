"""Boundaries of the surface forms of names in a text."""

from __future__ import annotations

from types import EllipsisType

import pytest

from citekg.extractors.candidates.abbreviations import definitions
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.surface_forms import is_known_non_entity, trim
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper


@pytest.mark.parametrize(
    ("title", "long"),
    [
        ("RePLan: Robotic Replanning with Perception and Language Models", ...),
        ("GUST: Guided Unrolling of Sparse Trees for Parsing", "Guided Unrolling of Sparse Trees"),
        ("LaMP: Late Message Passing on Grids", "Late Message Passing"),
        ("SOAR: Step-wise Option-Aware Retrieval in Games", "Step-wise Option-Aware Retrieval"),
        ("VAULT: Vast Unified Long Trees for Parsing", "Vast Unified Long Trees"),
        ("MOKA: Mobile Kite Agents Using Trees", "Mobile Kite Agents"),
        ("KITE: Kinds of Trees - A Study", "Kinds of Trees"),
        ("VAULT: Vast Trees of Unified Length", None),
        ("GUST: Grids with Unequal Sides", None),
        ("AutoTorch: Automatic Torch Programs", None),
        ("MICE: Learning to Play", None),
        ("X: Xylophones", None),
    ],
)
def test_a_title_defines_a_short_form_only_if_its_words_spell_it(
    title: str, long: str | EllipsisType | None
) -> None:
    short, _, rest = title.partition(": ")
    wanted = rest if long is ... else long
    found = [
        (title[slice(*d.short)], title[slice(*d.long)]) for d in definitions(Paper("p", title, ""))
    ]
    assert found == ([(short, wanted)] if wanted else [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SE(3)-Transformer", "SE ( 3 ) - Transformer"),
        ("agents--small ones", "agents -- small ones"),
        ("We try PPO.We stop.", "We try PPO . We stop ."),
        ("我们使用BERT和T5。很好", "我们使用 BERT 和 T5 。 很好"),
        ("HumanEval+, A* and Qwen2.5", "HumanEval+ , A* and Qwen2.5"),
    ],
)
def test_text_is_tokenised_at_punctuation_and_between_scripts(text: str, words: str) -> None:
    assert list(make_document(Paper("p", "", text)).words) == words.split(" ")


@pytest.mark.parametrize(
    "text",
    ["We use a Kite Trans- former.", "A kite‐transformer flies.", "使用Kite Transformer做实验"],
)
def test_a_lexicon_name_is_found_across_word_breaks_dashes_and_scripts(text: str) -> None:
    lexicon = Lexicon.of([Entry("Kite Transformer", "Method")])
    assert [hit.entry.name for hit in lexicon.find(text)] == ["Kite Transformer"]


def test_words_with_a_suspended_hyphen_are_not_joined() -> None:
    lexicon = Lexicon.of([Entry("preand", "Method"), Entry("post-training", "Method")])
    assert [hit.entry.name for hit in lexicon.find("pre- and post-training")] == ["post-training"]


def test_a_span_is_extended_to_the_opening_bracket_that_it_closes() -> None:
    doc = make_document(Paper("p", "", "the planner ((N)-KITE)"))
    start = doc.words.index("N")
    span = trim(doc, (start, len(doc.words) - 1))
    assert span is not None
    assert doc.span_text(*span) == "(N)-KITE"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BERT-style", "BERT"),
        ("-Kite", "Kite"),
        ("“Kite Nest”", "Kite Nest"),
        ("GPT-4-generated", "GPT-4"),
        ("SWE-bench", "SWE-bench"),
        ("KITE-Powered", "KITE"),
        ("Kite-boosted", "Kite"),
        ("KITE-free", "KITE"),
        ("KITE-only", "KITE"),
    ],
)
def test_quotes_dashes_and_hyphenated_modifiers_are_trimmed_from_a_span(
    text: str, name: str
) -> None:
    doc = make_document(Paper("p", "", text))
    span = trim(doc, (0, len(doc.words)))
    assert span is not None
    assert doc.span_text(*span) == name


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("BLEU", True),
        ("NeurIPS 2023", True),
        ("TPU v4", True),
        ("該方法", True),
        ("Kite", False),
        ("2048", False),
        ("4bit", True),
        ("2 bits", True),
        ("8B", True),
        ("heron2021kites", True),
        ("Kite2021", False),
        ("42D", False),
        ("Kite 8B", False),
    ],
)
def test_metrics_venues_and_hardware_are_known_non_entities(text: str, other: bool) -> None:
    doc = make_document(Paper("p", "", text))
    assert is_known_non_entity(doc, (0, len(doc.words))) is other


@pytest.mark.parametrize(
    ("text", "name"),
    [("Kestrel-2/", "Kestrel-2"), ("Kestrel at", "Kestrel"), ("Kestrel at 3B", "Kestrel")],
)
def test_a_final_slash_preposition_or_scale_is_trimmed_from_a_span(text: str, name: str) -> None:
    doc = make_document(Paper("p", "", text))
    span = trim(doc, (0, len(doc.words)))
    assert span is not None
    assert doc.span_text(*span) == name


def test_prepositions_inside_a_name_are_not_trimmed() -> None:
    for text in ("Sign-in", "Look at Me", "Attention"):
        doc = make_document(Paper("p", "", text))
        assert trim(doc, (0, len(doc.words))) == (0, len(doc.words))
