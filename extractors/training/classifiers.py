"""Training of the entity and type models from annotated papers.

`citekg.extractors.training.train` is the command. Requires scikit-learn (the extra `train`).
Training is deterministic: the optimiser starts at zero, so that the same annotations give the same
weights.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Lexicon, shipped_lexicon
from citekg.extractors.classification import decoding
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.gold import GoldEntity, gold_entities, normalise
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.pipeline import candidate_columns, stacked_columns
from citekg.schemas.names import key
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Inverse regularisation strengths and the acceptance threshold, chosen by cross-validation.
ENTITY_C: Final = 0.05
STACKED_C: Final = 0.02
TYPES_C: Final = 1.5
SILVER_SHARE: Final = 0.5
THRESHOLD: Final = 0.5
FOLDS: Final = 4
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
    tagged: NDArray[np.float32] | None


def read_examples(path: Path, lexicon: Lexicon, held_out: Path | None = None) -> Iterator[Example]:
    """Yield the annotated papers of a file, with candidates aligned to the gold entities.

    `held_out` is the folder of label probabilities from taggers that were not trained on these
    papers (see `citekg.extractors.training.train`); without it the tagger layer is off.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        doc = make_document(Paper(row["id"], row["title"], row["abstract"]))
        gold = gold_entities(row)
        tagged = np.load(held_out / f"{row['id']}.npy").astype(np.float32) if held_out else None
        spans = tagger.decode_spans(tagged) if tagged is not None else ()
        candidates = list(
            generate_candidates(doc, lexicon, frozenset(LAYERS), spans, drop_generic=False).values()
        )
        candidate_gold = [_find_gold(doc, candidate, gold) for candidate in candidates]
        yield Example(doc, gold, candidates, candidate_gold, tagged)


def _find_gold(doc: Document, candidate: Candidate, gold: list[GoldEntity]) -> GoldEntity | None:
    """Return the gold entity that the candidate names, if any."""
    folded = normalise(doc.span_text(*candidate.spans[0]))
    return next((g for g in gold if folded in g.forms), None)


def lexicon_views(lexicon: Lexicon) -> Iterator[Lexicon]:
    """Yield the lexicon without tasks and settings, whole and with either half of its names hidden.

    The lexicon covers the annotated papers better than future ones, because it was written beside
    them. With names hidden, the models also learn to rely on the text.
    """
    names = [entry for entry in lexicon.rows if not entry.setting]
    yield Lexicon.of(names)
    for half in (0, 1):
        yield Lexicon.of(e for e in names if zlib.crc32(e.key.encode("utf-8")) % 2 == half)


#: The columns of each candidate's own features, by view and paper.
Columns = list[list[list[set[int]]]]


def all_candidate_columns(views: list[list[Example]]) -> Columns:
    """Return the feature columns of all candidates, for the same papers in several views."""
    return [[candidate_columns(e.doc, e.candidates, e.tagged) for e in view] for view in views]


def fit_entity_models(
    views: list[list[Example]], columns_by_view: Columns
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the weight tables of the entity model and the stacked model.

    The stacked model is trained on cross-validated probabilities of the entity model (stacking).
    """
    stacked_rows: list[Row] = []
    for fold in range(FOLDS):
        others = [i for i in range(len(views[0])) if i % FOLDS != fold]
        weights = HashedSoftmax(
            fit_softmax(_rows(views, columns_by_view, others), len(decoding.LABELS), ENTITY_C), 0.0
        )
        for view, columns in zip(views, columns_by_view, strict=True):
            for i in range(fold, len(view), FOLDS):
                alone = weights.probabilities(columns[i])
                rows = stacked_columns(view[i].doc, view[i].candidates, columns[i], alone)
                stacked_rows += _labelled_rows(view[i], rows)
    all_papers = range(len(views[0]))
    entity_table = fit_softmax(
        _rows(views, columns_by_view, all_papers), len(decoding.LABELS), ENTITY_C
    )
    return entity_table, fit_softmax(stacked_rows, len(decoding.LABELS), STACKED_C)


def fit_type_model(
    views: list[list[Example]], columns_by_view: Columns, silver: Iterable[Row] = ()
) -> NDArray[np.float32]:
    """Return the weight table of the type model; optional names have half the weight.

    Silver rows have `SILVER_SHARE` of the weight of the annotated ones for each type, so that the
    frequencies of types are learnt from the annotated papers alone.
    """
    gold = [
        (own, decoding.LABELS.index(gold.type) - 1, 0.5 if gold.optional else 1.0)
        for view, columns in zip(views, columns_by_view, strict=True)
        for example, candidates in zip(view, columns, strict=True)
        for gold, own in zip(example.candidate_gold, candidates, strict=True)
        if gold
    ]
    listed = list(silver)
    annotated, unlabelled = (
        [sum(w for _, t, w in rows if t == n) for n in range(len(TYPES))] for rows in (gold, listed)
    )
    shared = ((own, t, SILVER_SHARE * w * annotated[t] / unlabelled[t]) for own, t, w in listed)
    return fit_softmax((*gold, *shared), len(TYPES), TYPES_C)


def _rows(views: list[list[Example]], columns_by_view: Columns, papers: Iterable[int]) -> list[Row]:
    """Return the labelled rows of the papers with these numbers, in all views."""
    numbers = list(papers)
    return [
        row
        for view, columns in zip(views, columns_by_view, strict=True)
        for i in numbers
        for row in _labelled_rows(view[i], columns[i])
    ]


def _labelled_rows(example: Example, rows: list[set[int]]) -> Iterator[Row]:
    """Yield the rows of an example with their labels; optional names are left out."""
    for gold, columns in zip(example.candidate_gold, rows, strict=True):
        if gold is None or not gold.optional:
            yield columns, decoding.LABELS.index(gold.type) if gold else 0, 1.0


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
            first, last = doc.token_at.get(found.start()), doc.token_ending_at.get(found.end())
            if first is not None and last is not None and first <= last:
                span = (first, last + 1)
                if all(span[1] <= a or b <= span[0] for a, b in spans):
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
    table = np.zeros((decoding.COLUMNS, label_count), dtype=np.float32)
    table[np.ix_(used, model.classes_)] = model.coef_.T
    return table


def save_weights(path: Path, table: NDArray[np.float32], threshold: float) -> None:
    """Write the columns with non-negligible weights, in half precision."""
    columns_kept = np.flatnonzero(np.abs(table).max(axis=1) > 1e-3).astype(np.uint32)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            columns=columns_kept,
            values=table[columns_kept].astype(np.float16),
            threshold=np.float64(threshold),
        )


def train_classifiers(annotations: Path, held_out: Path, silver: Iterable[Row]) -> None:
    """Train the models on a file of annotations and silver rows, and write the shipped weights."""
    views = [
        list(read_examples(annotations, lexicon, held_out))
        for lexicon in lexicon_views(shipped_lexicon())
    ]
    columns = all_candidate_columns(views)
    entity_table, stacked_table = fit_entity_models(views, columns)
    save_weights(WEIGHTS / "entity.npz", entity_table, THRESHOLD)
    save_weights(WEIGHTS / "stacked.npz", stacked_table, THRESHOLD)
    save_weights(WEIGHTS / "types.npz", fit_type_model(views, columns, silver), 0.0)
