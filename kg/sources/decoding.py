"""From bytes to lines of text: UTF-8 (or UTF-16 with a byte order mark), one line at a time.

Where a format asks for it, a line that is no UTF-8 is read as Windows-1252, in which Excel writes tables.

A line that is no text is handed on as broken, so that a reader can skip just what it belongs to.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from citekg.schemas.errors import InputError
from citekg.sources.format import Line
from citekg.sources.input_files import Broken, InputFile
from citekg.sources.unsupported import unread_bytes

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
#: Control characters no export could hold become spaces, one for one, so that offsets stay true.
_CONTROLS: Final = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF), " ")


def cleaned(text: str) -> str:
    """The text with control characters and lone surrogates replaced one for one."""
    safe = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return safe.translate(_CONTROLS)


def decoded(place: InputFile) -> Iterator[Line]:
    """The lines of a file as text, without line ends; what is no UTF-8 text comes out broken.

    Raises `InputError` for a file of a kind that holds no lines, such as an archive.
    """
    lines = place.lines()
    first = next(lines, b"")
    start = first if isinstance(first, bytes) else b""
    if known := unread_bytes(start):
        raise InputError(f"{place.name}:1", f"this is {known}")
    whole = itertools.chain([first] if first else [], lines)
    for number, raw in enumerate(_utf8_lines(start, whole), start=1):
        yield _line(number, raw)


def _line(number: int, raw: bytes | Broken) -> Line:
    if isinstance(raw, Broken):
        return Line(number, "", raw.reason)
    if b"\0" in raw:
        return Line(number, "", "binary data, not text (it holds NUL bytes)")
    try:
        text = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return Line(number, "", "not UTF-8 text; convert the file to UTF-8", _windows(raw).rstrip("\r\n"))
    return Line(number, text.removeprefix("\ufeff"))


def _windows(raw: bytes) -> str:
    """The text in Windows-1252, or an empty one where that has no such letters."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""


def in_windows(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, those that are no UTF-8 as Windows-1252, as long as no line above has other letters in UTF-8."""
    utf8 = False
    for line in lines:
        utf8 = utf8 or not line.text.isascii()
        yield line if utf8 or not line.windows else replace(line, text=line.windows, broken="")


def _utf8_lines(start: bytes, lines: Iterator[bytes | Broken]) -> Iterator[bytes | Broken]:
    if encoding := _UTF16.get(start[:2]):
        return _from_utf16(lines, encoding)
    if b"\r" in start and not start.endswith(b"\n"):
        # No line feed in all of the file: its lines end as they did on old machines.
        return (part for line in lines for part in (line.split(b"\r") if isinstance(line, bytes) else [line]))
    return lines


def _from_utf16(lines: Iterator[bytes | Broken], encoding: str) -> Iterator[bytes | Broken]:
    """A line end is two bytes there, one of which other letters hold, too: what was cut is joined and cut anew."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    held: list[str] = []
    for raw in lines:
        if isinstance(raw, Broken):
            yield raw
            continue
        end, *whole = decoder.decode(raw).split("\n")
        held.append(end)
        for begun in whole:
            yield "".join(held).encode("utf-8")
            held = [begun]
    yield "".join((*held, decoder.decode(b"", final=True))).encode("utf-8")
