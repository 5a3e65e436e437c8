"""CSV and TSV: tables whose header names a title and an abstract.

The delimiter is a comma, tab, semicolon or bar. `citekg.sources.field_names` lists the columns.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import given_name_first, split_authors
from citekg.sources.dates import parse_date
from citekg.sources.decoding import replace_controls
from citekg.sources.field_names import (
    FIELD_KEYS,
    KNOWN_KEYS,
    are_paper_columns,
    missing_columns_message,
    normalise_key,
    values_by_field,
)
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.limits import MAX_STRAY_QUOTES, MAX_TEXT_LENGTH

#: The column of a table written by kg that marks papers of which only the title is known.
_STUB: Final = "stub"
#: The normalised names of the columns that are read.
READ_COLUMNS: Final = KNOWN_KEYS | {_STUB}
_DELIMITERS: Final = (",", "\t", ";", "|")
#: A line that declares the delimiter for Excel.
_SEP: Final = re.compile(r"\s*\"?sep=.\"?\s*", re.IGNORECASE)
#: A plausible name of a column.
_COLUMN_NAME: Final = re.compile(r"[^\W\d_][^\n]{0,39}")
#: A comma without a space behind it, as in tables and not in sentences.
_TABLE_COMMA: Final = re.compile(r",(?=[^\s\d])")
_QUOTED: Final = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
#: A list of strings in Python notation.
_PYTHON_LIST: Final = re.compile(rf"\[\s*(?:{_QUOTED}\s*(?:,\s*{_QUOTED}\s*)*)?\]")
#: The separators of links or references in a cell without such a list.
_SEPARATORS: Final = re.compile(r"[\s;|]+")


def _recognises(head: list[str]) -> bool:
    return _delimiter(next(filter(_is_header, head), "")) is not None


def _is_header(text: str) -> bool:
    return bool(text.strip()) and not _SEP.fullmatch(text)


def _delimiter(header: str) -> str | None:
    """Return the delimiter that splits the header into columns of papers."""
    return next(
        (
            sign
            for sign in _DELIMITERS
            if are_paper_columns(map(normalise_key, _columns(header, sign)))
        ),
        None,
    )


def _columns(header: str, delimiter: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error:
        return []


def unknown_columns(head: list[str]) -> list[str]:
    """Return the columns of a table, by its first lines; an empty list if they are not a table.

    >>> unknown_columns(["Name,Text", 'Kites,"They fly, and stay."'])
    ['Name', 'Text']
    >>> unknown_columns(["Kites, and nests", "They fly, and stay."])
    []
    """
    lines = [text for text in head if _is_header(text)]
    found = (
        _table_columns(lines, sign)
        for sign in _DELIMITERS
        if sign != "," or any(map(_TABLE_COMMA.search, lines))
    )
    return next(filter(None, found), [])


def _table_columns(lines: list[str], delimiter: str) -> list[str]:
    """Return the columns, if they are distinct names and three of four rows are as wide."""
    try:
        columns, *rows = csv.reader((f"{text}\n" for text in lines), delimiter=delimiter)
    except (csv.Error, ValueError):
        return []
    as_wide = sum(len(row) == len(columns) for row in rows)
    named = len({*columns}) == len(columns) > 1 and all(
        _COLUMN_NAME.fullmatch(column.strip()) for column in columns
    )
    return (
        [column.strip() for column in columns]
        if named and rows and 4 * as_wide >= 3 * len(rows)
        else []
    )


def duplicate_columns(columns: list[str]) -> Iterator[str]:
    """Yield a message for each duplicate name among the columns that are read."""
    counted = Counter(map(normalise_key, columns))
    for name in sorted(name for name in counted if counted[name] > 1 and name in READ_COLUMNS):
        yield f"two columns are called {name!r}; the last of them counts"


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    rows = _Rows(iter(lines))
    header = next((line for line in rows if _is_header(line.text)), Line(1, ""))
    rows.delimiter = _delimiter(header.text) or max(_DELIMITERS, key=header.text.count)
    columns = _columns(header.text, rows.delimiter)
    keys = [*map(normalise_key, columns)]
    if not {*keys} & {*FIELD_KEYS["title"]}:
        raise InputError(f"{name}:{header.number}", missing_columns_message(columns))
    yield from (
        Problem(f"{name}:{header.number}", message, warning=True)
        for message in duplicate_columns(columns)
    )
    if rows.is_at_end():
        yield Problem(f"{name}:{header.number}", "there is no row below the header")
    while (start := rows.next_line()) is not None:
        try:
            row = rows.row(start, len(keys))
            if row:
                yield from parse_row(dict(zip(keys, row, strict=True)), Source(name, start.number))
        except InvalidRecord as error:
            yield Problem(f"{name}:{start.number}", str(error))


@dataclass(slots=True)
class _Rows:
    """The rows of a table; a row may span several lines.

    The lines after the first one of an invalid row are read again, because a stray quote extends
    its row over those below it. After `MAX_STRAY_QUOTES` such rows every row must end on its line.
    """

    lines: Iterator[Line]
    delimiter: str = ","
    pushed_back: deque[Line] = field(default_factory=deque)
    retries_left: int = MAX_STRAY_QUOTES

    def __iter__(self) -> Iterator[Line]:
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self) -> Line | None:
        """Return the next line, or None at the end."""
        return self.pushed_back.popleft() if self.pushed_back else next(self.lines, None)

    def is_at_end(self) -> bool:
        """Return whether no line is left."""
        self.pushed_back.extend(line for line in [self.next_line()] if line)
        return not self.pushed_back

    def row(self, start: Line, width: int) -> list[str]:
        """Return the cells of the row that starts with the line; none for a blank or broken line.

        Raises `InvalidRecord` if the row does not have `width` cells.
        """
        if start.broken or not start.text.strip():
            return []
        row_lines = [start]
        try:
            row = next(
                csv.reader(self._row_text(row_lines), delimiter=self.delimiter, strict=True), []
            )
            fault = (
                f"the row has {len(row)} columns where the header has {width}"
                if len(row) != width
                else ""
            )
        except csv.Error as error:
            row, fault = [], f"the row cannot be read: {error}"
        if fault:
            self.pushed_back.extendleft(reversed(row_lines[1:]))
            self.retries_left -= len(row_lines) > 1
            raise InvalidRecord(fault)
        return [] if any(line.broken for line in row_lines) else row

    def _row_text(self, row_lines: list[Line]) -> Iterator[str]:
        """Yield the lines of a row, up to the maximum length of a row."""
        length = len(row_lines[0].text)
        yield row_lines[0].text + "\n"
        while self.retries_left > 0 and length <= MAX_TEXT_LENGTH and (line := self.next_line()):
            row_lines.append(line)
            length += len(line.text)
            yield line.text + "\n"


def parse_row(row: Mapping[str, str], source: Source) -> Iterator[Paper | Problem]:
    """Yield the paper of a row, keyed by normalised column, and a warning for an unreadable date.

    A stub yields nothing. Raises `InvalidRecord` for a row that is not a paper.
    """
    if row.get(_STUB, "").lower() != "true":
        values = values_by_field(row)
        date = parse_date(values["date"])
        yield _paper(values, date.date, source)
        if date.warning:
            yield Problem(str(source), date.warning, warning=True)


def _paper(values: Mapping[str, list[str]], date: str, source: Source) -> Paper:
    one = {field: first(*cells) for field, cells in values.items()}
    doi = one["doi"]
    return fields.make_paper(
        source,
        replace_controls(one["title"]),
        replace_controls(one["abstract"]),
        own_id=one["id"],
        links=(
            one["url"],
            f"https://doi.org/{doi}" if doi.startswith("10.") else doi,
            doi,
            one["arxiv_id"],
        ),
        more=[link for cell in values["links"] for link in _split_cell(cell)],
        references=_split_cell(one["references"]),
        date=date,
        authors=_authors(replace_controls(one["authors"])),
        venue=replace_controls(one["venue"]),
    )


def _authors(cell: str) -> tuple[str, ...]:
    listed = _parse_list(cell)
    return (
        split_authors(cell)
        if listed is None
        else tuple(filter(None, map(given_name_first, listed)))
    )


def _split_cell(cell: str) -> list[str]:
    """Return the links or references of a cell."""
    listed = _parse_list(cell)
    return _SEPARATORS.split(cell) if listed is None else listed


def _parse_list(cell: str) -> list[str] | None:
    """Return the strings of a list in JSON or Python notation; None for any other cell."""
    if not cell.startswith("["):
        return None
    with suppress(ValueError, RecursionError):
        found = json.loads(cell)
        return found if all(isinstance(one, str) for one in found) else None
    if not _PYTHON_LIST.fullmatch(cell):
        return None
    return [re.sub(r"\\(.)", r"\1", quoted[1:-1]) for quoted in re.findall(_QUOTED, cell)]


FORMAT: Final = SourceFormat(
    "CSV or TSV: a header with a title, and an abstract or more", _recognises, _read, windows=True
)
