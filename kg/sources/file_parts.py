"""Large files of JSON objects, one per line, as parts that can be read apart.

So several processes read one file, and after lines were appended, only its last parts are read
again. The parts depend only on the content of the file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from citekg.schemas.files import open_file
from citekg.sources.input_files import InputFile

#: The size of a part. A smaller file is read as a whole.
PART_BYTES: Final = 32_000_000
#: The number of lines that are tried as the first of a part, and the maximum length of each.
_TRIED_LINES: Final = 100
_MAX_LINE: Final = 1_000_000
_BLOCK: Final = 1 << 20


def may_have_parts(file: InputFile) -> bool:
    """Return whether a file is local, large and begins as an object of JSON.

    Raises `OSError` if it cannot be read.
    """
    return (
        file.is_local_file
        and Path(file.path).stat().st_size > PART_BYTES
        and file.first_bytes(1) == b"{"
    )


def parts_of(file: InputFile, input_format: str) -> list[InputFile]:
    """Return the parts of a local file, in their order; the file if it has only one.

    Each part begins with an object on one line, behind another one. `input_format` is the format of
    the file, which its parts cannot show. Raises `OSError` if the file cannot be read.
    """
    with open_file(Path(file.path)) as opened:
        if not _is_object(opened.readline(_MAX_LINE)):
            return [file]
        cuts = [(0, 1), *_cuts(opened)]
        ends = [*(start for start, _ in cuts[1:]), opened.seek(0, io.SEEK_END)]
    if len(cuts) == 1:
        return [file]
    return [
        replace(file, span=(start, end), first_line=line, input_format=input_format)
        for (start, line), end in zip(cuts, ends, strict=True)
    ]


def _cuts(file: io.BufferedReader) -> Iterator[tuple[int, int]]:
    """Yield the offset and the line number at which each part but the first begins.

    Behind a place without a line that can begin a part, the rest of the file is not divided: it may
    be a line without an end.
    """
    counted, line = 0, 1
    size = file.seek(0, io.SEEK_END)
    for sought in range(PART_BYTES, size, PART_BYTES):
        start = _cut_behind(file, sought)
        if start is None:
            return
        if counted < start < size:
            line += _count_lines(file, counted, start)
            counted = start
            yield start, line


def _cut_behind(file: io.BufferedReader, offset: int) -> int | None:
    """Return the offset of a line near `offset` that can begin a part, or None."""
    file.seek(offset)
    file.readline(_MAX_LINE)  # the rest of a line
    before, start = b"", file.tell()
    for _ in range(_TRIED_LINES):
        line = file.readline(_MAX_LINE)
        if before.endswith(b"\n") and _is_object(before) and _is_object(line):
            return start
        before, start = line, file.tell()
    return None


def _is_object(line: bytes) -> bool:
    """Return whether a line is an object of JSON whose first value is no list and no object.

    Such a value may hold the records of a file.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not isinstance(next(iter(value.values()), []), (list, dict))


def _count_lines(file: io.BufferedReader, start: int, end: int) -> int:
    """Return the number of line feeds between two offsets."""
    file.seek(start)
    blocks = iter(lambda: file.read(min(_BLOCK, end - file.tell())), b"")
    return sum(block.count(b"\n") for block in blocks)
