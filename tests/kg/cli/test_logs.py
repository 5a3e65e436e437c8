"""The log is off by default; each event is one line with fields."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.cli import logs
from citekg.cli.main import main
from tests.kg.papers import GRPO


@pytest.fixture(autouse=True)
def _restored_root_logger() -> Iterator[None]:
    log = logging.getLogger()
    handlers, level = log.handlers[:], log.level
    yield
    log.handlers[:], log.level = handlers, level


def log_of_build(tmp_path: Path, *options: str) -> list[str]:
    source = tmp_path / "papers.jsonl"
    source.write_text(json.dumps(GRPO))
    result = CliRunner().invoke(
        main, [*options, "build", str(source), "-o", str(tmp_path / "out"), "-f", "nt"]
    )
    assert result.exit_code == 0, result.output
    return result.stderr.splitlines()


def test_a_build_logs_nothing_by_default(tmp_path: Path) -> None:
    assert log_of_build(tmp_path) == []


def test_a_build_logs_one_line_with_fields_per_event(tmp_path: Path) -> None:
    lines = log_of_build(tmp_path, "--log-level", "info")
    form = r"\d{4}-\d\d-\d\dT\S+\+00:00 info citekg\.[a-z._]+: [a-z ]+( \w+=\S+)+"
    assert [line for line in lines if not re.fullmatch(form, line)] == []
    assert any("sources read records=1 papers=1 problems=0" in line for line in lines)


def test_log_json_writes_each_event_as_json(tmp_path: Path) -> None:
    events = [
        json.loads(line) for line in log_of_build(tmp_path, "--log-level", "info", "--log-json")
    ]
    written = next(event for event in events if event["message"] == "written")
    assert (written["level"], written["logger"], written["format"]) == (
        "info",
        "citekg.cli.export_options",
        "nt",
    )
    assert written["bytes"] == (tmp_path / "out" / "graph.nt").stat().st_size


def test_log_records_have_no_escape_characters_and_keep_the_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for as_json, lines in ((True, 1), (False, 4)):
        logs.start("info", as_json=as_json)
        try:
            raise ValueError("odd")
        except ValueError:
            logging.getLogger("kg.x").exception("a\nb\x1b[2J", extra={"title": "c\nd"})
        reported = capsys.readouterr().err.rstrip("\n")
        assert "\x1b" not in reported
        count = reported.count("\n") + 1
        assert count == lines if as_json else count >= lines
        assert "ValueError: odd" in reported
