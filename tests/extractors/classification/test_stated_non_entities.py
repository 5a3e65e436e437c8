"""Stated non-entities: what the text calls a problem, a measure or a part of the abstract."""

from __future__ import annotations

import re

import numpy as np
import pytest

from citekg.extractors.candidates.generate import PHRASE, WRITTEN, Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.classification.stated_non_entities import reject_stated
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper
from tests.pipelines import shipped_pipeline


def marked(text: str, finder: str = WRITTEN) -> tuple[Document, list[Candidate]]:
    """Return a document and its candidates, marked as [[Kite]]; equal names are one candidate."""
    doc = make_document(Paper("p", "On birds", re.sub(r"\[\[|\]\]", "", text)))
    found = {}
    for name in re.findall(r"\[\[(.*?)\]\]", text):
        words = make_document(Paper("p", "", name)).words
        spans = [
            (i, i + len(words))
            for i in range(len(doc.words))
            if doc.words[i : i + len(words)] == words
        ]
        found[name] = Candidate(key(name), spans, {finder})
    return doc, list(found.values())


def kept(doc: Document, candidates: list[Candidate], probability: float = 0.8) -> list[str]:
    rows = np.array([[1 - probability, probability]] * len(candidates), dtype=np.float32)
    return [doc.span_text(*candidates[i].spans[0]) for i in reject_stated(doc, candidates, rows)]


@pytest.mark.parametrize(
    "text",
    [
        "We study the problem of [[Marsh Kiting]].",
        "We prove the [[Heron]] inequality.",
        "It satisfies the [[Kite-Heron]] (KH) property.",
        "We introduce a novel task, [[Marsh Kiting]], for birds.",
        "We propose a novel complexity measure -- [[Marsh Kiting]] -- for birds.",
        "We present a new task: [[Marsh Kiting]] for birds.",
        "We define a new measure called [[KiteScore]].",
        "Convergence to a [[Heron]] equilibrium is slow.",
        "[[KH]] is a strong assumption.",
        "We report standard metrics (KS, [[HSM]], NR).",
        "We use two measures: Old Nest New Rank (ONNR) and [[New Nest Old Rank]].",
        "We study the hard marsh kiting ([[M2K]]) setting.",
        "We study a scenario called [[Marsh Kiting]].",
        "[[Marsh Kiting]] (MK) refers to a hard routing problem.",
        "We present [[KiteHand]], a low-cost, dexterous robot hand for birds.",
        "[[KiteHand]] is a soft gripper.",
        "This drone, which is called [[KITE-2]], flies.",
        "We built a small legged robot, [[KITE-2]].",
        "As [[Heron]] et al. showed, birds fly.",
        "As [[Heron]] (2019) and Kite [2020] showed, birds fly.",
        "Herons were studied before [Kit15, [[HKW19]], BCL20].",
    ],
)
def test_names_of_problems_measures_devices_and_authors_are_rejected(text: str) -> None:
    assert not kept(*marked(text))


@pytest.mark.parametrize(
    "text",
    [
        "We solve the problem with [[KiteNet]].",
        "We propose [[KiteNet]], and [[KiteNet]] bounds hold.",
        "The [[Kite]] problem is solved by the [[Kite]] algorithm.",
        "For this setting, [[KiteNet]] is fast.",
        "We use [[KiteNet]] (2019).",
        "We use [[Kite19]] [KH18, LSTZ20].",
        "In the second task, [[KiteNet]] wins.",
        "We use new measures: Old Nest New Rank (ONNR), and propose a planner [[KiteNet]].",
        "We use new measures: these show in each of the fields and marshes that herons visit how far"
        " birds fly with [[KiteNet]].",
        "The [[Heron]] distribution network is fast.",
        "By [[KiteNet]] (KN), the distribution of birds is found.",
        "We present [[KiteNet]], a robot simulator.",
        "We present [[KiteNet]], a planner for the robot arm.",
        "For a small robot, [[KiteNet]] plans.",
    ],
)
def test_methods_in_sentences_about_problems_measures_and_devices_are_kept(text: str) -> None:
    assert kept(*marked(text))


def test_a_lexicon_name_is_kept_although_the_text_calls_it_a_problem() -> None:
    doc, (candidate,) = marked("We solve the [[Kite]] problem.")
    candidate.entry = Entry("Kite", "Method")
    assert kept(doc, [candidate])


def test_the_long_form_of_a_rejected_short_form_is_rejected() -> None:
    doc, candidates = marked("[[marsh kiting]] ([[MK]]) grows. The [[MK]] problem is hard.")
    candidates[0].partners, candidates[1].partners = {"mk"}, {"marsh-kiting"}
    assert not kept(doc, candidates)
    candidates[0].entry = Entry("marsh kiting", "Method")
    assert kept(doc, candidates) == ["marsh kiting", "MK"]


def test_a_rejected_name_with_a_head_noun_is_also_rejected() -> None:
    text = "[[KH]] is a strong assumption. Old [[KH tasks]] are hard. [[KiteNet]] is one."
    assert kept(*marked(text)) == ["KiteNet"]


@pytest.mark.parametrize(("probability", "count"), [(0.8, 0), (0.95, 1)])
def test_common_words_that_only_rules_propose_need_a_higher_probability(
    probability: float, count: int
) -> None:
    assert len(kept(*marked("We use [[marsh kiting]].", PHRASE), probability)) == count


@pytest.mark.parametrize(
    "text",
    [
        "BACKGROUND: Birds fly. METHODS: We count them. RESULTS: There are many.",
        "Background. Birds fly. Methods. We count them. Conclusions. There are many.",
        "TL;DR: Birds fly. WARNING: They bite. NOTE: They sing.",
        "TL;DR: We count birds with care.",
    ],
)
def test_section_labels_of_an_abstract_are_not_entities(text: str) -> None:
    assert not shipped_pipeline().extract(Paper("p", "On birds", text)).entities
