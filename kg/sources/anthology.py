"""The XML of the ACL Anthology: volumes with their papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.dates import parse_month_name
from citekg.sources.extra_links import is_web_url
from citekg.sources.fields import first
from citekg.sources.text_records import parse_blocks
from citekg.sources.xml_records import is_xml, parse_unqualified, texts_at, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_VOLUME: Final = re.compile(r"<x [^<]*><volume\b")
_SITE: Final = "https://aclanthology.org/"
#: Elements whose attribute `url` is a further link of a paper.
_LINKS: Final = ("pwccode", "video")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and all(
        any(name in text for text in head) for name in ("<collection ", "<volume ")
    )


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from parse_blocks(
        name, xml_records(name, lines, ("paper",), holder="volume"), _Collection().paper
    )


class _Collection:
    """The state of the parser: the id, venue and date of the open volume."""

    def __init__(self) -> None:
        self.number = ""  # the Anthology's id of the open volume
        self.venue = ""
        self.date = ""

    def paper(self, written: str, source: Source) -> Paper | None:
        """Return the paper of an element, or store the metadata of a volume and return None."""
        if not _VOLUME.match(written):
            return self._paper(parse_unqualified(written), source)
        # Forget the volume above first, as this one may be invalid.
        self.number = self.venue = self.date = ""
        volume = parse_unqualified(written)
        self.number = first(*texts_at(volume, "meta/url"))
        self.venue = first(*texts_at(volume, "meta/booktitle", "meta/journal-title"))
        self.date = _date(volume, "meta/")
        return None

    def _paper(self, paper: Element, source: Source) -> Paper:
        for formula in paper.iter("tex-math"):
            formula.text = f"${formula.text or ''}$"
        own = first(*texts_at(paper, "url"), self._paper_id(paper.get("id", "")))
        return fields.make_paper(
            source,
            first(*texts_at(paper, "title")),
            first(*texts_at(paper, "abstract")),
            own_id="" if is_web_url(own) else own,
            links=(
                own if is_web_url(own) or not own else f"{_SITE}{own}/",
                *texts_at(paper, "doi"),
            ),
            more=[
                one.get("url", one.get("href", ""))
                for name in _LINKS
                for one in paper.iterfind(name)
            ],
            date=_date(paper, "") or self.date,
            authors=tuple(
                " ".join(texts_at(one, "first", "last")) for one in paper.iterfind("author")
            ),
            venue=first(*texts_at(paper, "booktitle", "journal"), self.venue),
        )

    def _paper_id(self, paper: str) -> str:
        """Return the Anthology id of a paper: 2024.sky-1.7, or P18-1007 until 2019."""
        if not self.number or not paper:
            return ""
        return (
            f"{self.number}.{paper}"
            if "." in self.number
            else self.number + paper.zfill(8 - len(self.number))
        )


def _date(element: Element, where: str) -> str:
    """Return the year and the month, without the days of a conference."""
    return parse_month_name(
        first(*texts_at(element, f"{where}year")), first(*texts_at(element, f"{where}month"))
    )[:7]


FORMAT: Final = SourceFormat("ACL Anthology: XML of volumes and papers", _recognises, _read)
