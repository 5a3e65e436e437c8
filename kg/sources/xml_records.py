"""An incremental XML reader: it splits a file into records and parses them one by one.

At most one record is in memory, and an invalid record does not affect the others. defusedxml parses
them. Document types and entities are rejected, so that no entity is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.accents import decode_tex_accents
from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Line
from citekg.sources.decoding import replace_controls
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.limits import MAX_DEPTH, MAX_NAMESPACES, MAX_RECORD_LENGTH
from citekg.sources.text_records import Block

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMESPACE: Final = re.compile(r"""xmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')""")
_DECLARES: Final = re.compile(r"<!(?:DOCTYPE|ENTITY)")


def is_xml(head: list[str]) -> bool:
    """Return whether one of the first lines of a file begins with a tag."""
    return any(text.lstrip().startswith("<") for text in head)


def xml_records(
    name: str, lines: Iterable[Line], tags: tuple[str, ...], holder: str = ""
) -> Iterator[Block]:
    """Yield the elements with these local names, wrapped in an element with the file's namespaces.

    `holder` is the local name of an element around records; its content above the first record is
    also yielded as a record. Raises `InputError` if there is no such element.
    """
    splitter = _Splitter(tags, holder)
    for line in lines:
        splitter.has_broken_line = splitter.has_broken_line or bool(line.broken)
        yield from splitter.feed(line)
    yield from splitter.close()
    if not splitter.has_records:
        raise InputError(name, f"the XML holds no {' and no '.join(tags)}")


class _Splitter:
    """The open record, and the namespaces declared above the first one."""

    def __init__(self, tags: tuple[str, ...], holder: str) -> None:
        names = "|".join(filter(None, (*tags, holder)))
        self.tag = re.compile(rf"<(/?)(?:[\w.-]+:)?({names})(?=[\s/>])[^<>]*>")
        self.holder = holder
        self.namespaces: dict[str, str] = {}
        self.parts: list[str] = []
        self.opened = ""  # the name of the open record
        self.start = 0  # the line where the open record starts, or 0
        self.size = 0
        self.has_broken_line = False
        self.has_records = False

    def feed(self, line: Line) -> Iterator[Block]:
        """Yield the records that end on the line."""
        at = 0
        for tag in self.tag.finditer(line.text):
            end = tag.end() if tag[1] else tag.start()
            self._append(line.text[at:end])
            if self.start and not tag[1] and self.opened == self.holder:
                self._append(f"</{self.holder}>")
            # A record that starts inside another one shows that the other one has no end tag.
            yield from self.close()
            if not tag[1]:
                self._open(tag[2], line.number)
            at = end
        self._append(line.text[at:] + "\n")

    def _open(self, name: str, line: int) -> None:
        self.opened, self.start, self.size, self.has_broken_line = name, line, 0, False
        self.has_records = self.has_records or name != self.holder

    def _append(self, text: str) -> None:
        """Append to the open record, or store the namespaces declared outside of records."""
        if self.start:
            self.size += len(text)
            if self.size <= MAX_RECORD_LENGTH:
                self.parts.append(text)
            return
        for namespace in _NAMESPACE.findall(text):
            name = namespace.partition("=")[0].strip()
            if (
                namespace != self.namespaces.get(name)
                and len(self.namespaces) < MAX_NAMESPACES
                and _is_well_formed(f"<x {namespace}/>")
            ):
                self.namespaces[name] = namespace

    def close(self) -> Iterator[Block]:
        """Yield the open record, unless one of its lines was broken; a broken holder is empty."""
        text, start = "".join(self.parts), self.start
        self.parts, self.start = [], 0
        if self.has_broken_line and self.opened == self.holder:
            text = f"<{self.holder}/>"
        elif self.has_broken_line:
            return
        if start:
            whole = f"<x {' '.join(self.namespaces.values())}>{text}</x>"
            yield Block(
                start,
                whole if self.size <= MAX_RECORD_LENGTH else whole.ljust(MAX_RECORD_LENGTH + 1),
            )


def _is_well_formed(written: str) -> bool:
    """Return whether a fragment can be parsed by itself."""
    try:
        return parse_element(f"<x>{written}</x>") is not None
    except InvalidRecord:
        return False


def parse_element(written: str) -> Element:
    """Return the record in the wrapper of `xml_records`. Raises `InvalidRecord`."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if _DECLARES.search(written):
        raise InvalidRecord("the XML declares entities, which are not expanded")
    try:
        whole: Element = fromstring(written, forbid_dtd=True)
    except (ParseError, DefusedXmlException) as error:
        raise InvalidRecord(f"not XML: {str(error).partition(':')[0]}") from error
    if _depth(whole) > MAX_DEPTH:
        raise InvalidRecord(f"more than {MAX_DEPTH} nested elements")
    return whole[0]


def parse_unqualified(written: str) -> Element:
    """Return the record like `parse_element`, its tags without namespaces."""
    record = parse_element(written)
    for part in record.iter():
        part.tag = part.tag.rpartition("}")[2]
    return record


def _depth(element: Element) -> int:
    """Return the nesting depth of an element."""
    depth, row = 0, [element]
    while row:
        depth, row = depth + 1, [part for one in row for part in one]
    return depth


def element_text(element: Element | None) -> str:
    """Return all text inside an element, with TeX accents decoded; empty for None."""
    return (
        ""
        if element is None
        else decode_tex_accents(replace_controls("".join(element.itertext()))).strip()
    )


def texts_at(element: Element, *paths: str) -> list[str]:
    """Return the non-empty texts of the elements at these paths, path by path."""
    found = (element_text(part) for path in paths for part in element.iterfind(path))
    return [text for text in found if text]


def texts_named(element: Element, *names: str) -> list[str]:
    """Return the non-empty texts of all descendants with these local names, in document order."""
    found = [part for part in element.iter() if part.tag.rpartition("}")[2] in names]
    return [text for text in map(element_text, found) if text]


def text_named(element: Element, *names: str) -> str:
    """Return the first non-empty text of a descendant, by local name in the given order."""
    return first(*(text for name in names for text in texts_named(element, name)[:1]))
