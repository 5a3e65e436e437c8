"""Semantic Scholar: bulk search, up to 1000 papers per page, with token pagination.

Clients without an API key share one rate limit, so requests are slow and status 429 is common.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Final

from citekg.fetching.service import (
    ApiKey,
    Lookup,
    Page,
    Request,
    Service,
    json_lines,
    json_objects,
    parse_json,
    title_phrases,
    total_count,
)

_FIELDS: Final = (
    "title,abstract,year,publicationDate,authors,venue,publicationVenue,journal,externalIds,corpusId,"
    "url,openAccessPdf"
)

_SEARCH: Final = "/paper/search/bulk"
_IDS: Final = 100
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    return (Request(_SEARCH, (("query", query), ("fields", _FIELDS))),)


def _read(request: Request, body: bytes) -> Page:
    if request.path == _SEARCH:
        return _search_page(request, body)
    return _lookup_page(request, body)


def _lookup_page(request: Request, body: bytes) -> Page:
    """Return the papers of a lookup, including those without an abstract.

    A lookup by ids returns a list with nulls, one by title an object.
    """
    if request.body:
        found = [paper for paper in parse_json(body, list) if paper is not None]
    else:
        response = parse_json(body, dict)
        found = response.get("data", [] if response.get("total") == 0 else None)
    return Page(json_lines(json_objects(found, "papers")), None)


def _search_page(request: Request, body: bytes) -> Page:
    response = parse_json(body, dict)
    papers = json_objects(response.get("data"), "papers")
    whole = [paper for paper in papers if paper.get("abstract")]
    token = response.get("token")
    next_request = request.with_parameter("token", str(token)) if papers and token else None
    return Page(
        json_lines(whole),
        next_request,
        total_count(response.get("total")),
        len(papers) - len(whole),
    )


def _key(arxiv: str, doi: str) -> str:
    return f"ARXIV:{arxiv}" if arxiv else f"DOI:{doi}" if doi else ""


def _by_ids(ids: Sequence[str]) -> Request:
    return Request("/paper/batch", (("fields", _FIELDS),), body=json.dumps({"ids": list(ids)}))


def _by_title(title: str) -> Request:
    words = " ".join(title_phrases(title))
    parameters = (("query", words), ("fields", _FIELDS), ("limit", str(_CANDIDATES)))
    return Request("/paper/search", parameters)


SERVICE: Final = Service(
    "Semantic Scholar",
    "https://api.semanticscholar.org/graph/v1",
    3.0,
    _first,
    _read,
    ApiKey("SEMANTIC_SCHOLAR_API_KEY", "header", "x-api-key"),
    lookup=Lookup(
        _key, _by_ids, _by_title, "semantic-scholar", _IDS, none_known="No valid paper ids"
    ),
)
