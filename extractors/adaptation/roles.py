"""Adapted roles: the shipped role model with learnt weights, and with the roles of a schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.classification.decoding import softmax
from citekg.extractors.roles.classifier import ROLE_LABELS, RoleModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The base score of a role that a schema defines.
_BASE_SCORE: Final = -3.0
_MIN_PROBABILITY: Final = 1e-4


@dataclass(frozen=True)
class AdaptedRoles:
    """The shipped role model and the layer that is added to its scores, over `labels`."""

    shipped: RoleModel
    layer: LinearLayer
    labels: tuple[str, ...]

    def probabilities(self, rows: Sequence[set[int]]) -> NDArray[np.float32]:
        """Return the probability of each label, `(rows, labels)`."""
        import numpy as np

        base = role_scores(self.shipped, rows, self.labels)
        return softmax(base + self.layer.scores(rows, np.zeros((len(rows), 0), np.float32)))


def role_scores(
    shipped: RoleModel, rows: Sequence[set[int]], labels: Sequence[str]
) -> NDArray[np.float32]:
    """Return the base scores of the labels, `(rows, labels)`, shipped roles first."""
    import numpy as np

    scores = np.full((len(rows), len(labels)), _BASE_SCORE, dtype=np.float32)
    known = np.log(np.maximum(shipped.probabilities(rows), _MIN_PROBABILITY))
    scores[:, : len(ROLE_LABELS)] = known
    return scores


def further_features(type_: str, stated: Iterable[str], labels: Sequence[str]) -> Iterator[str]:
    """Yield the features of an entity that only a model with the roles of a schema has.

    These are its type in the schema, and the roles that the schema's templates state. `labels` are
    the roles of the model.
    """
    if len(labels) <= len(ROLE_LABELS):
        return
    yield f"own:{type_}"
    for role in sorted(stated):
        yield f"phrase:{role}"
        yield f"phrase:{role}&{type_}"
