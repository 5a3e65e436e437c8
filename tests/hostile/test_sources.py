"""Every bad input of the catalogue: what is told, what is read all the same, and what that costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from schemas import files
from tests.hostile.measuring import outcome
from tests.hostile.sources import CATALOGUE, Bad

HOUSE = Path(__file__).parents[2]
LIGHT = [bad for bad in CATALOGUE if not bad.heavy]
HEAVY = [bad for bad in CATALOGUE if bad.heavy]
#: Seconds of processor time, at most.
QUICK, SLOW = 5, 60
#: Of more messages than that the catalogue has the first two and the last.
SOME = 3


def as_expected(bad: Bad, kept: list[str], told: list[str]) -> None:
    assert kept == sorted(bad.kept)
    some = told if len(told) <= SOME else [*told[:2], told[-1]]
    assert len(some) == len(bad.told), some
    for message, begins in zip(some, bad.told, strict=True):
        assert message.startswith(begins)
    assert all(files.shown(message) == message for message in told), "a message takes more than its line"


@pytest.mark.parametrize("bad", LIGHT, ids=lambda bad: bad.what)
def test_a_bad_input_is_told_and_the_good_rest_is_read(
    bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "PIPE_WAIT", 0.01)
    found = outcome(bad, tmp_path)
    as_expected(bad, found["kept"], found["told"])
    assert found["seconds"] < QUICK


@pytest.mark.parametrize("bad", HEAVY, ids=lambda bad: bad.what)
def test_a_huge_input_takes_bounded_time_and_memory(bad: Bad, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.measuring", bad.what],
        env={**os.environ, "PYTHONPATH": str(HOUSE)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    as_expected(bad, found["kept"], found["told"])
    assert found["seconds"] < SLOW
    assert found["megabytes"] < 1024
