"""Borderline entities: general terms, which an annotator may leave out."""

from __future__ import annotations

import pytest

from citekg.extractors.roles.borderline import (
    borderline_probabilities,
    shipped_borderline_model,
)
from tests.extractors.roles.marked import marked_entity


def probability(line: str) -> float:
    doc, accepted = marked_entity(line)
    (found,) = borderline_probabilities(doc, [accepted], shipped_borderline_model())
    return found


@pytest.mark.parametrize(
    ("general", "named"),
    [
        ("We use [[deep learning]] to count boats.", "We use [[AlexNet]] to count boats."),
        ("We train it by [[optimization]].", "We train it by [[AdamW]]."),
    ],
)
def test_a_general_term_is_more_likely_borderline_than_a_name(general: str, named: str) -> None:
    assert probability(named) < 0.3 < 0.5 < probability(general)


def test_a_document_without_entities_has_no_probabilities() -> None:
    doc, _ = marked_entity("We use [[AlexNet]] to count boats.")
    assert borderline_probabilities(doc, [], shipped_borderline_model()) == []
