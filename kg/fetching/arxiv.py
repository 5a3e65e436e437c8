"""arXiv: Atom feeds of the API, a hundred entries a page, one request in three seconds.

The query is in arXiv's own syntax, such as `all:GRPO` or `cat:cs.LG AND abs:"offline reinforcement
learning"`. A query gives at most 30,000 entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from citekg.fetching.service import (
    Lookup,
    MalformedAnswer,
    Page,
    Request,
    RequestRejected,
    Service,
    shown,
    title_phrases,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SIZE: Final = 100
_MOST: Final = 30_000
_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_TOTAL: Final = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ENTRY: Final = re.compile(r"<entry[\s>].*?</entry\s*>", re.DOTALL)
#: An id that arXiv can have given: the new ones begin with a year and a month.
_POSSIBLE: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d+|\D.*")
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    return (Request("/query", (("search_query", query), ("start", "0"), ("max_results", str(_SIZE)))),)


def _read(request: Request, body: bytes) -> Page:
    feed, total = _feed(body)
    text = body.decode("utf-8")
    entries = _ENTRY.findall(text)
    _check(feed)
    start = int(request.value("start"))
    # The total of a page that was asked for by ids counts those that nobody knows.
    by_ids = bool(request.value("id_list"))
    if len(entries) != len(feed.findall(f"{_ATOM}entry")) or (not entries and start < total and not by_ids):
        raise MalformedAnswer(f"{len(entries)} entries in a page, though {total} match")
    reached = start + len(entries)
    more = entries and reached < min(total, _MOST) and not by_ids
    return Page(
        tuple(f"{entry}\n" for entry in entries),
        request.setting("start", str(reached)) if more else None,
        total,
        head=text[: text.find(entries[0])] if entries else "",
    )


def _feed(body: bytes) -> tuple[Element, int]:
    """The feed, and how many entries match; nothing in it is ever expanded."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        feed: Element = fromstring(body.decode("utf-8"), forbid_dtd=True)
        return feed, int(feed.findtext(_TOTAL) or "")
    except (ParseError, DefusedXmlException, UnicodeDecodeError, ValueError) as error:
        raise MalformedAnswer(f"the answer is no Atom feed: {shown(body)}") from error


def _check(feed: Element) -> None:
    """Raises `Refused` where the feed is an error, which arXiv tells as an entry."""
    for entry in feed.findall(f"{_ATOM}entry"):
        if "/api/errors#" in entry.findtext(f"{_ATOM}id", ""):
            raise RequestRejected(
                " ".join(entry.findtext(f"{_ATOM}summary", "an error").split()), HTTPStatus.BAD_REQUEST
            )


def _key(arxiv: str, _doi: str) -> str:
    return arxiv if _POSSIBLE.fullmatch(arxiv) else ""


def _by_ids(ids: Sequence[str]) -> Request:
    return Request("/query", (("id_list", ",".join(ids)), ("start", "0"), ("max_results", str(_SIZE))))


def _by_title(title: str) -> Request:
    longest = max(title_phrases(title), key=len)
    asked = {"search_query": f'ti:"{longest}"', "start": "0", "max_results": str(_CANDIDATES)}
    return Request("/query", tuple(asked.items()))


SERVICE: Final = Service(
    "arXiv",
    "https://export.arxiv.org/api",
    3.0,
    _first,
    _read,
    tail="</feed>\n",
    lookup=Lookup(_key, _by_ids, _by_title, "arxiv-xml", _SIZE),
)
