"""The network of `citekg.extractors.candidates.encoder` in PyTorch (dependency group `train`)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from citekg.extractors.candidates import encoder, tagger
from citekg.extractors.training.tagger_network import IGNORED, SEED, LabelledDocument

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_SHAPE_WIDTH, _HIDDEN = 32, 192
_DROPOUT: Final = 0.1
_BATCH: Final = 8
#: The fraction of the steps in which the learning rate rises (warm-up).
_WARM_UP: Final = 0.06
#: The pretrained arrays that training does not change.
_FROZEN: Final = ("words", "positions", "kind", "norm.w", "norm.b", "layers")


@dataclass(frozen=True)
class LabelledPieces:
    """The first window of a document, with the label of the first piece of each word.

    `shapes` and `title` describe the word of each piece, `firsts` are the first pieces, and
    `labels` those of the words that they begin (or `IGNORED`).
    """

    ids: NDArray[np.int64]
    shapes: NDArray[np.int64]
    title: NDArray[np.int64]
    firsts: NDArray[np.int64]
    labels: NDArray[np.int64]


def labelled_pieces(doc: LabelledDocument, tokenizer: Tokenizer) -> LabelledPieces:
    """Return the labelled pieces of a document."""
    pieces = encoder.split(tokenizer, doc.words)
    words = pieces.words[: encoder.WINDOW]
    firsts = encoder.first_pieces(words)
    return LabelledPieces(
        pieces.ids[: encoder.WINDOW],
        encoder.shape_rows(doc.words)[words],
        (words < doc.title).astype(np.int64),
        firsts,
        doc.labels[words[firsts]],
    )


class EncoderNetwork(nn.Module):
    """The network of `citekg.extractors.candidates.encoder`, for training."""

    def __init__(self, pretrained: Mapping[str, NDArray[np.float32]]) -> None:
        super().__init__()
        self.layers = int(pretrained["layers"])
        width = pretrained["kind"].shape[0]
        fixed = {name: torch.from_numpy(pretrained[name]) for name in _FROZEN[:-1]}
        self.embedded: Callable[[torch.Tensor], torch.Tensor] = lambda ids: functional.layer_norm(
            fixed["words"][ids] + fixed["positions"][: ids.shape[1]] + fixed["kind"],
            (width,),
            fixed["norm.w"],
            fixed["norm.b"],
            1e-12,
        )
        self.pretrained = nn.ParameterDict(
            {
                name.replace(".", "-"): nn.Parameter(torch.from_numpy(array.copy()))
                for name, array in pretrained.items()
                if name not in _FROZEN
            }
        )
        self.shape_in = nn.Parameter(torch.zeros(encoder.SHAPES, width))
        self.title = nn.Parameter(torch.zeros(2, width))
        self.shape_out = nn.Parameter(torch.randn(encoder.SHAPES, _SHAPE_WIDTH))
        self.hidden = nn.Linear(width + _SHAPE_WIDTH, _HIDDEN)
        self.out = nn.Linear(_HIDDEN, len(tagger.LABELS))
        self.drop = nn.Dropout(_DROPOUT)

    def forward(self, batch: Sequence[LabelledPieces]) -> torch.Tensor:
        """Return the scores of the words of the documents in turn, `(words, labels)`."""
        ids, shapes, title, mask = _padded(batch)
        x = self.embedded(ids) + self.shape_in[shapes] + self.title[title]
        for layer in range(self.layers):
            x = self._layer(x, f"{layer}-", mask)
        documents = np.concatenate([[i] * len(each.firsts) for i, each in enumerate(batch)])
        firsts = np.concatenate([1 + each.firsts for each in batch])
        joined = torch.cat(
            [x[documents, firsts].float(), self.shape_out[shapes[documents, firsts]]], dim=1
        )
        vectors = functional.gelu(self.hidden(self.drop(joined)), approximate="tanh")
        scores: torch.Tensor = self.out(self.drop(vectors))
        return scores

    def _layer(self, x: torch.Tensor, layer: str, mask: torch.Tensor) -> torch.Tensor:
        p = self.pretrained
        documents, pieces, width = x.shape

        def linear(of: torch.Tensor, name: str) -> torch.Tensor:
            return functional.linear(of, p[f"{layer}{name}-w"].T, p[f"{layer}{name}-b"])

        def norm(of: torch.Tensor, name: str) -> torch.Tensor:
            weights = p[f"{layer}{name}-w"], p[f"{layer}{name}-b"]
            return functional.layer_norm(of, (width,), *weights, 1e-12)

        parts = linear(x, "attention").view(documents, pieces, 3, encoder.HEADS, -1)
        context = functional.scaled_dot_product_attention(
            *parts.permute(2, 0, 3, 1, 4), attn_mask=mask[:, None, None, :]
        )
        x = norm(x + linear(context.transpose(1, 2).reshape(x.shape), "context"), "norm1")
        wide = functional.gelu(linear(x, "wide"), approximate="tanh")
        return norm(x + linear(wide, "narrow"), "norm2")


def _padded(
    batch: Sequence[LabelledPieces],
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, shapes, title and mask of documents with the special tokens at both ends."""
    longest = max(len(each.ids) for each in batch) + 2
    ids, shapes, title = (np.zeros((len(batch), longest), dtype=np.int64) for _ in range(3))
    mask = np.zeros((len(batch), longest), dtype=bool)
    for i, each in enumerate(batch):
        count = len(each.ids)
        ids[i, : count + 2] = encoder.with_special_tokens(each.ids)
        shapes[i, 1 : count + 1], title[i, 1 : count + 1] = each.shapes, each.title
        mask[i, : count + 2] = True
    return (
        torch.from_numpy(ids),
        torch.from_numpy(shapes),
        torch.from_numpy(title),
        torch.from_numpy(mask),
    )


def train_encoder(
    network: EncoderNetwork,
    data: Sequence[LabelledPieces],
    epochs: int,
    rate: float,
) -> None:
    """Train the network in place with AdamW; new layers have ten times the rate of pretrained ones.

    The rate rises in the first steps and falls to zero along a cosine. Matrices are multiplied in
    16 bits (bfloat16).
    """
    shuffle = random.Random(SEED)  # noqa: S311
    pretrained = [*network.pretrained.values()]
    new = [p for name, p in network.named_parameters() if not name.startswith("pretrained")]
    optimiser = torch.optim.AdamW(
        [{"params": pretrained, "lr": rate}, {"params": new, "lr": 10 * rate}],
        weight_decay=0.01,
        fused=True,
    )
    steps = epochs * -(-len(data) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _share(step, steps))
    loss_of = nn.CrossEntropyLoss(ignore_index=IGNORED, label_smoothing=0.02)
    network.train()
    for _ in range(epochs):
        for batch in _batches(data, shuffle):
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(batch)
            labels = torch.from_numpy(np.concatenate([each.labels for each in batch]))
            optimiser.zero_grad()
            loss_of(scores.float(), labels).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    network.eval()


def _share(step: int, steps: int) -> float:
    """Return the factor of the learning rate in a step."""
    rise = min(1.0, (step + 1) / (_WARM_UP * steps))
    return rise * 0.5 * (1 + math.cos(math.pi * step / steps))


def _batches(
    data: Sequence[LabelledPieces], shuffle: random.Random
) -> Iterator[list[LabelledPieces]]:
    """Yield the documents in batches of similar lengths, in random order."""
    order = sorted(range(len(data)), key=lambda i: (len(data[i].ids) // 8, shuffle.random()))
    chunks = [order[i : i + _BATCH] for i in range(0, len(order), _BATCH)]
    shuffle.shuffle(chunks)
    for chunk in chunks:
        yield [data[i] for i in chunk]


def export_differences(
    network: EncoderNetwork, pretrained: Mapping[str, NDArray[np.float32]]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of `weights/accurate/encoder.npz`.

    Matrices are stored as 8-bit differences from the pretrained ones, with a scale for each column.
    """
    stored: dict[str, NDArray[Any]] = {}
    for safe, parameter in network.pretrained.items():
        name = safe.replace("-", ".")
        difference = parameter.detach().numpy() - pretrained[name]
        if difference.ndim == 1:
            stored[name] = difference
            continue
        scale = (np.abs(difference).max(axis=0) / 127 + 1e-7).astype(np.float16)
        stored[name + ".scale"] = scale
        stored[name] = np.rint(difference / scale.astype(np.float32)).clip(-127, 127).astype("i1")
    tables = {
        "shape.in": network.shape_in,
        "title": network.title,
        "shape.out": network.shape_out,
        "hidden.w": network.hidden.weight.T,
        "out.w": network.out.weight.T,
    }
    stored |= {name: table.detach().numpy().astype(np.float16) for name, table in tables.items()}
    biases = {"hidden.b": network.hidden.bias, "out.b": network.out.bias}
    return {**stored, **{name: bias.detach().numpy() for name, bias in biases.items()}}
