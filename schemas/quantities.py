"""Quantities: the numbers and the unit of a value as a text spells it (47.3 %, 2.5 points, 10x)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PERCENT: Final = "%"
POINTS: Final = "points"
FACTOR: Final = "x"

_NUMBER = re.compile(r"[-+]?(?:\d+(?:,\d{3})+|\d+)?(?:\.\d+|\d)")


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
    rest = _NUMBER.sub(" ", plain).strip(" -–~±").casefold()
    return Quantity(min(numbers), max(numbers), _unit(rest))


def _unit(rest: str) -> str:
    if re.match(r"(absolute |percentage )?(points?|pts?|pp)\b", rest) or rest == "% points":
        return POINTS
    if rest.startswith(("%", "percent", "per cent")):
        return PERCENT
    if rest in {"x", "×", "times", "fold", "-fold", "times fewer", "times faster"}:
        return FACTOR
    return rest
