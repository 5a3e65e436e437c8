"""The commands of docs/learning.md run in order, and learning improves the typed F1."""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from citekg.cli.main import main
from tests.kg.commands import commands_of, run_cli
from tests.pages import DOCS, blocks
from tests.paths import ROOT

if TYPE_CHECKING:
    import pytest

PAGE = DOCS / "learning.md"
DECISIONS = """\
- {kind: type, name: Gull Cove, type: Site, author: Ada, date: 2026-01-31, reason: a beach with walls}
"""
#: Expected exit codes other than 0: `kg diff` returns 4 for graphs that differ.
EXIT_CODES = {"diff": 4}


def commands() -> list[list[str]]:
    """Return the arguments of each command of the page."""
    text = "\n".join(block.replace("\\\n", " ") for block in blocks(PAGE, "sh"))
    found = re.findall(r'^kg (?:[^"\n]|"[^"]*")*', text, re.MULTILINE)
    return [shlex.split(line, comments=True)[1:] for line in found]


def test_the_commands_of_the_tutorial_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples" / "learning", tmp_path / "examples" / "learning")
    monkeypatch.chdir(tmp_path)
    annotations = tmp_path / "examples" / "learning" / "digs.jsonl.gz"
    (tmp_path / "mine.jsonl").write_bytes(gzip.decompress(annotations.read_bytes()))
    (tmp_path / "decisions.yaml").write_text(DECISIONS, encoding="utf-8")
    runs = [each for each in commands() if each[0] != "annotate"]
    results = [(each, run_cli(*each)) for each in runs]
    for arguments, result in results:
        assert result.exit_code == EXIT_CODES.get(arguments[0], 0), (arguments, result.output)
    assert [arguments[0] for arguments, _ in results] == [
        "build",
        "evaluate",
        "learn",
        "evaluate",
        "build",
        "diff",
        "query",
        "learn",
    ]
    assert "Oyster Ness" in results[-2][1].output
    before, after = (_typed_f1(r.output) for given, r in results if given[0] == "evaluate")
    assert before < 0.35
    assert after > 0.65


def test_the_arguments_of_the_annotate_commands_can_be_parsed() -> None:
    found = [arguments for name, *arguments in commands() if name == "annotate"]
    assert len(found) == 2
    command = commands_of(main)["annotate"]
    for arguments in found:
        assert command.make_context("annotate", arguments).params["target"]


def _typed_f1(printed: str) -> float:
    """Return the typed F1 of the table that `kg evaluate` prints."""
    row = next(line for line in printed.splitlines() if line.startswith("all, typed"))
    return float(row.split()[4])
