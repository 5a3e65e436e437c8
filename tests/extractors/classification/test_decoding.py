"""Decoding: which of overlapping candidates are accepted."""

from __future__ import annotations

import numpy as np
import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.classification.decoding import decode
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

LABELS = ("", "Ware")
HERON_DESCENT = Entry("heron descent", "Ware")


def accepted(text: str, names: dict[str, float]) -> set[str]:
    """Return the accepted names of a text; `names` are learnt candidates with probabilities."""
    doc = make_document(Paper("1", "Pots", text))
    candidates = []
    for name in names:
        words = tuple(name.split())
        starts = range(len(doc.words) - len(words) + 1)
        spans = [(i, i + len(words)) for i in starts if doc.words[i : i + len(words)] == words]
        candidates.append(Candidate(key(name), spans, {"tagger"}, is_learnt=True))
    table = np.array([[1 - p, p] for p in names.values()], dtype=np.float32)
    found = decode(doc, candidates, table, 0.5, LABELS)
    return {doc.span_text(*span) for each in found for span in each.spans}


def test_a_learnt_name_is_rejected_if_a_name_inside_it_is_likelier() -> None:
    names = {"burnt heron ware": 0.6, "heron ware": 0.9}
    assert accepted("We found burnt heron ware.", names) == {"heron ware"}


def test_a_learnt_name_inside_a_likelier_name_is_rejected() -> None:
    names = {"burnt heron ware": 0.9, "heron ware": 0.6}
    assert accepted("We found burnt heron ware.", names) == {"burnt heron ware"}


def test_a_longer_name_is_kept_if_the_name_inside_it_also_occurs_alone() -> None:
    names = {"burnt heron ware": 0.6, "heron ware": 0.9}
    text = "We found burnt heron ware. Later heron ware was rare."
    assert accepted(text, names) == {"burnt heron ware", "heron ware"}


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Quick Heron Descent for Kites", {"Quick Heron Descent"}),
        ("Learning Heron Descent for Kites", {"Heron Descent"}),
        ("On Quick Heron Descent", {"Heron Descent"}),
    ],
)
def test_a_name_at_the_start_of_a_title_includes_the_known_name_inside_it(
    title: str, names: set[str]
) -> None:
    doc = make_document(Paper("1", title, ""))
    words = doc.words
    at = words.index("Heron")
    known = Candidate("heron-descent", [(at, at + 2)], {"lexicon"}, entry=HERON_DESCENT)
    longer = Candidate("longer", [(at - 1, at + 2)], {"rules"})
    table = np.array([[0.1, 0.9], [0.4, 0.6]], dtype=np.float32)
    found = decode(doc, [known, longer], table, 0.5, LABELS)
    assert {doc.span_text(*span) for each in found for span in each.spans} == names
