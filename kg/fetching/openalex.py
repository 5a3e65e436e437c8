"""OpenAlex: works that match a search and have an abstract, 100 per page, with cursor pagination.

Only the fields that `kg build` reads are requested. A free API key raises the daily limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from citekg.fetching.service import (
    ApiKey,
    Lookup,
    MalformedResponse,
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
    "id,doi,ids,title,display_name,publication_year,publication_date,primary_location,best_oa_location,"
    "locations,authorships,abstract_inverted_index,referenced_works"
)

#: Characters that a filter interprets as operators.
_OPERATORS: Final = re.compile(r'[,|"]')
_IDS: Final = 50
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    parameters = {
        "search": query,
        "filter": "has_abstract:true",
        "select": _FIELDS,
        "per_page": "100",
        "cursor": "*",
    }
    return (Request("/works", tuple(parameters.items())),)


def _read(request: Request, body: bytes) -> Page:
    response = parse_json(body, dict)
    works, meta = json_objects(response.get("results"), "results"), response.get("meta")
    if not isinstance(meta, dict):
        raise MalformedResponse("the response has no cursor of the next page")
    cursor = meta.get("next_cursor")
    next_request = request.with_parameter("cursor", str(cursor)) if works and cursor else None
    return Page(json_lines(works), next_request, total_count(meta.get("count")))


def _key(arxiv: str, doi: str) -> str:
    """Return the DOI of a paper, or the one of arXiv; empty if a filter cannot hold it."""
    own = doi or (f"10.48550/arxiv.{arxiv.lower()}" if arxiv else "")
    return "" if _OPERATORS.search(own) else own


def _by_ids(dois: Sequence[str]) -> Request:
    return _filtered(f"doi:{'|'.join(dois)}", 2 * _IDS)


def _by_title(title: str) -> Request:
    return _filtered("title.search:" + " ".join(title_phrases(title)), _CANDIDATES)


def _filtered(condition: str, size: int) -> Request:
    return Request("/works", (("filter", condition), ("select", _FIELDS), ("per_page", str(size))))


SERVICE: Final = Service(
    "OpenAlex",
    "https://api.openalex.org",
    0.2,
    _first,
    _read,
    ApiKey("OPENALEX_API_KEY", "parameter", "api_key"),
    lookup=Lookup(_key, _by_ids, _by_title, "openalex", _IDS),
)
