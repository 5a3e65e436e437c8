"""The ACL Anthology's own XML: volumes with their papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.extra_links import is_web
from citekg.sources.fields import first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import papers
from citekg.sources.written_dates import in_words
from citekg.sources.xml_records import contents, is_xml, unqualified, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_VOLUME: Final = re.compile(r"<x [^<]*><volume\b")
_SITE: Final = "https://aclanthology.org/"
#: Elements whose attribute `url` leads to more about a paper.
_LINKS: Final = ("pwccode", "video")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and all(any(name in text for text in head) for name in ("<collection ", "<volume "))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, xml_records(name, lines, ("paper",), holder="volume"), _Collection().paper)


class _Collection:
    """A collection of volumes, of which one is open."""

    def __init__(self) -> None:
        self.number = ""  # the Anthology's id of the open volume
        self.venue = ""
        self.date = ""

    def paper(self, written: str, source: Source) -> Paper | None:
        """The paper of an element, or None for the head of a volume, which holds for the papers below it."""
        if not _VOLUME.match(written):
            return self._paper(unqualified(written), source)
        self.number = self.venue = self.date = ""  # of the volume above, also where this one cannot be read
        volume = unqualified(written)
        self.number = first(*contents(volume, "meta/url"))
        self.venue = first(*contents(volume, "meta/booktitle", "meta/journal-title"))
        self.date = _date(volume, "meta/")
        return None

    def _paper(self, paper: Element, source: Source) -> Paper:
        for formula in paper.iter("tex-math"):
            formula.text = f"${formula.text or ''}$"
        own = first(*contents(paper, "url"), self._numbered(paper.get("id", "")))
        return fields.paper(
            source,
            first(*contents(paper, "title")),
            first(*contents(paper, "abstract")),
            own_id="" if is_web(own) else own,
            links=(own if is_web(own) or not own else f"{_SITE}{own}/", *contents(paper, "doi")),
            more=[one.get("url", one.get("href", "")) for name in _LINKS for one in paper.iterfind(name)],
            date=_date(paper, "") or self.date,
            authors=tuple(" ".join(contents(one, "first", "last")) for one in paper.iterfind("author")),
            venue=first(*contents(paper, "booktitle", "journal"), self.venue),
        )

    def _numbered(self, paper: str) -> str:
        """The Anthology's id of a paper, made of its volume's: 2024.sky-1.7, or P18-1007 as until 2019."""
        if not self.number or not paper:
            return ""
        return f"{self.number}.{paper}" if "." in self.number else self.number + paper.zfill(8 - len(self.number))


def _date(element: Element, where: str) -> str:
    """The year and the month, without the days of a conference."""
    return in_words(first(*contents(element, f"{where}year")), first(*contents(element, f"{where}month")))[:7]


READER: Final = SourceFormat("ACL Anthology: XML of volumes and papers", _recognises, _read)
