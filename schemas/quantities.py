"""Quantities: the numbers and the unit of a value as a text spells it (47.3 %, 2.5 points, 10x)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PERCENT: Final = "%"
POINTS: Final = "points"
FACTOR: Final = "x"

#: A number; a dash after a number or its unit marks a range, not a negative number.
_NUMBER = re.compile(r"(?:(?<![\w%])[-+])?(?:\d+(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range with its unit; `low` equals `high` unless the value is a range.

    `unit` is `%`, `points`, `x` (a factor), another unit as the text spells it, or empty.
    """

    low: float
    high: float
    unit: str = ""


def parse_quantity(text: str) -> Quantity | None:
    """Return the quantity of a value, or None if it has no number written in digits."""
    plain = text.replace("\\", "").replace("$", "").replace("−", "-")
    numbers = [float(n.replace(",", "")) for n in _NUMBER.findall(plain)]
    if not numbers:
        return None
    before, *_, after = _NUMBER.split(plain)
    rest = after.strip(" -–~±") or before.strip(" -–~±")
    return Quantity(min(numbers), max(numbers), _unit(rest.casefold()))


def _unit(rest: str) -> str:
    if re.match(r"(absolute |percentage )?(points?|pts?|pp)\b", rest) or rest == "% points":
        return POINTS
    if rest.startswith(("%", "percent", "per cent")):
        return PERCENT
    if rest in {"x", "×", "times", "fold", "-fold", "times fewer", "times faster"}:
        return FACTOR
    return rest
