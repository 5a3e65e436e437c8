"""The network of `citekg.extractors.candidates.tagger` in PyTorch (dependency group `train`)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.convolutions import DILATIONS

#: The label of tokens that are masked in the loss.
IGNORED: Final = -100
SEED: Final = 7
_WIDTHS: Final = (64, 32, 24, 40, 32)
_HIDDEN: Final = 128


class Network(nn.Module):
    """The network of `citekg.extractors.candidates.tagger`, for training."""

    def __init__(self) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(
            nn.Embedding(n, w) for n, w in zip(tagger.TABLE_SIZES, _WIDTHS, strict=True)
        )
        self.into = nn.Linear(sum(_WIDTHS), _HIDDEN)
        self.title = nn.Embedding(2, _HIDDEN)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(_HIDDEN, _HIDDEN, 3, padding=d, dilation=d) for d in DILATIONS
        )
        self.norms = nn.ModuleList(nn.LayerNorm(_HIDDEN) for _ in DILATIONS)
        self.out = nn.Linear(_HIDDEN, len(tagger.LABELS))
        self.drop = nn.Dropout(0.2)

    def forward(self, rows: torch.Tensor, title: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the scores, `(batch, tokens, labels)`, of rows `(batch, tokens, tables)`."""
        embedded = torch.cat([e(rows[..., i]) for i, e in enumerate(self.embeddings)], dim=-1)
        keep = mask[..., None].float()
        x = self.drop(torch.relu(self.into(self.drop(embedded)) + self.title(title))) * keep
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            wide = torch.relu(convolution(x.transpose(1, 2)).transpose(1, 2))
            x = norm(x + self.drop(wide)) * keep
        scores: torch.Tensor = self.out(x)
        return scores


@dataclass(frozen=True)
class LabelledDocument:
    """The words of a document, with the label of each (or `IGNORED`).

    `title` is the number of words of the title.
    """

    words: Sequence[str]
    title: int
    labels: np.ndarray[Any, Any]


def _batches(
    data: list[LabelledDocument], size: int, shuffle: random.Random | None
) -> Iterator[list[LabelledDocument]]:
    order = sorted(range(len(data)), key=lambda i: len(data[i].labels))
    chunks = [order[i : i + size] for i in range(0, len(order), size)]
    if shuffle:
        shuffle.shuffle(chunks)
    for chunk in chunks:
        yield [data[i] for i in chunk]


def _padded(
    batch: list[LabelledDocument],
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    longest = max(len(t.labels) for t in batch)
    rows = np.zeros((len(batch), longest, 5), dtype=np.int64)
    labels = np.full((len(batch), longest), IGNORED, dtype=np.int64)
    title = np.zeros((len(batch), longest), dtype=np.int64)
    mask = np.zeros((len(batch), longest), dtype=bool)
    for i, tagged in enumerate(batch):
        n = len(tagged.labels)
        rows[i, :n] = tagger.embedding_rows(tagged.words)
        labels[i, :n], mask[i, :n] = tagged.labels, True
        title[i, : tagged.title] = 1
    return (
        torch.from_numpy(rows),
        torch.from_numpy(title),
        torch.from_numpy(mask),
        torch.from_numpy(labels),
    )


def train_network(
    network: Network, data: list[LabelledDocument], epochs: int, rate: float, batch: int
) -> None:
    """Train the network in place with AdamW; the rate falls to zero along a cosine."""
    shuffle = random.Random(SEED)  # noqa: S311
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    steps = epochs * -(-len(data) // batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED, label_smoothing=0.02)
    network.train()
    for _ in range(epochs):
        for chunk in _batches(data, batch, shuffle):
            rows, title, mask, labels = _padded(chunk)
            loss = loss_of(network(rows, title, mask).flatten(0, 1), labels.flatten())
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    network.eval()


def export_arrays(network: Network) -> dict[str, np.ndarray[Any, Any]]:
    """Return the weights as arrays for `citekg.extractors.candidates.tagger.Tagger`."""
    out = {f"embed{i}": e.weight for i, e in enumerate(network.embeddings)}
    out |= {"in.w": network.into.weight.T, "in.b": network.into.bias, "title": network.title.weight}
    for i, (convolution, norm) in enumerate(zip(network.convolutions, network.norms, strict=True)):
        out[f"conv{i}.w"] = convolution.weight.permute(2, 1, 0).reshape(3 * _HIDDEN, _HIDDEN)
        out |= {f"conv{i}.b": convolution.bias, f"norm{i}.w": norm.weight, f"norm{i}.b": norm.bias}
    out |= {"out.w": network.out.weight.T, "out.b": network.out.bias}
    return {name: value.detach().numpy() for name, value in out.items()}
