"""Candidate generation: which surface forms are candidates, and which non-entities are removed."""

from __future__ import annotations

import numpy as np
import pytest

from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.tagger import LABELS, LabelSums, LikelySpans
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

KNOWN = Lexicon.of(
    [Entry("kite search", "Method", ("KS",)), Entry("bird learning", "Method", umbrella=True)]
)


def candidates_of(abstract: str, title: str = "On birds") -> dict[str, Candidate]:
    return generate_candidates(make_document(Paper("p", title, abstract)), KNOWN, frozenset(LAYERS))


def test_a_name_that_occurs_only_in_a_url_is_not_a_candidate() -> None:
    found = candidates_of(
        "MarshNet flies. See https://github.com/NestLab/MarshNet and"
        " www.BirdHub.org/ReedNet for code."
    )
    assert "marshnet" in found
    assert len(found["marshnet"].spans) == 1
    assert not {"nestlab", "birdhub", "reednet"} & found.keys()


@pytest.mark.parametrize("name", ["kite search algorithms", "bird learning methods", "KS model"])
def test_a_lexicon_name_with_a_head_noun_is_not_a_separate_candidate(name: str) -> None:
    found = candidates_of(f"We fly by {name} here.")
    assert any(c.entry for c in found.values())
    assert key(name) not in found


@pytest.mark.parametrize("name", ["KS sampling", "KS neural network", "KS-guided method"])
def test_a_lexicon_acronym_with_a_head_noun_is_not_a_separate_candidate(name: str) -> None:
    found = candidates_of(f"We fly by {name} here.")
    assert found["ks"].entry is not None
    assert key(name) not in found


@pytest.mark.parametrize("name", ["KS-Net", "KS-Adapter", "KS-Model"])
def test_a_new_name_with_a_capitalised_noun_after_a_hyphen_is_a_candidate(name: str) -> None:
    assert key(name) in candidates_of(f"We propose a flying method ({name}), which is fast.")


def test_a_known_name_has_no_spans_inside_longer_names_if_it_has_others() -> None:
    both = candidates_of("We compare KS-Net with KS on birds and with KS-based flying.")
    assert len(both["ks"].spans) == 2
    assert len(candidates_of("We fly by KS-Net here.")["ks"].spans) == 1


def test_a_lexicon_name_of_common_words_may_begin_another_name() -> None:
    assert key("kite search networks") in candidates_of("We fly by kite search networks here.")


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
    assert not candidates_of(f"We report the {defined} of birds.")


@pytest.mark.parametrize(
    "text", ["We use a nest watching method.", "It is done by feather sorting algorithms here."]
)
def test_a_generic_description_of_a_method_is_not_a_candidate(text: str) -> None:
    assert not any(name.endswith(("method", "algorithms")) for name in candidates_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "the humanoid robot HERON-2 walks",
        "a bird robot called HERON-2, here",
        "the HERON-2 gripper is soft",
        "it rides on a small robot, the HERON-2, here",
    ],
)
def test_names_of_robots_are_not_candidates(text: str) -> None:
    assert key("HERON-2") not in candidates_of(f"We show that {text}.")


@pytest.mark.parametrize(
    "text", ["HERON-2 robot learning", "robots and HERON-2", "robot skills by HERON-2"]
)
def test_a_name_of_something_related_to_robots_is_a_candidate(text: str) -> None:
    assert key("HERON-2") in candidates_of(f"We present {text}.")


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
def test_organisations_places_metrics_numbers_and_units_are_not_candidates(name: str) -> None:
    assert key(name) not in candidates_of(f"The data of {name} grow.")


def test_only_the_name_before_the_colon_of_an_upper_case_title_is_a_candidate() -> None:
    found = candidates_of("We watch them.", title="MARSHNET: NESTS OF BIRDS AND REEDS")
    assert set(found) == {"marshnet"}


@pytest.mark.parametrize(("title", "is_name"), [("Marsh Pre-training", False), ("Marsh Pre", True)])
def test_a_name_does_not_end_in_the_prefix_of_a_word(title: str, is_name: bool) -> None:
    doc = make_document(Paper("p", title, "We watch them."))
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS), tagged=[(0, 2)])
    assert (key("Marsh Pre") in found) is is_name


def test_the_prefix_self_is_not_a_candidate() -> None:
    assert "self" not in candidates_of(
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
def test_a_lexicon_method_is_not_matched_as_a_dataset_or_a_metric(
    text: str, is_known: bool
) -> None:
    found = candidates_of(f"We fly {text}.")
    assert any(c.entry for c in found.values()) == is_known


def test_a_dataset_named_after_an_organisation_is_a_candidate() -> None:
    assert key("University of Heron Dataset") in candidates_of(
        "We use the University of Heron Dataset."
    )


def test_an_organisation_and_its_short_form_are_not_candidates() -> None:
    found = candidates_of("It was made by Heron Advanced Institute of Nests (HAIN) in spring.")
    assert not {"hain", key("Heron Advanced Institute of Nests")} & found.keys()


def test_an_upper_case_function_word_is_a_candidate_only_if_it_begins_the_title() -> None:
    assert "here" not in candidates_of("We train HERE and not elsewhere.")
    assert "here" in candidates_of("We train HERE and not elsewhere.", "HERE: Birds at home")


@pytest.mark.parametrize("noun", ["training", "optimization", "tuning"])
def test_a_known_acronym_with_an_activity_noun_is_not_a_separate_candidate(noun: str) -> None:
    assert key(f"KS {noun}") not in candidates_of(f"We speed up KS {noun} for birds.")


def test_new_names_of_the_rules_have_a_likely_span() -> None:
    doc = make_document(
        Paper("p", "On birds", "We fly Marsh Net by kite search, then Reed Net, REED NET and Reed.")
    )
    probabilities = np.zeros((len(doc.words), len(LABELS)), dtype=np.float32)
    reed = doc.words.index("Reed")
    probabilities[reed, LABELS.index("B-Method")] = 0.9
    probabilities[reed + 1, LABELS.index("I-Method")] = 1
    likely = LikelySpans(doc, LabelSums.of(probabilities))
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS), likely=likely)
    assert {"kite-search", "reed-net"} <= found.keys()  # a known name may be anywhere
    assert len(found["reed-net"].spans) == 2  # one likely span is enough
    assert not {"marsh-net", "reed"} & found.keys()
    assert {"marsh-net", "reed"} <= generate_candidates(doc, KNOWN, frozenset(LAYERS)).keys()


def test_a_known_name_that_is_spelled_like_a_name_is_also_a_candidate_of_the_rules() -> None:
    doc = make_document(Paper("p", "On birds", "We fly by kite search and Kite Search."))
    probabilities = np.zeros((len(doc.words), len(LABELS)), dtype=np.float32)
    likely = LikelySpans(doc, LabelSums.of(probabilities))
    found = generate_candidates(doc, KNOWN, frozenset(LAYERS), likely=likely)
    assert found["kite-search"].finders == {"lexicon", "phrase", "written"}
