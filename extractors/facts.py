"""Tables of facts that come with the package: tab-separated, the names of the columns in the first line."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import LexiconError
from schemas.files import text_of


def read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with their line numbers, blank lines left out.

    Raises `LexiconError` where the file cannot be read or its columns have other names.
    """
    try:
        lines = io.StringIO(text_of(path).removeprefix("\ufeff"), newline=None)
    except (OSError, ValueError) as error:
        raise LexiconError(f"{path}: cannot be read: {error}") from error
    if tuple(next(lines, "").rstrip("\n").split("\t")) != columns:
        raise LexiconError(f"{path}:1: the first line must name the columns {', '.join(columns)}, parted by tabs")
    for number, line in enumerate(lines, start=2):
        if line.strip():
            yield number, line.rstrip("\n").split("\t")
