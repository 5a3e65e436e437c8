"""Training of a softmax layer whose scores are added to fixed base scores (MAP estimation)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.learning.linear import Regularisation, SparseRows, TrainableLayer
from citekg.extractors.learning.optimising import Vector, minimise

if TYPE_CHECKING:
    from numpy.typing import NDArray


def fit_softmax(
    rows: Sequence[Collection[int]],
    dense: NDArray[np.float32],
    base: NDArray[np.float32],
    targets: NDArray[np.float32],
    regularisation: Regularisation,
) -> LinearLayer:
    """Return the layer that best explains the targets when its scores are added to `base`.

    `dense` has the shape `(rows, width)`; `base` and `targets`, the target weights of the labels,
    `(rows, labels)`.
    """
    trainable = TrainableLayer(SparseRows(rows), dense, base.shape[1], regularisation)
    totals = targets.sum(axis=1, keepdims=True)

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = (trainable.scores(weights) + base).astype(np.float64)
        scores -= scores.max(axis=1, keepdims=True)
        exponentials = np.exp(scores)
        sums = exponentials.sum(axis=1, keepdims=True)
        value = float((totals * np.log(sums)).sum() - (targets * scores).sum())
        of_scores = (totals * exponentials / sums - targets).astype(np.float32)
        penalty, penalty_gradient = trainable.penalty(weights)
        return value + penalty, trainable.gradient(of_scores) + penalty_gradient

    return trainable.layer(minimise(loss, np.zeros(trainable.size)))
