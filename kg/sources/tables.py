"""CSV and TSV: a table whose header names a title and an abstract, as reference tools and sites export it.

Commas, tabs, semicolons or bars stand between the cells. `citekg.sources.field_names` lists the columns.
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
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import author_names, name_first
from citekg.sources.dates import dated
from citekg.sources.decoding import cleaned
from citekg.sources.field_names import KEYS, KNOWN, folded, holds_papers, values_by_field, wanted
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.limits import STRAY_QUOTES, TEXT

#: Where a table of papers that kg wrote says that nothing but the title of one is known.
_STUB: Final = "stub"
#: Every column that is read, folded.
READ: Final = KNOWN | {_STUB}
_DELIMITERS: Final = (",", "\t", ";", "|")
#: A line on which Excel is told the delimiter.
_SEP: Final = re.compile(r"\s*\"?sep=.\"?\s*", re.IGNORECASE)
#: A column of a table is called something like this.
_CALLED: Final = re.compile(r"[^\W\d_][^\n]{0,39}")
#: A comma as tables have it, and sentences do not.
_TIGHT: Final = re.compile(r",(?=[^\s\d])")
_QUOTED: Final = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
#: A list of texts as Python writes it.
_OF_PYTHON: Final = re.compile(rf"\[\s*(?:{_QUOTED}\s*(?:,\s*{_QUOTED}\s*)*)?\]")
#: What stands between the links or references of a cell that holds no such list.
_BETWEEN: Final = re.compile(r"[\s;|]+")


def _recognises(head: list[str]) -> bool:
    return _delimiter(next(filter(_is_header, head), "")) is not None


def _is_header(text: str) -> bool:
    return bool(text.strip()) and not _SEP.fullmatch(text)


def _delimiter(header: str) -> str | None:
    """The sign that cuts the header into columns of papers."""
    return next((sign for sign in _DELIMITERS if holds_papers(map(folded, _columns(header, sign)))), None)


def _columns(header: str, delimiter: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error:
        return []


def unknown_columns(head: list[str]) -> list[str]:
    """The columns of a table that is none of papers, by its first lines; none where that is no table.

    >>> unknown_columns(["Name,Text", 'Kites,"They fly, and stay."'])
    ['Name', 'Text']
    >>> unknown_columns(["Kites, and nests", "They fly, and stay."])
    []
    """
    lines = [text for text in head if _is_header(text)]
    found = (_table(lines, sign) for sign in _DELIMITERS if sign != "," or any(map(_TIGHT.search, lines)))
    return next(filter(None, found), [])


def _table(lines: list[str], delimiter: str) -> list[str]:
    """The columns, where three in four rows have as many cells as the first, which holds short names."""
    try:
        columns, *rows = csv.reader((f"{text}\n" for text in lines), delimiter=delimiter)
    except (csv.Error, ValueError):
        return []
    as_wide = sum(len(row) == len(columns) for row in rows)
    named = len({*columns}) == len(columns) > 1 and all(_CALLED.fullmatch(column.strip()) for column in columns)
    return [column.strip() for column in columns] if named and rows and 4 * as_wide >= 3 * len(rows) else []


def named_twice(columns: list[str]) -> Iterator[str]:
    """A message for each two columns that are read and have the same name, folded."""
    counted = Counter(map(folded, columns))
    for name in sorted(name for name in counted if counted[name] > 1 and name in READ):
        yield f"two columns are called {name!r}; the last of them counts"


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    rows = _Rows(iter(lines))
    header = next((line for line in rows if _is_header(line.text)), Line(1, ""))
    rows.delimiter = _delimiter(header.text) or max(_DELIMITERS, key=header.text.count)
    columns = _columns(header.text, rows.delimiter)
    keys = [*map(folded, columns)]
    if not {*keys} & {*KEYS["title"]}:
        raise InputError(f"{name}:{header.number}", wanted(columns))
    yield from (Problem(f"{name}:{header.number}", told, warning=True) for told in named_twice(columns))
    if rows.ended():
        yield Problem(f"{name}:{header.number}", "no row stands below the header")
    while (start := rows.next_line()) is not None:
        try:
            row = rows.row(start, len(keys))
            if row:
                yield from papers(dict(zip(keys, row, strict=True)), Source(name, start.number))
        except InvalidRecord as unfit:
            yield Problem(f"{name}:{start.number}", str(unfit))


@dataclass(slots=True)
class _Rows:
    """The lines of a table, of which a row may take several; those of a bad row are handed out again.

    Where that has happened too often, the rows that are left are read a line each.
    """

    lines: Iterator[Line]
    delimiter: str = ","
    again: deque[Line] = field(default_factory=deque)
    patience: int = STRAY_QUOTES

    def __iter__(self) -> Iterator[Line]:
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self) -> Line | None:
        """The next line, or None behind the last."""
        return self.again.popleft() if self.again else next(self.lines, None)

    def ended(self) -> bool:
        """Whether no line is left."""
        self.again.extend(line for line in [self.next_line()] if line)
        return not self.again

    def row(self, start: Line, width: int) -> list[str]:
        """The row that starts with the line, empty for a line that is blank or no text.

        Raises `Unfit` where it has not `width` columns; the lines behind the first are then read anew,
        for a stray quote takes in the rows below it.
        """
        if start.broken or not start.text.strip():
            return []
        taken = [start]
        try:
            row = next(csv.reader(self._fed(taken), delimiter=self.delimiter, strict=True), [])
            wrong = f"the row has {len(row)} columns where the header has {width}" if len(row) != width else ""
        except csv.Error as error:
            row, wrong = [], f"the row cannot be read: {error}"
        if wrong:
            self.again.extendleft(reversed(taken[1:]))
            self.patience -= len(taken) > 1
            raise InvalidRecord(wrong)
        return [] if any(line.broken for line in taken) else row

    def _fed(self, taken: list[Line]) -> Iterator[str]:
        """The lines that the row takes, but for more than a row can hold."""
        length = len(taken[0].text)
        yield taken[0].text + "\n"
        while self.patience > 0 and length <= TEXT and (line := self.next_line()):
            taken.append(line)
            length += len(line.text)
            yield line.text + "\n"


def papers(row: Mapping[str, str], source: Source) -> Iterator[Paper | Problem]:
    """The paper of a row, whose cells stand by the folded columns, with a warning for a date that is lost.

    There is none where the row is a stub. Raises `Unfit` for a row that is no paper.
    """
    if row.get(_STUB, "").lower() != "true":
        held = values_by_field(row)
        date = dated(held["date"])
        yield _paper(held, date.date, source)
        if date.warning:
            yield Problem(str(source), date.warning, warning=True)


def _paper(held: Mapping[str, list[str]], date: str, source: Source) -> Paper:
    one = {field: first(*cells) for field, cells in held.items()}
    doi = one["doi"]
    return fields.paper(
        source,
        cleaned(one["title"]),
        cleaned(one["abstract"]),
        own_id=one["id"],
        links=(one["url"], f"https://doi.org/{doi}" if doi.startswith("10.") else doi, doi, one["arxiv_id"]),
        more=[link for cell in held["links"] for link in _several(cell)],
        references=_several(one["references"]),
        date=date,
        authors=_people(cleaned(one["authors"])),
        venue=cleaned(one["venue"]),
    )


def _people(cell: str) -> tuple[str, ...]:
    listed = _listed(cell)
    return author_names(cell) if listed is None else tuple(filter(None, map(name_first, listed)))


def _several(cell: str) -> list[str]:
    """The links or references of a cell."""
    listed = _listed(cell)
    return _BETWEEN.split(cell) if listed is None else listed


def _listed(cell: str) -> list[str] | None:
    """The texts of a list, as JSON or Python writes it; None for any other cell."""
    if not cell.startswith("["):
        return None
    with suppress(ValueError, RecursionError):
        found = json.loads(cell)
        return found if all(isinstance(one, str) for one in found) else None
    if not _OF_PYTHON.fullmatch(cell):
        return None
    return [re.sub(r"\\(.)", r"\1", quoted[1:-1]) for quoted in re.findall(_QUOTED, cell)]


READER: Final = SourceFormat(
    "CSV or TSV: a header with a title, and an abstract or more", _recognises, _read, windows=True
)
