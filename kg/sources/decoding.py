"""From bytes to lines of text: UTF-8 (or UTF-16 with a byte order mark), one line at a time.

A line that is no text is handed on as broken, so that a reader can skip just what it belongs to.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import Final

from kg.sources.places import Place
from kg.sources.reading import Line, Problem
from schemas.errors import InputError

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
#: Control characters no export could hold become spaces, one for one, so that offsets stay true.
_CONTROLS: Final = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF), " ")


def cleaned(text: str) -> str:
    """The text with control characters and lone surrogates replaced one for one."""
    safe = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return safe.translate(_CONTROLS)


def decoded(place: Place, on_problem: Callable[[Problem], None]) -> Iterator[Line]:
    """The lines of a file as text; lines that are not UTF-8 come out broken and are told once a file.

    Raises `InputError` for a file that is not text at all.
    """
    bad: list[int] = []
    for number, raw in _text_lines(place):
        try:
            yield Line(number, raw.decode("utf-8").removeprefix("\ufeff") if number == 1 else raw.decode("utf-8"))
        except UnicodeDecodeError:
            bad.append(number)
            yield Line(number, "", broken=True)
    if bad:
        told = f"not UTF-8 text, skipped (lines like it in this file: {len(bad)}); convert the file to UTF-8"
        on_problem(Problem(f"{place.name}:{bad[0]}", told))


def _text_lines(place: Place) -> Iterator[tuple[int, bytes]]:
    lines = place.lines()
    first = next(lines, None)
    if first is None:
        return
    encoding = _UTF16.get(first[1][:2])
    if encoding:
        yield from _from_utf16(place, encoding)
        return
    if b"\0" in first[1]:
        raise InputError(f"{place.name}:1", "a binary file, not text (it holds NUL bytes)")
    yield first
    for number, raw in lines:
        if b"\0" in raw:
            raise InputError(f"{place.name}:{number}", "a binary file, not text (it holds NUL bytes)")
        yield number, raw


def _from_utf16(place: Place, encoding: str) -> Iterator[tuple[int, bytes]]:
    # A line end is two bytes there, so the lines are joined again before they are cut anew.
    whole = b"\n".join(raw for _, raw in place.lines())[2:]
    text = whole.decode(encoding, "replace")
    for number, line in enumerate(text.split("\n"), start=1):
        yield number, line.rstrip("\r").encode("utf-8")
