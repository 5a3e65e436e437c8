"""Outperformance relations between entities, derived from the reported results of papers.

Only results with linked entities on both sides count, and only if it is known which values of the
metric are better (`citekg.schemas.metrics`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations

from citekg.schemas.measures import name_key
from citekg.schemas.metrics import lower_is_better, metric_key
from citekg.schemas.quantities import PERCENT, POINTS, parse_quantity
from citekg.schemas.records import CHANGE, SCORE, UP, Outperformance, Result, ResultName


def outperformances(results: Iterable[Result]) -> tuple[Outperformance, ...]:
    """Return the outperformance relations that follow from the results, sorted.

    A change implies one by itself: the system of "improves accuracy by 4 points over X" outperforms
    X. A score implies one if the same sentence has the score of the rival for the same metric and
    `on`; the margin is then the difference.
    """
    found: set[Outperformance] = set()
    scores: dict[tuple[str, int, str], list[Result]] = defaultdict(list)
    for result in results:
        if result.kind == CHANGE:
            found.update(_of_change(result))
        elif result.kind == SCORE and result.metric:
            key = result.paper, result.sentence[0], metric_key(result.metric)
            scores[key].append(result)
    for rivals in scores.values():
        for one, other in permutations(rivals, 2):
            found.update(_of_scores(one, other))
    return tuple(sorted(found))


def _of_change(result: Result) -> Iterator[Outperformance]:
    """Yield the relations of a change; without a metric, an increase with a unit is better."""
    quantity = parse_quantity(result.value)
    if result.metric:
        lower = lower_is_better(result.metric)
    else:
        lower = False if result.direction == UP and quantity and quantity.unit else None
    if lower is None or not result.direction or (quantity and not quantity.high):
        return
    wins = (result.direction == UP) is not lower
    better, worse = (result.systems, result.versus)[:: 1 if wins else -1]
    yield from _pairs(result, better, worse, result.value, result.confidence)


def _of_scores(one: Result, other: Result) -> Iterator[Outperformance]:
    """Yield the relations of two scores, if the first is compared with the second's systems."""
    lower = lower_is_better(one.metric)
    margin = _difference(one.value, other.value)
    rivals = {name.entity for name in one.versus} & {name.entity for name in other.systems} - {""}
    if lower is None or not margin or not rivals or _places(one) != _places(other):
        return
    difference, unit = margin
    text = f"{abs(difference):.6g}{f' {unit}' if unit else ''}"
    confidence = min(one.confidence, other.confidence)
    rival_names = [name for name in other.systems if name.entity in rivals]
    better, worse = (one.systems, rival_names)[:: 1 if (difference > 0) is not lower else -1]
    yield from _pairs(one, better, worse, text, confidence)


def _difference(one: str, other: str) -> tuple[float, str] | None:
    """Return the difference of two values and its unit; None for ranges, unlike units and ties."""
    first, second = parse_quantity(one), parse_quantity(other)
    if not first or not second or first.unit != second.unit or first.low == second.low:
        return None
    if first.low != first.high or second.low != second.high:
        return None
    return first.low - second.low, POINTS if first.unit == PERCENT else first.unit


def _places(result: Result) -> set[str]:
    return {name_key(name) for name in result.on}


def _pairs(
    result: Result,
    better: Iterable[ResultName],
    worse: Iterable[ResultName],
    margin: str,
    confidence: float,
) -> Iterator[Outperformance]:
    winners, losers = ({name.entity for name in names} - {""} for names in (better, worse))
    on = tuple(name.text for name in result.on)
    if not winners & losers:
        for winner in winners:
            for loser in losers:
                yield Outperformance(
                    winner, loser, result.paper, result.metric, on, margin, result.id, confidence
                )
