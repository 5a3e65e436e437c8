"""Small tables, as text for the terminal, as Markdown for the docs and as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

#: The longest text that a cell of an HTML table shows.
_LONGEST: Final = 80


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

    def values(self) -> list[dict[str, str | int | float]]:
        """The rows as values by their column, figures as numbers."""
        return [dict(zip(self.header, map(_value, row), strict=True)) for row in self.rows]

    def markdown(self) -> str:
        """The table in Markdown, without its title."""
        rule = ("---", *("---:" for _ in self.header[1:]))
        return "\n".join(f"| {' | '.join(line)} |" for line in (self.header, rule, *map(_escaped, self.rows)))

    def html(self) -> str:
        """The table in HTML, every text escaped and cut to 80 signs: no script, no style sheet, no link."""
        rows = [_html_row("th", self.header), *(_html_row("td", line) for line in self.rows)]
        return f"<table><caption>{escape(self.title)}</caption>{''.join(rows)}</table>"


def shortened(text: str, most: int = _LONGEST) -> str:
    """The text on one line, cut where it is longer than so many signs.

    >>> shortened("Attention Is All You Need", 10)
    'Attention…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _html_row(tag: str, cells: Iterable[str]) -> str:
    made = (f'<{tag} style="text-align: left">{escape(shortened(cell))}</{tag}>' for cell in cells)
    return f"<tr>{''.join(made)}</tr>"


def _value(cell: str) -> str | int | float:
    for number in (int, float):
        try:
            return number(cell)
        except ValueError:
            continue
    return cell


def _aligned(cells: Sequence[str], widths: Iterable[int]) -> Iterator[str]:
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        yield cell.rjust(width) if at else cell.ljust(width)


def _escaped(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(cell.replace("|", r"\|") for cell in cells)
