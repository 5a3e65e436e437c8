"""Test every invalid input of the catalogue: messages, papers that are still read, and cost."""

from __future__ import annotations

import errno
import importlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citekg.schemas import files
from citekg.sources import Problem, read
from tests.extent import sample_of
from tests.hostile.making import KITES, Bad
from tests.hostile.measuring import outcome
from tests.hostile.sources import CATALOGUE
from tests.paths import ROOT
from tests.problems import no_problem

#: The module, imported by name: the package has a function of the same name.
INPUT_FILES = importlib.import_module("citekg.sources.input_files")
LIGHT = [bad for bad in CATALOGUE if not bad.heavy]
HEAVY = [bad for bad in CATALOGUE if bad.heavy]
#: The maximum processor time in seconds.
LIGHT_SECONDS, HEAVY_SECONDS = 20, 120
#: If there are more messages, the catalogue lists only the first two and the last.
LISTED_MESSAGES = 3


def assert_outcome(bad: Bad, kept: list[str], reported: list[str]) -> None:
    assert kept == sorted(bad.kept)
    some = reported if len(reported) <= LISTED_MESSAGES else [*reported[:2], reported[-1]]
    assert len(some) == len(bad.reported), some
    for message, begins in zip(some, bad.reported, strict=True):
        assert message.startswith(begins)
    assert all(files.printable(message) == message for message in reported), (
        "a message takes more than its line"
    )


@pytest.mark.parametrize("bad", LIGHT, ids=lambda bad: bad.what)
def test_an_invalid_input_is_reported_and_valid_papers_are_read(
    bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bad.needs:
        pytest.importorskip(bad.needs, reason="an optional extra")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "PIPE_WAIT", 0.01)
    found = outcome(bad, tmp_path)
    assert_outcome(bad, found["kept"], found["reported"])
    assert found["seconds"] < LIGHT_SECONDS


@pytest.mark.parametrize("bad", sample_of(HEAVY, 4), ids=lambda bad: bad.what)
def test_a_huge_input_takes_bounded_time_and_memory(bad: Bad, tmp_path: Path) -> None:
    if bad.needs:
        pytest.importorskip(bad.needs, reason="an optional extra")
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.measuring", bad.what],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert_outcome(bad, found["kept"], found["reported"])
    assert found["seconds"] < HEAVY_SECONDS
    assert found["megabytes"] < 1024


def test_a_file_without_read_permission_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret").write_bytes(KITES)
    Path("good").write_bytes(KITES)
    opened = files.open_file

    def refusing(path: Path) -> io.BufferedReader:
        if path.name == "secret":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path)

    monkeypatch.setattr(
        INPUT_FILES, "open_file", refusing
    )  # file modes do not restrict the superuser
    reported: list[Problem] = []
    assert [paper.title for paper in read(["secret", "good"], reported.append)] == ["Kites"]
    assert list(map(str, reported)) == ["secret: cannot be read: Permission denied"]


def test_a_folder_without_read_permission_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d/secret").mkdir(parents=True)
    Path("d/good").write_bytes(KITES)
    listed = INPUT_FILES._listed

    def refusing(folder: str) -> list[os.DirEntry[str]]:
        if folder.endswith("secret"):
            raise PermissionError(errno.EACCES, "Permission denied")
        found: list[os.DirEntry[str]] = listed(folder)
        return found

    monkeypatch.setattr(INPUT_FILES, "_listed", refusing)
    reported: list[Problem] = []
    assert [paper.title for paper in read(["d"], reported.append)] == ["Kites"]
    assert list(map(str, reported)) == ["d/secret: cannot be read: Permission denied"]


def test_a_file_that_is_deleted_while_others_are_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").write_bytes(KITES + b"{\n")
    Path("b").write_bytes(KITES)
    reported: list[Problem] = []

    def on_problem(problem: Problem) -> None:
        reported.append(problem)
        Path("b").unlink(missing_ok=True)

    assert [paper.title for paper in read(["a", "b"], on_problem)] == ["Kites"]
    assert str(reported[-1]) == "b: there is no such file"


def test_closed_standard_input_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    Path("good").write_bytes(KITES)
    reported: list[Problem] = []
    assert [paper.title for paper in read(["-", "good"], reported.append)] == ["Kites"]
    assert list(map(str, reported)) == ["-: cannot be read: standard input is closed"]


def test_delayed_data_from_a_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        ["sh", "-c", f"sleep 0.3; cat > {pipe}"], stdin=subprocess.PIPE
    ) as writer:
        assert writer.stdin
        writer.stdin.write(KITES)
        writer.stdin.close()
        assert [paper.title for paper in read([str(pipe)], no_problem)] == ["Kites"]
