"""Parse dates in many notations: numbers, English month names and seasons, Unix timestamps.

The parser does not guess: it omits an ambiguous part of a date, such as the month in "05/06/2024",
and returns a warning.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timezone
from functools import lru_cache
from typing import Final

from citekg.schemas.months import MONTHS
from citekg.sources.fields import date_prefix

_MONTH_NAMES: Final = (
    "january february march april may june july august september october november december".split()
)
_MONTH_NUMBERS: Final = {
    name: number for names in (MONTHS, _MONTH_NAMES) for number, name in enumerate(names, 1)
} | {"sept": 9}
#: An English month name, with the day before or after it.
_MONTH_AND_DAY: Final = re.compile(
    rf"(?:\b(\d{{1,2}})\W+)?\b({'|'.join(MONTHS)})[a-z]*\.?(?:\s+(\d{{1,2}})\b)?", re.IGNORECASE
)
#: Words in a date that state no month: seasons, quarters, weekdays and the like.
_IGNORED_WORDS: Final = frozenset(
    "spring summer autumn fall winter q1 q2 q3 q4 quarter early mid late of the c ca circa gmt utc"
    " mon tue tues wed thu thur thurs fri sat sun"
    " monday tuesday wednesday thursday friday saturday sunday".split()
)
_TIME: Final = re.compile(
    r"(?:(?<=\d)t)?\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]m\b)?\s*(?:z\b|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_YEAR_FIRST: Final = re.compile(r"(\d{4})(?:([-/.])(\d\d?)(?:\2(\d\d?))?)?")
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)?")
_YEAR_LAST: Final = re.compile(r"(?:(\d\d?)([-/.]))?(\d\d?)[-/.](\d{4})")
_LEADING_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_WORD: Final = re.compile(r"q[1-4]\b|[^\W\d_]+|\d+")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_YEARS: Final = range(1000, 3000)
#: The numbers read as seconds since 1970 (1973 to 2100), and milliseconds per second.
_TIMESTAMPS: Final = range(10**8, 4_102_444_800)
_MILLISECONDS: Final = 1000
#: The maximum length of a date in characters.
_MAX_LENGTH: Final = 100
_ADVICE: Final = "write YYYY, YYYY-MM or YYYY-MM-DD"


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or empty, and a warning about what was lost."""

    date: str = ""
    warning: str = ""


def parse_date(values: Iterable[object]) -> ParsedDate:
    """Return the most precise date among the values of a record, the first one on a tie.

    >>> parse_date(["May 2024", 2024])
    ParsedDate(date='2024-05', warning='')
    >>> parse_date(["12 Mar 2021"]).date, parse_date(["Spring 2024"]).date
    ('2021-03-12', '2024')
    >>> parse_date([1714953600]).date, parse_date(["2024/5"]).date, parse_date(["13/05/2024"]).date
    ('2024-05-06', '2024-05', '2024-05-13')
    >>> parse_date(["soon"]).warning
    "the date 'soon' cannot be read and is left out: write YYYY, YYYY-MM or YYYY-MM-DD"
    >>> parse_date(["05/06/2024"]).warning.partition(": ")[0]
    "of the date '05/06/2024' only 2024 is read, as the order of day and month is not certain"
    """
    return max(map(_parsed, values), key=lambda found: len(found.date), default=ParsedDate())


def _parsed(value: object) -> ParsedDate:
    """Return the date of a value; many records have the same dates."""
    if isinstance(value, str) and len(value) <= _MAX_LENGTH:
        return _parse_short(value)
    return _parse(value)


@lru_cache(4096)
def _parse_short(value: str) -> ParsedDate:
    return _parse(value)


def _parse(value: object) -> ParsedDate:
    text = _text(value)
    found, lost = next(
        (match for parse in _NOTATIONS for match in parse(text) if match[0]), ("", "")
    )
    if found and not lost:
        return ParsedDate(found)
    shown = (
        repr(value[:_MAX_LENGTH])
        if isinstance(value, str)
        else json.dumps(value, default=str)[:_MAX_LENGTH]
    )
    if found:
        return ParsedDate(found, f"of the date {shown} only {found} is read, as {lost}: {_ADVICE}")
    return ParsedDate("", f"the date {shown} cannot be read and is left out: {_ADVICE}")


def _text(value: object) -> str:
    """Return the value as lower-case text without a time of day; empty if it is not a date."""
    if isinstance(value, float):
        whole = math.isfinite(value) and (value.is_integer() or abs(value) >= _TIMESTAMPS.start)
        return str(int(value)) if whole else ""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return ""
    written = str(value).strip()
    return _TIME.sub("", written.lower()).strip(" ,") if len(written) <= _MAX_LENGTH else ""


#: A date and the reason why it is incomplete; an empty date where the notation does not match.
_Match = tuple[str, str]


def _calendar(year: int, month: int = 0, day: int = 0) -> _Match:
    """Return the date of a year, month and day; 0 means unknown."""
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


def _from_digits(*parts: str | None) -> _Match:
    """Return the date of a year, month and day in digits."""
    return _calendar(*(int(part or 0) for part in parts))


def _parse_timestamp(text: str) -> Iterator[_Match]:
    """Parse a Unix timestamp in seconds or milliseconds, as a day in UTC."""
    if re.fullmatch(r"\d{9,13}(?:\.\d+)?", text):
        number = int(text.partition(".")[0])
        seconds = number if number in _TIMESTAMPS else number // _MILLISECONDS
        if seconds in _TIMESTAMPS:
            yield datetime.fromtimestamp(seconds, timezone.utc).date().isoformat(), ""


def _parse_year_first(text: str) -> Iterator[_Match]:
    """Parse 2024, 2024-05, 2024/5/6, 202405, 20240506 and 2024.0."""
    bare = re.sub(r"^(\d{4})\.0+$", r"\1", text)
    if found := _YEAR_FIRST.fullmatch(bare):
        yield _from_digits(*found.group(1, 3, 4))
    elif found := _COMPACT.fullmatch(bare):
        yield _from_digits(*found.groups())


def _parse_year_last(text: str) -> Iterator[_Match]:
    """Parse 05/2024 and 13/05/2024; the order of day and month must be unambiguous."""
    if not (found := _YEAR_LAST.fullmatch(text)):
        return
    one, other, year = (int(part or 0) for part in found.group(1, 3, 4))
    orders = (
        {_calendar(year, other, one), _calendar(year, one, other)}
        if found[1]
        else {_calendar(year, other)}
    )
    whole = [order for order in orders if not order[1]]
    yield (
        whole[0]
        if len(whole) == 1
        else (_calendar(year)[0], "the order of day and month is not certain")
    )


def _parse_words(text: str) -> Iterator[_Match]:
    """Parse May 2024, 12 Mar 2021, March 12th, 2021 and Spring 2024.

    A date with several months or days loses them.
    """
    words = _WORD.findall(_ORDINAL.sub("", text))
    months = {_MONTH_NUMBERS[word] for word in words if word in _MONTH_NUMBERS}
    figures = {word for word in words if word.isdecimal()}
    years, days = (
        {int(word) for word in figures if (len(word) > 2) is long} for long in (True, False)
    )
    if (
        {*words} - _MONTH_NUMBERS.keys() - _IGNORED_WORDS - figures
        or len(years) != 1
        or (days and not months)
    ):
        return
    month, day = (next(iter(some)) if len(some) == 1 else 0 for some in (months, days))
    yield _calendar(years.pop(), month, day)


def _parse_leading_date(text: str) -> Iterator[_Match]:
    """Parse the date with which a longer text begins."""
    if found := _LEADING_DATE.match(text):
        yield _from_digits(*found.groups())[0], "the rest cannot be read"


_NOTATIONS: Final[tuple[Callable[[str], Iterator[_Match]], ...]] = (
    _parse_timestamp,
    _parse_year_first,
    _parse_year_last,
    _parse_words,
    _parse_leading_date,
)


def parse_month_name(year: str, rest: str) -> str:
    """Return the date of a year and a text with month and day, as YYYY, YYYY-MM or YYYY-MM-DD.

    >>> parse_month_name("2024", "May 6"), parse_month_name("2024", "06 MAY")
    ('2024-05-06', '2024-05-06')
    >>> parse_month_name("2024", "MAY-JUN"), parse_month_name("2024", "Spring")
    ('2024-05', '2024')
    """
    found = _MONTH_AND_DAY.search(rest)
    if not found:
        return date_prefix(year)
    month = 1 + MONTHS.index(found[2].lower())
    return date_prefix(f"{year}-{month:02}-{int(found[1] or found[3] or 0):02}", year)


def date_from_milliseconds(written: str) -> str:
    """Return the day (UTC) of milliseconds since 1970, or an empty text.

    >>> date_from_milliseconds("1714953600000"), date_from_milliseconds("soon")
    ('2024-05-06', '')
    """
    try:
        return (
            datetime.fromtimestamp(int(written) // _MILLISECONDS, timezone.utc).date().isoformat()
        )
    except (ValueError, OverflowError, OSError):
        return ""
