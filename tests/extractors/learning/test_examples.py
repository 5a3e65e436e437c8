"""Annotated documents: where the surface forms of gold entities lie."""

from __future__ import annotations

import pytest

from citekg.extractors.gold import GoldEntity
from citekg.extractors.learning.examples import annotated_document, labelled_tokens
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Paper


@pytest.mark.parametrize("surface", ["Kite-$4$", r"\emph{Kite-4}", "Kite-4"])
def test_a_surface_form_is_found_with_its_markup(surface: str) -> None:
    paper = Paper("p", "On birds", f"We compare {surface} with Heron.")
    gold = GoldEntity(surface, frozenset({"kite-4"}), "Model", (), "uses", (), False, (surface,))
    document = annotated_document(paper, [gold])
    (spans,) = document.spans
    assert [document.doc.span_text(*span) for span in spans] == ["Kite-4"]


def test_only_names_inside_one_sentence_are_labelled() -> None:
    paper = Paper("p", "", "We saw Kite. Heron flew. A Heron ate.")
    names = ("Kite. Heron", "Heron")
    gold = [GoldEntity(n, frozenset({n}), "Model", (), "uses", (), False, (n,)) for n in names]
    document = annotated_document(paper, gold)
    assert all(document.spans), "both names have mentions"
    labels = labelled_tokens(document, ("Model",), ExtractionPipeline()).labels
    assert [w for w, label in zip(document.doc.words, labels, strict=True) if label] == ["Heron"]
