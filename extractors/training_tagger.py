"""Train everything that is shipped: `python -m extractors.training_tagger TRAIN.jsonl UNLABELLED.jsonl.gz`.

The decision step without a tagger is trained first; the names it finds in the unlabelled papers
(silver) teach the network, then the annotated papers do (gold). Umbrella terms and optional names
are left out of the loss. For each fold of the annotations the label probabilities of papers that
the network did not learn from are kept, and on these the final decision step is trained
(`extractors.training`). `--not HELD_OUT.jsonl` keeps papers out of the silver ones. Needs PyTorch and
scikit-learn (the extra `train`); seeds are fixed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from extractors import roles, tagger
from extractors.candidates import ABBREVIATIONS, LEXICON, RULES
from extractors.deciding import Weights
from extractors.lexicon import shipped
from extractors.nlp import Document, document
from extractors.reading import Reader
from extractors.training import THRESHOLD, Example, decide, examples, train, views
from schemas.records import Paper

_WIDTHS: Final = (64, 32, 24, 40, 32)
_HIDDEN: Final = 128
_IGNORED: Final = -100
_SEED: Final = 7
_LAYERS: Final = frozenset({ABBREVIATIONS, LEXICON, RULES})


class Network(nn.Module):
    """The network of `extractors.tagger`, as PyTorch trains it."""

    def __init__(self) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(n, w) for n, w in zip(tagger.ROWS, _WIDTHS, strict=True))
        self.into = nn.Linear(sum(_WIDTHS), _HIDDEN)
        self.title = nn.Embedding(2, _HIDDEN)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(_HIDDEN, _HIDDEN, 3, padding=d, dilation=d) for d in tagger.DILATIONS
        )
        self.norms = nn.ModuleList(nn.LayerNorm(_HIDDEN) for _ in tagger.DILATIONS)
        self.out = nn.Linear(_HIDDEN, len(tagger.LABELS))
        self.drop = nn.Dropout(0.2)

    def forward(self, rows: torch.Tensor, title: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Scores `(batch, tokens, labels)` of rows `(batch, tokens, tables)`."""
        embedded = torch.cat([e(rows[..., i]) for i, e in enumerate(self.embeddings)], dim=-1)
        keep = mask[..., None].float()
        x = self.drop(torch.relu(self.into(self.drop(embedded)) + self.title(title))) * keep
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            wide = torch.relu(convolution(x.transpose(1, 2)).transpose(1, 2))
            x = norm(x + self.drop(wide)) * keep
        scores: torch.Tensor = self.out(x)
        return scores


@dataclass(frozen=True)
class Tagged:
    """A document as the network sees it, with the label of each token (or `_IGNORED`)."""

    rows: np.ndarray[Any, Any]
    title: int
    labels: np.ndarray[Any, Any]


def gold_tagged(example: Example) -> Tagged:
    """An annotated paper: optional names do not count either way."""
    marks = []
    for candidate, gold in zip(example.candidates, example.named, strict=True):
        if gold is not None:
            marks += [(span, None if gold.optional else gold.type) for span in candidate.spans]
    return _tagged(example.doc, marks)


def silver_tagged(doc: Document, reader: Reader) -> Tagged:
    """A paper as the other layers read it; what they are unsure of does not count."""
    marks: list[tuple[tuple[int, int], str | None]] = []
    for chosen in reader.chosen(doc, threshold=0.25):
        umbrella = any(c.entry is not None and c.entry.umbrella for c in chosen.candidates)
        sure = chosen.confidence >= 0.5 and not umbrella
        marks += [(span, chosen.type if sure else None) for span in chosen.spans]
    return _tagged(doc, marks)


def _tagged(doc: Document, marks: list[tuple[tuple[int, int], str | None]]) -> Tagged:
    labels = np.zeros(len(doc.words), dtype=np.int64)
    taken = np.zeros(len(doc.words), dtype=bool)
    for (first, last), type_ in sorted(marks, key=lambda m: (m[1] is None, m[0][0] - m[0][1], m[0])):
        if taken[first:last].any():
            continue
        taken[first:last] = True
        if type_ is None:
            labels[first:last] = _IGNORED
        else:
            labels[first:last] = tagger.LABELS.index(f"I-{type_}")
            labels[first] = tagger.LABELS.index(f"B-{type_}")
    return Tagged(np.array([tagger.rows(w) for w in doc.words]).reshape(-1, 5), doc.title_tokens, labels)


def _batches(data: list[Tagged], size: int, shuffle: random.Random | None) -> Iterator[list[Tagged]]:
    order = sorted(range(len(data)), key=lambda i: len(data[i].labels))
    chunks = [order[i : i + size] for i in range(0, len(order), size)]
    if shuffle:
        shuffle.shuffle(chunks)
    for chunk in chunks:
        yield [data[i] for i in chunk]


def _padded(batch: list[Tagged]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    longest = max(len(t.labels) for t in batch)
    rows = np.zeros((len(batch), longest, 5), dtype=np.int64)
    labels = np.full((len(batch), longest), _IGNORED, dtype=np.int64)
    title = np.zeros((len(batch), longest), dtype=np.int64)
    mask = np.zeros((len(batch), longest), dtype=bool)
    for i, tagged in enumerate(batch):
        n = len(tagged.labels)
        rows[i, :n], labels[i, :n], mask[i, :n] = tagged.rows, tagged.labels, True
        title[i, : tagged.title] = 1
    return torch.from_numpy(rows), torch.from_numpy(title), torch.from_numpy(mask), torch.from_numpy(labels)


def fit(network: Network, data: list[Tagged], epochs: int, rate: float, batch: int) -> None:
    """Train in place, the rate falling to zero along a cosine."""
    shuffle = random.Random(_SEED)  # noqa: S311
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    steps = epochs * -(-len(data) // batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    loss_of = nn.CrossEntropyLoss(ignore_index=_IGNORED, label_smoothing=0.02)
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


def arrays(network: Network) -> dict[str, np.ndarray[Any, Any]]:
    """The network's weights as `extractors.tagger.Tagger` wants them."""
    out = {f"embed{i}": e.weight for i, e in enumerate(network.embeddings)}
    out |= {"in.w": network.into.weight.T, "in.b": network.into.bias, "title": network.title.weight}
    for i, (convolution, norm) in enumerate(zip(network.convolutions, network.norms, strict=True)):
        out[f"conv{i}.w"] = convolution.weight.permute(2, 1, 0).reshape(3 * _HIDDEN, _HIDDEN)
        out |= {f"conv{i}.b": convolution.bias, f"norm{i}.w": norm.weight, f"norm{i}.b": norm.bias}
    out |= {"out.w": network.out.weight.T, "out.b": network.out.bias}
    return {name: value.detach().numpy() for name, value in out.items()}


def _unlabelled(path: Path, skipped: set[str]) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if _folded(row["title"]) not in skipped:
                yield document(Paper(row["id"], row["title"], row["abstract"]))


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())


def main() -> None:
    """Train on silver, then on gold, then the decision step, and write the shipped weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotations", type=Path)
    parser.add_argument("unlabelled", type=Path)
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/tagger"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(_SEED)
    gold = list(examples(args.annotations, shipped()))
    base = _from_silver(args.out / "silver.pt", args.annotations, args.unlabelled, [args.annotations, *args.skip])
    tagged = [gold_tagged(e) for e in gold]
    for fold in range(args.folds):
        network = _tuned(base, [t for i, t in enumerate(tagged) if i % args.folds != fold])
        seen = tagger.Tagger(arrays(network))
        for example in gold[fold :: args.folds]:
            np.save(args.out / f"{example.doc.paper.id}.npy", seen.probabilities(example.doc).astype(np.float16))
    final: dict[str, Any] = {k: v.astype(np.float16) for k, v in arrays(_tuned(base, tagged)).items()}
    np.savez_compressed(Path(__file__).parent / "weights" / "tagger.npz", **final)
    train(args.annotations, args.out)


def _from_silver(kept: Path, annotations: Path, unlabelled: Path, left_out: list[Path]) -> Network:
    """The network as the silver labels teach it; it is kept in a file, which is used where it exists."""
    network = Network()
    if kept.exists():
        network.load_state_dict(torch.load(kept))
        return network
    skipped = {_folded(json.loads(line)["title"]) for path in left_out for line in path.open(encoding="utf-8")}
    teacher = _teacher(annotations)
    silver = [silver_tagged(doc, teacher) for doc in _unlabelled(unlabelled, skipped)]
    fit(network, silver, epochs=3, rate=2e-3, batch=16)
    torch.save(network.state_dict(), kept)
    return network


def _teacher(annotations: Path) -> Reader:
    """A reader without a tagger, which gives the silver labels."""
    first, second = decide([list(examples(annotations, lexicon)) for lexicon in views(shipped())])
    nothing = Weights(np.zeros((1, len(roles.ANSWERS)), dtype=np.float32), 0.0)
    return Reader(shipped(), Weights(first, THRESHOLD), Weights(second, THRESHOLD), nothing, _LAYERS)


def _tuned(base: Network, data: list[Tagged]) -> Network:
    torch.manual_seed(_SEED)
    network = Network()
    network.load_state_dict(base.state_dict())
    fit(network, data, epochs=12, rate=5e-4, batch=8)
    return network


if __name__ == "__main__":
    main()
