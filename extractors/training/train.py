"""Train everything that is shipped: `python -m citekg.extractors.training.train TRAIN.jsonl UNLABELLED.jsonl.gz`.

The decision step without a tagger is trained first; the names it finds in the unlabelled papers (silver)
teach the network, then the annotated papers do (gold). Umbrella terms and optional names are left out of
the loss. For each fold of the annotations the label probabilities of papers that the network did not
learn from are kept, and on these the final decision step is trained (`citekg.extractors.training.classifiers`); the types
of names learn from unlabelled papers, too (`citekg.extractors.training.silver_labels`). `--not HELD_OUT.jsonl` keeps
papers out of the silver ones. What it was all made from, and how the network did on papers it had not
learnt from, is written beside the weights. Needs PyTorch and scikit-learn (the extra `train`); seeds are
fixed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
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
from citekg.extractors.training.classifiers import (
    ENTITY_C,
    ROLES_C,
    STACKED_C,
    THRESHOLD,
    TYPES_C,
    Example,
    all_candidate_columns,
    examples,
    fit_entity_models,
    fit_type_model,
    lexicon_views,
    train,
)
from citekg.extractors.training.silver_labels import silver_types, unlabelled_papers
from citekg.extractors.training.tagger_network import IGNORED, SEED, Network, Tagged, arrays, fit

_SILVER_EPOCHS: Final = 3
_GOLD_EPOCHS: Final = 12
_WEIGHTS: Final = Path(__file__).parent / "weights"
_LAYERS: Final = frozenset({ABBREVIATIONS, LEXICON, RULES})


def gold_tagged(example: Example) -> Tagged:
    """An annotated paper: optional names do not count either way."""
    marks = []
    for candidate, gold in zip(example.candidates, example.named, strict=True):
        if gold is not None:
            marks += [(span, None if gold.optional else gold.type) for span in candidate.spans]
    return _tagged(example.doc, marks)


def silver_tagged(doc: Document, reader: ExtractionPipeline) -> Tagged:
    """A paper as the other layers read it; what they are unsure of does not count."""
    marks: list[tuple[tuple[int, int], str | None]] = []
    for chosen in reader.accepted(doc, threshold=0.25):
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
            labels[first:last] = IGNORED
        else:
            labels[first:last] = tagger.LABELS.index(f"I-{type_}")
            labels[first] = tagger.LABELS.index(f"B-{type_}")
    return Tagged(np.array([tagger.embedding_rows(w) for w in doc.words]).reshape(-1, 5), doc.title_tokens, labels)


def main() -> None:
    """Train on silver, then on gold, then the regressions, and write the shipped weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("annotations", type=Path)
    parser.add_argument("unlabelled", type=Path)
    parser.add_argument("--not", dest="skip", type=Path, action="append", default=[])
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/tagger"))
    parser.add_argument("--regressions", action="store_true", help="keep the tagger and what it said in --out")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    left_out = [args.annotations, *args.skip]
    if not args.regressions:
        report = _train_tagger(args.annotations, args.unlabelled, left_out, args.out, args.folds)
        (_WEIGHTS / "training.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    train(args.annotations, args.out, silver_types(unlabelled_papers(args.unlabelled, left_out)))


def _train_tagger(annotations: Path, unlabelled: Path, left_out: list[Path], out: Path, folds: int) -> dict[str, Any]:
    """Write the tagger's weights, and to `out` what it says of papers it did not learn from; what was done is told."""
    torch.manual_seed(SEED)
    gold = list(examples(annotations, shipped_lexicon()))
    base, papers = _from_silver(out / "silver.pt", annotations, unlabelled, left_out)
    tagged = [gold_tagged(e) for e in gold]
    agreed = Counter[str]()
    for fold in range(folds):
        network = _tuned(base, [t for i, t in enumerate(tagged) if i % folds != fold])
        seen = tagger.Tagger(arrays(network))
        for example in gold[fold::folds]:
            said = seen.probabilities(example.doc)
            np.save(out / f"{example.doc.paper.id}.npy", said.astype(np.float16))
            agreed += _agreement(said, gold_tagged(example).labels)
    final: dict[str, Any] = {k: v.astype(np.float16) for k, v in arrays(_tuned(base, tagged)).items()}
    np.savez_compressed(_WEIGHTS / "tagger.npz", **final)
    return _report(gold, papers, folds, agreed)


def _agreement(said: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> Counter[str]:
    """How many typed spans the network found, the annotators marked, and both; what does not count is left out."""
    counted = labels != IGNORED
    found, marked = (
        set(_typed(row)) for row in (np.where(counted, said.argmax(axis=1), 0), np.where(counted, labels, 0))
    )
    return Counter(found=len(found), marked=len(marked), both=len(found & marked))


def _typed(labels: np.ndarray[Any, Any]) -> Iterator[tuple[int, int, str]]:
    """The spans that labels give, with the types of their first tokens."""
    for first, last in tagger.decode_spans(np.eye(len(tagger.LABELS), dtype=np.float32)[labels]):
        yield first, last, tagger.LABELS[int(labels[first])][2:]


def _report(gold: list[Example], papers: int, folds: int, agreed: Counter[str]) -> dict[str, Any]:
    """What the shipped weights were trained on and how."""
    names = [entity for example in gold for entity in example.gold]
    precision, recall = agreed["both"] / agreed["found"], agreed["both"] / agreed["marked"]
    return {
        "annotated papers": len(gold),
        "annotated names": dict(sorted(Counter(n.type for n in names if not n.optional).items())),
        "optional names": sum(n.optional for n in names),
        "unlabelled papers": papers,
        "network": {
            "parameters": sum(p.numel() for p in Network().parameters()),
            "epochs": {"silver": _SILVER_EPOCHS, "gold": _GOLD_EPOCHS},
            "seed": SEED,
            "typed spans in papers of other folds": {
                "folds": folds,
                "precision": round(precision, 3),
                "recall": round(recall, 3),
                "F1": round(2 * precision * recall / (precision + recall), 3),
            },
        },
        "regressions": {
            "first": ENTITY_C,
            "second": STACKED_C,
            "types": TYPES_C,
            "roles": ROLES_C,
            "threshold": THRESHOLD,
        },
        "made with": {name: version(name) for name in ("numpy", "scikit-learn", "torch")},
    }


def _from_silver(kept: Path, annotations: Path, unlabelled: Path, left_out: list[Path]) -> tuple[Network, int]:
    """The network as the silver labels of so many papers teach it; it is kept in a file, used where it exists."""
    network = Network()
    if kept.exists():
        stored = torch.load(kept, weights_only=True)
        network.load_state_dict(stored["network"])
        return network, stored["papers"]
    teacher = _teacher(annotations)
    silver = [silver_tagged(doc, teacher) for doc in unlabelled_papers(unlabelled, left_out)]
    fit(network, silver, epochs=_SILVER_EPOCHS, rate=2e-3, batch=16)
    torch.save({"network": network.state_dict(), "papers": len(silver)}, kept)
    return network, len(silver)


def _teacher(annotations: Path) -> ExtractionPipeline:
    """A reader without a tagger, which gives the silver labels."""
    found = [list(examples(annotations, lexicon)) for lexicon in lexicon_views(shipped_lexicon())]
    columns = all_candidate_columns(found)
    first, second = fit_entity_models(found, columns)
    types = HashedSoftmax(fit_type_model(found, columns), 0.0)
    nothing = HashedSoftmax(np.zeros((1, len(classifier.ROLE_LABELS)), dtype=np.float32), 0.0)
    return ExtractionPipeline(
        shipped_lexicon(), HashedSoftmax(first, THRESHOLD), HashedSoftmax(second, THRESHOLD), types, nothing, _LAYERS
    )


def _tuned(base: Network, data: list[Tagged]) -> Network:
    torch.manual_seed(SEED)
    network = Network()
    network.load_state_dict(base.state_dict())
    fit(network, data, epochs=_GOLD_EPOCHS, rate=5e-4, batch=8)
    return network


if __name__ == "__main__":
    main()
