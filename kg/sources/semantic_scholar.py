"""Semantic Scholar: answers of the API, bulk JSON Lines, and the full texts of S2ORC.

The bulk files `papers` and `abstracts` are apart: their records become one paper by the number in the corpus.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.schemas.identifiers import identifiers, url_of
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import InvalidRecord, below, first, fitting, listed, text
from citekg.sources.json_records import json_reader


def _paper(answer: dict[str, Any], source: Source) -> Paper:
    record = below(answer, "citedPaper") or below(answer, "citingPaper") or answer
    ids = _external(record)
    return fields.paper(
        source,
        first(text(record, "title"), _annotated(record, "title")),
        first(text(record, "abstract"), text(record, "paperAbstract"), _annotated(record, "abstract")),
        own_id=first(*(text(record, name) for name in ("paperId", "corpusid", "corpusId", "paper_id", "id"))),
        links=(
            first(text(record, "url"), text(record, "s2Url"), text(record, "s2_url")),
            ids.get("arxiv", ""),
            ids.get("doi", ""),
            *_pages(record),
        ),
        more=[text(below(record, "openAccessPdf"), "url"), text(record, "pdfUrl")],
        references=_references(record),
        date=fields.date(text(record, "publicationDate"), text(record, "publicationdate"), text(record, "year")),
        authors=_authors(record),
        venue=_venue(record),
    )


def _external(record: Mapping[str, Any]) -> dict[str, str]:
    """The identifiers elsewhere by the lower-case name of the place."""
    open_access = below(below(record, "openaccessinfo"), "externalids")
    within = below(record, "externalIds") or below(record, "externalids") or open_access
    found = {name.lower(): text(within, name) for name in within}
    beside = {"arxiv": text(record, "arxiv_id"), "doi": text(record, "doi")}
    return {name: value for name, value in beside.items() if value} | {n: v for n, v in found.items() if v}


def _pages(record: Mapping[str, Any]) -> Iterator[str]:
    """The pages of the site's own ids, by which other papers' lists of references name this one."""
    for own in _own(record):
        yield url_of(own)


def _own(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Semantic Scholar's own identifiers of a paper."""
    numbers = (text(record, "corpusid"), text(record, "corpusId"), _external(record).get("corpusid", ""))
    return identifiers(f"s2:{own}" for own in (text(record, "paperId"), text(record, "id"), *numbers))


def _references(record: Mapping[str, Any]) -> Iterator[str]:
    """What identifies each paper on the list of references: its arXiv id and DOI, else the site's own id."""
    for reference in listed(record, "references"):
        if isinstance(reference, Mapping):
            ids = _external(reference)
            elsewhere = [ids[name] for name in ("arxiv", "doi") if name in ids]
            yield from elsewhere or _own(reference)
    for name in ("outbound_citations", "outCitations"):
        yield from (f"s2:{cited}" for cited in fields.texts(record, name))
    for entry in _spans(record, "bibentry"):
        yield f"s2:{text(below(entry, 'attributes'), 'matched_paper_id')}"


def _authors(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The authors' names; the older S2ORC gives them in parts."""
    people = listed(record, "authors")
    return fields.names(_joined(one) if isinstance(one, Mapping) and "last" in one else one for one in people)


def _joined(author: Mapping[str, Any]) -> str:
    middle = (str(part) for part in listed(author, "middle"))
    return " ".join((text(author, "first"), *middle, text(author, "last"), text(author, "suffix")))


def _venue(record: Mapping[str, Any]) -> str:
    journal = record.get("journal")
    named = text(journal, "name") if isinstance(journal, Mapping) else text(record, "journal")
    return first(text(record, "venue"), text(below(record, "publicationVenue"), "name"), named)


def _annotated(record: Mapping[str, Any], name: str) -> str:
    """The parts of an S2ORC full text that are marked as `name`."""
    whole = text(below(record, "content"), "text")
    try:
        places = [slice(int(span["start"]), int(span["end"])) for span in _spans(record, name)]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InvalidRecord(f"the places of the {name} in the full text are not readable") from error
    fitting(*(range(*place.indices(len(whole))) for place in places))
    return " ".join(whole[place].strip() for place in places)


def _spans(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """What an S2ORC full text marks as `name`, each with its place. Raises `Unfit` for what is no list of objects."""
    marked = below(below(record, "content"), "annotations").get(name)
    try:
        spans = json.loads(marked) if isinstance(marked, str) else marked or []
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(f"the places of the {name} in the full text are not readable") from error
    if not isinstance(spans, list) or not all(isinstance(span, Mapping) for span in spans):
        raise InvalidRecord(f"the places of the {name} in the full text are no list of objects")
    return spans


READER: Final = json_reader(
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
