"""The units of results in QUDT, a vocabulary of quantities and units."""

from __future__ import annotations

from typing import Final

from citekg.schemas.vocabulary import PREFIXES

_SPELLINGS: Final = {
    "PERCENT": ("%",),
    "SEC": ("s", "sec", "secs", "second", "seconds"),
    "MilliSEC": ("ms", "msec", "millisecond", "milliseconds"),
    "MIN": ("min", "mins", "minute", "minutes"),
    "HR": ("hr", "hrs", "hour", "hours"),
    "DAY": ("day", "days"),
    "FRAME-PER-SEC": ("fps", "frames/s", "frames per second"),
    "HZ": ("hz",),
    "DeciB": ("db",),
    "MegaBYTE": ("mb",),
    "GigaBYTE": ("gb",),
    "MilliM": ("mm",),
    "CentiM": ("cm",),
    "DEG": ("°", "deg", "degree", "degrees"),
}
_UNITS: Final = {spelling: name for name, all_ in _SPELLINGS.items() for spelling in all_}


def qudt_unit(unit: str) -> str:
    """Return the IRI of the QUDT unit of this spelling (see `Quantity.unit`), or an empty text.

    Percentage points, factors and ambiguous letters (m, a metre or a million) have none.
    """
    name = _UNITS.get(unit.strip().casefold())
    return PREFIXES["unit"] + name if name else ""
