"""Semantic Scholar: bulk search, up to a thousand papers a page, from token to token.

Without a key all the world shares one pool of requests, so the pace is slow and 429 is common.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from kg.fetching.service import Key, Page, Request, Service, count, lines, objects, parsed

_FIELDS: Final = (
    "title,abstract,year,publicationDate,authors,venue,publicationVenue,journal,externalIds,corpusId,url,openAccessPdf"
)


def _first(query: str, _today: date) -> tuple[Request, ...]:
    return (Request("/paper/search/bulk", (("query", query), ("fields", _FIELDS))),)


def _read(request: Request, body: bytes) -> Page:
    answer = parsed(body, dict)
    papers = objects(answer.get("data"), "papers")
    whole = [paper for paper in papers if paper.get("abstract")]
    token = answer.get("token")
    following = request.setting("token", str(token)) if papers and token else None
    return Page(lines(whole), following, count(answer.get("total")), len(papers) - len(whole))


SERVICE: Final = Service(
    "Semantic Scholar",
    "https://api.semanticscholar.org/graph/v1",
    3.0,
    _first,
    _read,
    Key("SEMANTIC_SCHOLAR_API_KEY", "header", "x-api-key"),
)
