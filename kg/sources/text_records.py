"""Text formats whose records are split first and then parsed one by one.

An invalid record does not affect the others, and at most one record is in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources.fields import InvalidRecord, check_record_length
from citekg.sources.limits import MAX_RECORD_LENGTH


@dataclass(frozen=True, slots=True)
class Block:
    """The text of one record and the number of its first line."""

    line: int
    text: str


def split_blocks(lines: Iterable[Line], opens: Callable[[str], bool]) -> Iterator[Block]:
    """Yield the records; each starts at a line for which `opens` is true.

    Text above the first record is ignored. A record with a broken line is left out, as the problem
    of that line is reported elsewhere.
    """
    held: list[str] = []
    start, has_broken_line, size = 0, False, 0
    for line in lines:
        if not line.broken and opens(line.text):
            if held and not has_broken_line:
                yield Block(start, "\n".join(held))
            held, start, has_broken_line, size = [], line.number, False, 0
        if start and size <= MAX_RECORD_LENGTH:
            held.append(line.text)
            size += len(line.text) + 1
            has_broken_line = has_broken_line or bool(line.broken)
    if held and not has_broken_line:
        yield Block(start, "\n".join(held))


def parse_blocks(
    name: str, found: Iterable[Block], paper: Callable[[str, Source], Paper | None]
) -> Iterator[Paper | Problem]:
    """Yield the paper or the problem of each record; `paper` may return None for no paper."""
    for block in found:
        try:
            parsed = paper(check_record_length(block.text), Source(name, block.line))
        except InvalidRecord as error:
            yield Problem(f"{name}:{block.line}", str(error))
            continue
        except RecursionError:
            yield Problem(f"{name}:{block.line}", "the record is nested too deeply")
            continue
        if parsed is not None:
            yield parsed


def block_format(
    about: str,
    opens: re.Pattern[str],
    paper: Callable[[str, Source], Paper | None],
    recognises: Callable[[list[str]], bool] | None = None,
) -> SourceFormat:
    """Return a format whose records start at lines that match `opens`; see `parse_blocks`.

    Without `recognises`, a file has the format if one of its first lines matches.
    """

    def is_start(line: str) -> bool:
        return bool(opens.match(line))

    def read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
        return parse_blocks(name, split_blocks(lines, is_start), paper)

    return SourceFormat(about, recognises or (lambda head: any(map(is_start, head))), read)


def missing_package(name: str, what: str, package: str, extra: str) -> InputError:
    """Return the error for a format whose parser is not installed."""
    return InputError(name, f"reading {what} needs {package}: pip install 'citekg[{extra}]'")
