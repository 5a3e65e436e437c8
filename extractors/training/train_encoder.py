"""Train the weights of the accurate model.

Usage: `python -m citekg.extractors.training.train_encoder TRAIN.jsonl UNLABELLED.jsonl.gz...`

As in `citekg.extractors.training.train`, the network learns from the extractions of the fast model
in unlabelled papers first, and then from annotated papers; the entity model and the decision
network are trained with the output of networks that were trained on other annotated papers. The
roles and the results have the same models as in the fast model.

Requires PyTorch and scikit-learn (the dependency group `train`) and the extra `accurate`. All seeds
are fixed. On two cores of 2025 the command takes about an hour and a half.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from citekg.extractors.candidates import encoder
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.candidates.tagger import shipped_tagger
from citekg.extractors.training.annotated import annotated_papers, fold_title
from citekg.extractors.training.classifiers import (
    FOLDS,
    WEIGHTS,
    lexicon_views,
    make_example,
    train_decision,
)
from citekg.extractors.training.encoder_network import (
    EncoderNetwork,
    export_differences,
    labelled_pieces,
    train_encoder,
)
from citekg.extractors.training.labels import label_gold, silver_documents
from citekg.extractors.training.tagger_network import SEED, LabelledDocument

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_FOLDER: Final = WEIGHTS / "accurate"
#: The number of unlabelled papers with silver labels, drawn at random, the epochs, and the rate.
_SILVER_PAPERS, _SILVER_EPOCHS, _SILVER_RATE = 12_000, 1, 1e-4
_GOLD_EPOCHS, _GOLD_RATE = 3, 6e-5


def main() -> None:
    """Train the encoder and the models that use its output, and write the shipped weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotated", type=Path)
    parser.add_argument("unlabelled", type=Path, nargs="+")
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    args = parser.parse_args()
    rows = annotated_papers([args.annotated], args.unlabelled, args.skip)
    gold = [label_gold(make_example(row, shipped_lexicon(), shipped_tagger())) for row in rows]
    titles = {fold_title(row["title"]) for row in rows}
    training = _Training.on(
        silver_documents(args.unlabelled, [args.annotated, *args.skip], titles, _SILVER_PAPERS)
    )
    taggers = [
        training.encoder(training.stored([doc for i, doc in enumerate(gold) if i % FOLDS != fold]))
        for fold in range(FOLDS)
    ]
    stored: dict[str, Any] = training.stored(gold)
    np.savez(_FOLDER / "encoder.npz", **stored)
    views = [
        [make_example(row, lexicon, taggers[i % FOLDS]) for i, row in enumerate(rows)]
        for lexicon in lexicon_views(shipped_lexicon())
    ]
    train_decision(views, _FOLDER)


@dataclass(frozen=True)
class _Training:
    """The pretrained arrays, the tokenizer, and the network trained on silver labels."""

    pretrained: dict[str, NDArray[np.float32]]
    tokenizer: Tokenizer
    silver: EncoderNetwork

    @classmethod
    def on(cls, silver: Sequence[LabelledDocument]) -> _Training:
        """Train on silver labels."""
        folder = encoder.pretrained_folder()
        pretrained = encoder.pretrained_arrays(folder / "model.safetensors")
        tokenizer = encoder.load_tokenizer(folder)
        torch.manual_seed(SEED)
        network = EncoderNetwork(pretrained)
        pieces = [labelled_pieces(doc, tokenizer) for doc in silver]
        train_encoder(network, pieces, _SILVER_EPOCHS, _SILVER_RATE)
        return cls(pretrained, tokenizer, network)

    def stored(self, gold: Sequence[LabelledDocument]) -> dict[str, NDArray[Any]]:
        """Return the stored arrays of the network after further training on gold labels."""
        network = copy.deepcopy(self.silver)
        pieces = [labelled_pieces(doc, self.tokenizer) for doc in gold]
        train_encoder(network, pieces, _GOLD_EPOCHS, _GOLD_RATE)
        return export_differences(network, self.pretrained)

    def encoder(self, stored: Mapping[str, NDArray[Any]]) -> encoder.Encoder:
        """Return the encoder with stored arrays."""
        return encoder.Encoder(encoder.with_differences(self.pretrained, stored), self.tokenizer)


if __name__ == "__main__":
    main()
