"""The records of an XML file, cut out of the lines and parsed one by one.

Only one record is held, however long the file is, and a broken one costs only itself. defusedxml parses them;
declarations of types and entities are refused, so that nothing is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.errors import InputError
from citekg.sources.accents import accented
from citekg.sources.decoding import cleaned
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.format import Line
from citekg.sources.limits import DEPTH, NAMESPACES, RECORD
from citekg.sources.text_records import Block

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SPACE: Final = re.compile(r"""xmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')""")
_DECLARES: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)")


def is_xml(head: list[str]) -> bool:
    """Whether a line among the first of a file begins as one of XML does."""
    return any(text.lstrip().startswith("<") for text in head)


def xml_records(name: str, lines: Iterable[Line], tags: tuple[str, ...], holder: str = "") -> Iterator[Block]:
    """The elements of these local names, each in an element that declares what the file's head declares.

    `holder` is an element around records: of it comes, before its first record, what stands above that record.
    Raises `InputError` where there is no such element.
    """
    cut = _Cut(tags, holder)
    for line in lines:
        cut.spoiled = cut.spoiled or bool(line.broken)
        yield from cut.feed(line)
    yield from cut.ended()
    if not cut.any:
        raise InputError(name, f"the XML holds no {' and no '.join(tags)}")


class _Cut:
    """The record that is open, and the names of XML that stand above the first."""

    def __init__(self, tags: tuple[str, ...], holder: str) -> None:
        names = "|".join(filter(None, (*tags, holder)))
        self.tag = re.compile(rf"<(/?)(?:[\w.-]+:)?({names})(?=[\s/>])[^<>]*>")
        self.holder = holder
        self.spaces: dict[str, str] = {}
        self.parts: list[str] = []
        self.opened = ""  # the name of the open record
        self.start = 0  # the line where the open record starts, or 0
        self.size = 0
        self.spoiled = False
        self.any = False

    def feed(self, line: Line) -> Iterator[Block]:
        """The records that end on the line, and what it declares."""
        at = 0
        for tag in self.tag.finditer(line.text):
            end = tag.end() if tag[1] else tag.start()
            self._take(line.text[at:end])
            if self.start and not tag[1] and self.opened == self.holder:
                self._take(f"</{self.holder}>")
            # Any other record that begins inside another shows that the one above was never closed.
            yield from self.ended()
            if not tag[1]:
                self._open(tag[2], line.number)
            at = end
        self._take(line.text[at:] + "\n")

    def _open(self, name: str, line: int) -> None:
        self.opened, self.start, self.size, self.spoiled = name, line, 0, False
        self.any = self.any or name != self.holder

    def _take(self, text: str) -> None:
        """Add to the open record, or note what the text around the records declares."""
        if self.start:
            self.size += len(text)
            if self.size <= RECORD:
                self.parts.append(text)
            return
        for space in _SPACE.findall(text):
            name = space.partition("=")[0].strip()
            if space != self.spaces.get(name) and len(self.spaces) < NAMESPACES and _is_whole(f"<x {space}/>"):
                self.spaces[name] = space

    def ended(self) -> Iterator[Block]:
        """The open record, if there is one that can be read; a holder that cannot be read comes empty."""
        text, start = "".join(self.parts), self.start
        self.parts, self.start = [], 0
        if self.spoiled and self.opened == self.holder:
            text = f"<{self.holder}/>"
        elif self.spoiled:
            return
        if start:
            whole = f"<x {' '.join(self.spaces.values())}>{text}</x>"
            yield Block(start, whole if self.size <= RECORD else whole.ljust(RECORD + 1))


def _is_whole(written: str) -> bool:
    """Whether it can be parsed by itself, so that what stands around the records breaks none of them."""
    try:
        return parsed(f"<x>{written}</x>") is not None
    except InvalidRecord:
        return False


def parsed(written: str) -> Element:
    """The record inside the element that `xml_records` puts around it. Raises `Unfit` for what is no whole record."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if _DECLARES.search(written):
        raise InvalidRecord("the XML declares entities, which are not expanded")
    try:
        whole: Element = fromstring(written, forbid_dtd=True)
    except (ParseError, DefusedXmlException) as error:
        raise InvalidRecord(f"not XML: {str(error).partition(':')[0]}") from error
    if _depth(whole) > DEPTH:
        raise InvalidRecord(f"more than {DEPTH} elements stand inside one another")
    return whole[0]


def unqualified(written: str) -> Element:
    """The record as `parsed` gives it, its names without namespaces, of whatever file it was cut out."""
    record = parsed(written)
    for part in record.iter():
        part.tag = part.tag.rpartition("}")[2]
    return record


def _depth(element: Element) -> int:
    """How many elements stand inside one another."""
    depth, row = 0, [element]
    while row:
        depth, row = depth + 1, [part for one in row for part in one]
    return depth


def content(element: Element | None) -> str:
    """All text inside an element, TeX's accents as letters; empty where there is no element."""
    return "" if element is None else accented(cleaned("".join(element.itertext()))).strip()


def contents(element: Element, *paths: str) -> list[str]:
    """The texts of all elements at these paths below an element that have one, path by path."""
    found = (content(part) for path in paths for part in element.iterfind(path))
    return [text for text in found if text]


def texts(element: Element, *names: str) -> list[str]:
    """The texts of all elements of these local names at any depth, in their order."""
    found = [part for part in element.iter() if part.tag.rpartition("}")[2] in names]
    return [text for text in map(content, found) if text]


def text(element: Element, *names: str) -> str:
    """The text of the first name that has one."""
    return first(*(text for name in names for text in texts(element, name)[:1]))
