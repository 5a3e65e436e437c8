"""The table of paper records on disk: join keys, and the keys of papers with a single record."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from citekg.schemas.records import Paper
from citekg.sources.collisions import has_local_id
from citekg.sources.databases import WRITTEN_ONCE, attached, attached_copy
from citekg.sources.join_keys import join_keys, title_id
from citekg.sources.keyed_papers import as_bytes, paper_digest, text_key
from citekg.sources.merged_groups import MergedGroups
from citekg.sources.merging import merge_group
from citekg.sources.paper_columns import PaperColumns
from citekg.sources.record_contents import RecordContents, serialise
from citekg.sources.singletons import KEY_COLUMNS, StoredRecords, find_singletons, key_hashes
from citekg.sources.source_names import recorded_sources

Row = tuple[Any, ...]

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
_NEW_FILE: Final = (*WRITTEN_ONCE, f"CREATE TABLE cached.record ({_COLUMNS})")
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

    `contents` holds their contents, `groups` are merged groups of them, and `rows` is the number of
    records that were added.
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
        self.groups = MergedGroups(self.database, self.contents)
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

        with attached(self.database, file):
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
        place = self.contents.copy_to(file, contents, offset, size)
        return (number - after, *keys, contents, *place, merged)

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
        with attached_copy(self.database, file.place, file.database):
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


def _keys_alone(paper: Paper) -> tuple[bytes, ...]:
    """Return the columns from `file` to `text`: the keys of a paper that has only this record.

    These are the path of the file, and the keys of a `KeyedPaper` whose source has the name of the
    file; empty if merging changes the record.
    """
    is_titled = bool(paper.title.strip())
    if len(paper.sources) != 1 or not is_titled or merge_group(paper.id, [paper]) != paper:
        return b"", b"", b""
    (source,) = paper.sources
    named = replace(paper, sources=recorded_sources(paper.sources))
    return as_bytes(source.name), paper_digest(named), text_key(paper)
