"""Kept records of input files give the same papers and problems as parsing the files."""

from __future__ import annotations

import io
import os
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from citekg.building.execution import processes
from citekg.building.pipeline import read_papers
from citekg.schemas.errors import FolderError
from citekg.schemas.plugins import Problem
from citekg.schemas.records import Paper
from citekg.sources import FORMATS, read_merged
from citekg.sources import cached_records as cached_records_module
from citekg.sources.cached_records import CachedRecords
from citekg.sources.deduplication import MergedPapers
from citekg.sources.input_files import InputFile
from citekg.sources.keyed_papers import KeyedPaper, keyed_papers
from tests.kg.sources.json_kites import record
from tests.problems import no_problem

FILES = 3

Found = tuple[list[Paper], list[Problem], list[tuple[str, tuple[object, ...]]]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files with records of papers that merge, lack ids or titles, collide, or cannot be read."""
    monkeypatch.setattr("citekg.sources.cached_records.MIN_BYTES", 100)
    lines = [
        [record(1), record(2), "{not JSON", record(3, date="soon")],
        [record(2, venue="Sky"), record(4, id="", links=["https://code.example"]), record(5)],
        [record(5, title="Nests"), record(6, title=""), record(7, references=["b", "a", "b"])],
    ]
    for number, some in enumerate(lines):
        file = tmp_path / "papers" / f"{number}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(some) + "\n", encoding="utf-8")
    return tmp_path / "papers"


def cached_records(folder: Path, version: str = "") -> CachedRecords:
    return CachedRecords.of(folder.parent / "cached", version)


def cached_files(folder: Path) -> set[Path]:
    """Return the files with the records of an input file."""
    kept = (folder.parent / "cached").glob("*.records")
    return {file for file in kept if "groups" not in file.name}


def found(folder: Path, cached: CachedRecords | None = None) -> Found:
    """Return papers, problems and merged sources; check that stored keys match their papers."""
    problems: list[Problem] = []
    papers = read_merged([str(folder)], problems.append, cached=cached)
    assert [keys(one) for one in papers.keyed()] == [keys(KeyedPaper.of(p)) for p in papers]
    return [*papers], problems, [*papers.merged_sources()]


def keys(paper: KeyedPaper) -> tuple[object, ...]:
    return paper.id, paper.digest, paper.text, paper.read()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are parsed."""
    names: list[str] = []
    known = FORMATS["jsonl"]

    def read(name: str, lines: object) -> Iterator[Paper | Problem]:
        names.append(Path(name).name)
        yield from known.read(name, lines)  # type: ignore[arg-type]

    monkeypatch.setitem(FORMATS, "jsonl", replace(known, read=read))
    return names


def test_unchanged_files_are_not_parsed_again_and_give_the_same_papers_and_problems(
    folder: Path, parsed: list[str]
) -> None:
    without = found(folder)
    assert without[1]
    assert without[2]
    parsed.clear()
    assert found(folder, cached_records(folder)) == without
    assert len(parsed) == FILES
    assert found(folder, cached_records(folder)) == without
    assert len(parsed) == FILES


def _append(folder: Path) -> None:
    with (folder / "1.jsonl").open("a", encoding="utf-8") as file:
        file.write(record(8) + "\n")


def _change_but_keep_the_modification_time(folder: Path) -> None:
    file = folder / "1.jsonl"
    before = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace("fly 5", "fry 5"), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _rename(folder: Path) -> None:
    (folder / "1.jsonl").rename(folder / "9.jsonl")


def _add_another_of_the_same_name(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "1.jsonl").write_text(record(9, abstract="W" * 99) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [_append, _change_but_keep_the_modification_time, _rename, _add_another_of_the_same_name],
)
def test_only_a_file_that_changed_is_read_again(
    folder: Path, parsed: list[str], change: Callable[[Path], None]
) -> None:
    before = found(folder, cached_records(folder))
    change(folder)
    parsed.clear()
    after = found(folder, cached_records(folder))
    assert len(parsed) == 1
    assert after == found(folder) != before


def test_cached_records_of_a_removed_file_are_not_used(folder: Path) -> None:
    found(folder, cached_records(folder))
    (folder / "1.jsonl").unlink()
    assert found(folder, cached_records(folder)) == found(folder)


def test_only_the_latest_records_of_a_file_are_cached(folder: Path) -> None:
    found(folder, cached_records(folder))
    before = cached_files(folder)
    _append(folder)
    found(folder, cached_records(folder))
    after = cached_files(folder)
    assert len(before) == len(after) == FILES
    assert len(before & after) == FILES - 1


def test_another_version_of_the_code_parses_all_files_again(
    folder: Path, parsed: list[str]
) -> None:
    first = found(folder, cached_records(folder))
    assert found(folder, cached_records(folder, "other")) == first
    assert len(parsed) == 2 * FILES


def test_the_content_of_files_that_did_not_change_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    content_of = cached_records_module._digest

    def digest(file: InputFile) -> str:
        read.append(Path(file.path).name)
        return content_of(file)

    later = time.time_ns() + 10**10
    monkeypatch.setattr(cached_records_module, "_digest", digest)
    monkeypatch.setattr("citekg.known_digests.time.time_ns", lambda: later)
    first = found(folder, cached_records(folder))
    assert len(read) == FILES
    assert found(folder, cached_records(folder)) == first
    assert len(read) == FILES
    (folder / "1.jsonl").write_text("\n".join([record(8), record(9)]), encoding="utf-8")
    assert found(folder, cached_records(folder)) == found(folder)
    assert read[FILES:] == ["1.jsonl"]


@pytest.mark.parametrize("rest", [0, 30, None])
def test_files_with_truncated_or_missing_cached_records_are_read_again(
    folder: Path, rest: int | None
) -> None:
    first = found(folder, cached_records(folder))
    for file in (folder.parent / "cached").iterdir():
        if rest is None:
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[:rest])
    assert found(folder, cached_records(folder)) == first


def _without_keys() -> bytes:
    file = io.BytesIO()
    np.savez(file, problems=np.frombuffer(b"[]", dtype=np.uint8))
    return file.getvalue()


@pytest.mark.parametrize("columns", [b"", b"no columns" * 99, _without_keys()])
def test_files_with_invalid_cached_records_are_read_again(folder: Path, columns: bytes) -> None:
    first = found(folder, cached_records(folder))
    header = struct.pack("<qqq", 24, 24 + len(columns), zlib.crc32(columns))
    for file in (folder.parent / "cached").iterdir():
        file.write_bytes(header + columns)
    assert found(folder, cached_records(folder)) == first


def test_files_with_a_damaged_database_of_cached_records_are_read_again(
    folder: Path, parsed: list[str]
) -> None:
    first = found(folder, cached_records(folder))
    parsed.clear()
    for file in (folder.parent / "cached").iterdir():
        *kept, last = file.read_bytes()
        file.write_bytes(bytes([*kept, last ^ 1]))
    assert found(folder, cached_records(folder)) == first
    assert len(parsed) == FILES


def test_damaged_contents_of_records_are_reported_with_their_file(folder: Path) -> None:
    found(folder, cached_records(folder))
    papers = read_merged([str(folder)], lambda _: None, cached=cached_records(folder))
    for file in (folder.parent / "cached").iterdir():
        file.write_bytes(bytes(len(file.read_bytes())))
    with pytest.raises(FolderError, match=r"\.records: is missing or damaged; delete it"):
        list(papers)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_for_the_contents_of_records_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(**_: object) -> BinaryIO:
        return Path("/dev/full").open("r+b")  # as tempfile does

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    with pytest.raises(FolderError, match=r"the papers cannot be stored there: No space left"):
        MergedPapers([Paper("a", "Kites", "x" * 99_999), Paper("b", "Nests", "y" * 99_999)])


def test_small_files_and_files_that_end_in_an_error_are_not_cached(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "unknown.jsonl").write_text("no paper\n" * 50, encoding="utf-8")
    assert found(folder, cached_records(folder)) == found(folder)
    assert len(cached_files(folder)) == FILES
    monkeypatch.setattr("citekg.sources.cached_records.MIN_BYTES", 10_000)
    found(folder, cached_records(folder, "other"))
    assert len(cached_files(folder)) == FILES


@pytest.mark.parametrize("fork", [True, False], ids=["fork", "spawn"])
def test_several_processes_read_the_files_that_are_not_cached(
    folder: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch, *, fork: bool
) -> None:
    monkeypatch.setattr(processes, "_can_fork", lambda: fork and sys.platform == "linux")
    (folder / "unknown.jsonl").write_text("no paper\n" * 50, encoding="utf-8")
    (papers, problems), cache = read_papers([str(folder)]), folder.parent / "cache"
    parsed.clear()
    for place in (None, cache):
        ahead, found_ahead = read_papers([str(folder)], cache=place, workers=2)
        assert ([*ahead], found_ahead) == ([*papers], problems)
        assert parsed == []
    (folder / "unknown.jsonl").unlink()
    _append(folder)
    read_papers([str(folder)], cache=cache, workers=2)
    assert parsed == ["1.jsonl"]  # a single file is read in this process


def test_several_processes_read_urls_in_every_build(
    folder: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("a spawned process does not see the files in memory")
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setattr(processes, "_can_fork", lambda: True)
    memory, cache = fsspec.filesystem("memory"), folder.parent / "cache"
    for venue in ("Sky", "Sea"):
        for file in folder.iterdir():
            content = file.read_text(encoding="utf-8").replace("Sky", venue)
            memory.pipe(f"/urls/{file.name}", content.encode())
        papers, problems = read_papers(["memory://urls/*.jsonl"], cache=cache, workers=2)
        assert parsed == []
        alone, problems_alone = read_papers(["memory://urls/*.jsonl"])
        assert ([*papers], problems) == ([*alone], problems_alone)
        assert venue in {paper.venue for paper in papers}
        parsed.clear()


def test_papers_in_memory_have_the_same_keys_as_stored_papers() -> None:
    papers = [*MergedPapers([Paper("a", "Kites: flying", "x"), Paper("", "Nests", "y")])]
    stored = read_merged([], no_problem)
    assert [*keyed_papers(stored)] == []
    assert [keys(one) for one in keyed_papers(papers)] == [
        keys(one) for one in MergedPapers(papers).keyed()
    ]
