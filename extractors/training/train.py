"""Train all shipped weights.

Usage: `python -m citekg.extractors.training.train TRAIN.jsonl UNLABELLED.jsonl.gz...`

The extractions of the shipped pipeline from the unlabelled papers are the silver labels: each
training is a further round of self-training. The tagger network is trained on them, with uncertain
entities masked in the loss. The entity model, the decision network and the role model are then
trained on the annotated papers (gold), with the label probabilities and vectors of that tagger,
which has not seen these papers.

`--not HELD_OUT.jsonl` keeps papers out of the silver data. The data and the settings are written to
`training.json` beside the weights. Requires PyTorch and scikit-learn (the dependency group
`train`); all seeds are fixed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.lexicon import shipped_lexicon
from citekg.extractors.nlp import Document
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.extractors.training.agreement import count_agreement, scores
from citekg.extractors.training.classifiers import (
    ENTITY_C,
    THRESHOLD,
    WEIGHTS,
    Example,
    lexicon_views,
    read_examples,
    train_decision,
)
from citekg.extractors.training.decision_training import EPOCHS as DECISION_EPOCHS
from citekg.extractors.training.decision_training import HIDDEN, SEEDS
from citekg.extractors.training.roles import ROLES_C, train_roles
from citekg.extractors.training.tagger_network import (
    IGNORED,
    SEED,
    LabelledDocument,
    Network,
    export_arrays,
    train_network,
)
from citekg.extractors.training.unlabelled import unlabelled_papers

_SILVER_EPOCHS: Final = 3
#: Probability from which a silver entity is certain; less probable ones are masked, and those below
#: the second number are no entities.
_CERTAIN, _UNCERTAIN = 0.5, 0.25


def label_gold(example: Example) -> LabelledDocument:
    """Return the labelled document of an annotated paper; optional names are masked."""
    spans = []
    for candidate, gold in zip(example.candidates, example.candidate_gold, strict=True):
        if gold is not None:
            spans += [(span, None if gold.optional else gold.type) for span in candidate.spans]
    return label_tokens(example.doc, spans)


def label_silver(doc: Document, pipeline: ExtractionPipeline) -> LabelledDocument:
    """Return the document labelled by the pipeline; uncertain entities are masked."""
    spans: list[tuple[tuple[int, int], str | None]] = []
    for accepted in pipeline.run(doc, until="apply_stated_types").accepted:
        umbrella = any(c.entry is not None and c.entry.umbrella for c in accepted.candidates)
        is_certain = accepted.confidence >= _CERTAIN and not umbrella
        spans += [(span, accepted.type if is_certain else None) for span in accepted.spans]
    return label_tokens(doc, spans)


def label_tokens(
    doc: Document, spans: list[tuple[tuple[int, int], str | None]]
) -> LabelledDocument:
    """Return the document with BIO labels for typed token spans; spans of type None are masked.

    Longer spans precede shorter ones that overlap with them, and typed spans precede masked ones.
    """
    labels = np.zeros(len(doc.words), dtype=np.int64)
    is_taken = np.zeros(len(doc.words), dtype=bool)
    for (first, last), type_ in sorted(
        spans, key=lambda m: (m[1] is None, m[0][0] - m[0][1], m[0])
    ):
        if is_taken[first:last].any():
            continue
        is_taken[first:last] = True
        if type_ is None:
            labels[first:last] = IGNORED
        else:
            labels[first:last] = tagger.LABELS.index(f"I-{type_}")
            labels[first] = tagger.LABELS.index(f"B-{type_}")
    return LabelledDocument(
        np.array([tagger.embedding_rows(w) for w in doc.words]).reshape(-1, 5),
        doc.title_tokens,
        labels,
    )


def main() -> None:
    """Train the tagger on silver labels and the classifiers on gold ones; write the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotations", type=Path)
    parser.add_argument("unlabelled", type=Path, nargs="*")
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    parser.add_argument(
        "--keep-tagger", action="store_true", help="train the other models with the shipped tagger"
    )
    args = parser.parse_args()
    report = json.loads((WEIGHTS / "training.json").read_text(encoding="utf-8"))
    if not args.keep_tagger:
        report["tagger"] = _train_tagger(args.unlabelled, [args.annotations, *args.skip])
    tagger.shipped_tagger.cache_clear()
    views = [
        list(read_examples(args.annotations, lexicon, tagger.shipped_tagger()))
        for lexicon in lexicon_views(shipped_lexicon())
    ]
    train_decision(views)
    train_roles(views[0])
    report = {"tagger": report["tagger"], **_report(views[0])}
    (WEIGHTS / "training.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _train_tagger(unlabelled: Iterable[Path], left_out: list[Path]) -> dict[str, Any]:
    """Train the tagger on silver labels, write its weights and return its part of the report."""
    teacher = ExtractionPipeline(threshold=_UNCERTAIN)
    silver = [
        label_silver(doc, teacher)
        for path in unlabelled
        for doc in unlabelled_papers(path, left_out)
    ]
    torch.manual_seed(SEED)
    network = Network()
    train_network(network, silver, epochs=_SILVER_EPOCHS, rate=2e-3, batch=16)
    save_tagger(network)
    return {
        "unlabelled papers": len(silver),
        "parameters": sum(p.numel() for p in network.parameters()),
        "epochs": _SILVER_EPOCHS,
        "seed": SEED,
    }


def save_tagger(network: Network) -> None:
    """Write the shipped weights of the tagger, in half precision."""
    arrays: dict[str, Any] = {k: v.astype(np.float16) for k, v in export_arrays(network).items()}
    np.savez_compressed(WEIGHTS / "tagger.npz", **arrays)


def _report(gold: list[Example]) -> dict[str, Any]:
    """Return the annotated data and the settings of the shipped weights.

    The agreement of the tagger with the annotations counts typed spans outside masked tokens.
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
        "annotated papers": len(gold),
        "annotated names": dict(sorted(Counter(n.type for n in names if not n.optional).items())),
        "optional names": sum(n.optional for n in names),
        "tagger alone, typed spans in the annotated papers": scores(agreement),
        "classifiers": {
            "entity": ENTITY_C,
            "roles": ROLES_C,
            "decision": {"hidden": HIDDEN, "networks": len(SEEDS), "epochs": DECISION_EPOCHS},
            "threshold": THRESHOLD,
        },
        "made with": {name: version(name) for name in ("numpy", "scikit-learn", "torch")},
    }


if __name__ == "__main__":
    main()
