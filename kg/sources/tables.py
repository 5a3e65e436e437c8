"""CSV and TSV: a table whose header names a title and an abstract, as reference tools and sites export it."""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from kg.sources import fields
from kg.sources.decoding import cleaned
from kg.sources.fields import Unfit, first
from kg.sources.limits import STRAY_QUOTES, TEXT
from kg.sources.people import name_first, people
from kg.sources.reading import Line, Problem, Reader
from schemas.records import Paper, Source

#: What the columns are called, in small letters; the first that a row fills counts.
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "title": ("title", "paper_title", "paper title", "document title", "article title", "ti"),
    "abstract": ("abstract", "abstract note", "summary", "ab"),
    "date": (
        "date",
        "publication_date",
        "publication date",
        "published",
        "year",
        "publication_year",
        "publication year",
        "py",
    ),
    "authors": ("authors", "author", "author full names", "author names", "af", "au"),
    "venue": ("venue", "journal", "conference", "booktitle", "source title", "publication title", "so"),
    "url": ("url", "link", "paper_url", "pdf link"),
    "links": ("links", "code", "code_url", "github", "project_page", "pdf", "pdf_url"),
    "references": ("references", "referenced_works"),
    "doi": ("doi", "di"),
    "arxiv_id": ("arxiv_id", "arxiv id", "arxiv"),
    "id": ("id", "paper_id"),
}
#: Where a table of papers that kg wrote says that nothing but the title of one is known.
_STUB: Final = "stub"
#: Every column that is read.
KNOWN: Final = frozenset((_STUB, *(column for columns in COLUMNS.values() for column in columns)))
_DELIMITERS: Final = (",", "\t", ";")
#: The columns that may hold a list, as JSON or Python writes it.
LISTS: Final = frozenset(column for name in ("authors", "links", "references") for column in COLUMNS[name])
_QUOTED: Final = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
#: A list of texts as Python writes it.
_OF_PYTHON: Final = re.compile(rf"\[\s*(?:{_QUOTED}\s*(?:,\s*{_QUOTED}\s*)*)?\]")
#: What stands between the links or references of a cell that holds no such list.
_BETWEEN: Final = re.compile(r"[\s;|]+")


def _recognises(head: list[str]) -> bool:
    return _delimiter(next((text for text in head if text.strip()), "")) is not None


def _delimiter(header: str) -> str | None:
    """The sign that cuts the header into columns with a title and an abstract among them."""
    for sign in _DELIMITERS:
        if names_papers(_columns(header, sign)):
            return sign
    return None


def names_papers(columns: Iterable[str]) -> bool:
    """Whether these columns, in small letters, hold titles and abstracts."""
    named = set(columns)
    return all(named & {*COLUMNS[name]} for name in ("title", "abstract"))


def _columns(header: str, delimiter: str) -> list[str]:
    try:
        return [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error:
        return []


def named_twice(columns: list[str]) -> Iterator[str]:
    """What is told of a table where columns that are read have the same name, in small letters."""
    for twice in sorted({column for column in columns if columns.count(column) > 1 and column in KNOWN}):
        yield f"two columns are called {twice!r}; the last of them counts"


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    rows = _Rows(iter(lines))
    header = next((line for line in rows if line.text.strip()), Line(1, ""))
    rows.delimiter = _delimiter(header.text) or ","
    columns = _columns(header.text, rows.delimiter)
    yield from (Problem(f"{name}:{header.number}", told) for told in named_twice(columns))
    if rows.ended():
        yield Problem(f"{name}:{header.number}", "no row stands below the header")
    while (start := rows.next_line()) is not None:
        try:
            row = rows.row(start, len(columns))
            if row:
                yield from papers(dict(zip_longest(columns, row, fillvalue="")), Source(name, start.number))
        except Unfit as unfit:
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
            raise Unfit(wrong)
        return [] if any(line.broken for line in taken) else row

    def _fed(self, taken: list[Line]) -> Iterator[str]:
        """The lines that the row takes, but for more than a row can hold."""
        length = len(taken[0].text)
        yield taken[0].text + "\n"
        while self.patience > 0 and length <= TEXT and (line := self.next_line()):
            taken.append(line)
            length += len(line.text)
            yield line.text + "\n"


def papers(row: Mapping[str, str], source: Source) -> Iterator[Paper]:
    """The paper of a row, whose cells stand by the columns in small letters, or none where it is a stub.

    Raises `Unfit` for a row that is no paper.
    """
    if row.get(_STUB, "").lower() != "true":
        yield _paper(row, source)


def _paper(row: Mapping[str, str], source: Source) -> Paper:
    told = {name: first(*(row.get(column, "") for column in columns)) for name, columns in COLUMNS.items()}
    doi = told["doi"]
    return fields.paper(
        source,
        cleaned(told["title"]),
        cleaned(told["abstract"]),
        own_id=told["id"],
        links=(told["url"], f"https://doi.org/{doi}" if doi.startswith("10.") else doi, doi, told["arxiv_id"]),
        more=[link for column in COLUMNS["links"] for link in _several(row.get(column, ""))],
        references=_several(told["references"]),
        date=max((fields.date(row.get(column, "")) for column in COLUMNS["date"]), key=len),
        authors=_people(cleaned(told["authors"])),
        venue=cleaned(told["venue"]),
    )


def _people(cell: str) -> tuple[str, ...]:
    listed = _listed(cell)
    return people(cell) if listed is None else tuple(filter(None, map(name_first, listed)))


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


READER: Final = Reader("CSV or TSV: a header with title and abstract", _recognises, _read)
