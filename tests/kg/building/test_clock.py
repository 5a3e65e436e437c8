"""The output of a build does not depend on the system clock."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner

from citekg.cli.main import main

if TYPE_CHECKING:
    import pytest

LINES = (
    (Path(__file__).parents[3] / "examples" / "papers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
)
YEAR = 365 * 86_400


def built(papers: Path, out: Path, count: int) -> dict[str, bytes]:
    papers.write_text("\n".join(LINES[:count]), encoding="utf-8")
    result = CliRunner().invoke(
        main, ["build", str(papers), "-o", str(out), "-f", "nt", "-f", "csv", "-f", "obsidian"]
    )
    assert result.exit_code == 0, result.output
    return {file.name: file.read_bytes() for file in out.glob("graph.*")}


def test_clock_jumps_and_file_times_do_not_change_an_incremental_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = tmp_path / "papers.jsonl"
    expected = built(papers, tmp_path / "calm", 6)
    rng, real_time = random.Random(1), time.time
    monkeypatch.setattr(
        time, "time", lambda: max(0.0, real_time() + rng.choice((-60, -1, 1, 60)) * YEAR)
    )
    built(papers, tmp_path / "jumping", 3)
    for file in (tmp_path / "jumping").rglob("*"):
        os.utime(file, rng.choice(((4e9, 4e9), (0, 0))))
    assert built(papers, tmp_path / "jumping", 6) == expected
