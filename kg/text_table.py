"""Tables, as text, CSV, Markdown, LaTeX and HTML; `citekg.cli.printing` fits them into a terminal."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

#: The longest text that a cell of an HTML table shows.
_LONGEST: Final = 80
_LATEX: Final = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


@dataclass(frozen=True)
class Table:
    """Rows under a header, with an optional title above and a note below.

    The first `text_columns` columns hold text and are left-aligned, the others hold figures.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1
    note: str = ""

    def text(self) -> str:
        """The table with its columns aligned by spaces, as wide as its widest cells."""
        widths = [max(map(_width, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = (self.header, tuple("─" * width for width in widths), *self.rows)
        aligned = ("  ".join(self._aligned(line, widths)).rstrip() for line in lines)
        return "\n".join((*filter(None, (self.title,)), *aligned, *filter(None, (self.note,))))

    def render(self, name: str) -> str:
        """The table in one of `RENDERED`."""
        return RENDERED[name](self)

    def csv(self, delimiter: str = ",") -> str:
        """The header and the rows with a delimiter between the cells, without title and note."""
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows((self.header, *self.rows))
        return out.getvalue().removesuffix("\n")

    def latex(self) -> str:
        """The table as a LaTeX `tabular`, every cell escaped, without title and note."""
        columns = "l" * self.text_columns + "r" * (len(self.header) - self.text_columns)
        header, *rows = (" & ".join(cell.translate(_LATEX) for cell in line) for line in (self.header, *self.rows))
        body = "".join(f"{row} \\\\\n" for row in rows)
        return f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{header} \\\\\n\\hline\n{body}\\hline\n\\end{{tabular}}"

    def _aligned(self, cells: Sequence[str], widths: Iterable[int]) -> Iterator[str]:
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            space = " " * (width - _width(cell))
            yield cell + space if at < self.text_columns else space + cell

    def values(self) -> list[dict[str, str | int | float]]:
        """The rows as values by their column, figures as numbers."""
        return [dict(zip(self.header, map(_value, row), strict=True)) for row in self.rows]

    def markdown(self) -> str:
        """The table in Markdown, without its title."""
        rule = ["---" if at < self.text_columns else "---:" for at in range(len(self.header))]
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


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def _escaped(cells: Iterable[str]) -> tuple[str, ...]:
    return tuple(cell.replace("|", r"\|") for cell in cells)


#: The formats that `Table.render` knows.
RENDERED: Final[dict[str, Callable[[Table], str]]] = {
    "table": Table.text,
    "csv": Table.csv,
    "tsv": lambda table: table.csv("\t"),
    "md": Table.markdown,
    "latex": Table.latex,
}
