"""Cues and role templates of a schema: what they match, and what they do not match."""

from __future__ import annotations

import re

import pytest

from citekg.extractors.candidates.patterns import (
    NAME,
    Cue,
    context_pattern,
    head_pattern,
    match_cues,
    shape_pattern,
    suffix_pattern,
)
from citekg.extractors.nlp import make_document
from citekg.extractors.roles.patterns import compile_template
from citekg.schemas.records import Paper


def found(
    pattern: str, text: str, *, written: bool = False, never: tuple[str, ...] = ()
) -> list[str]:
    doc = make_document(Paper("p", "A title", text))
    cue = Cue("Type", re.compile(pattern), 0.8, frozenset(never), written)
    return [doc.span_text(*span) for span, _ in match_cues(doc, [cue])]


@pytest.mark.parametrize(
    ("template", "text", "names"),
    [
        ("NAME gene", "We sequenced the BRCA1 gene and the p53 gene.", ["BRCA1", "p53"]),
        ("NAME gene", "Every tumour suppressor gene was silent.", []),
        ("NAME gene", "The 40 gene panel. Blood gene counts.", []),
        ("NAME gene", "Silencing KRAS gene copies.", ["KRAS"]),
        ("NAME gene", "The iCub gene. A Silent gene.", ["iCub", "Silent"]),
        ("NAME gene", "Model-based gene counts and the Notch gene.", ["Notch"]),
        ("WORDS syndrome", "The 5 syndromes. It is 7 Down syndrome cases.", ["Down"]),
        ("NAME-mutant", "In BRAF-mutant cells.", ["BRAF"]),
        ("anti-NAME", "An anti-PD-L1 antibody.", ["PD-L1"]),
        ("NAME mutation*", "EGFR mutations and a KRAS mutation.", ["EGFR", "KRAS"]),
        ("treated with NAME", "Mice treated with the new AB-12 lived.", ["AB-12"]),
        ("treated with NAME", "Mice TREATED  WITH AB-12 lived.", ["AB-12"]),
        (
            "patients with WORDS",
            "Patients with rheumatoid arthritis were asked.",
            ["rheumatoid arthritis"],
        ),
        ("patients with WORDS", "We saw patients with severe COVID-19.", ["COVID-19"]),
        ("patients with WORDS", "We saw patients with it.", []),
        ("WORDS syndrome", "Li Fraumeni syndrome is rare.", ["Li Fraumeni"]),
    ],
)
def test_a_context_cue_finds_the_name_beside_its_words(
    template: str, text: str, names: list[str]
) -> None:
    assert found(context_pattern(template), text, written=NAME in template) == names


def test_a_context_cue_does_not_match_across_sentences() -> None:
    assert found(context_pattern("NAME gene"), "It was EGFR. Gene counts fell.") == []
    doc = make_document(Paper("p", "On EGFR", "gene counts fell."))
    assert list(match_cues(doc, [Cue("Type", re.compile(context_pattern("NAME gene")), 0.8)])) == []


def test_title_case_is_not_evidence_of_a_name() -> None:
    cue = Cue("Type", re.compile(context_pattern("NAME gene")), 0.8, written=True)
    doc = make_document(Paper("p", "A Silent Gene and the BRCA1 Gene", "They differ."))
    assert [doc.span_text(*span) for span, _ in match_cues(doc, [cue])] == ["BRCA1"]


def test_a_suffix_cue_matches_whole_words_of_a_minimum_length() -> None:
    assert found(suffix_pattern("-mab"), "Rituximab and newtuzumab; a mab; MABs.") == [
        "Rituximab",
        "newtuzumab",
    ]


def test_a_head_noun_cue_includes_the_modifiers_before_it() -> None:
    text = (
        "This causes chronic kidney disease. The disease and other diseases. Parkinson's disease."
    )
    assert found(head_pattern("disease"), text) == ["chronic kidney disease", "Parkinson's disease"]


def test_several_suffixes_or_head_nouns_form_one_pattern() -> None:
    text = "Dengue fever, a lung infection, gastritis and anemia; no infectious fevers."
    assert found(head_pattern("fever", "infection"), text) == ["Dengue fever", "lung infection"]
    assert found(suffix_pattern("-itis", "-emia"), text) == ["gastritis", "anemia"]


def test_excluded_names_are_not_matched() -> None:
    assert (
        found(
            head_pattern("disease"), "Human disease and Kidney disease.", never=("kidney disease",)
        )
        == []
    )


def test_a_shape_cue_matches_whole_words() -> None:
    assert found(shape_pattern(r"rs\d+"), "At rs123 and xrs5, but not rs12a.") == ["rs123"]


@pytest.mark.parametrize("template", ["gene", "NAME", "NAME and NAME", "WORDS NAME", ""])
def test_a_context_cue_needs_exactly_one_placeholder_and_other_words(template: str) -> None:
    with pytest.raises(ValueError, match="once, and words beside it"):
        context_pattern(template)


@pytest.mark.parametrize("pattern", ["[", "a*", "(a)b", "(?i)ab"])
def test_an_invalid_shape_expression_is_an_error(
    pattern: str,
) -> None:
    with pytest.raises(
        ValueError, match=r"not a valid regular expression|no groups|a part of the expression"
    ):
        shape_pattern(pattern)


@pytest.mark.parametrize("letters", ["", "-", "a b", "9"])
def test_a_suffix_cue_accepts_only_letters(letters: str) -> None:
    with pytest.raises(ValueError, match="letters"):
        suffix_pattern("-mab", letters)


@pytest.mark.parametrize(
    ("template", "before", "behind"),
    [
        ("treatment of NAME", "the treatment of ", " failed"),
        ("treatment of NAME", "the treatment of severe, early ", ""),
        ("treatment of NAME", "treatment of asthma and ", ""),
        ("inhibitor* of NAME", "two inhibitors of the ", ""),
        ("NAME was given", "", " was given"),
        ("NAME was given", "", " (asa) was given"),
        ("NAME-positive", "", "-positive tumours"),
        ("anti-NAME", "an anti-", ""),
    ],
)
def test_a_role_template_matches_the_text_around_a_name(
    template: str, before: str, behind: str
) -> None:
    first, second = compile_template(template)
    assert first.search(before)
    assert second.match(behind)


@pytest.mark.parametrize(
    "before", ["treatment for ", "treatment of pain with ", "mistreatment of "]
)
def test_a_role_template_does_not_match_other_phrases(before: str) -> None:
    assert not compile_template("treatment of NAME")[0].search(before)


@pytest.mark.parametrize("template", ["", "NAME", "uses it", "NAME or NAME"])
def test_a_role_template_needs_exactly_one_placeholder_and_other_words(template: str) -> None:
    with pytest.raises(ValueError, match="write NAME once"):
        compile_template(template)
