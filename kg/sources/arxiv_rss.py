"""arXiv's daily feeds: RSS, and the Atom of rss.arxiv.org, whose texts begin with the type of announcement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import submitted
from citekg.sources.fields import first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import papers
from citekg.sources.xml_records import is_xml, parsed, text, texts, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_FEED: Final = re.compile(r"<(?:rss|feed)[\s>]")
_ARXIV: Final = re.compile(r"//rss\.arxiv\.org/|announce_type>|\bAnnounce Type: ")
#: What stands before the abstract.
_ANNOUNCED: Final = re.compile(r"arXiv:\S+\s+Announce Type:\s*(\S+)\s*(?:Abstract:\s*)?")
#: The year and the month that an arXiv id tells, of the ids since 2007.
_MONTH: Final = re.compile(r"(\d\d)(\d\d)\.")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_FEED.search, head)) and any(map(_ARXIV.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, xml_records(name, lines, ("item", "entry")), _paper)


def _paper(written: str, source: Source) -> Paper:
    item = parsed(written)
    summary = text(item, "description", "summary")
    announced = _ANNOUNCED.match(summary)
    arxiv = first(*map(arxiv_id, texts(item, "guid", "id", "link")))
    return fields.paper(
        source,
        text(item, "title"),
        summary[announced.end() :] if announced else summary,
        own_id=text(item, "guid", "id"),
        links=(f"https://arxiv.org/abs/{arxiv}" if arxiv else text(item, "link"), text(item, "DOI", "doi")),
        date=_date(item, arxiv, first(text(item, "announce_type"), announced[1] if announced else "")),
        authors=fields.names(texts(item, "name")) or submitted(", ".join(texts(item, "creator"))),
        venue=text(item, "journal_reference", "journal_ref"),
    )


def _date(item: Element, arxiv: str, announced: str) -> str:
    """The day of a paper that is announced as new; of any other the month of its id, as its day is that of a change."""
    if announced in {"", "new"}:
        return first(fields.day(text(item, "pubDate")), fields.date(text(item, "published"), text(item, "updated")))
    month = _MONTH.match(arxiv)
    return fields.date(f"20{month[1]}-{month[2]}") if month else ""


READER: Final = SourceFormat("arXiv's daily feeds: RSS and Atom of rss.arxiv.org", _recognises, _read)
