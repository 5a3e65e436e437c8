"""Stored records that share no join key with another record are papers, without being joined."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.errors import FolderError
from citekg.schemas.records import Paper, Source
from citekg.sources.deduplication import MergedPapers
from citekg.sources.record_table import RecordTable
from citekg.sources.singletons import StoredRecords
from tests.kg.sources.random_records import everything, papers


def stored(folder: Path, records: Iterable[Paper]) -> tuple[StoredRecords, Path, Path]:
    """Store records; return them with the files of their rows, after a byte, and of contents."""
    table, folder = RecordTable(records), Path(tempfile.mkdtemp(dir=folder))
    with (folder / "contents").open("wb") as contents:
        found = table.store(folder / "rows", contents, 0, [])
    (folder / "rows").write_bytes(b"#" + (folder / "rows").read_bytes())
    reloaded = StoredRecords.of_bytes(found.to_bytes())
    assert reloaded
    return reloaded, folder / "rows", folder / "contents"


def load(table: RecordTable, folder: Path, records: Iterable[Paper]) -> Path:
    """Store records and add them to a table; return the file of their rows."""
    found, rows, contents = stored(folder, records)
    table.load(found, rows, 1, table.contents.add(contents, copies=False))
    return rows


@given(values=st.lists(st.tuples(st.integers(0, 2), papers), max_size=8))
def test_stored_records_give_the_papers_of_records_that_are_read(
    values: list[tuple[int, Paper]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The records of files 0 and 2 are stored, those of file 1 are read."""
    files: tuple[list[Paper], ...] = ([], [], [])
    for number, paper in values:
        line = len(files[number]) + 1
        files[number].append(replace(paper, sources=(Source(f"f{number}", line),)))
    folder, table = tmp_path_factory.mktemp("stored"), RecordTable()
    load(table, folder, files[0])
    table.add(files[1])
    load(table, folder, files[2])
    assert everything(MergedPapers(table)) == everything(
        MergedPapers([*files[0], *files[1], *files[2]])
    )


def kite(n: int, **values: Any) -> Paper:
    return Paper(f"k{n}", f"Kites {n}", "An abstract.", sources=(Source("f", n),), **values)


def test_only_records_that_share_a_key_or_that_merging_changes_are_inserted(tmp_path: Path) -> None:
    table = RecordTable([kite(1)])
    load(table, tmp_path, [kite(2), kite(3, references=("b", "a")), kite(4)])
    load(table, tmp_path, [kite(1, venue="Sky"), kite(4, venue="Sea"), kite(5)])
    assert [part.all_ids() for part in table.separate()] == [[b"k2"], [b"k5"]]
    rows = table.database.execute("SELECT number, known FROM record ORDER BY number")
    assert [*rows] == [(1, b"k1"), (3, b"k3"), (4, b"k4"), (5, b"k1"), (6, b"k4")]


def test_rows_that_vanish_before_they_are_inserted_are_reported_with_their_file(
    tmp_path: Path,
) -> None:
    table = RecordTable([kite(1)])
    load(table, tmp_path, [kite(1)]).unlink()
    with pytest.raises(FolderError, match=r"rows: is missing or damaged; delete it"):
        MergedPapers(table)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_for_a_copy_of_the_rows_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = RecordTable([kite(1)])
    load(table, tmp_path, [kite(1)])

    def full(_source: BinaryIO, _target: BinaryIO) -> None:
        with Path("/dev/full").open("wb") as device:
            device.write(b"x")

    monkeypatch.setattr("citekg.sources.databases.copyfileobj", full)
    with pytest.raises(FolderError, match=r"the papers cannot be stored there: No space left"):
        MergedPapers(table)
