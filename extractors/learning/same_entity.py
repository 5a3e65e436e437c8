"""Learning of coreference, from pairs of entities that were found in annotated papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.same_entity import pair_columns, same_scores, same_type_pairs
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.gold import normalise
from citekg.extractors.learning.examples import AnnotatedDocument
from citekg.extractors.learning.linear import Regularisation
from citekg.extractors.learning.softmax import fit_softmax

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The minimum number of coreferent pairs from which coreference is learnt.
_MIN_PAIRS: Final = 5
_REGULARISATION: Final = Regularisation(hashed=1.0, dense=1.0)


@dataclass(frozen=True)
class PairRows:
    """The pairs of one paper's entities: columns, target weights of "different" and "the same"."""

    columns: list[set[int]]
    targets: NDArray[np.float32]


def pair_rows(
    document: AnnotatedDocument, found: Sequence[AcceptedEntity], types: Sequence[str]
) -> PairRows:
    """Return the pairs of the entities that were found in an annotated paper.

    Two of them are the same if both name one annotated entity, or overlap with its mentions.
    """
    named = [_named(document, each) for each in found]
    pairs = [*same_type_pairs(found, types)]
    same = [int(named[a] is not None and named[a] == named[b]) for a, b in pairs]
    columns = [pair_columns(document.doc, found[a], found[b]) for a, b in pairs]
    return PairRows(columns, np.eye(2, dtype=np.float32)[same].reshape(len(pairs), 2))


def _named(document: AnnotatedDocument, accepted: AcceptedEntity) -> int | None:
    """Return the number of the annotated entity that a found one names, or overlaps with."""
    forms = {normalise(document.doc.span_text(*span)) for span in accepted.spans}
    exact = [n for n, gold in enumerate(document.gold) if forms & gold.forms]
    if exact:
        return exact[0]
    for n, spans in enumerate(document.spans):
        if any(a < d and c < b for a, b in spans for c, d in accepted.spans):
            return n
    return None


def fit_same(rows: Sequence[PairRows]) -> LinearLayer | None:
    """Return the layer learnt from some papers, or None if they have too few coreferent pairs."""
    targets = np.concatenate([np.zeros((0, 2), np.float32), *(row.targets for row in rows)])
    if targets[:, 1].sum() < _MIN_PAIRS:
        return None
    columns = [each for row in rows for each in row.columns]
    none = np.zeros((len(columns), 0), dtype=np.float32)
    return fit_softmax(columns, none, same_scores(len(columns)), targets, _REGULARISATION)
