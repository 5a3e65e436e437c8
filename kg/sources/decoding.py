"""Decode the bytes of a file to lines of text: UTF-8, or UTF-16 with a byte order mark.

Formats may allow Windows-1252, the encoding of Excel's CSV files, for lines that are not UTF-8. A
line that cannot be decoded is marked as broken, so that a format can skip only its record.
"""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Line
from citekg.sources.input_files import InputFile, Unreadable
from citekg.sources.unsupported import unsupported_binary

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
#: Control characters become spaces, one for one, so that offsets stay valid.
_CONTROLS: Final = dict.fromkeys(
    (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF), " "
)


def replace_controls(text: str) -> str:
    """Return the text with control characters and lone surrogates replaced one for one."""
    if text.isprintable():  # no control character and no surrogate is printable
        return text
    safe = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return safe.translate(_CONTROLS)


def decode_lines(file: InputFile) -> Iterator[Line]:
    """Yield the decoded lines of a file or part, without line ends; one not in UTF-8 is broken.

    Raises `InputError` for a binary format, such as an archive.
    """
    lines = file.lines()
    first = next(lines, b"")
    start = first if isinstance(first, bytes) else b""
    if known := unsupported_binary(start):
        raise InputError(f"{file.name}:1", f"this is {known}")
    whole = itertools.chain([first] if first else [], lines)
    for number, raw in enumerate(_utf8_lines(start, whole), file.first_line):
        yield _line(number, raw)


def _line(number: int, raw: bytes | Unreadable) -> Line:
    """Return a decoded line, or a broken one with the reason."""
    if isinstance(raw, Unreadable):
        return Line(number, "", raw.reason)
    if b"\0" in raw:
        return Line(number, "", "binary data, not text (it holds NUL bytes)")
    try:
        text = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        return Line(
            number, "", "not UTF-8 text; convert the file to UTF-8", _windows(raw).rstrip("\r\n")
        )
    return Line(number, text.removeprefix("\ufeff"))


def _windows(raw: bytes) -> str:
    """Return the text decoded as Windows-1252, or an empty text where that fails."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""


def decode_windows_1252(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines, decoded as Windows-1252 until a line has non-ASCII letters in UTF-8."""
    utf8 = False
    for line in lines:
        utf8 = utf8 or not line.text.isascii()
        yield line if utf8 or not line.windows else replace(line, text=line.windows, broken="")


def _utf8_lines(start: bytes, lines: Iterator[bytes | Unreadable]) -> Iterator[bytes | Unreadable]:
    """Yield the lines in UTF-8, split at the line ends of the file."""
    if encoding := _UTF16.get(start[:2]):
        return _from_utf16(lines, encoding)
    if b"\r" in start and not start.endswith(b"\n"):
        # The file has no line feed: carriage returns end its lines.
        return (
            part
            for line in lines
            for part in (line.split(b"\r") if isinstance(line, bytes) else [line])
        )
    return lines


def _from_utf16(lines: Iterator[bytes | Unreadable], encoding: str) -> Iterator[bytes | Unreadable]:
    """Yield lines of UTF-16 as UTF-8.

    The input was split at the byte of a line feed, which is also part of other characters.
    """
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    held: list[str] = []
    for raw in lines:
        if isinstance(raw, Unreadable):
            yield raw
            continue
        end, *whole = decoder.decode(raw).split("\n")
        held.append(end)
        for begun in whole:
            yield "".join(held).encode("utf-8")
            held = [begun]
    yield "".join((*held, decoder.decode(b"", final=True))).encode("utf-8")
