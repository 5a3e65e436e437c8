"""Compound names: an organisation before a name, names joined by slashes, a size after a name."""

from __future__ import annotations

import numpy as np
import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.classification.compound_names import with_compounds
from citekg.extractors.classification.decoding import decode
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper


def accepted(text: str, known: frozenset[str] = frozenset(), **probable: float) -> list[str]:
    """Return the entities of a text for candidates with these probabilities; `_` means a space."""
    doc = make_document(Paper("p", "On birds", text))
    candidates, rows = [], []
    for name, probability in probable.items():
        surface = name.replace("_", " ").replace("SLASH", "/").replace("DASH", "-")
        words = make_document(Paper("p", "", surface)).words
        spans = [
            (i, i + len(words))
            for i in range(len(doc.words))
            if doc.words[i : i + len(words)] == words
        ]
        entry = Entry(surface, "Method") if surface in known else None
        candidates.append(Candidate(key(surface), spans, entry=entry))
        rows.append([1 - probability, probability, 0, 0, 0])
    table = with_compounds(doc, candidates, np.array(rows, dtype=np.float32))
    found = decode(doc, candidates, table, 0.5)
    return sorted(doc.span_text(*span) for each in found for span in each.spans)


def test_an_organisation_before_a_known_name_is_not_part_of_it() -> None:
    text = "We test on OpenAI KiteEval."
    names = {"OpenAI_KiteEval": 0.9, "KiteEval": 0.1}
    assert accepted(text, frozenset({"KiteEval"}), **names) == ["KiteEval"]
    assert accepted(text, frozenset({"OpenAI KiteEval", "KiteEval"}), **names) == [
        "OpenAI KiteEval"
    ]
    assert accepted(text, frozenset(), **names) == ["OpenAI KiteEval"]


def test_known_names_joined_by_a_slash_are_separate_names() -> None:
    text = "We train with KPO/HPO here."
    names = {"KPOSLASHHPO": 0.9, "KPO": 0.2, "HPO": 0.2}
    assert accepted(text, frozenset({"KPO", "HPO"}), **names) == ["HPO", "KPO"]
    assert accepted(text, frozenset({"KPO"}), **names) == ["KPO/HPO"]


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("We use Kite 33B.", {"Kite": 0.9, "Kite_33B": 0.1}, ["Kite 33B"]),
        ("We use Heron-Kite-7B.", {"KiteDASH7B": 0.9, "HeronDASHKiteDASH7B": 0.3}, None),
        ("We use Kite on 33B tokens.", {"Kite": 0.9, "33B": 0.1}, ["Kite"]),
        ("We use Kite 33.", {"Kite": 0.9, "Kite_33": 0.1}, ["Kite"]),
    ],
)
def test_the_size_after_a_model_name_is_part_of_the_name(
    text: str, names: dict[str, float], found: list[str] | None
) -> None:
    assert accepted(text, frozenset(), **names) == (found or ["Heron-Kite-7B"])
