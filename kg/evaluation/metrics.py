"""How good extraction is on annotated papers: every figure counts the same judged cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from citekg.evaluation.annotations import Annotated
from citekg.evaluation.matching import Case, Verdict, match_entities, proposals
from citekg.extractors.candidates.generate import LAYERS
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_BINS: Final = 10


@dataclass(frozen=True)
class Score:
    """What was found rightly (`tp`), found wrongly (`fp`) and not found (`fn`)."""

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """The share of the found that is right; 0 where nothing was found."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """The share of the annotated that was found; 0 where nothing is annotated."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class Layer:
    """A layer's share: what it proposed of the annotated, and how the entities credited to it fared."""

    proposed: int
    annotated: int
    found: Score

    @property
    def recall(self) -> float:
        """The share of the annotated entities that the layer proposed."""
        return self.proposed / self.annotated if self.annotated else 0.0


@dataclass(frozen=True)
class Bin:
    """The found entities of about one confidence: how sure, how often an entity, how often rightly typed."""

    low: float
    count: int
    confidence: float
    entity: float
    typed: float


@dataclass(frozen=True)
class Evaluation:
    """All cases of some annotated papers, and the figures that follow from them; the vocabulary orders the types."""

    papers: int
    cases: tuple[Case, ...]
    vocabulary: Vocabulary = DEFAULT

    def of(self, *verdicts: Verdict) -> tuple[Case, ...]:
        """The cases with one of these verdicts."""
        return tuple(c for c in self.cases if c.verdict in verdicts)

    @cached_property
    def entity(self) -> Score:
        """Entities, whatever their type."""
        return Score(len(self.of("right", "type")), len(self.of("extra")), len(self.of("miss")))

    @cached_property
    def typed(self) -> Score:
        """Entities with the right type; a wrong type is found wrongly and not found."""
        wrong = len(self.of("type"))
        return Score(len(self.of("right")), self.entity.fp + wrong, self.entity.fn + wrong)

    @cached_property
    def by_type(self) -> dict[str, Score]:
        """`typed` for each type."""
        cases = self.of("right", "type", "miss", "extra")
        return _scores(self.vocabulary.types, cases, _annotated_type, _found_type, _is_typed)

    @cached_property
    def relation_accuracy(self) -> float:
        """The share of the rightly typed entities whose role is right."""
        match_entities = [c for c in self.of("right") if c.gold and c.gold.role]
        return sum(c.role_is_right for c in match_entities) / len(match_entities) if match_entities else 0.0

    @cached_property
    def by_role(self) -> dict[str, Score]:
        """Roles of the rightly typed entities."""
        return self._roles("right")

    @cached_property
    def by_role_in_all(self) -> dict[str, Score]:
        """Roles with everything that goes wrong before them: misses, extras and wrong types count."""
        return self._roles("right", "type", "miss", "extra")

    def _roles(self, *verdicts: Verdict) -> dict[str, Score]:
        cases = [c for c in self.of(*verdicts) if c.gold is None or c.gold.role]
        names = {c.gold.role for c in cases if c.gold} | {c.role for c in cases if c.role}
        return _scores(sorted(names), cases, _annotated_role, lambda c: c.role, _is_roled)

    @cached_property
    def confusion(self) -> dict[str, dict[str, int]]:
        """How often an annotated type (outer) was found as a type (inner); the empty text is "not at all"."""
        counted = Counter((_annotated_type(c), _shown_type(c)) for c in self.of("right", "type", "miss", "extra"))
        names = (*self.vocabulary.types, "")
        return {gold: {found: counted[gold, found] for found in names} for gold in names}

    @cached_property
    def by_layer(self) -> dict[str, Layer]:
        """Each layer's proposals and the found entities credited to it; `""` stands for all layers."""
        annotated = self.of("right", "type", "miss")
        others = sorted({layer for case in self.cases for layer in case.layers}.difference(LAYERS))
        return {
            layer: Layer(
                proposed=sum(layer in c.layers if layer else bool(c.layers) for c in annotated),
                annotated=len(annotated),
                found=_credited(c for c in self.cases if c.found and (not layer or c.found.layer == layer)),
            )
            for layer in (*LAYERS, *others, "")
        }

    @cached_property
    def calibration(self) -> tuple[Bin, ...]:
        """The found entities by confidence, in tenths."""
        binned: dict[int, list[Case]] = defaultdict(list)
        for case in self.of("right", "type", "extra"):
            binned[min(round(100 * _confidence(case)) * _BINS // 100, _BINS - 1)].append(case)
        return tuple(_bin(n / _BINS, cases) for n, cases in sorted(binned.items()))

    def calibration_error(self, *, typed: bool) -> float:
        """The expected calibration error: how far confidence lies from precision, on average."""
        count = sum(b.count for b in self.calibration)
        gaps = (b.count * abs(b.confidence - (b.typed if typed else b.entity)) for b in self.calibration)
        return sum(gaps) / count if count else 0.0


def evaluate(annotated: Iterable[Annotated], reader: ExtractionPipeline) -> Evaluation:
    """Read the annotated papers and judge what was found in each."""
    cases: list[Case] = []
    papers = 0
    for one in annotated:
        papers += 1
        cases += match_entities(one, reader.read(one.paper), proposals(one, reader))
    return Evaluation(papers, tuple(cases), reader.domain.vocabulary if reader.domain else DEFAULT)


def _scores(
    names: Iterable[str],
    cases: Iterable[Case],
    annotated: Callable[[Case], str],
    found: Callable[[Case], str],
    is_right: Callable[[Case], bool],
) -> dict[str, Score]:
    """A score for each name: rights count for the annotated name, wrongs for both it and the found one."""
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
    """The found type, or the annotated one where the found is another that the annotator defends."""
    return _annotated_type(case) if case.verdict == "right" else _found_type(case)


def _is_typed(case: Case) -> bool:
    return case.verdict == "right"


def _annotated_role(case: Case) -> str:
    return case.gold.role if case.gold else ""


def _is_roled(case: Case) -> bool:
    return case.verdict == "right" and case.role_is_right


def _confidence(case: Case) -> float:
    return case.found.confidence if case.found else 0.0


def _credited(cases: Iterable[Case]) -> Score:
    counted = Counter(c.verdict for c in cases)
    return Score(counted["right"], counted["type"] + counted["extra"], 0)


def _bin(low: float, cases: list[Case]) -> Bin:
    count = len(cases)
    verdicts = Counter(c.verdict for c in cases)
    sure = sum(map(_confidence, cases)) / count
    return Bin(low, count, sure, (verdicts["right"] + verdicts["type"]) / count, verdicts["right"] / count)
