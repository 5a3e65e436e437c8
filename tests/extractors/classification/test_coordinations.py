"""Coordinations: the lists of names in a text, and the type that their names share."""

from __future__ import annotations

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.classification.coordinations import coordinations, with_listed_types
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper


def listed(text: str, **types: str) -> tuple[Document, list[AcceptedEntity]]:
    """Return a document and entities of one word; a type with `+` comes from the lexicon."""
    doc = make_document(Paper("p", "On birds", text))
    found = []
    for name, type_ in types.items():
        at = doc.words.index(name)
        entry = Entry(name, type_[1:]) if type_.startswith("+") else None
        candidate = Candidate(key(name), [(at, at + 1)], entry=entry)
        found.append(AcceptedEntity([candidate], [(at, at + 1)], type_.lstrip("+"), 0.9))
    return doc, found


def types_of(text: str, **types: str) -> list[str]:
    return [each.type for each in with_listed_types(*listed(text, **types))]


@pytest.mark.parametrize(
    "text", ["We test on Kite, Heron and Wren.", "We test on Kite, Heron (HR), and the Wren."]
)
def test_an_unknown_name_has_the_type_of_the_known_names_in_its_list(text: str) -> None:
    found = types_of(text, Kite="+Benchmark", Heron="Dataset", Wren="+Benchmark")
    assert found == ["Benchmark"] * 3


def test_a_list_with_known_names_of_different_types_changes_no_type() -> None:
    found = types_of(
        "We use Kite, Heron and Wren.", Kite="+Benchmark", Heron="Dataset", Wren="+Method"
    )
    assert found == ["Benchmark", "Dataset", "Method"]


def test_a_known_name_keeps_its_type_in_a_list() -> None:
    assert types_of("We use Kite and Wren.", Kite="+Model", Wren="+Method") == ["Model", "Method"]


def test_names_outside_a_list_keep_their_types() -> None:
    assert types_of("Kite is tested on Wren.", Kite="Method", Wren="+Benchmark") == [
        "Method",
        "Benchmark",
    ]


def test_if_kinds_are_given_a_list_contains_only_names_of_one_kind() -> None:
    doc, found = listed("We use Kite and Wren.", Kite="Method", Wren="Dataset")
    assert len(list(coordinations(doc, found))) == 1
    assert not list(coordinations(doc, found, {"Method": "a", "Dataset": "b"}))
