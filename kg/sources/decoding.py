"""From bytes to lines of text: UTF-8 (or UTF-16 with a byte order mark), one line at a time.

A line that is no text is handed on as broken, so that a reader can skip just what it belongs to.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterator
from typing import Final

from kg.sources.places import Broken, Place
from kg.sources.reading import Line

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
#: Control characters no export could hold become spaces, one for one, so that offsets stay true.
_CONTROLS: Final = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF), " ")


def cleaned(text: str) -> str:
    """The text with control characters and lone surrogates replaced one for one."""
    safe = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return safe.translate(_CONTROLS)


def decoded(place: Place) -> Iterator[Line]:
    """The lines of a file as text, without line ends; what is no UTF-8 text comes out broken."""
    for number, raw in enumerate(_utf8_lines(place), start=1):
        yield _line(number, raw)


def _line(number: int, raw: bytes | Broken) -> Line:
    if isinstance(raw, Broken):
        return Line(number, "", raw.reason)
    if b"\0" in raw:
        return Line(number, "", "binary data, not text (it holds NUL bytes)")
    try:
        text = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return Line(number, "", "not UTF-8 text; convert the file to UTF-8")
    return Line(number, text.removeprefix("\ufeff") if number == 1 else text)


def _utf8_lines(place: Place) -> Iterator[bytes | Broken]:
    lines = place.lines()
    first = next(lines, b"")
    encoding = _UTF16.get(first[:2]) if isinstance(first, bytes) else None
    whole = itertools.chain([first] if first else [], lines)
    return _from_utf16(whole, encoding) if encoding else whole


def _from_utf16(lines: Iterator[bytes | Broken], encoding: str) -> Iterator[bytes | Broken]:
    # A line end is two bytes there, so the lines are joined again before they are cut anew.
    listed = list(lines)
    whole = b"".join(raw for raw in listed if isinstance(raw, bytes))[2:].decode(encoding, "replace")
    yield from (line.encode("utf-8") for line in whole.split("\n"))
    yield from (raw for raw in listed if isinstance(raw, Broken))
