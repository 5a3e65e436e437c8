"""Tab-separated tables that come with the package; the first line has the column names."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from citekg.schemas.errors import LexiconError
from citekg.schemas.files import read_text_or_raise


def read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table with their line numbers; blank lines are skipped.

    Raises `LexiconError` if the file cannot be read or has other columns.
    """
    lines = io.StringIO(read_text_or_raise(path, _unreadable).removeprefix("\ufeff"), newline=None)
    if tuple(next(lines, "").rstrip("\n").split("\t")) != columns:
        raise LexiconError(
            f"{path}:1: the first line must name the columns {', '.join(columns)},"
            " separated by tabs"
        )
    for number, line in enumerate(lines, start=2):
        if line.strip():
            yield number, line.rstrip("\n").split("\t")


def _unreadable(file: str, reason: str) -> LexiconError:
    return LexiconError(f"{file}: {reason}")
