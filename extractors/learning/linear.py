"""The trainable form of `LinearLayer`: sparse rows, their scores and gradients."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.classification.hashing import COLUMNS
from citekg.extractors.learning.optimising import Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Columns that occur in fewer rows than this have no weights.
_MIN_ROWS: Final = 2
#: Weights closer to zero than this are not stored.
_NEGLIGIBLE: Final = 2e-3


class SparseRows:
    """Rows of feature columns, compressed to the columns that several rows have."""

    def __init__(self, rows: Sequence[Collection[int]]) -> None:
        flat = np.fromiter((c for row in rows for c in sorted(row)), dtype=np.int64)
        row_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        counts = np.bincount(flat, minlength=COLUMNS)
        self.columns = np.flatnonzero(counts >= _MIN_ROWS)
        place = np.full(COLUMNS, -1, dtype=np.int64)
        place[self.columns] = np.arange(len(self.columns))
        is_kept = place[flat] >= 0
        self._indices, self._rows = place[flat[is_kept]], row_of[is_kept]
        self._filled, self._starts = np.unique(self._rows, return_index=True)
        by_column = np.argsort(self._indices, kind="stable")
        self._rows_by_column = self._rows[by_column]
        self._column_starts = np.searchsorted(
            self._indices[by_column], np.arange(len(self.columns))
        )
        self.count = len(rows)

    @property
    def frequencies(self) -> NDArray[np.float32]:
        """The number of rows of each column, `(columns,)`."""
        return np.bincount(self._indices, minlength=len(self.columns)).astype(np.float32)

    def scores(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sums of the weights of each row, `(rows, labels)`."""
        out = np.zeros((self.count, weights.shape[1]), dtype=np.float32)
        if len(self._indices):
            out[self._filled] = np.add.reduceat(
                np.take(weights, self._indices, axis=0), self._starts, axis=0
            )
        return out

    def gradient(self, of_scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the gradient of the weights, `(columns, labels)`, from that of the scores."""
        if not len(self._indices):
            return np.zeros((0, of_scores.shape[1]), dtype=np.float32)
        return np.add.reduceat(
            np.take(of_scores, self._rows_by_column, axis=0), self._column_starts, axis=0
        )


@dataclass(frozen=True)
class Regularisation:
    """Strengths of L2 regularisation, which pulls weights towards zero: the shipped model.

    Each is one strength for all labels, or one for each label.
    """

    hashed: float | tuple[float, ...]
    dense: float | tuple[float, ...]
    bias: float | tuple[float, ...] = 1e-3


def regularisation_of_labels(
    is_own: Sequence[bool], shipped: Regularisation, own: Regularisation
) -> Regularisation:
    """Return the regularisation of labels: `own` for those of a schema, `shipped` for others."""
    each = [own if is_own_label else shipped for is_own_label in is_own]
    hashed, dense, bias = zip(
        *((strengths.hashed, strengths.dense, strengths.bias) for strengths in each), strict=True
    )
    return Regularisation(hashed, dense, bias)


@dataclass(frozen=True)
class TrainableLayer:
    """The rows of a layer in training; `dense` has the shape `(rows, width)`."""

    rows: SparseRows
    dense: NDArray[np.float32]
    labels: int
    regularisation: Regularisation

    @property
    def size(self) -> int:
        """The number of weights."""
        return (len(self.rows.columns) + int(self.dense.shape[1]) + 1) * self.labels

    def _parts(self, weights: Vector) -> tuple[Vector, Vector, Vector]:
        table = weights.reshape(-1, self.labels)
        count = len(self.rows.columns)
        return table[:count], table[count:-1], table[-1]

    def scores(self, weights: Vector) -> NDArray[np.float32]:
        """Return the scores of the labels, `(rows, labels)`."""
        hashed, dense, bias = (part.astype(np.float32) for part in self._parts(weights))
        return self.rows.scores(hashed) + self.dense @ dense + bias

    @cached_property
    def _strengths(self) -> Vector:
        """The strength of regularisation of each weight."""
        parts = self._parts(np.zeros(self.size))
        strengths = (
            self.regularisation.hashed,
            self.regularisation.dense,
            self.regularisation.bias,
        )
        return np.concatenate(
            [np.broadcast_to(s, p.shape).reshape(-1) for p, s in zip(parts, strengths, strict=True)]
        )

    def curvature(self, variances: NDArray[np.float64]) -> Vector:
        """Return the approximate curvature of the loss along each weight (diagonal Hessian).

        `variances` are those of the labels, `(labels,)`. Correlations of features are ignored.
        """
        squares = (self.dense * self.dense).sum(axis=0, dtype=np.float64)
        sizes = np.concatenate([self.rows.frequencies, squares, [self.rows.count]])
        curved: Vector = (sizes[:, None] * variances).reshape(-1) + self._strengths
        return curved

    def penalty(self, weights: Vector) -> tuple[float, Vector]:
        """Return the L2 penalty and its gradient."""
        gradient = self._strengths * weights
        return float(gradient @ weights) / 2, gradient

    def gradient(self, of_scores: NDArray[np.float32]) -> Vector:
        """Return the gradient of the weights from that of the scores."""
        parts = (
            self.rows.gradient(of_scores),
            self.dense.T @ of_scores,
            of_scores.sum(axis=0, dtype=np.float64)[None],
        )
        return np.concatenate([part.reshape(-1).astype(np.float64) for part in parts])

    def layer(self, weights: Vector) -> LinearLayer:
        """Return the trained layer, without negligible weights, rounded to half precision."""
        hashed, dense, bias = (
            part.astype(np.float16).astype(np.float32) for part in self._parts(weights)
        )
        is_kept = np.abs(hashed).max(axis=1, initial=0.0) > _NEGLIGIBLE
        return LinearLayer(
            self.rows.columns[is_kept].astype(np.uint32), hashed[is_kept], dense, bias
        )
