"""EndNote XML, also written by Zotero, Mendeley and others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import given_name_first
from citekg.sources.dates import parse_month_name
from citekg.sources.fields import first
from citekg.sources.text_records import parse_blocks
from citekg.sources.xml_records import is_xml, parse_unqualified, texts_at, xml_records

_NAMES: Final = re.compile(r"<(?:source-app|rec-number|ref-type)[\s>]")
_VENUES: Final = (
    "titles/secondary-title",
    "periodical/full-title",
    "titles/alt-title",
    "titles/tertiary-title",
)


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from parse_blocks(name, xml_records(name, lines, ("record",)), _paper)


def _paper(written: str, source: Source) -> Paper:
    record = parse_unqualified(written)
    doi = first(*texts_at(record, "electronic-resource-num"))
    resolved = f"https://doi.org/{doi}" if doi.startswith("10.") else doi
    return fields.make_paper(
        source,
        first(*texts_at(record, "titles/title")),
        first(*texts_at(record, "abstract")),
        links=(*texts_at(record, "urls/web-urls/url", "urls/related-urls/url"), resolved),
        more=texts_at(record, "urls/pdf-urls/url"),
        date=_date(
            first(*texts_at(record, "dates/year")), first(*texts_at(record, "dates/pub-dates/date"))
        ),
        authors=tuple(map(given_name_first, texts_at(record, "contributors/authors/author"))),
        venue=first(*texts_at(record, *_VENUES)),
    )


def _date(year: str, day: str) -> str:
    """Return the date of `day` if it is complete, else the year with a month name in `day`."""
    return max(parse_month_name(year, day), fields.date_prefix(day), key=len)


FORMAT: Final = SourceFormat(
    "EndNote XML, of EndNote and other reference managers", _recognises, _read
)
