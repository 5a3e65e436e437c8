"""Dates in notations of sources: a year with a month name, or milliseconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Final

from citekg.sources.dates import MONTHS
from citekg.sources.fields import date_prefix

#: An English month name, with the day before or after it.
_MONTH: Final = re.compile(
    rf"(?:\b(\d{{1,2}})\W+)?\b({'|'.join(MONTHS)})[a-z]*\.?(?:\s+(\d{{1,2}})\b)?", re.IGNORECASE
)


def parse_month_name(year: str, rest: str) -> str:
    """Return the date of a year and a text with month and day, as YYYY, YYYY-MM or YYYY-MM-DD.

    >>> parse_month_name("2024", "May 6"), parse_month_name("2024", "06 MAY")
    ('2024-05-06', '2024-05-06')
    >>> parse_month_name("2024", "MAY-JUN"), parse_month_name("2024", "Spring")
    ('2024-05', '2024')
    """
    found = _MONTH.search(rest)
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
        return datetime.fromtimestamp(int(written) // 1000, timezone.utc).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
