"""The decision network: which candidates are entities, and of which type.

A wide and deep network (Cheng et al. 2016). The wide part is a softmax regression over hashed
features. The deep part has one hidden layer over the same features and over the vectors that the
tagger computes for the name and its neighbouring tokens, so that features interact. It is trained
with PyTorch (see `citekg.extractors.training.decision_training`) and requires only numpy to run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import softmax
from citekg.extractors.classification.hashing import COLUMNS, FeatureRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Maximum number of mentions of a candidate whose vectors are averaged.
_MAX_SPANS: Final = 6


@dataclass(frozen=True)
class DecisionNetwork:
    """The trained network; `threshold` is the probability from which a candidate is accepted.

    `row_of` is the row of each weight column in `embeddings`, `(COLUMNS,)`; row 0 holds zeros.
    `embeddings` joins the deep and the wide weights, `(rows, hidden + labels)`. `dense` and
    `offset` map span vectors to the hidden layer, and `out` and `bias` the hidden layer to labels.
    `mean` is the mean span vector of the training papers, which replaces a missing one.
    """

    row_of: NDArray[np.int32]
    embeddings: NDArray[np.float32]
    dense: NDArray[np.float32]
    offset: NDArray[np.float32]
    mean: NDArray[np.float32]
    out: NDArray[np.float32]
    bias: NDArray[np.float32]
    threshold: float

    @classmethod
    def of(cls, stored: Mapping[str, NDArray[Any]], threshold: float) -> DecisionNetwork:
        """Return the network with the arrays that training stores.

        `columns` are the weight columns that have weights; the other names are those of the fields.
        """
        import numpy as np

        columns, weights = stored["columns"], stored["embeddings"]
        row_of = np.zeros(COLUMNS, dtype=np.int32)
        row_of[columns] = np.arange(1, len(columns) + 1)
        embeddings = np.zeros((1 + len(weights), weights.shape[1]), dtype=np.float32)
        embeddings[1:] = weights
        return cls(
            row_of,
            embeddings,
            stored["dense"],
            stored["offset"],
            stored["mean"],
            stored["out"],
            stored["bias"],
            threshold,
        )

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights and the threshold, in hexadecimal digits."""
        import numpy as np

        hasher = hashlib.sha256(repr(self.threshold).encode())
        arrays = (self.row_of, self.embeddings, self.dense, self.offset, self.mean, self.out)
        for weights in (*arrays, self.bias):
            hasher.update(np.ascontiguousarray(weights).data)
        return hasher.hexdigest()

    def probabilities(
        self, rows: Sequence[set[int]] | FeatureRows, vectors: NDArray[np.float32] | None
    ) -> NDArray[np.float32]:
        """Return the probability of each label, `(candidates, labels)`.

        `rows` are the feature columns of the candidates, `vectors` their span vectors, or None
        without the tagger. Rows are added in their order, so that the sum is reproducible.
        """
        return self.probabilities_and_units(rows, vectors)[0]

    def probabilities_and_units(
        self, rows: Sequence[set[int]] | FeatureRows, vectors: NDArray[np.float32] | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probabilities, and the hidden units, `(candidates, hidden)`."""
        return self.of_sums(self.sums(rows), vectors)

    def sums(self, rows: Sequence[set[int]] | FeatureRows) -> NDArray[np.float32]:
        """Return the sum of the weights of each row, `(candidates, hidden + labels)`."""
        return FeatureRows.of(rows).sums(self.embeddings, self.row_of)

    def of_sums(
        self, sums: NDArray[np.float32], vectors: NDArray[np.float32] | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probabilities and the hidden units of candidates with these sums of weights.

        The last bits of a matrix product depend on the number of rows; the products of each paper
        are therefore computed separately, so that they do not depend on the other papers.
        """
        import numpy as np

        known = self.mean if vectors is None else vectors
        hidden = sums[:, : len(self.offset)] + (known @ self.dense + self.offset)
        units = np.maximum(hidden, 0)
        scores = units @ self.out + self.bias + sums[:, len(self.offset) :]
        return softmax(scores), units.astype(np.float32)


def span_vectors(
    vectors: NDArray[np.float32], candidates: Sequence[Candidate]
) -> NDArray[np.float32]:
    """Return a vector for each candidate, `(candidates, 3 * width)`, from those of the tokens.

    It joins the mean of the tokens inside, the token before and the token after, and is the mean
    over the first mentions. `vectors` are those of the tokens, `(tokens, width)`.
    """
    import numpy as np

    count, width = vectors.shape
    counts = [min(len(c.spans), _MAX_SPANS) for c in candidates if c.spans]
    spans = [span for c in candidates for span in c.spans[:_MAX_SPANS]]
    if not spans:
        return np.zeros((0, 3 * width), dtype=np.float32)
    inside = [row for first, last in spans for row in range(first, last)]
    lengths = [last - first for first, last in spans]
    starts = [0, *accumulate(lengths[:-1])]
    joined = np.empty((len(spans), 3 * width), dtype=np.float32)
    np.add.reduceat(vectors.take(inside, axis=0), starts, axis=0, out=joined[:, :width])
    joined[:, :width] /= np.array(lengths, dtype=np.float32)[:, None]
    # Zeros represent the tokens before the first and after the last.
    before, after = np.array(spans).T - [[1], [0]]
    joined[:, width : 2 * width] = vectors.take(before, axis=0, mode="clip")
    joined[before < 0, width : 2 * width] = 0
    joined[:, 2 * width :] = vectors.take(after, axis=0, mode="clip")
    joined[after == count, 2 * width :] = 0
    totals: NDArray[np.float32] = np.add.reduceat(joined, [0, *accumulate(counts[:-1])], axis=0)
    totals /= np.array(counts, dtype=np.float32)[:, None]
    return totals


@cache
def shipped_decision_network(name: str = "decision") -> DecisionNetwork:
    """Return the decision network of that name that comes with the package."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / f"{name}.npz").open("rb") as file:
        stored = np.load(file)
        return DecisionNetwork.of(stored, float(stored["threshold"]))
