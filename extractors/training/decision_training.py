"""Training of the decision network in PyTorch (the extra `train`).

The network is `citekg.extractors.classification.decision_network`. Features are left out at random,
as are hidden units (dropout; Srivastava et al. 2014), so that no single name decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn

from citekg.extractors.classification.decoding import COLUMNS, LABELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Settings chosen by cross-validation on the annotated papers.
HIDDEN: Final = 16
EPOCHS: Final = 5
SEED: Final = 0
_RATE: Final = 2e-3
_BATCH: Final = 256
_FEATURES_LEFT_OUT: Final = 0.1
_DROPOUT: Final = 0.3
_WEIGHT_DECAY: Final = 1e-3
#: Columns of fewer candidates than this have no weights.
_MIN_CANDIDATES: Final = 2


@dataclass(frozen=True)
class DecisionRow:
    """A labelled candidate: its columns, sorted, its span vector and the index of its label."""

    columns: NDArray[np.int32]
    vector: NDArray[np.float32]
    label: int


class _Network(nn.Module):
    """The decision network, for training."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.deep = nn.EmbeddingBag(rows, HIDDEN, mode="sum")
        self.wide = nn.EmbeddingBag(rows, len(LABELS), mode="sum")
        nn.init.normal_(self.deep.weight, std=0.02)
        nn.init.zeros_(self.wide.weight)
        self.dense = nn.Linear(width, HIDDEN)
        self.out = nn.Linear(HIDDEN, len(LABELS))
        self.drop = nn.Dropout(_DROPOUT)

    def forward(
        self, rows: torch.Tensor, starts: torch.Tensor, vectors: torch.Tensor
    ) -> torch.Tensor:
        """Return the scores of the labels, `(candidates, labels)`."""
        hidden = self.deep(rows, starts) + self.dense(self.drop(vectors))
        scores: torch.Tensor = self.out(self.drop(torch.relu(hidden))) + self.wide(rows, starts)
        return scores


def fit_decision_network(rows: Sequence[DecisionRow]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a `DecisionNetwork` trained on labelled candidates, as they are stored.

    `columns` are the weight columns that have weights; the other names are those of the network.
    """
    torch.manual_seed(SEED)
    counts = np.zeros(COLUMNS, dtype=np.int64)
    for row in rows:
        counts[row.columns] += 1
    columns = np.flatnonzero(counts >= _MIN_CANDIDATES)
    row_of = np.full(COLUMNS, -1, dtype=np.int64)
    row_of[columns] = np.arange(len(columns))
    features = [kept[kept >= 0] for kept in (row_of[row.columns] for row in rows)]
    vectors = np.array([row.vector for row in rows], dtype=np.float32)
    mean, deviation = vectors.mean(axis=0), vectors.std(axis=0) + 1e-3
    network = _Network(len(columns), vectors.shape[1])
    _train(
        network,
        features,
        torch.from_numpy((vectors - mean) / deviation),
        torch.tensor([row.label for row in rows]),
    )
    return _stored(network, columns, mean, deviation)


def _train(
    network: _Network,
    features: Sequence[NDArray[np.int64]],
    vectors: torch.Tensor,
    labels: torch.Tensor,
) -> None:
    """Train the network in place with AdamW and one cycle of learning rates."""
    randomness = np.random.default_rng(SEED)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_WEIGHT_DECAY)
    steps = EPOCHS * -(-len(features) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, steps, pct_start=0.1)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)
    network.train()
    for _ in range(EPOCHS):
        for batch in _batches(len(features), randomness):
            kept = [
                f[randomness.random(len(f)) >= _FEATURES_LEFT_OUT]
                for f in map(features.__getitem__, batch)
            ]
            starts = np.cumsum([0, *map(len, kept[:-1])])
            scores = network(
                torch.from_numpy(np.concatenate(kept)), torch.from_numpy(starts), vectors[batch]
            )
            optimiser.zero_grad()
            loss_of(scores, labels[batch]).backward()
            optimiser.step()
            schedule.step()
    network.eval()


def _batches(count: int, randomness: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = randomness.permutation(count)
    yield from (order[first : first + _BATCH] for first in range(0, count, _BATCH))


def _stored(
    network: _Network,
    columns: NDArray[np.int64],
    mean: NDArray[np.float32],
    deviation: NDArray[np.float32],
) -> dict[str, NDArray[Any]]:
    """Return the arrays of the trained network; the scaling of the vectors is folded into them."""
    weights = {name: p.detach().numpy() for name, p in network.named_parameters()}
    dense = weights["dense.weight"].T / deviation[:, None]
    joined = np.concatenate([weights["deep.weight"], weights["wide.weight"]], axis=1)
    return {
        "columns": columns.astype(np.uint32),
        "embeddings": joined.astype(np.float16),
        "dense": dense.astype(np.float32),
        "offset": (weights["dense.bias"] - mean @ dense).astype(np.float32),
        "mean": mean.astype(np.float32),
        "out": weights["out.weight"].T.astype(np.float32),
        "bias": weights["out.bias"].astype(np.float32),
    }


def save_decision_network(path: Path, arrays: dict[str, NDArray[Any]], threshold: float) -> None:
    """Write the arrays of a decision network."""
    with path.open("wb") as file:
        np.savez_compressed(file, threshold=np.float64(threshold), **arrays)
