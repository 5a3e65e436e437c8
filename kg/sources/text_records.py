"""Papers of a text format whose records are cut out of the lines first and then read one by one.

So a broken record costs only itself, and never more than one record is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citekg.schemas.errors import InputError
from citekg.schemas.records import Paper, Source
from citekg.sources.fields import InvalidRecord, short
from citekg.sources.format import Line, Problem
from citekg.sources.limits import RECORD


@dataclass(frozen=True, slots=True)
class Block:
    """The text of one record and the line where it starts."""

    line: int
    text: str


def blocks(lines: Iterable[Line], opens: Callable[[str], bool]) -> Iterator[Block]:
    """The records, each from a line that `opens` one to the next such line; what stands above the first is none.

    A record with a line that is no text is left out, as that line is told elsewhere.
    """
    held: list[str] = []
    start, spoiled, size = 0, False, 0
    for line in lines:
        if not line.broken and opens(line.text):
            if held and not spoiled:
                yield Block(start, "\n".join(held))
            held, start, spoiled, size = [], line.number, False, 0
        if start and size <= RECORD:
            held.append(line.text)
            size += len(line.text) + 1
            spoiled = spoiled or bool(line.broken)
    if held and not spoiled:
        yield Block(start, "\n".join(held))


def papers(
    name: str, found: Iterable[Block], paper: Callable[[str, Source], Paper | None]
) -> Iterator[Paper | Problem]:
    """The paper of each record but for those that are none (None), and what is wrong with the others."""
    for block in found:
        try:
            read = paper(short(block.text), Source(name, block.line))
        except InvalidRecord as unfit:
            yield Problem(f"{name}:{block.line}", str(unfit))
            continue
        except RecursionError:
            yield Problem(f"{name}:{block.line}", "the record is nested too deeply")
            continue
        if read is not None:
            yield read


def missing(name: str, what: str, package: str, extra: str) -> InputError:
    """The error for a format whose parser is not installed."""
    return InputError(name, f"reading {what} needs {package}: pip install 'citekg[{extra}]'")
