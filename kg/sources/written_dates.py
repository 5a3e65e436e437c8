"""Dates in the fixed forms of a source: a year with a month in words, or milliseconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Final

from citekg.sources.dates import MONTHS
from citekg.sources.fields import date

#: A month in words, with the day before or behind it.
_MONTH: Final = re.compile(rf"(?:\b(\d{{1,2}})\W+)?\b({'|'.join(MONTHS)})[a-z]*\.?(?:\s+(\d{{1,2}})\b)?", re.IGNORECASE)


def in_words(year: str, rest: str) -> str:
    """The date as YYYY, YYYY-MM or YYYY-MM-DD, as far as the year and the words beside it give it.

    >>> in_words("2024", "May 6"), in_words("2024", "06 MAY"), in_words("2024", "MAY-JUN"), in_words("2024", "Spring")
    ('2024-05-06', '2024-05-06', '2024-05', '2024')
    """
    found = _MONTH.search(rest)
    if not found:
        return date(year)
    month = 1 + MONTHS.index(found[2].lower())
    return date(f"{year}-{month:02}-{int(found[1] or found[3] or 0):02}", year)


def of_milliseconds(written: str) -> str:
    """The day (UTC) of a count of milliseconds since 1970, or an empty text for what is none.

    >>> of_milliseconds("1714953600000"), of_milliseconds("soon"), of_milliseconds("9" * 30)
    ('2024-05-06', '', '')
    """
    try:
        return datetime.fromtimestamp(int(written) // 1000, timezone.utc).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
