"""Metrics of extraction on annotated papers; all of them count the same cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Final

from citekg.evaluation.annotations import Annotated
from citekg.evaluation.matching import Case, Verdict, match_entities, proposing_layers
from citekg.extractors.candidates.generate import LAYERS
from citekg.schemas.vocabulary import DEFAULT, MIN_CONFIDENCE, OUTPERFORMS, Vocabulary

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_BINS: Final = 10


@dataclass(frozen=True)
class Score:
    """True positives (`tp`), false positives (`fp`) and false negatives (`fn`)."""

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """The share of found entities that are right; 0 if nothing was found."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """The share of annotated entities that were found; 0 if nothing is annotated."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class Layer:
    """A candidate layer: how many annotated entities it proposed, and the score of its entities."""

    proposed: int
    annotated: int
    found: Score

    @property
    def recall(self) -> float:
        """The share of the annotated entities that the layer proposed."""
        return self.proposed / self.annotated if self.annotated else 0.0


@dataclass(frozen=True)
class Bin:
    """A calibration bin: mean confidence, precision of entities, precision with the right type."""

    low: float
    count: int
    confidence: float
    entity: float
    typed: float


@dataclass(frozen=True)
class RelationBin:
    """Relations by confidence: their mean confidence, and the share that is right.

    `strict` counts the relations of optional entities as wrong; `required` leaves them out.
    """

    low: float
    high: float
    count: int
    confidence: float
    strict: float
    required: float


@dataclass(frozen=True)
class Evaluation:
    """The cases of annotated papers and their metrics; the vocabulary gives the order of types."""

    papers: int
    cases: tuple[Case, ...]
    vocabulary: Vocabulary = DEFAULT

    def with_verdict(self, *verdicts: Verdict) -> tuple[Case, ...]:
        """Return the cases with one of the verdicts."""
        return tuple(c for c in self.cases if c.verdict in verdicts)

    @cached_property
    def entity(self) -> Score:
        """The score of entities of any type."""
        return Score(
            len(self.with_verdict("right", "type")),
            len(self.with_verdict("extra")),
            len(self.with_verdict("miss")),
        )

    @cached_property
    def typed(self) -> Score:
        """The score of entities with the right type; a wrong type counts in `fp` and `fn`."""
        wrong = len(self.with_verdict("type"))
        return Score(
            len(self.with_verdict("right")), self.entity.fp + wrong, self.entity.fn + wrong
        )

    @cached_property
    def by_type(self) -> dict[str, Score]:
        """The score `typed` by type."""
        cases = self.with_verdict("right", "type", "miss", "extra")
        return _scores(self.vocabulary.types, cases, _annotated_type, _found_type, _has_right_type)

    @cached_property
    def relation_accuracy(self) -> float:
        """The share of entities with the right type of which one role at least is right."""
        cases = self._with_roles("right")
        return _ratio(sum(bool(c.right_roles) for c in cases), len(cases))

    @cached_property
    def role_precision(self) -> float:
        """The share of the roles found for entities with the right type that are right."""
        cases = self._with_roles("right")
        return _ratio(sum(len(c.right_roles) for c in cases), sum(len(c.roles) for c in cases))

    @cached_property
    def role_recall(self) -> float:
        """The share of entities with the right type whose annotated role is found.

        An entity also counts if all its roles are right, even if another role is annotated first.
        """
        cases = self._with_roles("right")
        return _ratio(sum(c.role_is_found for c in cases), len(cases))

    @cached_property
    def by_role(self) -> dict[str, Score]:
        """The score by role, of entities with the right type."""
        return _role_scores(self._with_roles("right"))

    @cached_property
    def by_role_in_all(self) -> dict[str, Score]:
        """The score by role end to end: misses, extras and wrong types count as errors."""
        return _role_scores(self._with_roles("right", "type", "miss", "extra"))

    def _with_roles(self, *verdicts: Verdict) -> list[Case]:
        """Return the cases with one of the verdicts, without annotations that have no role."""
        return [c for c in self.with_verdict(*verdicts) if c.gold is None or c.gold.role]

    @cached_property
    def confusion(self) -> dict[str, dict[str, int]]:
        """The confusion matrix: annotated type, then found type; `""` is no entity."""
        counted = Counter(
            (_annotated_type(c), _shown_type(c))
            for c in self.with_verdict("right", "type", "miss", "extra")
        )
        names = (*self.vocabulary.types, "")
        return {gold: {found: counted[gold, found] for found in names} for gold in names}

    @cached_property
    def by_layer(self) -> dict[str, Layer]:
        """The proposals and found entities of each layer; `""` is all layers together."""
        annotated = self.with_verdict("right", "type", "miss")
        others = sorted({layer for case in self.cases for layer in case.layers}.difference(LAYERS))
        return {
            layer: Layer(
                proposed=sum(layer in c.layers if layer else bool(c.layers) for c in annotated),
                annotated=len(annotated),
                found=_found_score(
                    c for c in self.cases if c.found and (not layer or c.found.layer == layer)
                ),
            )
            for layer in (*LAYERS, *others, "")
        }

    @cached_property
    def calibration(self) -> tuple[Bin, ...]:
        """The found entities in ten bins of confidence."""
        binned: dict[int, list[Case]] = defaultdict(list)
        for case in self.with_verdict("right", "type", "extra"):
            binned[_bin_number(_confidence(case))].append(case)
        return tuple(_bin(n / _BINS, cases) for n, cases in sorted(binned.items()))

    @cached_property
    def relation_calibration(self) -> tuple[RelationBin, ...]:
        """The relations found in ten bins of confidence, then all that are not tentative.

        Annotations without a role do not count, and "outperforms" is left out.
        """
        relations = [
            (confidence, case, role)
            for case in self._with_roles("right", "type", "extra", "optional")
            for role, confidence, _ in (case.found.roles if case.found else ())
            if role != OUTPERFORMS
        ]
        binned: dict[int, list[tuple[float, Case, str]]] = defaultdict(list)
        for relation in relations:
            binned[_bin_number(relation[0])].append(relation)
        shown = [relation for relation in relations if relation[0] >= MIN_CONFIDENCE]
        rows = [(n / _BINS, (n + 1) / _BINS, found) for n, found in sorted(binned.items())]
        if shown:
            rows.append((MIN_CONFIDENCE, 1.0, shown))
        return tuple(starmap(_relation_bin, rows))

    def calibration_error(self, *, typed: bool) -> float:
        """Return the expected calibration error (Naeini et al., 2015) over the bins."""
        count = sum(b.count for b in self.calibration)
        gaps = (
            b.count * abs(b.confidence - (b.typed if typed else b.entity)) for b in self.calibration
        )
        return sum(gaps) / count if count else 0.0


def evaluate(
    annotated: Iterable[Annotated], pipeline: ExtractionPipeline, *, with_layers: bool = True
) -> Evaluation:
    """Extract entities from annotated papers and match them with the annotations.

    Without `with_layers`, the layers that proposed the annotated entities are not determined.
    """
    cases: list[Case] = []
    papers = 0
    for one in annotated:
        papers += 1
        layers = proposing_layers(one, pipeline) if with_layers else {}
        cases += match_entities(one, pipeline.extract(one.paper), layers)
    return Evaluation(
        papers, tuple(cases), pipeline.domain.vocabulary if pipeline.domain else DEFAULT
    )


def _scores(
    names: Iterable[str],
    cases: Iterable[Case],
    annotated: Callable[[Case], str],
    found: Callable[[Case], str],
    is_right: Callable[[Case], bool],
) -> dict[str, Score]:
    """Return a score by name; an error counts in `fn` of the annotated, `fp` of the found name."""
    tp, fp, fn = Counter[str](), Counter[str](), Counter[str]()
    for case in cases:
        if is_right(case):
            tp[annotated(case)] += 1
        else:
            fn[annotated(case)] += 1
            fp[found(case)] += 1
    return {name: Score(tp[name], fp[name], fn[name]) for name in names}


def _annotated_type(case: Case) -> str:
    return case.gold.type if case.gold else ""


def _found_type(case: Case) -> str:
    return case.found.type if case.found else ""


def _shown_type(case: Case) -> str:
    """Return the found type, or the annotated one if the found one is accepted."""
    return _annotated_type(case) if case.verdict == "right" else _found_type(case)


def _has_right_type(case: Case) -> bool:
    return case.verdict == "right"


def _role_scores(cases: Iterable[Case]) -> dict[str, Score]:
    """Return a score by role; each role found for an entity counts.

    A right entity whose annotated role is found gives a true positive for each right role, one with
    only further roles that are equally right a true positive for the annotated role.
    """
    tp, fp, fn = Counter[str](), Counter[str](), Counter[str]()
    for case in cases:
        right = case.right_roles if case.verdict == "right" else frozenset()
        fp.update(case.roles - right)
        if case.gold_role in right:
            tp.update(right)
        elif right and right == case.roles:
            tp[case.gold_role] += 1
        elif case.gold_role:
            fn[case.gold_role] += 1
    return {name: Score(tp[name], fp[name], fn[name]) for name in sorted({*tp, *fp, *fn})}


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _confidence(case: Case) -> float:
    return case.found.confidence if case.found else 0.0


def _found_score(cases: Iterable[Case]) -> Score:
    counted = Counter(c.verdict for c in cases)
    return Score(counted["right"], counted["type"] + counted["extra"], 0)


def _bin_number(confidence: float) -> int:
    return min(round(100 * confidence) * _BINS // 100, _BINS - 1)


def _bin(low: float, cases: list[Case]) -> Bin:
    count = len(cases)
    verdicts = Counter(c.verdict for c in cases)
    confidence = sum(map(_confidence, cases)) / count
    return Bin(
        low,
        count,
        confidence,
        (verdicts["right"] + verdicts["type"]) / count,
        verdicts["right"] / count,
    )


def _relation_bin(low: float, high: float, found: list[tuple[float, Case, str]]) -> RelationBin:
    right = sum(case.verdict == "right" and role in case.accepted_roles for _, case, role in found)
    required = sum(case.verdict != "optional" for _, case, _ in found)
    confidence = sum(each for each, _, _ in found) / len(found)
    return RelationBin(
        low, high, len(found), confidence, right / len(found), _ratio(right, required)
    )
