"""Known digests are used only for files that did not change."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from citekg.known_digests import KnownDigests, state_of
from citekg.schemas.errors import FolderError

NAME = "digests.json"


def known_digests(folder: Path) -> KnownDigests:
    return KnownDigests(folder / NAME)


def stored(folder: Path, *names: str) -> None:
    known = known_digests(folder)
    for name in names:
        known.of(name, folder / name, (folder / name).read_text)
    known.store()


def digest(folder: Path, name: str) -> tuple[str, bool]:
    """Return the digest of a file, and whether it was computed."""
    computed: list[str] = []

    def compute() -> str:
        computed.append((folder / name).read_text())
        return computed[0]

    return known_digests(folder).of(name, folder / name, compute), bool(computed)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files, whose times are long ago for the code that is tested."""
    for name in ("kite", "nest"):
        (tmp_path / name).write_text(name)
    later = time.time_ns() + 10**10
    monkeypatch.setattr("citekg.known_digests.time.time_ns", lambda: later)
    return tmp_path


def test_the_digest_of_an_unchanged_file_is_known(folder: Path) -> None:
    stored(folder, "kite", "nest")
    assert digest(folder, "kite") == ("kite", False)
    assert digest(folder, "nest") == ("nest", False)


@pytest.mark.parametrize("content", ["gull", "kites", ""])
def test_a_changed_file_is_read_even_if_its_time_of_modification_is_set_back(
    folder: Path, content: str
) -> None:
    stored(folder, "kite")
    before = (folder / "kite").stat()
    (folder / "kite").write_text(content)
    os.utime(folder / "kite", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert digest(folder, "kite") == (content, True)


def test_a_file_that_replaces_another_one_is_read(folder: Path) -> None:
    stored(folder, "kite", "nest")
    (folder / "nest").replace(folder / "kite")
    assert digest(folder, "kite") == ("nest", True)


def test_a_file_that_has_just_changed_is_not_recorded(tmp_path: Path) -> None:
    (tmp_path / "kite").write_text("kite")
    stored(tmp_path, "kite")
    assert digest(tmp_path, "kite") == ("kite", True)


def test_a_file_that_changes_while_it_is_read_is_read_again(folder: Path) -> None:
    def compute() -> str:
        (folder / "kite").write_text("gull")
        return "kite"

    known = known_digests(folder)
    known.of("kite", folder / "kite", compute)
    known.store()
    assert digest(folder, "kite") == ("gull", True)


def test_files_that_were_not_used_are_forgotten(folder: Path) -> None:
    stored(folder, "kite", "nest")
    stored(folder, "nest")
    assert digest(folder, "kite") == ("kite", True)


@pytest.mark.parametrize(
    ("added", "is_computed"),
    [
        pytest.param("gull", False, id="the digest of the written file replaces the other one"),
        pytest.param("kite", True, id="the digest that was read keeps its state"),
    ],
)
def test_a_digest_is_added_with_the_new_state_unless_it_was_read(
    folder: Path, added: str, is_computed: bool
) -> None:
    known = known_digests(folder)
    known.of("kite", folder / "kite", lambda: "kite")
    (folder / "kite").write_text("gull")
    known.add("kite", folder / "kite", added)
    known.store()
    assert digest(folder, "kite") == ("gull", is_computed)


@pytest.mark.parametrize("damage", [b"", b"[1]", b'{"kite": [', b"\xff"])
def test_a_damaged_file_of_digests_counts_as_empty(folder: Path, damage: bytes) -> None:
    stored(folder, "kite")
    (folder / NAME).write_bytes(damage)
    assert digest(folder, "kite") == ("kite", True)


def test_the_file_of_digests_is_not_written_without_changes(folder: Path) -> None:
    stored(folder, "kite")
    (folder / NAME).chmod(0o444)
    before = state_of(folder / NAME)
    stored(folder, "kite")
    assert state_of(folder / NAME) == before


def test_a_missing_file_has_no_known_digest(folder: Path) -> None:
    stored(folder, "kite")
    (folder / "kite").unlink()
    with pytest.raises(OSError, match="kite"):
        digest(folder, "kite")


def test_files_of_another_machine_are_always_read_and_nothing_is_stored() -> None:
    known = KnownDigests(None)
    assert known.of("kite", None, lambda: "kite") == "kite"
    assert known.of("kite", None, lambda: "gull") == "gull"
    known.store()


def test_a_folder_that_cannot_be_written_to_is_named(folder: Path) -> None:
    known = KnownDigests(folder / "kite" / NAME)
    known.of("nest", folder / "nest", lambda: "nest")
    with pytest.raises(FolderError, match=r"digests\.json: cannot be written"):
        known.store()
