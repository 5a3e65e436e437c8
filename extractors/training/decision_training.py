"""Training of the decision network in PyTorch (the dependency group `train`).

The network is `citekg.extractors.classification.decision_network`. Dropout (Srivastava et al. 2014)
removes random features and hidden units, so that no single name decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn

from citekg.extractors.classification.decoding import LABELS
from citekg.extractors.classification.hashing import COLUMNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Settings chosen by cross-validation on the annotated papers.
HIDDEN: Final = 16
EPOCHS: Final = 2
#: One network is trained for each seed; the shipped one is their mean.
SEEDS: Final = (0, 1)
_RATE: Final = 7e-4
_BATCH: Final = 256
_FEATURES_LEFT_OUT: Final = 0.1
_DROPOUT: Final = 0.3
_WEIGHT_DECAY: Final = 0.05
#: Columns of fewer candidates than this, in all views of the lexicon together, have no weights.
_MIN_CANDIDATES: Final = 6


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

    The scores of the labels are the mean of those of one network for each seed: an ensemble, which
    is one network with the hidden units of all. `columns` are the weight columns that have weights;
    the other names are those of `DecisionNetwork`.
    """
    counts = np.zeros(COLUMNS, dtype=np.int64)
    for row in rows:
        counts[row.columns] += 1
    columns = np.flatnonzero(counts >= _MIN_CANDIDATES)
    row_of = np.full(COLUMNS, -1, dtype=np.int64)
    row_of[columns] = np.arange(len(columns))
    features = [kept[kept >= 0] for kept in (row_of[row.columns] for row in rows)]
    vectors = np.array([row.vector for row in rows], dtype=np.float32)
    mean, deviation = vectors.mean(axis=0), vectors.std(axis=0) + 1e-3
    scaled = torch.from_numpy((vectors - mean) / deviation)
    labels = torch.tensor([row.label for row in rows])
    networks = [_train(len(columns), features, scaled, labels, seed) for seed in SEEDS]
    return {"columns": columns.astype(np.uint32), **_stored(networks, mean, deviation)}


def _train(
    rows: int,
    features: Sequence[NDArray[np.int64]],
    vectors: torch.Tensor,
    labels: torch.Tensor,
    seed: int,
) -> _Network:
    """Return a network trained with AdamW and one cycle of learning rates."""
    torch.manual_seed(seed)
    randomness = np.random.default_rng(seed)
    network = _Network(rows, vectors.shape[1])
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
    return network


def _batches(count: int, randomness: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = randomness.permutation(count)
    yield from (order[first : first + _BATCH] for first in range(0, count, _BATCH))


def _stored(
    networks: Sequence[_Network], mean: NDArray[np.float32], deviation: NDArray[np.float32]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of the mean network; the scaling of the vectors is folded into them."""
    each = [{n: p.detach().numpy() for n, p in network.named_parameters()} for network in networks]

    def joined(name: str) -> NDArray[np.float32]:
        """Return the weights of the hidden units of all networks."""
        return np.concatenate([weights[name] for weights in each], axis=-1)

    wide = np.mean([weights["wide.weight"] for weights in each], axis=0)
    dense = np.concatenate([w["dense.weight"].T for w in each], axis=1) / deviation[:, None]
    return {
        "embeddings": np.concatenate([joined("deep.weight"), wide], axis=1).astype(np.float16),
        "dense": dense.astype(np.float32),
        "offset": (joined("dense.bias") - mean @ dense).astype(np.float32),
        "mean": mean.astype(np.float32),
        "out": joined("out.weight").T.astype(np.float32) / len(each),
        "bias": np.mean([weights["out.bias"] for weights in each], axis=0).astype(np.float32),
    }


def save_decision_network(path: Path, arrays: dict[str, Any], threshold: float) -> None:
    """Write the arrays of a decision network."""
    with path.open("wb") as file:
        np.savez(file, threshold=np.float64(threshold), **arrays)
