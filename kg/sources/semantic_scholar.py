"""Semantic Scholar: API responses, bulk JSON Lines, and the full texts of S2ORC.

The records of the bulk files `papers` and `abstracts` are merged by their corpus id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import identifiers, url_of
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import (
    InvalidRecord,
    check_text_length,
    first,
    get_list,
    get_object,
    get_text,
)
from citekg.sources.json_records import json_format


def _paper(answer: dict[str, Any], source: Source) -> Paper:
    record = get_object(answer, "citedPaper") or get_object(answer, "citingPaper") or answer
    ids = _external(record)
    return fields.make_paper(
        source,
        first(get_text(record, "title"), _annotated(record, "title")),
        first(
            get_text(record, "abstract"),
            get_text(record, "paperAbstract"),
            _annotated(record, "abstract"),
        ),
        own_id=first(
            *(
                get_text(record, name)
                for name in ("paperId", "corpusid", "corpusId", "paper_id", "id")
            )
        ),
        links=(
            first(get_text(record, "url"), get_text(record, "s2Url"), get_text(record, "s2_url")),
            ids.get("arxiv", ""),
            ids.get("doi", ""),
            *_pages(record),
        ),
        more=[get_text(get_object(record, "openAccessPdf"), "url"), get_text(record, "pdfUrl")],
        references=_references(record),
        date=fields.date_prefix(
            get_text(record, "publicationDate"),
            get_text(record, "publicationdate"),
            get_text(record, "year"),
        ),
        authors=_authors(record),
        venue=_venue(record),
    )


def _external(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the external ids by the lower-case name of their registry."""
    open_access = get_object(get_object(record, "openaccessinfo"), "externalids")
    within = get_object(record, "externalIds") or get_object(record, "externalids") or open_access
    found = {name.lower(): get_text(within, name) for name in within}
    beside = {"arxiv": get_text(record, "arxiv_id"), "doi": get_text(record, "doi")}
    return {name: value for name, value in beside.items() if value} | {
        n: v for n, v in found.items() if v
    }


def _pages(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pages of the Semantic Scholar ids, which reference lists of other papers use."""
    for own in _own(record):
        yield url_of(own)


def _own(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the Semantic Scholar ids of a paper."""
    numbers = (
        get_text(record, "corpusid"),
        get_text(record, "corpusId"),
        _external(record).get("corpusid", ""),
    )
    return identifiers(
        f"s2:{own}" for own in (get_text(record, "paperId"), get_text(record, "id"), *numbers)
    )


def _references(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the arXiv id and DOI of each reference, else its Semantic Scholar ids."""
    for reference in get_list(record, "references"):
        if isinstance(reference, Mapping):
            ids = _external(reference)
            elsewhere = [ids[name] for name in ("arxiv", "doi") if name in ids]
            yield from elsewhere or _own(reference)
    for name in ("outbound_citations", "outCitations"):
        yield from (f"s2:{cited}" for cited in fields.get_texts(record, name))
    for entry in _spans(record, "bibentry"):
        yield f"s2:{get_text(get_object(entry, 'attributes'), 'matched_paper_id')}"


def _authors(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the authors; older S2ORC files give them in parts."""
    people = get_list(record, "authors")
    return fields.author_names(
        _joined(one) if isinstance(one, Mapping) and "last" in one else one for one in people
    )


def _joined(author: Mapping[str, Any]) -> str:
    middle = (str(part) for part in get_list(author, "middle"))
    return " ".join(
        (get_text(author, "first"), *middle, get_text(author, "last"), get_text(author, "suffix"))
    )


def _venue(record: Mapping[str, Any]) -> str:
    journal = record.get("journal")
    named = (
        get_text(journal, "name") if isinstance(journal, Mapping) else get_text(record, "journal")
    )
    return first(
        get_text(record, "venue"), get_text(get_object(record, "publicationVenue"), "name"), named
    )


def _annotated(record: Mapping[str, Any], name: str) -> str:
    """Return the spans of an S2ORC full text that are annotated as `name`."""
    whole = get_text(get_object(record, "content"), "text")
    try:
        places = [slice(int(span["start"]), int(span["end"])) for span in _spans(record, name)]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidRecord(
            f"the places of the {name} in the full text are not readable"
        ) from error
    check_text_length(*(range(*place.indices(len(whole))) for place in places))
    return " ".join(whole[place].strip() for place in places)


def _spans(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the annotations `name` of an S2ORC full text. Raises `InvalidRecord`."""
    marked = get_object(get_object(record, "content"), "annotations").get(name)
    try:
        spans = json.loads(marked) if isinstance(marked, str) else marked or []
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(
            f"the places of the {name} in the full text are not readable"
        ) from error
    if not isinstance(spans, list) or not all(isinstance(span, Mapping) for span in spans):
        raise InvalidRecord(f"the places of the {name} in the full text are not a list of objects")
    return spans


FORMAT: Final = json_format(
    "Semantic Scholar: JSON of the API, bulk JSON Lines of papers and abstracts, or S2ORC",
    [
        frozenset({"paperId", "title"}),
        frozenset({"corpusid"}),
        frozenset({"externalIds", "title"}),
        frozenset({"paperAbstract"}),
        frozenset({"paper_id", "s2_url"}),
    ],
    _paper,
    lists=frozenset({"data", "recommendedPapers"}),
)
