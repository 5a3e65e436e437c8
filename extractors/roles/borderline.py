"""Borderline entities: how likely it is that a careful reader would leave an entity out.

Annotations mark them as optional ("deep learning", "attention"), and the models of entities are
trained without them. A logistic regression over hashed features of names and their places (feature
hashing; Weinberger et al. 2009) distinguishes them from the other annotated entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity, HashedSoftmax, shipped_model
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.nlp import Document
from citekg.extractors.roles.classifier import entity_columns

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
    shared = (entity_columns(doc, each, len(accepted)) for each in accepted)
    return probabilities_of_columns([*map(borderline_columns, accepted, shared)], model)


def probabilities_of_columns(rows: Sequence[set[int]], model: HashedSoftmax) -> list[float]:
    """Return the probability, 0 to 1, that entities with these weight columns are borderline."""
    probabilities: list[float] = model.probabilities(rows)[:, 1].tolist()
    return probabilities


def borderline_columns(accepted: AcceptedEntity, shared: Set[int]) -> set[int]:
    """Return the weight columns of an entity; `shared` are those of `entity_columns`."""
    return hash_features(_source_features(accepted)).union(shared)


def _source_features(accepted: AcceptedEntity) -> Iterator[str]:
    """Yield which layers propose the entity, and whether its rows in the lexicon need context.

    Families are not features, so that cached extractions stay valid when a family changes.
    """
    for candidate in accepted.candidates:
        yield from (f"finder:{finder}" for finder in candidate.finders)
        if entry := candidate.entry:
            yield f"context:{bool(entry.context)}"
