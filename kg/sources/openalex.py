"""OpenAlex works: API responses, single works, lists, and the JSON Lines of the snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.decoding import replace_controls
from citekg.sources.fields import InvalidRecord, first, get_list, get_object, get_text
from citekg.sources.json_records import json_format
from citekg.sources.limits import MAX_TEXT_LENGTH


def _paper(work: dict[str, Any], source: Source) -> Paper:
    primary = get_object(work, "primary_location") or get_object(work, "best_oa_location")
    venues = (get_object(primary, "source"), get_object(work, "host_venue"))
    return fields.make_paper(
        source,
        first(get_text(work, "title"), get_text(work, "display_name")),
        rebuild_abstract(get_object(work, "abstract_inverted_index")) or get_text(work, "abstract"),
        own_id=get_text(work, "id").rpartition("/")[2],
        links=_links(work, primary),
        references=fields.get_texts(work, "referenced_works"),
        date=fields.date_prefix(
            get_text(work, "publication_date"), get_text(work, "publication_year")
        ),
        authors=tuple(filter(None, (_author(one) for one in get_list(work, "authorships")))),
        venue=first(*(get_text(venue, "display_name") for venue in venues)),
    )


def rebuild_abstract(index: Mapping[str, Any]) -> str:
    """Return the text of an inverted index (word to positions). Raises `InvalidRecord`.

    >>> rebuild_abstract({"Kites": [0, 2], "lift": [1]})
    'Kites lift Kites'
    """
    placed: list[tuple[int, str]] = []
    length = 0
    for word, positions in index.items():
        if not isinstance(positions, list) or not all(type(at) is int for at in positions):
            raise InvalidRecord(
                f"the positions of {word!r} in the abstract are not a list of numbers"
            )
        length += len(positions) * (len(word) + 1)
        if length > MAX_TEXT_LENGTH:
            raise InvalidRecord(f"the abstract is longer than {MAX_TEXT_LENGTH} characters")
        placed.extend((at, word) for at in positions)
    return replace_controls(" ".join(word for _, word in sorted(placed)))


def _author(authorship: object) -> str:
    if not isinstance(authorship, Mapping):
        raise InvalidRecord("an authorship is not an object")
    return first(
        get_text(get_object(authorship, "author"), "display_name"),
        get_text(authorship, "raw_author_name"),
    )


def _links(work: Mapping[str, Any], primary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the links and identifiers of the work, the best first."""
    yield first(get_text(primary, "landing_page_url"), get_text(work, "doi"), get_text(work, "id"))
    yield get_text(work, "doi")
    yield get_text(get_object(work, "ids"), "doi")
    for place in (primary, *get_list(work, "locations")):
        if isinstance(place, Mapping):
            yield get_text(place, "landing_page_url")
            yield get_text(place, "pdf_url")
    yield get_text(work, "id")


FORMAT: Final = json_format(
    "OpenAlex works: JSON of the API or JSON Lines;"
    " abstracts are rebuilt from their inverted index",
    [frozenset({"abstract_inverted_index"}), frozenset({"authorships", "publication_year"})],
    _paper,
    lists=frozenset({"results"}),
)
