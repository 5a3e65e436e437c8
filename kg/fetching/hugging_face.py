"""Hugging Face daily papers, asked for day by day.

The query is a day (`2024-05-06`), a month (`2024-05`), or from one to another (`2024-05-06..2024-06`).
Days to come are left out; the page of a day that is not over is never kept.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from citekg.fetching.service import Page, Request, RequestRejected, Service, lines, objects, parsed

_LENGTHS: Final = {len("2024-05"): "-01", len("2024-05-06"): ""}


def days(query: str, today: date) -> tuple[date, ...]:
    """The days that a query names, up to today; raises `Refused` where it names none.

    >>> [str(day) for day in days("2024-02-28..2024-03-01", date(2024, 5, 6))]
    ['2024-02-28', '2024-02-29', '2024-03-01']
    """
    start, _, end = query.strip().partition("..")
    first, last = _first_day(start), min(_last_day(end or start), today)
    if first > last:
        raise RequestRejected(f"{query!r} holds no day up to {today}")
    return tuple(first + timedelta(days=n) for n in range((last - first).days + 1))


def _first_day(text: str) -> date:
    try:
        return date.fromisoformat(text + _LENGTHS[len(text)])
    except (KeyError, ValueError):
        raise RequestRejected(
            f"{text!r} is neither a day nor a month: write 2024-05-06, 2024-05, or one..other"
        ) from None


def _last_day(text: str) -> date:
    first = _first_day(text)
    return first.replace(day=monthrange(first.year, first.month)[1]) if len(text) == len("2024-05") else first


def _first(query: str, today: date) -> tuple[Request, ...]:
    return tuple(
        Request("/daily_papers", (("date", str(day)), ("p", "0"), ("limit", "100")), keep=day < today)
        for day in days(query, today)
    )


def _read(request: Request, body: bytes) -> Page:
    entries = objects(parsed(body, list), "papers")
    # A page may hold less than the limit and still not be the last, so an empty one is the end.
    following = request.setting("p", str(int(request.value("p")) + 1)) if entries else None
    return Page(lines(entries), following)


SERVICE: Final = Service("Hugging Face daily papers", "https://huggingface.co/api", 0.5, _first, _read)
