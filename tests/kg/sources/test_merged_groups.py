"""A group of records is merged once, also in later builds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.records import Paper, Source
from citekg.sources import deduplication, read_merged
from citekg.sources.cached_records import CachedRecords
from citekg.sources.deduplication import MergedPapers
from citekg.sources.merged_groups import group_key
from citekg.sources.merging import merge_group
from citekg.sources.record_table import RecordTable
from tests.kg.sources.json_kites import record
from tests.kg.sources.random_records import everything, papers
from tests.problems import no_problem


@pytest.fixture
def merged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the papers that are merged."""
    ids: list[str] = []

    def merge(paper_id: str, group: list[Paper]) -> Paper:
        ids.append(paper_id)
        return merge_group(paper_id, group)

    monkeypatch.setattr(deduplication, "merge_group", merge)
    return ids


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files with records of the same three papers, and the record of a fourth paper."""
    monkeypatch.setattr("citekg.sources.cached_records.MIN_BYTES", 100)
    folder = tmp_path / "papers"
    folder.mkdir()
    write(folder / "a.jsonl", [record(n) for n in range(4)])
    write(folder / "b.jsonl", [record(n, venue="Sky") for n in range(3)])
    return folder


def write(file: Path, lines: Iterable[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read(folder: Path) -> list[Paper]:
    cached = CachedRecords.of(folder.parent / "cached", "")
    return [*read_merged([str(folder)], no_problem, cached=cached)]


def groups_of(folder: Path) -> list[Path]:
    return [file for file in (folder.parent / "cached").iterdir() if "groups" in file.name]


def test_a_group_is_merged_once(folder: Path, merged: list[str]) -> None:
    first = read(folder)
    assert sorted(merged) == ["k0", "k1", "k2"]
    merged.clear()
    assert read(folder) == first
    assert merged == []


def test_only_a_group_with_new_or_changed_records_is_merged_again(
    folder: Path, merged: list[str]
) -> None:
    read(folder)
    merged.clear()
    write(folder / "b.jsonl", [record(0, venue="Sky"), record(1, venue="Sea"), record(3)])
    after = read(folder)
    assert sorted(merged) == ["k1", "k3"]
    assert after == [*read_merged([str(folder)], no_problem)]


def test_the_papers_of_cached_groups_do_not_need_the_file_which_a_build_replaces(
    folder: Path,
) -> None:
    first = read(folder)
    cached = CachedRecords.of(folder.parent / "cached", "")
    papers = read_merged([str(folder)], no_problem, cached=cached)
    (file,) = groups_of(folder)
    file.unlink()
    assert [*papers] == first


def test_groups_that_are_not_used_any_more_are_removed(folder: Path) -> None:
    read(folder)
    (file,) = groups_of(folder)
    before = file.stat().st_size
    write(folder / "b.jsonl", [record(0, venue="Sky")])
    read(folder)
    assert file.stat().st_size < before
    (folder / "b.jsonl").unlink()
    read(folder)
    assert groups_of(folder) == []


def test_groups_that_did_not_change_are_not_written_again(folder: Path) -> None:
    read(folder)
    (file,) = groups_of(folder)
    before = file.stat().st_mtime_ns
    read(folder)
    assert file.stat().st_mtime_ns == before


def test_a_few_groups_are_not_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citekg.sources.cached_records.MIN_BYTES", 10_000)
    write(folder / "a.jsonl", [record(n) for n in range(200)])
    read(folder)
    assert groups_of(folder) == []


def test_groups_of_files_with_other_recorded_names_are_merged(folder: Path) -> None:
    read(folder)
    (folder / "more").mkdir()
    write(folder / "more" / "b.jsonl", [record(0, venue="Sea")])
    assert read(folder) == [*read_merged([str(folder)], no_problem)]


def test_a_group_with_a_record_without_a_digest_has_no_key() -> None:
    assert group_key(b"k1", [b"digest", b""]) == b""
    assert group_key(b"k1", [b"digest"]) != group_key(b"k2", [b"digest"])


@given(values=st.lists(st.tuples(st.sets(st.booleans(), min_size=1), papers), max_size=8))
def test_stored_groups_give_the_papers_of_records_that_are_merged(
    values: list[tuple[set[bool], Paper]],
) -> None:
    """Each record is read in a first build, in a later one, or in both."""
    records = [
        (builds, replace(paper, sources=(Source(f"{n % 2}.jsonl", n),)))
        for n, (builds, paper) in enumerate(values)
    ]
    first, later = ([paper for builds, paper in records if build in builds] for build in (0, 1))
    earlier, table = RecordTable(first), RecordTable(later)
    MergedPapers(earlier)
    with tempfile.TemporaryDirectory() as folder:
        rows, contents = Path(folder) / "rows", Path(folder) / "contents"
        with contents.open("wb") as file:
            earlier.groups.store(rows, file)
        table.groups.load(rows, 0, table.contents.add(contents, copies=False))
        assert everything(MergedPapers(table)) == everything(MergedPapers(later))
