"""Training of the entity model and the decision network from annotated papers.

`citekg.extractors.training.train` is the command. Requires scikit-learn and PyTorch (the dependency
group `train`). All seeds are fixed, so that the same annotations give the same weights.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.classification import decoding
from citekg.extractors.classification.context_features import columns_with_context
from citekg.extractors.classification.decision_network import DecisionNetwork, span_vectors
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.classification.features import candidate_columns
from citekg.extractors.classification.hashing import COLUMNS, FeatureRows
from citekg.extractors.gold import GoldEntity, gold_entities, named_entity
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.training.decision_training import (
    DecisionRow,
    fit_decision_network,
    save_decision_network,
)
from citekg.schemas.names import key
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Inverse regularisation strength and the acceptance threshold, chosen by cross-validation.
ENTITY_C: Final = 0.05
THRESHOLD: Final = 0.5
#: The folds of all cross-validation: paper i belongs to fold i % FOLDS.
FOLDS: Final = 3
WEIGHTS: Final = Path(__file__).parent.parent / "weights"


#: A training row: feature columns, label and weight.
Row = tuple[Collection[int], int, float]


@dataclass(frozen=True)
class Example:
    """An annotated paper with its candidates and the gold entity that each names, if any."""

    doc: Document
    gold: list[GoldEntity]
    candidates: list[Candidate]
    candidate_gold: list[GoldEntity | None]
    tagged: tagger.TaggedTokens


def make_example(
    row: dict[str, Any], lexicon: Lexicon, trained_tagger: tagger.TokenTagger
) -> Example:
    """Return an annotated paper, a row of an annotation file, as an example."""
    doc = make_document(Paper(row["id"], row["title"], row["abstract"]))
    gold = gold_entities(row)
    tagged = trained_tagger.tag(doc)
    spans = tagger.decode_spans(tagged.probabilities)
    candidates = list(
        generate_candidates(doc, lexicon, frozenset(LAYERS), spans, drop_generic=False).values()
    )
    candidate_gold = [named_entity(doc, candidate, gold) for candidate in candidates]
    return Example(doc, gold, candidates, candidate_gold, tagged)


def lexicon_views(lexicon: Lexicon) -> Iterator[Lexicon]:
    """Yield the lexicon without tasks and settings, whole and with either half of its names hidden.

    The lexicon covers the annotated papers better than future ones, because it was compiled
    together with them. With names hidden, the models also learn to rely on the text.
    """
    names = [entry for entry in lexicon.rows if not entry.setting]
    yield Lexicon.of(names)
    for half in (0, 1):
        yield Lexicon.of(e for e in names if zlib.crc32(e.key.encode("utf-8")) % 2 == half)


#: The columns of each candidate's own features, by view and paper.
Columns = list[list[FeatureRows]]


@dataclass(frozen=True)
class Fold:
    """The entity model that was trained without a fold, and the decision rows of the fold."""

    entity_model: HashedSoftmax
    rows: list[DecisionRow]


def train_decision(views: list[list[Example]], folder: Path = WEIGHTS) -> list[Fold]:
    """Train the entity model and the decision network, and write their weights to a folder.

    The decision network reads the probabilities of the entity model in its context features. It is
    trained on cross-validated ones (stacking), which are those of the folds returned.
    """
    columns = [
        [candidate_columns([(e.doc, e.candidates, e.tagged)]) for e in view] for view in views
    ]
    folds = [_held_out(views, columns, fold) for fold in range(FOLDS)]
    table = _fit_entity_model(views, columns, range(len(views[0])))
    save_weights(folder / "entity.npz", table)
    rows = [row for fold in folds for row in fold.rows]
    save_decision_network(folder / "decision.npz", fit_decision_network(rows), THRESHOLD)
    return folds


def _held_out(views: list[list[Example]], columns: Columns, fold: int) -> Fold:
    """Return the fold with this number."""
    others = [i for i in range(len(views[0])) if i % FOLDS != fold]
    model = HashedSoftmax(_fit_entity_model(views, columns, others))
    rows: list[DecisionRow] = []
    for view, own in zip(views, columns, strict=True):
        for i in range(fold, len(view), FOLDS):
            rows += _decision_rows(view[i], own[i], model.probabilities(own[i]))
    return Fold(model, rows)


def held_out_network(folds: Sequence[Fold]) -> DecisionNetwork:
    """Return a decision network that was trained without the papers of the first fold."""
    rows = [row for fold in folds[1:] for row in fold.rows]
    return DecisionNetwork.of(fit_decision_network(rows), THRESHOLD)


def _fit_entity_model(
    views: list[list[Example]], columns: Columns, papers: Iterable[int]
) -> NDArray[np.float32]:
    """Return the weight table of the entity model for the papers with these numbers."""
    numbers = list(papers)
    rows = [
        (own, label, 1.0)
        for view, view_columns in zip(views, columns, strict=True)
        for i in numbers
        for own, label in zip(view_columns[i].sets(), _labels(view[i]), strict=True)
        if label is not None
    ]
    return fit_softmax(rows, len(decoding.LABELS), ENTITY_C)


def _labels(example: Example) -> Iterator[int | None]:
    """Yield the label of each candidate; None means an optional name, which is left out."""
    for gold in example.candidate_gold:
        if gold is None:
            yield 0
        else:
            yield None if gold.optional else decoding.LABELS.index(gold.type)


def _decision_rows(
    example: Example, own: FeatureRows, alone: NDArray[np.float32]
) -> Iterator[DecisionRow]:
    """Yield the labelled candidates of a paper; `alone` are the entity model's probabilities."""
    columns = columns_with_context([(example.doc, example.candidates)], own, alone)
    vectors = span_vectors(example.tagged.vectors, example.candidates)
    for row, vector, label in zip(columns.sets(), vectors, _labels(example), strict=True):
        if label is not None:
            yield DecisionRow(np.array(sorted(row), dtype=np.int32), vector, label)


def gold_as_accepted(example: Example) -> list[tuple[GoldEntity, decoding.AcceptedEntity]]:
    """Return the gold entities of the text, as if decoding had accepted them.

    One that no candidate names has the spans of its annotated surface forms.
    """
    out = []
    for gold in example.gold:
        own = [
            c for c, g in zip(example.candidates, example.candidate_gold, strict=True) if g is gold
        ] or [Candidate(key(gold.name), _surface_spans(example.doc, gold))]
        spans = sorted({span for c in own for span in c.spans})
        if spans:
            out.append((gold, decoding.AcceptedEntity(own, spans, gold.type, 1.0)))
    return out


def _surface_spans(doc: Document, gold: GoldEntity) -> list[tuple[int, int]]:
    """Return the token spans of the surface forms; the longer one where two overlap."""
    spans: list[tuple[int, int]] = []
    for surface in sorted(set(gold.surfaces), key=lambda s: (-len(s), s)):
        for found in re.finditer(re.escape(surface), doc.text):
            span = doc.token_span(*found.span())
            if span and all(span[1] <= a or b <= span[0] for a, b in spans):
                spans.append(span)
    return sorted(spans)


def fit_softmax(
    rows: Iterable[Row], label_count: int, inverse_regularisation: float
) -> NDArray[np.float32]:
    """Return the weights of a softmax regression over the rows, `(COLUMNS, label_count)`."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    listed = list(rows)
    pointers = np.cumsum([0, *(len(columns) for columns, _, _ in listed)])
    indices = np.concatenate([np.asarray(sorted(columns)) for columns, _, _ in listed])
    used, places = np.unique(indices, return_inverse=True)
    matrix = csr_matrix((np.ones(len(places)), places, pointers), shape=(len(listed), len(used)))
    model: Any = LogisticRegression(C=inverse_regularisation, max_iter=1000, fit_intercept=False)
    model.fit(
        matrix,
        [label for _, label, _ in listed],
        sample_weight=[weight for _, _, weight in listed],
    )
    table = np.zeros((COLUMNS, label_count), dtype=np.float32)
    # For two labels, scikit-learn has only the weights of the second.
    labels = model.classes_[-len(model.coef_) :]
    table[np.ix_(used, labels)] = model.coef_.T
    return table


def save_weights(path: Path, table: NDArray[np.float32]) -> None:
    """Write the columns with non-negligible weights, in half precision."""
    columns_kept = np.flatnonzero(np.abs(table).max(axis=1) > 1e-3).astype(np.uint32)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        np.savez(
            file,
            columns=columns_kept,
            values=table[columns_kept].astype(np.float16),
        )
