"""Tables as text, CSV, Markdown, LaTeX and HTML; `citekg.cli.printing` fits them to a terminal."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

#: The maximum number of characters in a cell of an HTML table.
_CELL_LIMIT: Final = 80
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

    The first `text_columns` columns hold text and are left-aligned, the others hold numbers.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1
    note: str = ""

    def text(self) -> str:
        """Return the table with columns aligned by spaces, as wide as the widest cells."""
        widths = [max(map(_width, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = (self.header, tuple("─" * width for width in widths), *self.rows)
        aligned = ("  ".join(self._aligned(line, widths)).rstrip() for line in lines)
        return "\n".join((*filter(None, (self.title,)), *aligned, *filter(None, (self.note,))))

    def render(self, name: str) -> str:
        """Return the table in one of the formats of `RENDERED`."""
        return RENDERED[name](self)

    def csv(self, delimiter: str = ",") -> str:
        """Return the header and the rows with a delimiter, without title and note."""
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(
            (self.header, *self.rows)
        )
        return out.getvalue().removesuffix("\n")

    def latex(self) -> str:
        """Return the table as a LaTeX `tabular`, escaped, without title and note."""
        columns = "l" * self.text_columns + "r" * (len(self.header) - self.text_columns)
        header, *rows = (
            " & ".join(cell.translate(_LATEX) for cell in line)
            for line in (self.header, *self.rows)
        )
        body = "".join(f"{row} \\\\\n" for row in rows)
        head = f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{header} \\\\\n\\hline\n"
        return f"{head}{body}\\hline\n\\end{{tabular}}"

    def _aligned(self, cells: Sequence[str], widths: Iterable[int]) -> Iterator[str]:
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            space = " " * (width - _width(cell))
            yield cell + space if at < self.text_columns else space + cell

    def values(self) -> list[dict[str, str | int | float]]:
        """Return the rows as dictionaries by column, numbers as numbers."""
        return [dict(zip(self.header, map(_value, row), strict=True)) for row in self.rows]

    def markdown(self) -> str:
        """Return the table in Markdown, without its title."""
        rule = ["---" if at < self.text_columns else "---:" for at in range(len(self.header))]
        return "\n".join(
            f"| {' | '.join(line)} |" for line in (self.header, rule, *map(_escaped, self.rows))
        )

    def html(self) -> str:
        """Return the table in HTML, escaped, cells cut to 80 characters, without script or link."""
        rows = [_html_row("th", self.header), *(_html_row("td", line) for line in self.rows)]
        return f"<table><caption>{escape(self.title)}</caption>{''.join(rows)}</table>"


def shortened(text: str, limit: int = _CELL_LIMIT) -> str:
    """Return the text on one line, cut to `limit` characters with an ellipsis.

    >>> shortened("Attention Is All You Need", 10)
    'Attention…'
    """
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _html_row(tag: str, cells: Iterable[str]) -> str:
    rendered = (
        f'<{tag} style="text-align: left">{escape(shortened(cell))}</{tag}>' for cell in cells
    )
    return f"<tr>{''.join(rendered)}</tr>"


def _value(cell: str) -> str | int | float:
    for number in (int, float):
        try:
            return number(cell)
        except ValueError:
            continue
    return cell


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes (Unicode UAX 11)."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


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
