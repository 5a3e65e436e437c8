"""The stored index of part files: later builds read only the keys of new and changed parts."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from citekg.building.incremental import stored_index
from citekg.building.incremental.part_files import packed, read_keys
from citekg.building.incremental.stored_index import INDEX, index_of
from citekg.schemas.records import Extraction, Paper
from citekg.sources.keyed_papers import text_key
from citekg.storage.folders import Folder, LocalFolder

PAPERS = [Paper(f"p{number}", f"Kite {number}", "Herons.") for number in range(6)]
KEYS = [text_key(paper) for paper in PAPERS]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the parts whose keys are read, in order, with an index of any number."""
    names: list[str] = []

    def recorded(folder: Folder, name: str) -> list[bytes]:
        names.append(name)
        return read_keys(folder, name)

    monkeypatch.setattr(stored_index, "read_keys", recorded)
    monkeypatch.setattr(stored_index, "_MAX_READ", 0)
    return names


def write(folder: Path, name: str, *papers: Paper) -> str:
    """Write a part of papers, as if an hour ago; return its name."""
    (folder / "of").mkdir(exist_ok=True)
    (folder / "of" / name).write_bytes(packed(Extraction(p, (), (), ()) for p in papers))
    return f"of/{name}"


def found(folder: Path, *names: str) -> list[str]:
    """Return the names of the parts with the keys of the papers, without those in none."""
    index = index_of(LocalFolder(folder), "of", names)
    return [index.name(key) for key in KEYS if key in index]


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all files count as unchanged for long."""
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)


def test_parts_of_the_stored_index_are_not_read_again(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    first, second = write(tmp_path, "a", *PAPERS[:2]), write(tmp_path, "b", PAPERS[2])
    expected = [first, first, second]
    assert [found(tmp_path, first, second) for _ in range(2)] == [expected] * 2
    assert read == [first, second]
    third = write(tmp_path, "c", *PAPERS[3:])
    assert found(tmp_path, first, second, third) == [*expected, third, third, third]
    assert read == [first, second, third]


def test_a_part_that_changed_a_moment_ago_is_read_again(tmp_path: Path, read: list[str]) -> None:
    name = write(tmp_path, "a", *PAPERS[:2])
    assert [found(tmp_path, name) for _ in range(2)] == [[name, name]] * 2
    assert read == [name, name]


@pytest.mark.parametrize("change", ["removed", "replaced", "truncated"])
def test_all_parts_are_read_again_after_one_changed(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    settle(monkeypatch)
    kept, other = write(tmp_path, "a", *PAPERS[:2]), write(tmp_path, "b", *PAPERS[2:4])
    found(tmp_path, kept, other)
    names = [kept] if change == "removed" else [kept, other]
    if change == "replaced":
        write(tmp_path, "b", PAPERS[5])
    elif change == "truncated":
        os.truncate(tmp_path / other, 20)
    else:
        (tmp_path / other).unlink()
    expected = [kept, kept, *([other] if change == "replaced" else [])]
    read.clear()
    assert [found(tmp_path, *names) for _ in range(2)] == [expected] * 2
    assert read == names


@pytest.mark.parametrize("content", [b"", b"no index", bytes(24)])
def test_a_damaged_index_is_replaced(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    settle(monkeypatch)
    name = write(tmp_path, "a", *PAPERS[:2])
    (tmp_path / "of" / INDEX).write_bytes(content)
    assert [found(tmp_path, name) for _ in range(2)] == [[name, name]] * 2
    assert read == [name]


def test_an_index_with_a_changed_byte_is_replaced(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    name = write(tmp_path, "a", *PAPERS[:2])
    found(tmp_path, name)
    file = tmp_path / "of" / INDEX
    whole = file.read_bytes()
    read.clear()
    places = range(0, len(whole), 7)
    for at in places:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert found(tmp_path, name) == [name, name], at
    assert read == [name] * len(places)
