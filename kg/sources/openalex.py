"""OpenAlex works: answers of the API, single works, lists of them, and the snapshot's JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.decoding import cleaned
from citekg.sources.fields import InvalidRecord, below, first, listed, text
from citekg.sources.json_records import json_reader
from citekg.sources.limits import TEXT


def _paper(work: dict[str, Any], source: Source) -> Paper:
    primary = below(work, "primary_location") or below(work, "best_oa_location")
    venues = (below(primary, "source"), below(work, "host_venue"))
    return fields.paper(
        source,
        first(text(work, "title"), text(work, "display_name")),
        abstract(below(work, "abstract_inverted_index")) or text(work, "abstract"),
        own_id=text(work, "id").rpartition("/")[2],
        links=_links(work, primary),
        references=fields.texts(work, "referenced_works"),
        date=fields.date(text(work, "publication_date"), text(work, "publication_year")),
        authors=tuple(filter(None, (_author(one) for one in listed(work, "authorships")))),
        venue=first(*(text(venue, "display_name") for venue in venues)),
    )


def abstract(index: Mapping[str, Any]) -> str:
    """The text whose words stand at the positions that an inverted index lists. Raises `Unfit` for other values.

    >>> abstract({"Kites": [0, 2], "lift": [1]})
    'Kites lift Kites'
    """
    placed: list[tuple[int, str]] = []
    length = 0
    for word, positions in index.items():
        if not isinstance(positions, list) or not all(type(at) is int for at in positions):
            raise InvalidRecord(f"the positions of {word!r} in the abstract are no list of numbers")
        length += len(positions) * (len(word) + 1)
        if length > TEXT:
            raise InvalidRecord(f"the abstract is longer than {TEXT} characters")
        placed.extend((at, word) for at in positions)
    return cleaned(" ".join(word for _, word in sorted(placed)))


def _author(authorship: object) -> str:
    if not isinstance(authorship, Mapping):
        raise InvalidRecord("an authorship is no object")
    return first(text(below(authorship, "author"), "display_name"), text(authorship, "raw_author_name"))


def _links(work: Mapping[str, Any], primary: Mapping[str, Any]) -> Iterator[str]:
    """What may link to the work or name it, the best first."""
    yield first(text(primary, "landing_page_url"), text(work, "doi"), text(work, "id"))
    yield text(work, "doi")
    yield text(below(work, "ids"), "doi")
    for place in (primary, *listed(work, "locations")):
        if isinstance(place, Mapping):
            yield text(place, "landing_page_url")
            yield text(place, "pdf_url")
    yield text(work, "id")


READER: Final = json_reader(
    "OpenAlex works: JSON of the API or JSON Lines; abstracts are rebuilt from their inverted index",
    [frozenset({"abstract_inverted_index"}), frozenset({"authorships", "publication_year"})],
    _paper,
    lists=frozenset({"results"}),
)
