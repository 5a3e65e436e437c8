"""Measures of reported results: comparable values, their ranking and their display.

Only results with the same `Measure` can be compared. Even these may differ in conditions that the
abstract does not state.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from citekg.schemas.metrics import lower_is_better, metric_key
from citekg.schemas.names import key
from citekg.schemas.quantities import FACTOR, parse_quantity
from citekg.schemas.records import CHANGE, DOWN, Paper, Result, ResultName

#: TeX markup in a value: a backslash before a special character, and the dollar signs of a formula.
_TEX: Final = re.compile(r"\\([%&#$])|\$")
_SIGN: Final = re.compile(r"\s*[-+−–]")
#: The missing space in a factor such as "2times".
_UNSPACED_TIMES: Final = re.compile(r"(?<=\d)(?=times\b)")


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """The properties that results must share for their values to be comparable.

    `on` holds the sorted ids of entities (folded names of those without an entity), `metric` the
    folded name of the metric, `unit` the unit as in `Quantity`, and `kind` is `score` or `change`.
    """

    on: tuple[str, ...]
    metric: str
    unit: str
    kind: str

    @property
    def lower_is_better(self) -> bool | None:
        """Whether low values are better; None if that is unknown or values cannot be compared.

        Values without a named metric or a named benchmark or dataset cannot be compared.
        """
        return lower_is_better(self.metric) if self.on and self.metric else None


def measure_of(result: Result) -> Measure:
    """Return the measure of a result."""
    quantity = parse_quantity(result.value)
    metric = metric_key(result.metric)
    unit = quantity.unit if quantity else ""
    on = tuple(sorted({name_key(name) for name in result.on}))
    return Measure(on, metric, "" if _repeats(unit, metric) else unit, result.kind)


def _repeats(unit: str, metric: str) -> bool:
    """Return whether a unit repeats the last word of the metric: 40 steps of "training steps"."""
    word = metric_key(unit)
    return bool(word) and word in (metric, metric.rpartition(" ")[2])


def measure_title(measure: Measure, metric: str, on: Iterable[str]) -> str:
    """Return the title of results with one measure, such as `change of accuracy in % on X`."""
    named = metric or "metric not named"
    units = {"": "", FACTOR: " as a factor"}
    unit = units.get(measure.unit, f" in {measure.unit}")
    listed = ", ".join(on)
    change = "change of " if measure.kind == CHANGE else ""
    return f"{change}{named}{unit}{f' on {listed}' if listed else ''}"


def by_measure(
    results: Iterable[Result], papers: Mapping[str, Paper]
) -> list[tuple[Measure, list[Result]]]:
    """Return the results by measure, best first, or newest first if they cannot be ranked.

    Scores come before changes, and the measure of the most results first.
    """
    found: dict[Measure, list[Result]] = defaultdict(list)
    for result in results:
        found[measure_of(result)].append(result)
    ordered = sorted(found, key=lambda m: (m.kind == CHANGE, -len(found[m]), m))
    return [(measure, _ranked(measure, found[measure], papers)) for measure in ordered]


def _ranked(
    measure: Measure, results: Iterable[Result], papers: Mapping[str, Paper]
) -> list[Result]:
    newest = sorted(results, key=lambda r: r.start)
    newest.sort(key=lambda r: (papers[r.paper].date, r.paper), reverse=True)
    lower = measure.lower_is_better
    if lower is None:
        return newest
    amounts = {r.id: amount_of(r) for r in newest}
    sign = 1 if lower else -1
    return sorted(newest, key=lambda r: (amounts[r.id] is None, sign * (amounts[r.id] or 0.0)))


def metric_name(results: Iterable[Result]) -> str:
    """Return the metric as most of the results spell it."""
    return Counter(r.metric for r in results).most_common(1)[0][0]


def name_key(name: ResultName) -> str:
    """Return the id of the entity of a name, or else the folded name."""
    return name.entity or key(name.text)


def amount_of(result: Result) -> float | None:
    """Return the number by which a result is ranked, or None if its value has no digits.

    A range is ranked by its midpoint. A decrease is negative, or the reciprocal if it is a factor.
    """
    quantity = parse_quantity(result.value)
    if quantity is None:
        return None
    middle = (quantity.low + quantity.high) / 2
    if result.kind != CHANGE or result.direction != DOWN:
        return middle
    if quantity.unit == FACTOR:
        return 1 / middle if middle else None
    return -abs(middle)


def value_label(result: Result) -> str:
    """Return the value for display, without TeX; a change gets a sign, or a word if it is a factor.

    Changes are displayed like `+4.3 points`, `−30%` or `10x lower`.
    """
    value = _TEX.sub(r"\1", result.value.replace("\\times", "×"))
    value = " ".join(_UNSPACED_TIMES.sub(" ", value).split())
    if result.kind != CHANGE or not result.direction or _SIGN.match(value):
        return value
    down = result.direction == DOWN
    quantity = parse_quantity(value)
    if quantity is None or quantity.unit == FACTOR:
        return f"{value} {'lower' if down else 'higher'}"
    return f"{'−' if down else '+'}{value}"


def name_list(names: Iterable[ResultName]) -> str:
    """Return the names as the text spells them, separated by commas."""
    return ", ".join(name.text for name in names)
