"""arXiv's XML: Atom answers of its API, and OAI-PMH harvests (`arXiv`, `arXivRaw` and Dublin Core records).

Records are cut out of the text and parsed one by one by defusedxml (`pip install 'citekg[sources]'`):
declarations of types and entities are refused, so that nothing is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from kg.sources import fields
from kg.sources.accents import accented
from kg.sources.decoding import cleaned
from kg.sources.fields import Unfit, first
from kg.sources.further import is_web, web_links
from kg.sources.limits import DEPTH, NAMESPACES, RECORD
from kg.sources.people import name_first, submitted
from kg.sources.reading import Line, Problem, Reader
from kg.sources.records import Block, missing, papers
from schemas.errors import InputError
from schemas.identifiers import arxiv_id, identifier
from schemas.identifiers import doi as doi_of
from schemas.records import Paper, Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMES: Final = re.compile(r"https?://www\.w3\.org/2005/Atom|https?://www\.openarchives\.org/OAI/2\.0/")
_SPACE: Final = re.compile(r"""xmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')""")
_TAG: Final = re.compile(r"<(/?)(?:[\w.-]+:)?(entry|record)(?=[\s>])[^<>]*>")
_DECLARES: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)")
_ERROR: Final = re.compile(r"/api/errors#")


def _recognises(head: list[str]) -> bool:
    return any(text.lstrip().startswith("<") for text in head) and any(map(_NAMES.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    try:
        import defusedxml  # noqa: F401 - asked for once, before the first record
    except ImportError:
        raise missing(name, "XML", "defusedxml") from None
    yield from papers(name, _records(name, lines), _paper)


def _records(name: str, lines: Iterable[Line]) -> Iterator[Block]:
    """The entries and records, each in an element that declares what the file's head declares."""
    cut = _Cut()
    for line in lines:
        cut.spoiled = cut.spoiled or bool(line.broken)
        yield from cut.feed(line)
    yield from cut.ended()
    if not cut.any:
        raise InputError(name, "the XML holds no entry and no record")


class _Cut:
    """The record that is open, and the names of XML that stand above the first."""

    def __init__(self) -> None:
        self.spaces: dict[str, str] = {}
        self.parts: list[str] = []
        self.start = 0  # the line where the open record starts, or 0
        self.size = 0
        self.spoiled = False
        self.any = False

    def feed(self, line: Line) -> Iterator[Block]:
        """The records that end on the line, and what it declares."""
        at = 0
        for tag in _TAG.finditer(line.text):
            end = tag.end() if tag[1] else tag.start()
            self._take(line.text[at:end])
            # A record that begins inside another shows that the one above was never closed.
            yield from self.ended()
            if not tag[1]:
                self.start, self.size, self.spoiled, self.any = line.number, 0, False, True
            at = end
        self._take(line.text[at:] + "\n")

    def _take(self, text: str) -> None:
        """Add to the open record, or note what the text around the records declares."""
        if self.start:
            self.size += len(text)
            if self.size <= RECORD:
                self.parts.append(text)
            return
        for space in _SPACE.findall(text):
            name = space.partition("=")[0].strip()
            if space != self.spaces.get(name) and len(self.spaces) < NAMESPACES and _is_xml(f"<x {space}/>"):
                self.spaces[name] = space

    def ended(self) -> Iterator[Block]:
        """The open record, if there is one that can be read."""
        text, start = "".join(self.parts), self.start
        self.parts, self.start = [], 0
        if start and not self.spoiled:
            whole = f"<x {' '.join(self.spaces.values())}>{text}</x>"
            yield Block(start, whole if self.size <= RECORD else whole.ljust(RECORD + 1))


def _paper(written: str, source: Source) -> Paper | None:
    record = _parsed(written)
    if record.tag.endswith("}entry"):
        return _entry(record, source)
    if any(part.tag.endswith("}header") and part.get("status") == "deleted" for part in record):
        return None
    return _harvested(record, source)


def _is_xml(written: str) -> bool:
    """Whether it can be parsed by itself, so that what stands around the records breaks none of them."""
    try:
        return _parsed(f"<x>{written}</x>") is not None
    except Unfit:
        return False


def _parsed(written: str) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if _DECLARES.search(written):
        raise Unfit("the XML declares entities, which are not expanded")
    try:
        whole: Element = fromstring(written, forbid_dtd=True)
    except (ParseError, DefusedXmlException) as error:
        raise Unfit(f"not XML: {str(error).partition(':')[0]}") from error
    if _depth(whole) > DEPTH:
        raise Unfit(f"more than {DEPTH} elements stand inside one another")
    return whole[0]


def _depth(element: Element) -> int:
    """How many elements stand inside one another."""
    depth, row = 0, [element]
    while row:
        depth, row = depth + 1, [part for one in row for part in one]
    return depth


def _texts(element: Element, *names: str) -> list[str]:
    """The texts of all elements of these local names at any depth, in their order."""
    found = [part for part in element.iter() if part.tag.rpartition("}")[2] in names]
    return [text for text in (accented(cleaned("".join(part.itertext()))).strip() for part in found) if text]


def _text(element: Element, *names: str) -> str:
    """The text of the first name that has one."""
    return first(*(text for name in names for text in _texts(element, name)[:1]))


def _entry(entry: Element, source: Source) -> Paper | None:
    """The paper of an Atom entry; an answer that is an error is told as one."""
    own = _text(entry, "id")
    if _ERROR.search(own):
        raise Unfit(f"arXiv answered with an error: {_text(entry, 'summary')}")
    doi = _text(entry, "doi")
    return fields.paper(
        source,
        _text(entry, "title"),
        _text(entry, "summary"),
        own_id=own,
        links=(own, doi),
        more=web_links(_text(entry, "comment")),
        date=fields.date(_text(entry, "published"), _text(entry, "updated")),
        authors=fields.names(_texts(entry, "name")),
        venue=_text(entry, "journal_ref"),
    )


def _harvested(record: Element, source: Source) -> Paper:
    """The paper of an OAI-PMH record, whatever its metadata are written in."""
    own = first(*(name for name in _texts(record, "id", "identifier") if arxiv_id(name)))
    arxiv = arxiv_id(own)
    doi = first(_text(record, "doi"), *(name for name in _texts(record, "identifier") if doi_of(name)))
    return fields.paper(
        source,
        _text(record, "title"),
        _text(record, "abstract", "description"),
        own_id=_text(record, "identifier"),
        links=(f"https://arxiv.org/abs/{arxiv}" if arxiv else "", *_texts(record, "identifier"), doi),
        more=web_links(" ".join((*_texts(record, "comments"), *_texts(record, "description")[1:]))),
        date=_harvested_date(record),
        authors=_people(record),
        venue=_text(record, "journal-ref") or (_printed(record) if arxiv else ""),
    )


def _printed(record: Element) -> str:
    """Where it came out, which Dublin Core has among the identifiers."""
    return next((told for told in _texts(record, "identifier") if not (identifier(told) or is_web(told))), "")


def _harvested_date(record: Element) -> str:
    """When the first version came: `created`, the first `date` of Dublin Core or of a raw version."""
    return first(*(fields.date(written) or fields.day(written) for written in _texts(record, "created", "date")))


def _people(record: Element) -> tuple[str, ...]:
    found = [part for part in record.iter() if part.tag.endswith("}author")]
    if found:
        parts = ((_text(one, "forenames"), _text(one, "keyname"), _text(one, "suffix")) for one in found)
        return tuple(" ".join(" ".join(name).split()) for name in parts)
    creators = _texts(record, "creator")
    return tuple(map(name_first, creators)) or submitted(_text(record, "authors"))


READER: Final = Reader("arXiv: Atom answers of the API and OAI-PMH XML", _recognises, _read)
