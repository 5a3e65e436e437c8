"""Abbreviations: the long form of a short form, and brackets that are not definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.candidates import abbreviations
from citekg.extractors.candidates.abbreviations import definitions
from citekg.schemas.records import Paper


def defined(abstract: str, title: str = "A title") -> list[tuple[str, str]]:
    paper = Paper("p", title, abstract)
    return [(paper.text[slice(*d.short)], paper.text[slice(*d.long)]) for d in definitions(paper)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We propose Group Kite Optimization (GKO).", "GKO", "Group Kite Optimization"),
        ("We propose group kite optimization (GKO).", "GKO", "group kite optimization"),
        ("a kite-based optimization (KBO) step", "KBO", "kite-based optimization"),
        ("Kite-Based-Optimization (KBO)", "KBO", "Kite-Based-Optimization"),
        ("Group Kite Optimization [GKO] is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization ( GKO ) is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization (GKO, for short) is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization (GKO for short) is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization (dubbed GKO) is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization (or GKO) is new.", "GKO", "Group Kite Optimization"),
        (
            "Group Kite Optimization (which we call the GKO) is new.",
            "GKO",
            "Group Kite Optimization",
        ),
        ("a multimodal kite search (called AKiS)", None, None),
        ("We propose a new segmentation method (PPO-Net).", None, None),
        ("keeping our tail in order (KTO) again", None, None),
        ("kites that fly over lakes (KFL)", None, None),
        ("Novel View Synthesis (NVS)", "NVS", "Novel View Synthesis"),
        ("novel view synthesis (NVS)", "NVS", "novel view synthesis"),
        ("Group Kite Optimization (GKO; Smith, 2020) is new.", "GKO", "Group Kite Optimization"),
        ("Group Kite Optimization (GKO or G-KO) is new.", "GKO", "Group Kite Optimization"),
        ("kite neural networks (KNNs) fly", "KNNs", "kite neural networks"),
        ("kite neural networks (KNN) fly", "KNN", "kite neural networks"),
        ("Monte Carlo Kite Search (MCKS)", "MCKS", "Monte Carlo Kite Search"),
        (
            "Reinforcement Learning from Kite Feedback (RLKF)",
            "RLKF",
            "Reinforcement Learning from Kite Feedback",
        ),
        ("Learning of the Kite (LoK)", "LoK", "Learning of the Kite"),
        ("Kite And Nest Optimization (KNO)", "KNO", "Kite And Nest Optimization"),
        ("Chain-of-Kites (CoK) prompting", "CoK", "Chain-of-Kites"),
        (
            "Kite Datasets for Deep Data-Driven Flying (KD4)",
            "KD4",
            "Kite Datasets for Deep Data-Driven Flying",
        ),
        ("Twin Delayed Kites 3 (TDK3)", "TDK3", "Twin Delayed Kites 3"),
        ("Kite Network version 2 (KNv2)", "KNv2", "Kite Network version 2"),
        ("conditional value at risk (CVaR)", "CVaR", "conditional value at risk"),
        ("low-rank kites (LoRK)", "LoRK", "low-rank kites"),
        ("Direct Q-function Optimization (DQO)", "DQO", "Direct Q-function Optimization"),
        ("Tree-structured Kite Estimator (TKE)", "TKE", "Tree-structured Kite Estimator"),
        ("We use the American Kite Examination (AKE).", "AKE", "American Kite Examination"),
        ("the soft kite-critic (SKC) algorithm", "SKC", "soft kite-critic"),
        (
            "We introduce GKO (Group Kite Optimization), which flies.",
            "GKO",
            "Group Kite Optimization",
        ),
        ("We introduce GKO (group kite optimization).", "GKO", "group kite optimization"),
        ("KNN (Kite Neural Network) and more", "KNN", "Kite Neural Network"),
        ("Multi-modal Kites (MK) fly", "MK", "Multi-modal Kites"),
        ("Kite Optimization\nwith Wind (KOW) flies", None, None),
        ("an Optimal Kite Transport (OKT) plan", "OKT", "Optimal Kite Transport"),
        ("First (1) the Kite Search (KS) and second", "KS", "Kite Search"),
        ("Kite-to-Nest (K2N) flights", "K2N", "Kite-to-Nest"),
        ("the kite kernel network (K2N)", "K2N", "kite kernel network"),
        ("explainable kite search (XKS)", "XKS", "explainable kite search"),
        ("the “Grand Kite Search” (GKS)", "GKS", "Grand Kite Search"),
        ("We propose GKO: Group Kite Optimization for birds.", "GKO", "Group Kite Optimization"),
        ("We propose GKO, short for group kite optimization.", "GKO", "group kite optimization"),
        ("Kite-7B, and Nest-2B) across various benchmarks (KN-Bench)", None, None),
    ],
)
def test_short_forms_are_matched_with_their_long_forms(
    text: str, short: str | None, long: str | None
) -> None:
    expected = [(short, long)] if long else []
    assert defined(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We fly kites (see Figure 2).",
        "We fly kites (2023).",
        "We fly kites (Smith et al., 2020).",
        "It is faster (by 3%).",
        "Birds build nests (XYZ) here.",
        "A kite (k) flies.",
        "on three tasks (AIME 2024, AMC 2023)",
        "a method (kites)",
        "the best score (SOTA) of all",
        "(GKO) opens the text.",
        "GKO (2024) flies.",
        "an open bracket (GKO",
        "empty brackets () and [] and ( )",
        "kites (a)",
    ],
)
def test_brackets_that_are_not_abbreviations_are_ignored(text: str) -> None:
    assert defined(text) == []


def test_a_long_form_does_not_begin_in_the_previous_sentence() -> None:
    assert defined("Grand. Kite Optimization (GKO) flies.") == []
    assert defined("We like Grand kites. Kite Optimization (KO) flies.") == [
        ("KO", "Kite Optimization")
    ]


def test_a_long_form_in_the_abstract_does_not_begin_in_the_title() -> None:
    assert defined("Kite Optimization (GKO) flies.", title="Group") == []


def test_the_words_before_a_long_form_are_not_part_of_it() -> None:
    assert defined("We propose a new Kite Search (KS).") == [("KS", "Kite Search")]
    assert defined("The algorithm of Kite Search (KS).") == [("KS", "Kite Search")]


def test_definitions_are_in_text_order() -> None:
    text = "We compare Kite Search (KS), Nest Descent (ND) and River Bending (RB)."
    assert [s for s, _ in defined(text)] == ["KS", "ND", "RB"]


def test_a_definition_in_the_title_is_found() -> None:
    assert defined("Nothing here.", title="Group Kite Optimization (GKO) at Night") == [
        ("GKO", "Group Kite Optimization")
    ]


def test_a_title_can_define_the_name_before_its_colon() -> None:
    assert defined("Nothing here.", title="GKO: Group Kite Optimization for Birds") == [
        ("GKO", "Group Kite Optimization")
    ]
    assert defined("Nothing here.", title="GKO: Flying at Night") == []


def test_a_title_can_contain_the_long_form_of_a_name_in_the_abstract() -> None:
    title = "Group Kite Optimization with Energy for Birds"
    assert defined("We propose GKOE, which flies.", title=title) == [
        ("GKOE", "Group Kite Optimization with Energy")
    ]
    assert defined("We use GNN and CPU.", title=title) == []


@given(
    st.text(alphabet="GKO gko()[]-:.,\n", max_size=60), st.text(alphabet="GKO gko():", max_size=30)
)
def test_long_and_short_forms_are_spans_of_the_text_that_do_not_overlap(
    abstract: str, title: str
) -> None:
    paper = Paper("p", title, abstract)
    for found in definitions(paper):
        for start, end in (found.long, found.short):
            assert 0 <= start < end <= len(paper.text)
            assert paper.text[start:end].strip() == paper.text[start:end]
        assert found.long[1] <= found.short[0] or found.short[1] <= found.long[0]
        assert found.long[1] - found.long[0] > found.short[1] - found.short[0]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("by insular islet analysis (IIA)", "IIA", "insular islet analysis"),
        ("a multi-modal marsh map (MMM)", "MMM", "multi-modal marsh map"),
        ("nests of the kite and kestrel (NKK)", "NKK", "nests of the kite and kestrel"),
    ],
)
def test_the_long_form_is_the_words_with_all_letters_of_the_short_form_as_initials(
    text: str, short: str, long: str
) -> None:
    assert defined(f"We fly {text}.") == [(short, long)]


def test_a_plural_short_form_needs_a_plural_long_form() -> None:
    assert not defined("We study generous agile nesting (GANs).")
    assert defined("We study generous agile nests (GANs).")


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We propose Patient PPO (P3O) here.", "P3O", "Patient PPO"),
        ("We propose broad-box alpha (BB-α) here.", "BB-α", "broad-box alpha"),
        ("We use KFT, i.e., Kite Feather Training, here.", "KFT", "Kite Feather Training"),
        ("We use KFT (short for Kite Feather Training).", "KFT", "Kite Feather Training"),
    ],
)
def test_definitions_with_acronyms_signs_and_connecting_phrases_are_found(
    text: str, short: str, long: str
) -> None:
    assert defined(text) == [(short, long)]


def test_one_word_of_a_title_may_have_no_letter_in_its_short_form() -> None:
    title = "RLTF: Robust Learning from Unit Test Feathers"
    assert defined("It flies.", title) == [("RLTF", "Robust Learning from Unit Test Feathers")]
    assert not defined("It flies.", "RLTF: Robust Learning from Two Odd Test Feathers")
    assert not defined("It flies.", "RTF: Robust Learning of Test Feathers")


@given(st.from_regex(abbreviations._EXPANSION_CUE))
def test_no_cue_of_an_expansion_is_lost_by_the_faster_search(text: str) -> None:
    assert abbreviations._POSSIBLE_CUE.search(text)
