"""Candidate generation: which spellings are candidates, and which non-entities are removed."""

from __future__ import annotations

import pytest

from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

KNOWN = Lexicon.of(
    [Entry("kite search", "Method", ("KS",)), Entry("bird learning", "Method", umbrella=True)]
)


def gathered(abstract: str, title: str = "On birds") -> dict[str, Candidate]:
    return generate_candidates(make_document(Paper("p", title, abstract)), KNOWN, frozenset(LAYERS))


def test_a_name_that_occurs_only_in_a_url_is_not_a_candidate() -> None:
    found = gathered(
        "MarshNet flies. See https://github.com/NestLab/MarshNet and"
        " www.BirdHub.org/ReedNet for code."
    )
    assert "marshnet" in found
    assert len(found["marshnet"].spans) == 1
    assert not {"nestlab", "birdhub", "reednet"} & found.keys()


@pytest.mark.parametrize("name", ["kite search algorithms", "bird learning methods", "KS model"])
def test_a_lexicon_name_with_a_head_noun_is_not_a_separate_candidate(name: str) -> None:
    found = gathered(f"We fly by {name} here.")
    assert any(c.entry for c in found.values())
    assert key(name) not in found


@pytest.mark.parametrize("name", ["KS sampling", "KS neural network", "KS-guided method"])
def test_an_acronym_of_the_lexicon_with_a_head_noun_is_not_a_separate_candidate(name: str) -> None:
    found = gathered(f"We fly by {name} here.")
    assert found["ks"].entry is not None
    assert key(name) not in found


@pytest.mark.parametrize("name", ["KS-Net", "KS-Adapter", "KS-Model"])
def test_a_coined_name_with_a_capitalised_noun_behind_a_hyphen_is_a_candidate(name: str) -> None:
    assert key(name) in gathered(f"We propose a flying method ({name}), which is fast.")


def test_plain_words_of_the_lexicon_may_begin_another_name() -> None:
    assert key("kite search networks") in gathered("We fly by kite search networks here.")


@pytest.mark.parametrize(
    "defined",
    [
        "word mistake rate (WMR)",
        "soft kite gripper (SKG)",
        "center of nest mass (CoNM)",
        "nest problem (NP)",
        "kite routing problem with obstacles (KRPO)",
    ],
)
def test_an_abbreviated_metric_device_or_task_is_not_a_candidate(defined: str) -> None:
    assert not gathered(f"We report the {defined} of birds.")


@pytest.mark.parametrize(
    "text", ["We use a nest watching method.", "It is done by feather sorting algorithms here."]
)
def test_a_generic_description_of_a_method_is_not_a_candidate(text: str) -> None:
    assert not any(name.endswith(("method", "algorithms")) for name in gathered(text))


@pytest.mark.parametrize(
    "text",
    [
        "the humanoid robot HERON-2 walks",
        "a bird robot called HERON-2, here",
        "the HERON-2 gripper is soft",
        "it rides on a small robot, the HERON-2, here",
    ],
)
def test_robots_are_not_names(text: str) -> None:
    assert key("HERON-2") not in gathered(f"We show that {text}.")


@pytest.mark.parametrize(
    "text", ["HERON-2 robot learning", "robots and HERON-2", "robot skills by HERON-2"]
)
def test_an_action_on_robots_may_be_a_name(text: str) -> None:
    assert key("HERON-2") in gathered(f"We present {text}.")


@pytest.mark.parametrize(
    "name",
    [
        "Marshland Space Agency",
        "University of Reed Institute",
        "Hits@3",
        "Rank-1",
        "NASA",
        "CRAN",
        "Middle East",
        "62.42",
        "MBytes",
        "TFLOPS",
        "Gbps",
    ],
)
def test_places_ranked_measures_and_units_are_not_names(name: str) -> None:
    assert key(name) not in gathered(f"The data of {name} grow.")


def test_a_title_all_in_capitals_shows_no_names_but_the_one_before_its_colon() -> None:
    found = gathered("We watch them.", title="MARSHNET: NESTS OF BIRDS AND REEDS")
    assert set(found) == {"marshnet"}


@pytest.mark.parametrize(("title", "is_name"), [("Marsh Pre-training", False), ("Marsh Pre", True)])
def test_a_name_does_not_end_in_the_prefix_of_a_word(title: str, is_name: bool) -> None:
    doc = make_document(Paper("p", title, "We watch them."))
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS), tagged=[(0, 2)])
    assert (key("Marsh Pre") in found) is is_name


def test_self_before_a_participle_is_not_a_name() -> None:
    assert "self" not in gathered(
        "We use self-supervised, semi-supervised and self-guided flights."
    )


@pytest.mark.parametrize(
    ("text", "is_known"), [("nest red teaming (NRT)", False), ("nest reading test (NRT)", True)]
)
def test_a_short_form_with_another_long_form_has_no_lexicon_entry(
    text: str, is_known: bool
) -> None:
    lexicon = Lexicon.of([Entry("NRT", "Benchmark", ("Nest Reading Test",), context=("birds",))])
    found = generate_candidates(
        make_document(Paper("p", "On birds", f"We propose {text}.")), lexicon, frozenset(LAYERS)
    )
    assert (found["nrt"].entry is not None) == is_known


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("with KS here", True),
        ("on the KS dataset here", False),
        ("in the KS challenge here", False),
        ("with the metrics (NR, KS)", False),
        ("with the KS dataset distillation", True),
        ("with the kite search dataset", True),
    ],
)
def test_a_method_of_the_lexicon_is_neither_data_nor_a_metric(text: str, is_known: bool) -> None:
    found = gathered(f"We fly {text}.")
    assert any(c.entry for c in found.values()) == is_known


def test_data_of_an_organisation_may_be_a_name() -> None:
    assert key("University of Heron Dataset") in gathered("We use the University of Heron Dataset.")


def test_an_organisation_and_its_short_form_are_not_names() -> None:
    found = gathered("It was made by Heron Advanced Institute of Nests (HAIN) in spring.")
    assert not {"hain", key("Heron Advanced Institute of Nests")} & found.keys()


def test_a_function_word_in_capitals_names_nothing_unless_the_title_opens_with_it() -> None:
    assert "here" not in gathered("We train HERE and not elsewhere.")
    assert "here" in gathered("We train HERE and not elsewhere.", "HERE: Birds at home")


@pytest.mark.parametrize("noun", ["training", "optimization", "tuning"])
def test_an_action_on_a_known_acronym_is_not_a_separate_candidate(noun: str) -> None:
    assert key(f"KS {noun}") not in gathered(f"We speed up KS {noun} for birds.")


def test_candidates_of_only_the_rules_begin_at_a_likely_token() -> None:
    doc = make_document(Paper("p", "On birds", "We fly Marsh Net by kite search, then Reed Net."))
    reed = doc.words.index("Reed")
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS), likely_starts={reed})
    assert {"kite-search", "reed-net"} <= found.keys()  # a known name may begin anywhere
    assert "marsh-net" not in found
    assert "marsh-net" in generate_candidates(doc, KNOWN, frozenset(LAYERS))
