"""Adapting the shipped models to annotated papers, with cross-fitting.

The decision layer uses the output of the learnt tagger as features. It is trained on the output of
taggers that were not trained on the paper, because a tagger is overconfident on its training papers
(stacking; Wolpert 1992).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.learnt_tagger import LearntTagger
from citekg.extractors.adaptation.weights import (
    DENSE,
    AdaptedWeights,
    base_scores,
)
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import LABELS
from citekg.extractors.gold import named_entity
from citekg.extractors.learning.examples import (
    AnnotatedDocument,
    labelled_tokens,
)
from citekg.extractors.learning.linear import Regularisation, regularisation_of_labels
from citekg.extractors.learning.roles import (
    RoleRows,
    answers_of,
    fit_calibration,
    fit_roles,
    learnt_roles,
    role_rows,
)
from citekg.extractors.learning.same_entity import fit_same, pair_rows
from citekg.extractors.learning.sequences import LabelledTokens, fit_tagger
from citekg.extractors.learning.softmax import fit_softmax
from citekg.extractors.pipeline import adapted_rows
from citekg.extractors.roles.calibration import Answer
from citekg.extractors.roles.classifier import ROLE_LABELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citekg.extractors.pipeline import ExtractionPipeline

#: The folds of cross-fitting and cross-validation: paper i belongs to fold i % FOLDS.
FOLDS: Final = 4
#: The minimum number of annotated names of a learnt type.
_MIN_NAMES: Final = 5
#: The regularisation of shipped types: a few papers must not change what the shipped models have
#: learnt. Chosen with models of daily papers that were adapted to 20 to 300 papers of other fields,
#: and evaluated on further papers of both kinds.
_SHIPPED_REGULARISATION: Final = Regularisation(60.0, 400.0, 400.0)
#: The same for types of a schema, whose base scores are those of the learnt tagger. Chosen by
#: cross-validation on 200 papers of another field.
_SCHEMA_REGULARISATION: Final = Regularisation(50.0, 50.0, 1.0)
#: The minimum probability of an accepted candidate if types of a schema are learnt.
_THRESHOLD: Final = 0.45

#: A callback that gets the number of completed steps and the number of all steps.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Rows:
    """The candidates of one paper: features, base scores, and the target weights of labels."""

    columns: list[set[int]]
    dense: NDArray[np.float32]
    base: NDArray[np.float32]
    targets: NDArray[np.float32]
    roles: RoleRows


@dataclass(frozen=True)
class Adaptation:
    """Weights learnt from all papers, and those for each fold, learnt from the other folds."""

    weights: AdaptedWeights
    by_fold: tuple[AdaptedWeights, ...]


def adapt(
    documents: Sequence[AnnotatedDocument],
    pipeline: ExtractionPipeline,
    on_progress: Progress = lambda _done, _total: None,
    decided: Sequence[AnnotatedDocument] = (),
) -> Adaptation:
    """Return weights learnt from the annotated papers; the labels are those of the pipeline.

    Only the decided names of papers in `decided` are examples; every fold is trained on them.

    The tagger features of a paper come from a tagger that was not trained on it. The taggers of the
    papers outside a fold were trained on the fold, which influences its decision layer only through
    these features.
    """
    types = learnt_types(documents, pipeline.labels)
    own_roles = pipeline.domain.vocabulary.roles if pipeline.domain else {}
    roles = learnt_roles(documents, [role for role in own_roles if role not in ROLE_LABELS])
    tokens = [labelled_tokens(document, types, pipeline) for document in documents]
    folds, total = (*range(FOLDS), None), 2 * FOLDS + 2
    starts = []
    for done, fold in enumerate(folds, start=1):
        starts.append(_initial_weights(pipeline, _fit_tagger(tokens, fold, types), len(documents)))
        on_progress(done, total)
    rows = [_rows(d, pipeline, starts[n % FOLDS], roles) for n, d in enumerate(documents)]
    others = [_rows(d, pipeline, starts[-1], roles) for d in decided]
    adapted = []
    for done, (fold, start) in enumerate(zip(folds, starts, strict=True), start=FOLDS + 2):
        kept = [row for n, row in enumerate(rows) if n % FOLDS != fold] + others
        decision = _fit_decision(kept, pipeline.labels)
        layer = fit_roles([row.roles for row in kept], pipeline, roles)
        adapted.append(
            replace(start, decision=decision, roles=roles if layer else (), role_layer=layer)
        )
        on_progress(done, total)
    calibrated = _with_calibration(adapted, [row.roles for row in rows], pipeline)
    return _with_same(calibrated, documents, pipeline)


def _with_calibration(
    adapted: Sequence[AdaptedWeights], rows: Sequence[RoleRows], pipeline: ExtractionPipeline
) -> list[AdaptedWeights]:
    """Return the weights with calibrated roles; `adapted` are as in `_with_same`.

    The calibration of a fold is learnt from the predictions for the papers of the other folds.
    """
    found: list[list[Answer]] = []
    for fold, weights in enumerate(adapted[:-1]):
        unseen = rows[fold::FOLDS] if weights.role_layer else ()
        found.append([each for row in unseen for each in answers_of(row, pipeline, weights)])
    out = []
    for fold, weights in enumerate(adapted):
        others = chain.from_iterable(own for n, own in enumerate(found) if n != fold)
        lines = fit_calibration(others, weights.roles) if weights.role_layer else None
        out.append(replace(weights, calibration=lines))
    return out


def _with_same(
    adapted: Sequence[AdaptedWeights],
    documents: Sequence[AnnotatedDocument],
    pipeline: ExtractionPipeline,
) -> Adaptation:
    """Return the weights with a learnt layer for the coreference of entities.

    `adapted` are those of each fold, then those of all papers. The entities of a paper are those
    that the weights of its fold find.
    """
    types = adapted[-1].own_types
    rows = []
    for n, document in enumerate(documents if types else ()):
        reader = replace(pipeline, adapted=adapted[n % FOLDS])
        found = reader.run(document.doc, until="resolve_coreference").accepted
        rows.append(pair_rows(document, found, types))
    by_fold = [[row for n, row in enumerate(rows) if n % FOLDS != fold] for fold in range(FOLDS)]
    whole = [
        replace(weights, same_layer=fit_same(own))
        for weights, own in zip(adapted, (*by_fold, rows), strict=True)
    ]
    return Adaptation(whole[-1], tuple(whole[:-1]))


def learnt_types(documents: Sequence[AnnotatedDocument], labels: Sequence[str]) -> tuple[str, ...]:
    """Return the types with enough annotated names, in the order of the labels."""
    counts = Counter(entity.type for document in documents for entity in document.gold)
    return tuple(label for label in labels if counts[label] >= _MIN_NAMES)


def _fit_tagger(
    tokens: Sequence[LabelledTokens], left_out: int | None, types: tuple[str, ...]
) -> LearntTagger:
    """Return the tagger of the papers outside a fold."""
    return fit_tagger([each for n, each in enumerate(tokens) if n % FOLDS != left_out], types)


def _initial_weights(
    pipeline: ExtractionPipeline, tagger: LearntTagger, papers: int
) -> AdaptedWeights:
    """Return weights with a learnt tagger, and a decision layer of zeros."""
    width = len(pipeline.decision_network.offset) + DENSE * len(tagger.types)
    labels = pipeline.labels
    zeros = LinearLayer(
        np.zeros(0, dtype=np.uint32),
        np.zeros((0, len(labels)), dtype=np.float32),
        np.zeros((width, len(labels)), dtype=np.float32),
        np.zeros(len(labels), dtype=np.float32),
    )
    is_own = any(type_ not in LABELS for type_ in tagger.types)
    threshold = _THRESHOLD if is_own else pipeline.decision_network.threshold
    return AdaptedWeights(labels, (), papers, threshold, tagger, zeros)


def _rows(
    document: AnnotatedDocument,
    pipeline: ExtractionPipeline,
    adapted: AdaptedWeights,
    roles: tuple[str, ...],
) -> _Rows:
    """Return the candidates of an annotated paper that are not optional."""
    draft = replace(pipeline, adapted=adapted).run(document.doc, until="propose")
    columns, dense, shipped = adapted_rows(pipeline, adapted, draft)
    kept, targets = _targets(document, draft.candidates, pipeline.labels)
    return _Rows(
        [columns[n] for n in kept],
        dense[kept],
        base_scores(pipeline.labels, shipped, dense, adapted.tagger.types)[kept],
        targets,
        role_rows(document, draft.candidates, pipeline, roles),
    )


def _targets(
    document: AnnotatedDocument, candidates: Sequence[Candidate], labels: Sequence[str]
) -> tuple[list[int], NDArray[np.float32]]:
    """Return the candidates that are not optional names, and the target weights of their labels."""
    kept, rows = [], []
    for n, candidate in enumerate(candidates):
        gold = named_entity(document.doc, candidate, document.gold)
        if document.is_example(candidate) and (gold is None or not gold.optional):
            kept.append(n)
            rows.append(labels.index(gold.type) if gold else 0)
    return kept, np.eye(len(labels), dtype=np.float32)[rows]


def _fit_decision(rows: Sequence[_Rows], labels: Sequence[str]) -> LinearLayer:
    """Return the decision layer of some papers."""
    is_own = [label not in LABELS for label in labels]
    return fit_softmax(
        [columns for row in rows for columns in row.columns],
        np.concatenate([row.dense for row in rows]),
        np.concatenate([row.base for row in rows]),
        np.concatenate([row.targets for row in rows]),
        regularisation_of_labels(is_own, _SHIPPED_REGULARISATION, _SCHEMA_REGULARISATION),
    )
