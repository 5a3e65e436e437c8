"""Borderline entities: how likely it is that a careful reader would leave an entity out.

Annotations mark them as optional ("deep learning", "attention"), and the models of entities are
trained without them. A logistic regression over hashed features of names and their places (feature
hashing; Weinberger et al. 2009) distinguishes them from the other annotated entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity, HashedSoftmax, shipped_model
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.nlp import Document
from citekg.extractors.roles.classifier import entity_features, name_features

#: The labels of the model.
LABELS: Final = ("required", "borderline")
#: The name of its weights, in the folder `weights`.
FILE_NAME: Final = "borderline"


def shipped_borderline_model() -> HashedSoftmax:
    """Return the shipped model."""
    return shipped_model(FILE_NAME, len(LABELS))


def borderline_probabilities(
    doc: Document, accepted: Sequence[AcceptedEntity], model: HashedSoftmax
) -> list[float]:
    """Return the probability, 0 to 1, that each entity is borderline.

    `accepted` are all accepted entities of the document.
    """
    rows = [borderline_columns(doc, each, len(accepted)) for each in accepted]
    probabilities: list[float] = model.probabilities(rows)[:, 1].tolist()
    return probabilities


def borderline_columns(doc: Document, accepted: AcceptedEntity, entity_count: int) -> set[int]:
    """Return the weight columns of an entity; `entity_count` is that of the document."""
    return hash_features(
        [
            *entity_features(doc, accepted, entity_count),
            *name_features(doc, accepted),
            *_source_features(accepted),
        ]
    )


def _source_features(accepted: AcceptedEntity) -> Iterator[str]:
    """Yield which layers propose the entity, and whether its rows in the lexicon need context.

    Families are not features, so that cached extractions stay valid when a family changes.
    """
    for candidate in accepted.candidates:
        yield from (f"finder:{finder}" for finder in candidate.finders)
        if entry := candidate.entry:
            yield f"context:{bool(entry.context)}"
