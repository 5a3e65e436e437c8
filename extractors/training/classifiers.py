"""The regressions of the decision step and of the roles, trained from annotated papers.

`citekg.extractors.training.train` is the command. Needs scikit-learn (the extra `train`). Nothing is random:
the optimiser starts at zero, so the same annotations give the same weights.
"""

from __future__ import annotations

import json
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
from citekg.extractors.roles import classifier
from citekg.extractors.roles.patterns import match_patterns
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How little the regressions' weights are held back, and the acceptance threshold: chosen by cross-validation.
ENTITY_C: Final = 0.05
STACKED_C: Final = 0.02
TYPES_C: Final = 1.5
SILVER_SHARE: Final = 0.5
ROLES_C: Final = 0.1
THRESHOLD: Final = 0.5
#: How much of a training row's weight goes to the other roles that annotators would defend.
_ALSO: Final = 0.3
#: Roles that are rarer than readers care for them weigh more.
_RARE: Final = {"extends": 1.5, "comparesTo": 1.3, "trainsOn": 2.0}
_FOLDS: Final = 4
_WEIGHTS: Final = Path(__file__).parent / "weights"


#: A training row: the columns of its features, its answer, and its weight.
Row = tuple[Collection[int], int, float]


@dataclass(frozen=True)
class Example:
    """An annotated paper with its candidates and, for each, the gold entity it names, if any."""

    doc: Document
    gold: list[GoldEntity]
    candidates: list[Candidate]
    named: list[GoldEntity | None]
    tagged: NDArray[np.float32] | None


def examples(path: Path, lexicon: Lexicon, unseen: Path | None = None) -> Iterator[Example]:
    """The annotated papers of a file, with candidates matched to the gold entities.

    `unseen` is the folder of label probabilities that a tagger gave these papers without having
    learnt from them (see `citekg.extractors.training.train`); without it the tagger layer is off.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        doc = make_document(Paper(row["id"], row["title"], row["abstract"]))
        gold = gold_entities(row)
        tagged = np.load(unseen / f"{row['id']}.npy").astype(np.float32) if unseen else None
        spans = tagger.decode_spans(tagged) if tagged is not None else ()
        candidates = list(generate_candidates(doc, lexicon, frozenset(LAYERS), spans, refusing=False).values())
        named = [_named(doc, candidate, gold) for candidate in candidates]
        yield Example(doc, gold, candidates, named, tagged)


def _named(doc: Document, candidate: Candidate, gold: list[GoldEntity]) -> GoldEntity | None:
    folded = normalise(doc.span_text(*candidate.spans[0]))
    return next((g for g in gold if folded in g.forms), None)


def lexicon_views(lexicon: Lexicon) -> Iterator[Lexicon]:
    """The lexicon without its tasks and settings: whole, and with either half of its names hidden.

    The lexicon knows more of the annotated papers than of papers to come, because it was written
    beside them; hiding names teaches the decision step to go by the text as well.
    """
    names = [entry for entry in lexicon.rows if not entry.setting]
    yield Lexicon.of(names)
    for half in (0, 1):
        yield Lexicon.of(e for e in names if zlib.crc32(e.key.encode("utf-8")) % 2 == half)


#: For each view and paper, the columns of its candidates' own features.
Columns = list[list[list[set[int]]]]


def all_candidate_columns(found: list[list[Example]]) -> Columns:
    """What `fit_entity_models` and `fit_type_model` learn from, of the same papers in several views."""
    return [[candidate_columns(e.doc, e.candidates, e.tagged) for e in view] for view in found]


def fit_entity_models(found: list[list[Example]], first: Columns) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The weight tables of the first and the second look, from the papers and their `all_candidate_columns`.

    The second look learns from first answers that a paper got from weights it did not teach.
    """
    second: list[Row] = []
    for fold in range(_FOLDS):
        others = [i for i in range(len(found[0])) if i % _FOLDS != fold]
        weights = HashedSoftmax(fit(_rows(found, first, others), len(decoding.LABELS), ENTITY_C), 0.0)
        for view, columns in zip(found, first, strict=True):
            for i in range(fold, len(view), _FOLDS):
                answers = weights.probabilities(columns[i])
                rows = stacked_columns(view[i].doc, view[i].candidates, columns[i], answers)
                second += _labelled(view[i], rows)
    everything = range(len(found[0]))
    first_table = fit(_rows(found, first, everything), len(decoding.LABELS), ENTITY_C)
    return first_table, fit(second, len(decoding.LABELS), STACKED_C)


def fit_type_model(found: list[list[Example]], first: Columns, silver: Iterable[Row] = ()) -> NDArray[np.float32]:
    """The weight table that tells the types of names apart; optional names teach it, too, with half the weight.

    Silver rows weigh `SILVER_SHARE` of the annotated ones, type by type, however many there are: which
    types are common is learnt from the annotated papers alone.
    """
    gold = [
        (own, decoding.LABELS.index(gold.type) - 1, 0.5 if gold.optional else 1.0)
        for view, columns in zip(found, first, strict=True)
        for example, candidates in zip(view, columns, strict=True)
        for gold, own in zip(example.named, candidates, strict=True)
        if gold
    ]
    listed = list(silver)
    annotated, unlabelled = (
        [sum(w for _, t, w in rows if t == n) for n in range(len(TYPES))] for rows in (gold, listed)
    )
    shared = ((own, t, SILVER_SHARE * w * annotated[t] / unlabelled[t]) for own, t, w in listed)
    return fit((*gold, *shared), len(TYPES), TYPES_C)


def _rows(found: list[list[Example]], first: Columns, papers: Iterable[int]) -> list[Row]:
    chosen = list(papers)
    return [
        row
        for view, columns in zip(found, first, strict=True)
        for i in chosen
        for row in _labelled(view[i], columns[i])
    ]


def _labelled(example: Example, rows: list[set[int]]) -> Iterator[Row]:
    """The rows of an example with the right answers; optional names teach nothing."""
    for gold, columns in zip(example.named, rows, strict=True):
        if gold is None or not gold.optional:
            yield columns, decoding.LABELS.index(gold.type) if gold else 0, 1.0


def _role_rows(found: Iterable[Example]) -> Iterator[Row]:
    for example in found:
        entities = gold_accepted(example)
        required = sum(not gold.optional for gold, _ in entities)
        for gold, chosen in entities:
            columns = classifier.role_columns(example.doc, chosen, required, match_patterns(example.doc, chosen))[0]
            others = gold.also_roles
            shares = {gold.role: 1 - _ALSO if others else 1.0} | {other: _ALSO / len(others) for other in others}
            for role, share in shares.items():
                yield columns, classifier.ROLE_LABELS.index(role), share * _RARE.get(role, 1.0)


def gold_accepted(example: Example) -> list[tuple[GoldEntity, decoding.AcceptedEntity]]:
    """The gold entities as if the decision step had found them all."""
    out = []
    for gold in example.gold:
        own = [c for c, g in zip(example.candidates, example.named, strict=True) if g is gold]
        spans = sorted({span for c in own for span in c.spans})
        if spans:
            out.append((gold, decoding.AcceptedEntity(own, spans, gold.type, 1.0)))
    return out


def fit(rows: Iterable[Row], answers: int, strength: float) -> NDArray[np.float32]:
    """The weights, `(COLUMNS, answers)`, of a softmax regression over the rows."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    listed = list(rows)
    pointers = np.cumsum([0, *(len(columns) for columns, _, _ in listed)])
    indices = np.concatenate([np.asarray(sorted(columns)) for columns, _, _ in listed])
    matrix = csr_matrix((np.ones(len(indices)), indices, pointers), shape=(len(listed), decoding.COLUMNS))
    model: Any = LogisticRegression(C=strength, max_iter=1000, fit_intercept=False)
    model.fit(matrix, [answer for _, answer, _ in listed], sample_weight=[weight for _, _, weight in listed])
    table = np.zeros((decoding.COLUMNS, answers), dtype=np.float32)
    table[:, model.classes_] = model.coef_.T
    return table


def save(path: Path, table: NDArray[np.float32], threshold: float) -> None:
    """Write the columns that carry weight, in half precision."""
    kept = np.flatnonzero(np.abs(table).max(axis=1) > 1e-3).astype(np.uint32)
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, columns=kept, values=table[kept].astype(np.float16), threshold=np.float64(threshold))


def train(annotations: Path, unseen: Path, silver: Iterable[Row]) -> None:
    """Train the regressions on a file of annotations, and rows for the types, and write the shipped weights."""
    found = [list(examples(annotations, lexicon, unseen)) for lexicon in lexicon_views(shipped_lexicon())]
    columns = all_candidate_columns(found)
    first, second = fit_entity_models(found, columns)
    save(_WEIGHTS / "first.npz", first, THRESHOLD)
    save(_WEIGHTS / "second.npz", second, THRESHOLD)
    save(_WEIGHTS / "types.npz", fit_type_model(found, columns, silver), 0.0)
    save(_WEIGHTS / "roles.npz", fit(_role_rows(found[0]), len(classifier.ROLE_LABELS), ROLES_C), 0.0)
