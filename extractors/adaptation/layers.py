"""Linear layers over hashed and dense features; their scores are added to the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from citekg.extractors.classification.hashing import COLUMNS, FeatureRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class LinearLayer:
    """A linear layer: `weights` of the hashed `columns`, `dense` weights, and a `bias`.

    `columns` are in ascending order, `(n,)`; `weights` have the shape `(n, labels)`, `dense`
    `(width, labels)` and `bias` `(labels,)`.
    """

    columns: NDArray[np.uint32]
    weights: NDArray[np.float32]
    dense: NDArray[np.float32]
    bias: NDArray[np.float32]

    @cached_property
    def _row_of(self) -> NDArray[np.int32]:
        """The row of each weight column in `_table`; row 0 holds zeros."""
        import numpy as np

        row_of = np.zeros(COLUMNS, dtype=np.int32)
        row_of[self.columns] = np.arange(1, len(self.columns) + 1)
        return row_of

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        import numpy as np

        return np.concatenate([np.zeros((1, self.weights.shape[1]), np.float32), self.weights])

    def scores(self, rows: Sequence[set[int]], dense: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the scores of the labels, `(rows, labels)`.

        `rows` are sets of feature columns, none of them empty; `dense` has the shape `(rows,
        width)`. The weights of a row are added in the order of its columns, so that the sum is
        reproducible.
        """
        import numpy as np

        if not rows:
            return np.zeros((0, len(self.bias)), dtype=np.float32)
        sums = FeatureRows.of(rows).sums(self._table, self._row_of)
        scores: NDArray[np.float32] = (sums + dense @ self.dense + self.bias).astype(np.float32)
        return scores
