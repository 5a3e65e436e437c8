"""Learn adapted weights from annotated papers, and measure them by cross-validation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.evaluation.annotations import Annotated
from citekg.evaluation.matching import Case
from citekg.evaluation.metrics import Evaluation, evaluate
from citekg.extractors.adaptation.weights import AdaptedWeights
from citekg.extractors.learning.adapting import FOLDS, Progress, adapt
from citekg.extractors.learning.examples import annotated_document
from citekg.learning.decided import decided_documents, with_decisions
from citekg.schemas.errors import WeightsError
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

#: The smallest number of annotated papers.
MIN_PAPERS: Final = 8
#: Resamplings of the papers, and the share of them that must show a gain (paired bootstrap).
_RESAMPLINGS: Final = 1000
_CERTAIN: Final = 0.95


@dataclass(frozen=True)
class Learnt:
    """Adapted weights, with the evaluations of the shipped models and of the adapted ones.

    Both evaluations are about the annotated papers; the adapted models of each paper were learnt
    without its fold.
    """

    weights: AdaptedWeights
    before: Evaluation
    after: Evaluation

    @cached_property
    def share_of_gains(self) -> float:
        """The share of resamplings of the papers in which the typed F1 is higher than before."""
        before, after = _counts(self.before.cases), _counts(self.after.cases)
        papers = sorted({*before, *after})
        if not papers:
            return 0.0
        old, new = (np.array([found[paper] for paper in papers]) for found in (before, after))
        drawn = np.random.default_rng(0).integers(0, len(papers), (_RESAMPLINGS, len(papers)))
        return float(np.mean(_f1(new[drawn].sum(axis=1)) > _f1(old[drawn].sum(axis=1))))

    @property
    def is_better(self) -> bool:
        """Whether the typed F1 is significantly higher."""
        return self.after.typed.f1 > self.before.typed.f1 and self.share_of_gains >= _CERTAIN


def learn(
    annotated: Sequence[Annotated],
    pipeline: ExtractionPipeline,
    decisions: Decisions = NO_DECISIONS,
    papers: Iterable[Paper] = (),
    on_progress: Progress = lambda _done, _total: None,
) -> Learnt:
    """Return the weights learnt from annotated papers and decisions.

    Decisions take precedence over annotations. In `papers`, which are not annotated, names with
    decisions are training examples. Raises `WeightsError` if there are too few annotations.
    """
    if len(annotated) < MIN_PAPERS:
        raise WeightsError(
            f"{len(annotated)} annotated papers are too few to learn from: give at least "
            f"{MIN_PAPERS}, better 50"
        )
    decided = [with_decisions(each, decisions) for each in annotated]
    seen = {each.paper.id for each in annotated}
    found = adapt(
        [annotated_document(each.paper, each.gold) for each in decided],
        pipeline,
        on_progress,
        decided_documents((p for p in papers if p.id not in seen), decisions),
    )
    before = evaluate(decided, pipeline, with_layers=False)
    cases: list[Case] = []
    for fold, weights in enumerate(found.by_fold):
        adapted = replace(pipeline, adapted=weights)
        cases += evaluate(decided[fold::FOLDS], adapted, with_layers=False).cases
    return Learnt(found.weights, before, replace(before, cases=tuple(cases)))


def _counts(cases: Iterable[Case]) -> defaultdict[str, list[int]]:
    """Return the numbers of right entities, and of annotated and found ones, by paper."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for case in cases:
        if case.verdict != "optional":
            counts[case.paper][0] += case.verdict == "right"
            counts[case.paper][1] += (case.gold is not None) + (case.found is not None)
    return counts


def _f1(
    counts: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the F1 of rows of counts."""
    out: np.ndarray[tuple[int], np.dtype[np.float64]] = (
        2 * counts[:, 0] / np.maximum(counts[:, 1], 1)
    )
    return out
