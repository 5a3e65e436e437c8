"""Printing of tables: fitted to a terminal, whole in a pipe, or in another format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from citekg.text_table import RENDERED, Table

if TYPE_CHECKING:
    from rich.table import Table as Fitted

#: The gap between two columns of a table, and the minimum width of a column, in characters.
_GAP: Final = 2
_MIN_WIDTH: Final = 6

FULL: Final = click.option(
    "--full", is_flag=True, help="On a terminal, wrap long cells instead of cutting them."
)


@dataclass(frozen=True, slots=True)
class Output:
    """The format of printed tables; with `full`, cells are wrapped on a terminal, not cut."""

    name: str = "table"
    full: bool = False

    @property
    def is_json(self) -> bool:
        """Return whether the command prints JSON instead of tables."""
        return self.name == "json"

    def echo(self, *tables: Table) -> None:
        """Print the tables, with an empty line between them."""
        if self.name == "table" and sys.stdout.isatty():
            _echo_fitted(tables, full=self.full)
        else:
            click.echo("\n\n".join(table.render(self.name) for table in tables))


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--format` and `--json` to a command, as one argument `output`."""

    @click.option(
        "--format",
        "format_name",
        type=click.Choice([*RENDERED, "json"]),
        default="table",
        show_default=True,
        help="The format to print.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
    @wraps(command)
    def with_output(*args: Any, format_name: str, as_json: bool, **rest: Any) -> None:
        command(*args, output=Output("json" if as_json else format_name), **rest)

    return with_output


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--format`, `--full` and `--json` to a command, as one argument `output`."""

    @format_options
    @FULL
    @wraps(command)
    def with_full(*args: Any, output: Output, full: bool, **rest: Any) -> None:
        command(*args, output=replace(output, full=full), **rest)

    return with_full


def _echo_fitted(tables: tuple[Table, ...], *, full: bool) -> None:
    """Print tables no wider than the terminal, in colour unless NO_COLOR is set."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for at, table in enumerate(tables):
        if at:
            console.print()
        if table.title:
            console.print(Text(_printable(table.title), "bold"))
        console.print(_fitted(table, console.width, full=full))
        if table.note:
            console.print(Text(_printable(table.note), "dim"))


def _fitted(table: Table, width: int, *, full: bool) -> Fitted:
    """Return the table fitted to a width; long cells are cut, or wrapped with `full`."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Fitted
    from rich.text import Text

    lines = [tuple(map(_printable, line)) for line in (table.header, *table.rows)]
    made = Fitted(
        box=SIMPLE_HEAD,
        header_style="bold cyan",
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
    )
    for at, (name, wide) in enumerate(zip(lines[0], _widths(lines, width), strict=True)):
        side: Literal["left", "right"] = "left" if at < table.text_columns else "right"
        overflow: Literal["fold", "ellipsis"] = "fold" if full else "ellipsis"
        made.add_column(Text(name), justify=side, overflow=overflow, no_wrap=not full, width=wide)
    for line in lines[1:]:
        made.add_row(*map(Text, line))
    return made


def _widths(lines: Iterable[tuple[str, ...]], width: int) -> list[int]:
    """Return the width of each column.

    If the table does not fit, all wide columns get the same largest width that fits.
    """
    from rich.cells import cell_len

    own = [max(1, *map(cell_len, column)) for column in zip(*lines, strict=True)]
    space = width - _GAP * (len(own) - 1)
    largest = next(
        (w for w in range(max(own), _MIN_WIDTH, -1) if sum(min(w, one) for one in own) <= space),
        _MIN_WIDTH,
    )
    return [min(largest, one) for one in own]


def _printable(text: str) -> str:
    """Return the text without control characters, which could move the cursor."""
    return "".join(char for char in text if char.isprintable())
