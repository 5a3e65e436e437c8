"""Decoding: which of overlapping candidates are accepted."""

from __future__ import annotations

import numpy as np

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import decode
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

LABELS = ("", "Ware")


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


def test_a_learnt_name_gives_way_to_a_likelier_one_inside_it() -> None:
    names = {"burnt heron ware": 0.6, "heron ware": 0.9}
    assert accepted("We found burnt heron ware.", names) == {"heron ware"}


def test_a_learnt_name_inside_a_likelier_one_is_no_entity() -> None:
    names = {"burnt heron ware": 0.9, "heron ware": 0.6}
    assert accepted("We found burnt heron ware.", names) == {"burnt heron ware"}


def test_a_name_that_also_stands_alone_leaves_the_longer_one() -> None:
    names = {"burnt heron ware": 0.6, "heron ware": 0.9}
    text = "We found burnt heron ware. Later heron ware was rare."
    assert accepted(text, names) == {"burnt heron ware", "heron ware"}
