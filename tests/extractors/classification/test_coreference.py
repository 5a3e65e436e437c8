"""Coreference of the names in one paper."""

from __future__ import annotations

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.classification.coreference import join_bracketed, merge_coreferent
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper


def _accepted(doc: Document, *names: str) -> list[AcceptedEntity]:
    """Return the names as accepted entities, each with the tokens of its first occurrence."""
    out = []
    for name in names:
        start = doc.text.index(name, doc.text.index("\n"))
        span = (doc.starts.index(start), doc.ends.index(start + len(name)) + 1)
        out.append(AcceptedEntity([Candidate(key(name), [span])], [span], "Method", 0.9))
    return out


def _joined(text: str, *names: str) -> int:
    doc = make_document(Paper("p", "Birds", text))
    return len(join_bracketed(doc, _accepted(doc, *names)))


@pytest.mark.parametrize(
    ("text", "name", "short"),
    [
        ("Our system, CloudHeron (CH1), plans.", "CloudHeron", "CH1"),
        ("We propose GuLl Wing MoTion (GLMT) here.", "GuLl Wing MoTion", "GLMT"),
    ],
)
def test_a_bracketed_short_form_with_letters_of_the_name_before_it_is_joined(
    text: str, name: str, short: str
) -> None:
    assert _joined(text, name, short) == 1


@pytest.mark.parametrize(
    ("text", "name", "short"),
    [
        ("We combine CloudHeron (WREN) and others.", "CloudHeron", "WREN"),
        ("We combine CloudHeron with CH1 today.", "CloudHeron", "CH1"),
        ("We combine CH (CloudHeron) and others.", "CH", "CloudHeron"),
    ],
)
def test_other_adjacent_names_are_not_joined(text: str, name: str, short: str) -> None:
    assert _joined(text, name, short) == 2


def _merged(text: str, *names: str) -> list[set[str]]:
    doc = make_document(Paper("p", "Birds", text))
    found = merge_coreferent(doc, _accepted(doc, *names), Lexicon.of([]))
    return [{doc.span_text(*span) for span in each.spans} for each in found]


def test_a_common_word_without_its_head_noun_is_not_a_mention_of_the_entity() -> None:
    text = "We train gliding models. Gliding is hard."
    assert _merged(text, "gliding models", "Gliding") == [{"gliding models"}]


def test_a_coined_name_with_and_without_its_head_noun_is_one_entity() -> None:
    text = "The GLD algorithm glides. GLD is fast."
    assert _merged(text, "GLD algorithm", "GLD") == [{"GLD algorithm", "GLD"}]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pond-HSM flies. Pond Heron Search Map is new.", ("Pond-HSM", "Pond Heron Search Map")),
        ("RO-WREN is slower than ROWREN.", ("RO-WREN", "ROWREN")),
    ],
)
def test_partly_abbreviated_and_hyphenated_forms_of_a_name_are_joined(
    text: str, names: tuple[str, ...]
) -> None:
    assert _merged(text, *names) == [{*names}]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pond-HSM flies. Pond Heron Wing Map is new.", ("Pond-HSM", "Pond Heron Wing Map")),
        ("A-PO is slower than APO.", ("A-PO", "APO")),
        ("HSM flies. Heron Search Map is new.", ("HSM", "Heron Search Map")),
    ],
)
def test_other_names_and_single_acronyms_are_not_joined(text: str, names: tuple[str, ...]) -> None:
    assert len(_merged(text, *names)) == 2
