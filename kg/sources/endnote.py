"""EndNote's XML, which Zotero, Mendeley and others write, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import name_first
from citekg.sources.fields import first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import papers
from citekg.sources.written_dates import in_words
from citekg.sources.xml_records import contents, is_xml, unqualified, xml_records

_NAMES: Final = re.compile(r"<(?:source-app|rec-number|ref-type)[\s>]")
_VENUES: Final = ("titles/secondary-title", "periodical/full-title", "titles/alt-title", "titles/tertiary-title")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, xml_records(name, lines, ("record",)), _paper)


def _paper(written: str, source: Source) -> Paper:
    record = unqualified(written)
    doi = first(*contents(record, "electronic-resource-num"))
    resolved = f"https://doi.org/{doi}" if doi.startswith("10.") else doi
    return fields.paper(
        source,
        first(*contents(record, "titles/title")),
        first(*contents(record, "abstract")),
        links=(*contents(record, "urls/web-urls/url", "urls/related-urls/url"), resolved),
        more=contents(record, "urls/pdf-urls/url"),
        date=_date(first(*contents(record, "dates/year")), first(*contents(record, "dates/pub-dates/date"))),
        authors=tuple(map(name_first, contents(record, "contributors/authors/author"))),
        venue=first(*contents(record, *_VENUES)),
    )


def _date(year: str, day: str) -> str:
    """The date of the day, where it is a whole one, else of the year with what the day says in words."""
    return max(in_words(year, day), fields.date(day), key=len)


READER: Final = SourceFormat("EndNote XML, of EndNote and other reference managers", _recognises, _read)
