"""Dates as people and programs write them: numbers, names of months and seasons, seconds since 1970.

Nothing is guessed: what a date leaves open, such as the month in "05/06/2024", is left out, and a warning says so.
Names of months and seasons are English.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Final

#: The months in their order, in the letters with which their names begin.
MONTHS: Final = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_FULL: Final = "january february march april may june july august september october november december".split()
_NUMBERS: Final = {name: number for names in (MONTHS, _FULL) for number, name in enumerate(names, 1)} | {"sept": 9}
#: Words beside a year that tell no month: seasons, quarters, days of the week and the like.
_BESIDE: Final = frozenset(
    "spring summer autumn fall winter q1 q2 q3 q4 quarter early mid late of the c ca circa gmt utc"
    " mon tue tues wed thu thur thurs fri sat sun"
    " monday tuesday wednesday thursday friday saturday sunday".split()
)
_TIME: Final = re.compile(
    r"(?:(?<=\d)t)?\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]m\b)?\s*(?:z\b|[+-]\d\d:?\d\d)?", re.IGNORECASE
)
_FIGURES: Final = re.compile(r"(\d{4})(?:([-/.])(\d\d?)(?:\2(\d\d?))?)?")
_RUN: Final = re.compile(r"(\d{4})(\d\d)(\d\d)?")
_YEAR_LAST: Final = re.compile(r"(?:(\d\d?)([-/.]))?(\d\d?)[-/.](\d{4})")
_BEGINNING: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_WORD: Final = re.compile(r"q[1-4]\b|[^\W\d_]+|\d+")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_YEARS: Final = range(1000, 3000)
#: Numbers that are seconds since 1970 (1973 to 2100), and how many milliseconds make one.
_SECONDS: Final = range(10**8, 4_102_444_800)
_MILLI: Final = 1000
#: No date is longer.
_LONG: Final = 100
_WANTED: Final = "write YYYY, YYYY-MM or YYYY-MM-DD"


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or an empty text, and a warning where some of it is lost."""

    date: str = ""
    warning: str = ""


def dated(values: Iterable[object]) -> Dated:
    """The fullest date among the values of a record, of several the first, with its warning.

    >>> dated(["May 2024", 2024]), dated(["12 Mar 2021"]).date, dated(["Spring 2024"]).date
    (Dated(date='2024-05', warning=''), '2021-03-12', '2024')
    >>> dated([1714953600]).date, dated(["2024/5"]).date, dated(["13/05/2024"]).date
    ('2024-05-06', '2024-05', '2024-05-13')
    >>> dated(["soon"]).warning
    "the date 'soon' cannot be read and is left out: write YYYY, YYYY-MM or YYYY-MM-DD"
    >>> dated(["05/06/2024"]).warning.partition(": ")[0]
    "of the date '05/06/2024' only 2024 is read, as the order of day and month is not certain"
    """
    return max(map(_read, values), key=lambda found: len(found.date), default=Dated())


def _read(value: object) -> Dated:
    text = _text(value)
    found, lost = next((reading for form in _FORMS for reading in form(text) if reading[0]), ("", ""))
    if found and not lost:
        return Dated(found)
    shown = repr(value[:_LONG]) if isinstance(value, str) else json.dumps(value, default=str)[:_LONG]
    if found:
        return Dated(found, f"of the date {shown} only {found} is read, as {lost}: {_WANTED}")
    return Dated("", f"the date {shown} cannot be read and is left out: {_WANTED}")


def _text(value: object) -> str:
    """The value as the forms below take it, without a time of the day; empty for what is no date."""
    if isinstance(value, float):
        whole = math.isfinite(value) and (value.is_integer() or abs(value) >= _SECONDS.start)
        return str(int(value)) if whole else ""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return ""
    written = str(value).strip()
    return _TIME.sub("", written.lower()).strip(" ,") if len(written) <= _LONG else ""


#: A date and why it is not all that is written; an empty date where the form does not apply.
_Reading = tuple[str, str]


def _calendar(year: int, month: int = 0, day: int = 0) -> _Reading:
    """The date of these numbers, of which 0 is not known."""
    if year not in _YEARS:
        return "", ""
    if not month:
        return str(year), ""
    if not 1 <= month <= len(MONTHS):
        return str(year), f"there is no month {month}"
    if not day:
        return f"{year}-{month:02}", ""
    try:
        return date(year, month, day).isoformat(), ""
    except ValueError:
        return f"{year}-{month:02}", f"that month has no day {day}"


def _numbered(*parts: str | None) -> _Reading:
    """The date of these digits."""
    return _calendar(*(int(part or 0) for part in parts))


def _epoch(text: str) -> Iterator[_Reading]:
    """Seconds or milliseconds since 1970, in UTC."""
    if re.fullmatch(r"\d{9,13}(?:\.\d+)?", text):
        number = int(text.partition(".")[0])
        seconds = number if number in _SECONDS else number // _MILLI
        if seconds in _SECONDS:
            yield datetime.fromtimestamp(seconds, timezone.utc).date().isoformat(), ""


def _year_first(text: str) -> Iterator[_Reading]:
    """2024, 2024-05, 2024/5/6, 202405, 20240506; a year that became a number with decimals."""
    bare = re.sub(r"^(\d{4})\.0+$", r"\1", text)
    if found := _FIGURES.fullmatch(bare):
        yield _numbered(*found.group(1, 3, 4))
    elif found := _RUN.fullmatch(bare):
        yield _numbered(*found.groups())


def _year_last(text: str) -> Iterator[_Reading]:
    """05/2024, and 13/05/2024 in the order of day and month that is possible."""
    if not (found := _YEAR_LAST.fullmatch(text)):
        return
    one, other, year = (int(part or 0) for part in found.group(1, 3, 4))
    orders = {_calendar(year, other, one), _calendar(year, one, other)} if found[1] else {_calendar(year, other)}
    whole = [order for order in orders if not order[1]]
    yield whole[0] if len(whole) == 1 else (_calendar(year)[0], "the order of day and month is not certain")


def _words(text: str) -> Iterator[_Reading]:
    """May 2024, 12 Mar 2021, March 12th, 2021, Spring 2024; of several months or days the wider date."""
    words = _WORD.findall(_ORDINAL.sub("", text))
    months = {_NUMBERS[word] for word in words if word in _NUMBERS}
    figures = {word for word in words if word.isdecimal()}
    years, days = ({int(word) for word in figures if (len(word) > 2) is long} for long in (True, False))
    if {*words} - _NUMBERS.keys() - _BESIDE - figures or len(years) != 1 or (days and not months):
        return
    month, day = (next(iter(some)) if len(some) == 1 else 0 for some in (months, days))
    yield _calendar(years.pop(), month, day)


def _beginning(text: str) -> Iterator[_Reading]:
    """The date with which a longer text begins."""
    if found := _BEGINNING.match(text):
        yield _numbered(*found.groups())[0], "the rest cannot be read"


_FORMS: Final[tuple[Callable[[str], Iterator[_Reading]], ...]] = (_epoch, _year_first, _year_last, _words, _beginning)
