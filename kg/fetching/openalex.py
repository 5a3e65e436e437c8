"""OpenAlex: works that match a search and have an abstract, a hundred a page, from cursor to cursor.

Only the fields that `kg build` reads are asked for. A free key raises what may be asked in a day.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from kg.fetching.service import Key, Malformed, Page, Request, Service, count, lines, objects, parsed

_FIELDS: Final = (
    "id,doi,ids,title,display_name,publication_year,publication_date,primary_location,best_oa_location,"
    "locations,authorships,abstract_inverted_index,referenced_works"
)


def _first(query: str, _today: date) -> tuple[Request, ...]:
    asked = {
        "search": query, "filter": "has_abstract:true", "select": _FIELDS, "per_page": "100", "cursor": "*",
    }  # fmt: skip
    return (Request("/works", tuple(asked.items())),)


def _read(request: Request, body: bytes) -> Page:
    answer = parsed(body, dict)
    works, meta = objects(answer.get("results"), "results"), answer.get("meta")
    if not isinstance(meta, dict):
        raise Malformed("the answer does not tell where the next page is")
    cursor = meta.get("next_cursor")
    following = request.setting("cursor", str(cursor)) if works and cursor else None
    return Page(lines(works), following, count(meta.get("count")))


SERVICE: Final = Service(
    "OpenAlex",
    "https://api.openalex.org",
    0.2,
    _first,
    _read,
    Key("OPENALEX_API_KEY", "parameter", "api_key"),
)
