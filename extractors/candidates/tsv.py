"""Tables of facts that come with the package: tab-separated, the names of the columns in the first line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from citekg.schemas.errors import LexiconError
from citekg.schemas.files import read_text_or


def read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with their line numbers, blank lines left out.

    Raises `LexiconError` where the file cannot be read or its columns have other names.
    """
    lines = io.StringIO(read_text_or(path, _unread).removeprefix("\ufeff"), newline=None)
    if tuple(next(lines, "").rstrip("\n").split("\t")) != columns:
        raise LexiconError(f"{path}:1: the first line must name the columns {', '.join(columns)}, parted by tabs")
    for number, line in enumerate(lines, start=2):
        if line.strip():
            yield number, line.rstrip("\n").split("\t")


def _unread(file: str, told: str) -> LexiconError:
    return LexiconError(f"{file}: {told}")
