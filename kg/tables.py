"""Small tables of figures, as text for the terminal and as Markdown for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows under a header; the first column is left-aligned, the others are figures."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """The table with its columns aligned by spaces."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = (self.header, tuple("─" * width for width in widths), *self.rows)
        return "\n".join((self.title, *("  ".join(_aligned(line, widths)).rstrip() for line in lines)))

    def markdown(self) -> str:
        """The table in Markdown, without its title."""
        rule = ("---", *("---:" for _ in self.header[1:]))
        return "\n".join(f"| {' | '.join(line)} |" for line in (self.header, rule, *map(_escaped, self.rows)))


def _aligned(cells: Sequence[str], widths: Iterable[int]) -> Iterator[str]:
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        yield cell.rjust(width) if at else cell.ljust(width)


def _escaped(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(cell.replace("|", r"\|") for cell in cells)
