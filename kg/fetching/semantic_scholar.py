"""Semantic Scholar: bulk search, up to a thousand papers a page, from token to token.

Without a key all the world shares one pool of requests, so the pace is slow and 429 is common.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Final

from citekg.fetching.service import Key, Lookup, Page, Request, Service, count, lines, objects, parsed, title_phrases

_FIELDS: Final = (
    "title,abstract,year,publicationDate,authors,venue,publicationVenue,journal,externalIds,corpusId,url,openAccessPdf"
)

_SEARCH: Final = "/paper/search/bulk"
_IDS: Final = 100
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    return (Request(_SEARCH, (("query", query), ("fields", _FIELDS))),)


def _read(request: Request, body: bytes) -> Page:
    return _searched(request, body) if request.path == _SEARCH else _looked_up(request, body)


def _looked_up(request: Request, body: bytes) -> Page:
    """The papers of a lookup, also those without an abstract: a list with nulls by ids, an object by title."""
    if request.body:
        found = [paper for paper in parsed(body, list) if paper is not None]
    else:
        answer = parsed(body, dict)
        found = answer.get("data", [] if answer.get("total") == 0 else None)
    return Page(lines(objects(found, "papers")), None)


def _searched(request: Request, body: bytes) -> Page:
    answer = parsed(body, dict)
    papers = objects(answer.get("data"), "papers")
    whole = [paper for paper in papers if paper.get("abstract")]
    token = answer.get("token")
    following = request.setting("token", str(token)) if papers and token else None
    return Page(lines(whole), following, count(answer.get("total")), len(papers) - len(whole))


def _key(arxiv: str, doi: str) -> str:
    return f"ARXIV:{arxiv}" if arxiv else f"DOI:{doi}" if doi else ""


def _by_ids(ids: Sequence[str]) -> Request:
    return Request("/paper/batch", (("fields", _FIELDS),), body=json.dumps({"ids": list(ids)}))


def _by_title(title: str) -> Request:
    asked = {"query": " ".join(title_phrases(title)), "fields": _FIELDS, "limit": str(_CANDIDATES)}
    return Request("/paper/search", tuple(asked.items()))


SERVICE: Final = Service(
    "Semantic Scholar",
    "https://api.semanticscholar.org/graph/v1",
    3.0,
    _first,
    _read,
    Key("SEMANTIC_SCHOLAR_API_KEY", "header", "x-api-key"),
    lookup=Lookup(_key, _by_ids, _by_title, "semantic-scholar", _IDS, none_known="No valid paper ids"),
)
