"""Train all shipped weights.

Usage: `python -m citekg.extractors.training.train TRAIN.jsonl UNLABELLED.jsonl.gz`

First, the entity models are trained without a tagger. Their extractions from the unlabelled papers
are the silver labels. The tagger network is trained on these, then on the annotated papers (gold).
Umbrella terms and optional names are masked in the loss. For each fold of the annotated papers, a
network that was not trained on the fold gives its label probabilities. The final entity models are
trained on these probabilities (see `classifiers`), the type model also on unlabelled papers (see
`silver_labels`).

`--not HELD_OUT.jsonl` keeps papers out of the silver data. The data, the settings and the scores on
held-out folds are written to `training.json` beside the weights. Requires PyTorch and scikit-learn
(the extra `train`); all seeds are fixed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.generate import ABBREVIATIONS, LEXICON, RULES
from citekg.extractors.candidates.lexicon import shipped_lexicon
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.nlp import Document
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.extractors.roles import classifier
from citekg.extractors.training.agreement import count_agreement, scores
from citekg.extractors.training.classifiers import (
    ENTITY_C,
    STACKED_C,
    THRESHOLD,
    TYPES_C,
    Example,
    all_candidate_columns,
    fit_entity_models,
    fit_type_model,
    lexicon_views,
    read_examples,
    train_classifiers,
)
from citekg.extractors.training.roles import ROLES_C, train_roles
from citekg.extractors.training.silver_labels import silver_type_rows, unlabelled_papers
from citekg.extractors.training.tagger_network import (
    IGNORED,
    SEED,
    LabelledDocument,
    Network,
    export_arrays,
    train_network,
)

_SILVER_EPOCHS: Final = 3
_GOLD_EPOCHS: Final = 12
_WEIGHTS: Final = Path(__file__).parent.parent / "weights"
_LAYERS: Final = frozenset({ABBREVIATIONS, LEXICON, RULES})


def label_gold(example: Example) -> LabelledDocument:
    """Return the labelled document of an annotated paper; optional names are masked."""
    spans = []
    for candidate, gold in zip(example.candidates, example.candidate_gold, strict=True):
        if gold is not None:
            spans += [(span, None if gold.optional else gold.type) for span in candidate.spans]
    return _label_tokens(example.doc, spans)


def label_silver(doc: Document, pipeline: ExtractionPipeline) -> LabelledDocument:
    """Return the document labelled by the other layers; uncertain entities are masked."""
    spans: list[tuple[tuple[int, int], str | None]] = []
    for accepted in pipeline.run(doc, until="apply_stated_types").accepted:
        umbrella = any(c.entry is not None and c.entry.umbrella for c in accepted.candidates)
        is_confident = accepted.confidence >= 0.5 and not umbrella
        spans += [(span, accepted.type if is_confident else None) for span in accepted.spans]
    return _label_tokens(doc, spans)


def _label_tokens(
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
    """Train the tagger on silver and gold labels, then the classifiers, and write the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotations", type=Path)
    parser.add_argument("unlabelled", type=Path)
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/tagger"))
    parser.add_argument(
        "--regressions",
        action="store_true",
        help="keep the tagger, and its label probabilities in --out",
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    left_out = [args.annotations, *args.skip]
    if not args.regressions:
        report = _train_tagger(args.annotations, args.unlabelled, left_out, args.out, args.folds)
        (_WEIGHTS / "training.json").write_text(
            json.dumps(report, indent=1) + "\n", encoding="utf-8"
        )
    train_classifiers(
        args.annotations, args.out, silver_type_rows(unlabelled_papers(args.unlabelled, left_out))
    )
    names = next(lexicon_views(shipped_lexicon()))
    train_roles(list(read_examples(args.annotations, names, args.out)))


def _train_tagger(
    annotations: Path, unlabelled: Path, left_out: list[Path], out: Path, folds: int
) -> dict[str, Any]:
    """Write the tagger's weights and return the training report.

    The label probabilities of held-out papers are written to `out`, one file for each paper.
    """
    torch.manual_seed(SEED)
    gold = list(read_examples(annotations, shipped_lexicon()))
    base, papers = _train_on_silver(out / "silver.pt", annotations, unlabelled, left_out)
    labelled = [label_gold(e) for e in gold]
    agreement = Counter[str]()
    for fold in range(folds):
        network = _fine_tune(base, [t for i, t in enumerate(labelled) if i % folds != fold])
        fold_tagger = tagger.Tagger(export_arrays(network))
        for example in gold[fold::folds]:
            probabilities = fold_tagger.probabilities(example.doc)
            np.save(out / f"{example.doc.paper.id}.npy", probabilities.astype(np.float16))
            agreement += _count_agreement(probabilities, label_gold(example).labels)
    final: dict[str, Any] = {
        k: v.astype(np.float16) for k, v in export_arrays(_fine_tune(base, labelled)).items()
    }
    np.savez_compressed(_WEIGHTS / "tagger.npz", **final)
    return _report(gold, papers, folds, agreement)


def _count_agreement(
    probabilities: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]
) -> Counter[str]:
    """Return the counts of typed spans found, annotated, and both; masked tokens are left out."""
    is_counted = labels != IGNORED
    return count_agreement(
        np.where(is_counted, probabilities.argmax(axis=1), 0), np.where(is_counted, labels, 0)
    )


def _report(
    gold: list[Example], papers: int, folds: int, agreement: Counter[str]
) -> dict[str, Any]:
    """Return the data, settings and scores of the shipped weights."""
    names = [entity for example in gold for entity in example.gold]
    return {
        "annotated papers": len(gold),
        "annotated names": dict(sorted(Counter(n.type for n in names if not n.optional).items())),
        "optional names": sum(n.optional for n in names),
        "unlabelled papers": papers,
        "network": {
            "parameters": sum(p.numel() for p in Network().parameters()),
            "epochs": {"silver": _SILVER_EPOCHS, "gold": _GOLD_EPOCHS},
            "seed": SEED,
            "typed spans in papers of other folds": {"folds": folds, **scores(agreement)},
        },
        "regressions": {
            "entity": ENTITY_C,
            "stacked": STACKED_C,
            "types": TYPES_C,
            "roles": ROLES_C,
            "threshold": THRESHOLD,
        },
        "made with": {name: version(name) for name in ("numpy", "scikit-learn", "torch")},
    }


def _train_on_silver(
    checkpoint: Path, annotations: Path, unlabelled: Path, left_out: list[Path]
) -> tuple[Network, int]:
    """Return the network trained on silver labels, and the number of papers.

    They are cached in the file `checkpoint`.
    """
    network = Network()
    if checkpoint.exists():
        stored = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(stored["network"])
        return network, stored["papers"]
    teacher = _make_teacher(annotations)
    silver = [label_silver(doc, teacher) for doc in unlabelled_papers(unlabelled, left_out)]
    train_network(network, silver, epochs=_SILVER_EPOCHS, rate=2e-3, batch=16)
    torch.save({"network": network.state_dict(), "papers": len(silver)}, checkpoint)
    return network, len(silver)


def _make_teacher(annotations: Path) -> ExtractionPipeline:
    """Return the pipeline without a tagger that gives the silver labels."""
    views = [
        list(read_examples(annotations, lexicon)) for lexicon in lexicon_views(shipped_lexicon())
    ]
    columns = all_candidate_columns(views)
    entity_table, stacked_table = fit_entity_models(views, columns)
    types = HashedSoftmax(fit_type_model(views, columns), 0.0)
    no_roles = HashedSoftmax(np.zeros((1, len(classifier.ROLE_LABELS)), dtype=np.float32), 0.0)
    entity, stacked = (
        HashedSoftmax(entity_table, THRESHOLD),
        HashedSoftmax(stacked_table, THRESHOLD),
    )
    return ExtractionPipeline(
        shipped_lexicon(), entity, stacked, types, no_roles, _LAYERS, threshold=0.25
    )


def _fine_tune(base: Network, data: list[LabelledDocument]) -> Network:
    """Return a copy of the network, trained further on the data."""
    torch.manual_seed(SEED)
    network = Network()
    network.load_state_dict(base.state_dict())
    train_network(network, data, epochs=_GOLD_EPOCHS, rate=5e-4, batch=8)
    return network


if __name__ == "__main__":
    main()
