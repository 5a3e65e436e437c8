"""OpenAlex: works that match a search and have an abstract, a hundred a page, from cursor to cursor.

Only the fields that `kg build` reads are asked for. A free key raises what may be asked in a day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from citekg.fetching.service import (
    Key,
    Lookup,
    MalformedAnswer,
    Page,
    Request,
    Service,
    count,
    lines,
    objects,
    parsed,
    title_phrases,
)

_FIELDS: Final = (
    "id,doi,ids,title,display_name,publication_year,publication_date,primary_location,best_oa_location,"
    "locations,authorships,abstract_inverted_index,referenced_works"
)

#: What a filter takes for an operator.
_OPERATORS: Final = re.compile(r'[,|"]')
_IDS: Final = 50
_CANDIDATES: Final = 10


def _first(query: str, _today: date) -> tuple[Request, ...]:
    asked = {
        "search": query, "filter": "has_abstract:true", "select": _FIELDS, "per_page": "100", "cursor": "*",
    }  # fmt: skip
    return (Request("/works", tuple(asked.items())),)


def _read(request: Request, body: bytes) -> Page:
    answer = parsed(body, dict)
    works, meta = objects(answer.get("results"), "results"), answer.get("meta")
    if not isinstance(meta, dict):
        raise MalformedAnswer("the answer does not tell where the next page is")
    cursor = meta.get("next_cursor")
    following = request.setting("cursor", str(cursor)) if works and cursor else None
    return Page(lines(works), following, count(meta.get("count")))


def _key(arxiv: str, doi: str) -> str:
    """The DOI, also the one that arXiv gives every paper; none that a filter would take apart."""
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
    Key("OPENALEX_API_KEY", "parameter", "api_key"),
    lookup=Lookup(_key, _by_ids, _by_title, "openalex", _IDS),
)
