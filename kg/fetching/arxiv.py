"""arXiv: Atom feeds of the API (RFC 4287), 100 entries per page, one request every three seconds.

The query uses arXiv's syntax, such as `all:GRPO` or `cat:cs.LG AND abs:"offline reinforcement
learning"`. A query returns at most 30,000 entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from citekg.fetching.service import (
    Lookup,
    MalformedResponse,
    Page,
    Request,
    RequestRejected,
    Service,
    excerpt,
    title_phrases,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PAGE_SIZE: Final = 100
_MAX_ENTRIES: Final = 30_000
_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_TOTAL: Final = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ENTRY: Final = re.compile(r"<entry[\s>].*?</entry\s*>", re.DOTALL)
#: A valid arXiv id: since 2007 they begin with year and month.
_VALID_ID: Final = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d+|\D.*")
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    return (
        Request(
            "/query", (("search_query", query), ("start", "0"), ("max_results", str(_PAGE_SIZE)))
        ),
    )


def _read(request: Request, body: bytes) -> Page:
    feed, total = _feed(body)
    text = body.decode("utf-8")
    entries = _ENTRY.findall(text)
    _check(feed)
    start = int(request.value("start"))
    # The total of a lookup by ids also counts unknown ids.
    by_ids = bool(request.value("id_list"))
    if len(entries) != len(feed.findall(f"{_ATOM}entry")) or (
        not entries and start < total and not by_ids
    ):
        raise MalformedResponse(f"{len(entries)} entries in a page, though {total} match")
    reached = start + len(entries)
    more = entries and reached < min(total, _MAX_ENTRIES) and not by_ids
    return Page(
        tuple(f"{entry}\n" for entry in entries),
        request.with_parameter("start", str(reached)) if more else None,
        total,
        head=text[: text.find(entries[0])] if entries else "",
    )


def _feed(body: bytes) -> tuple[Element, int]:
    """Return the feed and the number of matching entries; no entity in it is expanded."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        feed: Element = fromstring(body.decode("utf-8"), forbid_dtd=True)
        return feed, int(feed.findtext(_TOTAL) or "")
    except (ParseError, DefusedXmlException, UnicodeDecodeError, ValueError) as error:
        raise MalformedResponse(f"the response is not an Atom feed: {excerpt(body)}") from error


def _check(feed: Element) -> None:
    """Raise `RequestRejected` if the feed is an error, which arXiv reports as an entry."""
    for entry in feed.findall(f"{_ATOM}entry"):
        if "/api/errors#" in entry.findtext(f"{_ATOM}id", ""):
            raise RequestRejected(
                " ".join(entry.findtext(f"{_ATOM}summary", "an error").split()),
                HTTPStatus.BAD_REQUEST,
            )


def _key(arxiv: str, _doi: str) -> str:
    return arxiv if _VALID_ID.fullmatch(arxiv) else ""


def _by_ids(ids: Sequence[str]) -> Request:
    return Request(
        "/query", (("id_list", ",".join(ids)), ("start", "0"), ("max_results", str(_PAGE_SIZE)))
    )


def _by_title(title: str) -> Request:
    longest = max(title_phrases(title), key=len)
    parameters = {"search_query": f'ti:"{longest}"', "start": "0", "max_results": str(_CANDIDATES)}
    return Request("/query", tuple(parameters.items()))


SERVICE: Final = Service(
    "arXiv",
    "https://export.arxiv.org/api",
    3.0,
    _first,
    _read,
    tail="</feed>\n",
    lookup=Lookup(_key, _by_ids, _by_title, "arxiv-xml", _PAGE_SIZE),
)
