"""Hugging Face daily papers, requested day by day.

The query is a day (`2024-05-06`), a month (`2024-05`) or a range (`2024-05-06..2024-06`). Future
days are left out; the page of the current day is never cached.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from citekg.fetching.service import (
    Page,
    Request,
    RequestRejected,
    Service,
    json_lines,
    json_objects,
    parse_json,
)

_LENGTHS: Final = {len("2024-05"): "-01", len("2024-05-06"): ""}


def days(query: str, today: date) -> tuple[date, ...]:
    """Return the days of a query, up to today; raises `RequestRejected` if there are none.

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
    return (
        first.replace(day=monthrange(first.year, first.month)[1])
        if len(text) == len("2024-05")
        else first
    )


def _first(query: str, today: date) -> tuple[Request, ...]:
    return tuple(
        Request(
            "/daily_papers", (("date", str(day)), ("p", "0"), ("limit", "100")), keep=day < today
        )
        for day in days(query, today)
    )


def _read(request: Request, body: bytes) -> Page:
    entries = json_objects(parse_json(body, list), "papers")
    # A page may hold fewer records than the limit and not be the last; only an empty one is.
    next_request = (
        request.with_parameter("p", str(int(request.value("p")) + 1)) if entries else None
    )
    return Page(json_lines(entries), next_request)


SERVICE: Final = Service(
    "Hugging Face daily papers", "https://huggingface.co/api", 0.5, _first, _read
)
