"""arXiv's daily feeds, RSS and Atom; summaries begin with the announcement type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import parse_arxiv_authors
from citekg.sources.fields import first
from citekg.sources.text_records import parse_blocks
from citekg.sources.xml_records import is_xml, parse_element, text_named, texts_named, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_FEED: Final = re.compile(r"<(?:rss|feed)[\s>]")
_ARXIV: Final = re.compile(r"//rss\.arxiv\.org/|announce_type>|\bAnnounce Type: ")
#: The prefix of the abstract.
_ANNOUNCED: Final = re.compile(r"arXiv:\S+\s+Announce Type:\s*(\S+)\s*(?:Abstract:\s*)?")
#: The year and the month in an arXiv id since 2007.
_MONTH: Final = re.compile(r"(\d\d)(\d\d)\.")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_FEED.search, head)) and any(map(_ARXIV.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from parse_blocks(name, xml_records(name, lines, ("item", "entry")), _paper)


def _paper(written: str, source: Source) -> Paper:
    item = parse_element(written)
    summary = text_named(item, "description", "summary")
    announced = _ANNOUNCED.match(summary)
    arxiv = first(*map(arxiv_id, texts_named(item, "guid", "id", "link")))
    return fields.make_paper(
        source,
        text_named(item, "title"),
        summary[announced.end() :] if announced else summary,
        own_id=text_named(item, "guid", "id"),
        links=(
            f"https://arxiv.org/abs/{arxiv}" if arxiv else text_named(item, "link"),
            text_named(item, "DOI", "doi"),
        ),
        date=_date(
            item, arxiv, first(text_named(item, "announce_type"), announced[1] if announced else "")
        ),
        authors=fields.author_names(texts_named(item, "name"))
        or parse_arxiv_authors(", ".join(texts_named(item, "creator"))),
        venue=text_named(item, "journal_reference", "journal_ref"),
    )


def _date(item: Element, arxiv: str, announced: str) -> str:
    """Return the day of a new paper; else the month in its id, as the feed dates the change."""
    if announced in {"", "new"}:
        return first(
            fields.parse_email_date(text_named(item, "pubDate")),
            fields.date_prefix(text_named(item, "published"), text_named(item, "updated")),
        )
    month = _MONTH.match(arxiv)
    return fields.date_prefix(f"20{month[1]}-{month[2]}") if month else ""


FORMAT: Final = SourceFormat(
    "arXiv's daily feeds: RSS and Atom of rss.arxiv.org", _recognises, _read
)
