"""The table of paper records on disk: join keys, and the keys of papers with a single record."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import unicodedata
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, Final

from citekg.schemas.identifiers import arxiv_id, doi, semantic_scholar_id
from citekg.schemas.records import Paper, Source
from citekg.sources.collisions import has_local_id
from citekg.sources.keyed_papers import as_bytes, paper_digest, text_key
from citekg.sources.merging import merge_group
from citekg.sources.paper_columns import PaperColumns
from citekg.sources.record_contents import (
    RecordContents,
    compressed,
    damaged,
    storage_error,
    storing_errors,
)
from citekg.sources.singletons import KEY_COLUMNS, StoredRecords, find_singletons, key_hashes
from citekg.sources.source_names import file_name

Row = tuple[Any, ...]

_values: Final = attrgetter(*(field.name for field in fields(Paper)))
_encode: Final = json.JSONEncoder(default=lambda source: [source.name, source.line]).encode
#: The minimum length of a title, in characters, that identifies a paper of one author.
_DISTINCTIVE_LENGTH: Final = 20
_NAME_SUFFIXES: Final = ("jr", "sr", "ii", "iii")
#: The columns of a record before those of its content, with their types.
_KEYS: Final = {
    "known": "BLOB", "named": "BLOB", "doi": "BLOB", "corpus": "BLOB", "byline": "BLOB",
    "title": "BLOB", "preprint": "INTEGER", "alone": "BLOB", "arxiv": "BLOB", "bare": "INTEGER",
    "lacks": "INTEGER", "id": "BLOB", "file": "BLOB", "digest": "BLOB", "text": "BLOB",
}  # fmt: skip
#: All columns; `number` is the place of a record in the order of the records.
_TYPES: Final = {
    "number": "INTEGER PRIMARY KEY",
    **_KEYS,
    **dict.fromkeys(("contents", "offset", "size", "merged"), "INTEGER"),
}
_COLUMNS: Final = ", ".join(f"{name} {kind}" for name, kind in _TYPES.items())
_INSERT: Final = f"INSERT INTO {{}} VALUES ({', '.join('?' * len(_TYPES))})"  # noqa: S608  # a constant
#: The columns that place the content of a record (see `RecordContents`).
PLACE: Final = "contents, offset, size"
_NEW_ROWS: Final = "SELECT * FROM main.record WHERE number > ? ORDER BY number"
#: The tables of a file with the records of an input file. It is temporary: a copy of it is stored.
_NEW_FILE: Final = (
    "PRAGMA cached.journal_mode = OFF",
    "PRAGMA cached.synchronous = OFF",
    f"CREATE TABLE cached.record ({_COLUMNS})",
)
_SELECT_KEYS: Final = f"SELECT {', '.join(KEY_COLUMNS)} FROM {{}} ORDER BY number"  # noqa: S608  # constants
#: The papers that stored records are as singletons, and whether merging changes them.
_SELECT_PAPERS: Final = (
    "SELECT id, digest, text, 0, contents, offset, size FROM cached.record ORDER BY number"
)
_SELECT_CHANGED: Final = """
    SELECT file = x'' OR id <> CASE WHEN known = x'' THEN alone ELSE known END
    FROM cached.record ORDER BY number"""
_NEW_CHOICE: Final = "CREATE TABLE cached.chosen (number INTEGER PRIMARY KEY)"
_CHOOSE: Final = "INSERT INTO cached.chosen VALUES (?)"
_INSERT_CHOSEN: Final = f"""
    INSERT INTO main.record SELECT number + ?, {", ".join(_KEYS)}, ?, offset + ?, size, merged
    FROM cached.record WHERE number IN (SELECT number FROM cached.chosen)"""  # noqa: S608  # constants


@dataclass(frozen=True, slots=True)
class _StoredFile:
    """Stored records of an input file that a table may insert.

    A database of their rows begins at an offset of `place`. `contents` are the number of their
    contents and the offset of the first one; `before` is the number of records before them.
    """

    records: StoredRecords
    place: Path
    database: int
    contents: tuple[int, int]
    before: int


class RecordTable:
    """A temporary database on disk with a table `record` of the records of papers.

    `contents` holds their contents, and `rows` is the number of records that were added.
    """

    def __init__(self, records: Iterable[Paper] = ()) -> None:
        """Create the table, with these records."""
        import sqlite3

        # A temporary file, which is removed with its process. The garbage collector may close it in
        # another thread than this one, which SQLite refuses unless the check is off.
        self.database = sqlite3.connect("", check_same_thread=False)
        weakref.finalize(self, self.database.close)
        self.database.execute(f"CREATE TABLE record ({_COLUMNS})")
        self.contents = RecordContents()
        self.rows = 0
        self._stored: list[_StoredFile] = []
        self.add(records)

    def add(self, records: Iterable[Paper]) -> None:
        """Add records in their order."""
        numbered = enumerate(map(self._row, records), self.rows + 1)
        added = self.database.executemany(
            _INSERT.format("record"), ((number, *row) for number, row in numbered)
        )
        self.rows += max(added.rowcount, 0)  # -1 without records

    def store(
        self, file: Path, contents: BinaryIO, after: int, problems: list[tuple[str, str, bool]]
    ) -> StoredRecords:
        """Write the records after a number to a new database; return them in columns.

        Their contents are written to a second file.
        """
        import numpy as np

        with self._attached(file):
            for statement in _NEW_FILE:
                self.database.execute(statement)
            rows = self.database.execute(_NEW_ROWS, (after,))
            stored = (self._stored_row(row, after, contents) for row in rows)
            self.database.executemany(_INSERT.format("cached.record"), stored)
            keys = self.database.execute(_SELECT_KEYS.format("cached.record"))
            papers = self.database.execute(_SELECT_PAPERS)
            is_changed = [bool(*row) for row in self.database.execute(_SELECT_CHANGED)]
            return StoredRecords(
                key_hashes(keys),
                np.array(is_changed, dtype=bool),
                PaperColumns.of(papers),
                problems,
            )

    def _stored_row(self, row: Row, after: int, file: BinaryIO) -> Row:
        """Write the content of a row to a file of cached contents; return the row for it."""
        number, *keys, contents, offset, size, merged = row
        start = file.tell()
        written = file.write(compressed(self.contents.read(contents, offset, size)))
        return (number - after, *keys, contents, start, written, merged)

    def load(
        self, records: StoredRecords, place: Path, database: int, contents: tuple[int, int]
    ) -> None:
        """Add records that `store` wrote; `separate` inserts their rows.

        The database of their rows begins at an offset of `place`. Their contents have a number of
        `RecordContents` and begin at an offset.
        """
        self._stored.append(_StoredFile(records, place, database, contents, self.rows))
        self.rows += len(records.keys)

    def separate(self) -> list[PaperColumns]:
        """Return the papers of stored records that are singletons; insert the rows of the others.

        A record that merging changes is inserted as well. Raises `FolderError` if a file with
        stored records is missing, or the disk for temporary files is full.
        """
        stored, self._stored = self._stored, []
        if not stored:
            return []
        others = key_hashes(self.database.execute(_SELECT_KEYS.format("record")))
        found = find_singletons([file.records.keys for file in stored], others)
        papers = []
        for file, is_single in zip(stored, found, strict=True):
            is_paper = is_single & ~file.records.is_changed
            self._insert(file, (1 + (~is_paper).nonzero()[0]).tolist())
            papers.append(file.records.papers.only(is_paper).in_contents(*file.contents))
        return papers

    def _insert(self, file: _StoredFile, numbers: list[int]) -> None:
        """Insert the rows with these numbers in the stored file."""
        if not numbers:
            return
        try:
            stored = file.place.open("rb")
        except OSError as error:
            raise damaged(file.place) from error
        with stored, tempfile.TemporaryDirectory(prefix="kg-") as folder:
            database = Path(folder) / "records"
            stored.seek(file.database)
            with storing_errors(), database.open("wb") as copy:
                copyfileobj(stored, copy)
            with self._attached(database):
                self.database.execute(_NEW_CHOICE)
                self.database.executemany(_CHOOSE, ((number,) for number in numbers))
                self.database.execute(_INSERT_CHOSEN, (file.before, *file.contents))

    def _row(self, paper: Paper) -> Row:
        """Store the content of a record; return its row.

        A record without an id gets the one that its paper has if no other record joins it.
        """
        alone = title_id(paper.title)
        named = paper
        if not paper.id and paper.title.strip():
            named = replace(paper, id=paper.arxiv_id or paper.doi or alone)
        keys = (
            *join_keys(paper),
            as_bytes(alone),
            as_bytes(paper.arxiv_id),
            has_local_id(paper),
            not paper.title.strip(),
            as_bytes(named.id),
            *_keys_alone(named),
        )
        return *keys, *self.contents.append(serialise(named)), 1

    @contextmanager
    def _attached(self, file: Path) -> Iterator[None]:
        """Attach a database, which SQLite allows between transactions only."""
        self.database.commit()
        self.database.execute("ATTACH ? AS cached", (str(file),))
        try:
            yield
            self.database.commit()
        finally:
            self.database.rollback()
            self.database.execute("DETACH cached")


def folded_title(title: str) -> str:
    """Return a normalised title: NFKC, case-folded, without punctuation and extra spaces."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


def _keys_alone(paper: Paper) -> tuple[bytes, ...]:
    """Return the columns from `file` to `text`: the keys of a paper that has only this record.

    These are the path of the file, and the keys of a `KeyedPaper` whose source has the name of the
    file; empty if merging changes the record.
    """
    is_titled = bool(paper.title.strip())
    if len(paper.sources) != 1 or not is_titled or merge_group(paper.id, [paper]) != paper:
        return b"", b"", b""
    (source,) = paper.sources
    named = replace(paper, sources=(Source(file_name(source.name), source.line),))
    return as_bytes(source.name), paper_digest(named), text_key(paper)


def join_keys(paper: Paper) -> tuple[bytes | bool, ...]:
    """Return the join keys of a record, as UTF-8 bytes, which sort by code point.

    These are the columns from `known` to `preprint`: the key of the paper, its name unless that is
    a DOI, the DOI, the corpus id, title with first author, the title, and whether it is a preprint.
    """
    name = paper.id or paper.arxiv_id
    title, preprint = folded_title(paper.title), bool(paper.arxiv_id or arxiv_id(name))
    return (
        as_bytes(name or paper.doi),
        as_bytes("" if doi(name) else name),
        as_bytes(paper.doi),
        as_bytes(_corpus_id(paper)),
        as_bytes(_byline(title, paper.authors) if preprint or paper.doi else ""),
        as_bytes(title),
        preprint,
    )


def _byline(title: str, authors: tuple[str, ...]) -> str:
    """Return a title with the last name of the first author; empty for a title that is too short.

    >>> _byline("kites that learn to fly", ("Vaswaní, A.", "Bo Wren")) == _byline(
    ...     "kites that learn to fly", ("Ada B. Vaswani Jr.",))
    True
    """
    bare = "".join(
        c
        for c in unicodedata.normalize("NFKD", "".join(authors[:1]))
        if not unicodedata.combining(c)
    )
    names = [
        word for word in folded_title(bare).split() if len(word) > 1 and word not in _NAME_SUFFIXES
    ]
    return f"{title} / {names[-1]}" if names and len(title) >= _DISTINCTIVE_LENGTH else ""


def _corpus_id(paper: Paper) -> str:
    """Return the Semantic Scholar corpus id in the links of a paper, if there is exactly one."""
    numbers = {
        semantic_scholar_id(link) for link in (paper.url, *paper.links) if "CorpusID:" in link
    }
    return numbers.pop() if len(numbers) == 1 else ""


def serialise(paper: Paper) -> bytes:
    """Return the values of a paper as a JSON array."""
    return _encode(_values(paper)).encode()


def deserialise(stored: bytes) -> Paper:
    """Return the paper of a JSON array."""
    values: list[Any] = [
        tuple(map(_part, v)) if isinstance(v, list) else v for v in json.loads(stored)
    ]
    return Paper(*values)


def _part(value: str | list[Any]) -> str | Source:
    return Source(*value) if isinstance(value, list) else value


def title_id(title: str) -> str:
    """Return the id of a paper without identifiers: a hash of its title."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turn an error of the temporary database into a `FolderError`."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        raise storage_error(error) from error
