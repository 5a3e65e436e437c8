"""Train all shipped weights.

Usage: `python -m citekg.extractors.training.train TRAIN.jsonl UNLABELLED.jsonl.gz...`

The extractions of the accurate model from unlabelled papers are the silver labels. The tagger
network is trained on them, with uncertain entities masked in the loss, and then on the labels of
the annotated papers (gold), which have no silver ones: those of TRAIN.jsonl, and the project's own
annotations whose texts are among the unlabelled papers (`annotated.py`). The entity model, the
decision network and the role model are trained on the annotated papers, with the label
probabilities and vectors of taggers that were trained on the gold labels of other papers (cross-
fitting). Last, the confidence of relations is calibrated.

`--not HELD_OUT.jsonl` excludes papers from all steps. `--silver NETWORK.pt` is the file of the
network trained on silver labels: a later training starts from it. The command writes the data and
the settings to `training.json` next to the weights. Requires PyTorch and scikit-learn (the
dependency group `train`) and the extra `accurate`; all seeds are fixed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.models import ACCURATE
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.training.agreement import count_agreement, scores
from citekg.extractors.training.annotated import annotated_papers, fold_title
from citekg.extractors.training.classifiers import (
    ENTITY_C,
    FOLDS,
    THRESHOLD,
    WEIGHTS,
    Example,
    lexicon_views,
    make_example,
    train_decision,
)
from citekg.extractors.training.confidence import with_relation_planes
from citekg.extractors.training.decision_training import EPOCHS as DECISION_EPOCHS
from citekg.extractors.training.decision_training import HIDDEN, SEEDS
from citekg.extractors.training.labels import label_gold, silver_documents
from citekg.extractors.training.quantisation import quantise, save_arrays
from citekg.extractors.training.roles import (
    BORDERLINE_C,
    ROLES_C,
    save_calibration,
    train_borderline,
    train_roles,
)
from citekg.extractors.training.tagger_network import (
    IGNORED,
    SEED,
    LabelledDocument,
    Network,
    export_arrays,
    train_network,
)
from citekg.schemas.records import Paper

_SILVER_PAPERS, _SILVER_EPOCHS = 20_000, 3
_GOLD_EPOCHS: Final = 4


def main() -> None:
    """Train the tagger and the classifiers, and write the shipped weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotated", type=Path)
    parser.add_argument("unlabelled", type=Path, nargs="*")
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    parser.add_argument("--silver", type=Path, help="the network trained on silver labels")
    args = parser.parse_args()
    rows = annotated_papers([args.annotated], args.unlabelled, args.skip)
    if args.silver and args.silver.exists():
        network = Network()
        network.load_state_dict(torch.load(args.silver, weights_only=True))
    else:
        titles = {fold_title(row["title"]) for row in rows}
        network = _train_on_silver(args.unlabelled, args.skip, titles)
        if args.silver:
            torch.save(network.state_dict(), args.silver)
    views = _make_examples(rows, network)
    folds = train_decision(views)
    roles, role_models = train_roles(views[0])
    borderline = train_borderline(views[0])
    save_calibration(with_relation_planes(roles, views[0], folds, role_models[0], borderline))
    report = json.dumps(_report(views[0]), indent=1)
    (WEIGHTS / "training.json").write_text(report + "\n", encoding="utf-8")


def _train_on_silver(
    unlabelled: Iterable[Path], left_out: Collection[Path], annotated: Collection[str]
) -> Network:
    """Return the network of the tagger, trained on silver labels."""
    silver = silver_documents(unlabelled, left_out, annotated, _SILVER_PAPERS, ACCURATE)
    torch.manual_seed(SEED)
    network = Network()
    train_network(network, silver, epochs=_SILVER_EPOCHS, rate=2e-3, batch=16)
    return network


def _make_examples(rows: Sequence[dict[str, Any]], silver: Network) -> list[list[Example]]:
    """Return the annotated papers in each view of the lexicon, and write the shipped tagger.

    The tagger of a paper's example was trained on the gold labels of the papers of other folds; the
    shipped tagger was trained on all.
    """
    docs = [make_document(Paper(row["id"], row["title"], row["abstract"])) for row in rows]
    untuned = as_tagger(silver, docs)
    labels = [label_gold(make_example(row, shipped_lexicon(), untuned)) for row in rows]
    shipped = as_tagger(fine_tune(silver, labels), docs)
    save_arrays(WEIGHTS / "tagger.npz", shipped.arrays)
    taggers = [
        as_tagger(fine_tune(silver, [t for i, t in enumerate(labels) if i % FOLDS != fold]), docs)
        for fold in range(FOLDS)
    ]
    return [
        [make_example(row, lexicon, taggers[i % FOLDS]) for i, row in enumerate(rows)]
        for lexicon in lexicon_views(shipped_lexicon())
    ]


def fine_tune(silver: Network, gold: list[LabelledDocument]) -> Network:
    """Return a copy of the network trained on silver labels, trained further on gold ones."""
    torch.manual_seed(SEED)
    network = Network()
    network.load_state_dict(silver.state_dict())
    train_network(network, gold, epochs=_GOLD_EPOCHS, rate=1e-3, batch=16)
    return network


def as_tagger(network: Network, docs: Sequence[Document]) -> tagger.Tagger:
    """Return the tagger with the weights of the network, quantised for documents."""
    return tagger.Tagger(quantise(export_arrays(network), docs))


def _report(gold: list[Example]) -> dict[str, Any]:
    """Return the annotated data and the settings of the shipped weights.

    The agreement of the taggers with annotations that they were not trained on counts typed spans
    outside masked tokens.
    """
    names = [entity for example in gold for entity in example.gold]
    agreement = Counter[str]()
    for example in gold:
        labels = label_gold(example).labels
        is_counted = labels != IGNORED
        found = example.tagged.probabilities.argmax(axis=1)
        agreement += count_agreement(
            np.where(is_counted, found, 0), np.where(is_counted, labels, 0)
        )
    return {
        "tagger": {
            "papers with silver labels": _SILVER_PAPERS,
            "epochs on silver labels": _SILVER_EPOCHS,
            "epochs on gold labels": _GOLD_EPOCHS,
            "seed": SEED,
        },
        "annotated papers": len(gold),
        "annotated names": dict(sorted(Counter(n.type for n in names if not n.optional).items())),
        "optional names": sum(n.optional for n in names),
        "tagger alone, typed spans in unseen annotated papers": scores(agreement),
        "classifiers": {
            "entity": ENTITY_C,
            "roles": ROLES_C,
            "borderline": BORDERLINE_C,
            "decision": {"hidden": HIDDEN, "networks": len(SEEDS), "epochs": DECISION_EPOCHS},
            "threshold": THRESHOLD,
        },
        "made with": {name: version(name) for name in ("numpy", "scikit-learn", "torch")},
    }


if __name__ == "__main__":
    main()
