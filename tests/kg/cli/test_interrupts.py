"""After Ctrl+C, kg states what is saved and prints a shell command that resumes the work."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import citekg.building.pipeline
import citekg.summary
from citekg.cli.exit_codes import OK, STOPPED
from citekg.exports import how_to_open
from citekg.fetching import client
from citekg.fetching.client import Clock
from tests.kg.commands import run_cli
from tests.kg.papers import GRPO
from tests.kg.services import serving


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("my papers & notes.jsonl").write_text(json.dumps(GRPO) + "\n", encoding="utf-8")
    return "my papers & notes.jsonl"


def test_an_interrupted_build_prints_a_command_that_resumes_it(
    papers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(citekg.summary, "counts_of", interrupt)
        stopped = run_cli("--log-level", "error", "build", papers, "-o", "out $1", "-f", "nt")
    assert (stopped.exit_code, stopped.stdout) == (STOPPED, "")
    stated, _, command = stopped.stderr.rstrip("\n").partition(": kg ")
    assert stated == "Stopped. The papers read so far are saved; resume with"
    assert list(Path("out $1/readings").rglob("*"))
    assert run_cli(*shlex.split(command)).exit_code == OK
    assert Path("out $1/graph.nt").exists()


def test_an_interrupted_build_without_cache_reports_that_nothing_is_saved(
    papers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.summary, "counts_of", interrupt)
    assert (
        run_cli("build", papers, "-o", "out", "--no-cache").stderr
        == "Stopped. Nothing is saved, because of --no-cache.\n"
    )


def test_an_interrupted_extraction_reports_that_the_next_run_starts_over(
    papers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.building.pipeline, "read_papers", interrupt)
    stopped = run_cli("extract", papers)
    assert stopped.exit_code == STOPPED
    assert stopped.stderr.startswith(
        "Stopped. All lines printed so far are complete; the next run starts again."
    )


def test_an_interrupted_fetch_prints_a_command_that_resumes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as services:
        monkeypatch.setattr(client, "Clock", lambda: Clock(lambda: 0.0, interrupt))
        file = str(tmp_path / "my papers.jsonl")
        stopped = run_cli(
            "fetch", "openalex", 'kites & "winds"', "-o", file, "--base-url", services.address
        )
        assert stopped.exit_code == STOPPED
        stated, _, command = stopped.stderr.rstrip("\n").partition(": kg ")
        assert stated == "Stopped. The responses received so far are saved; resume with"
        monkeypatch.setattr(client, "Clock", lambda: Clock(lambda: 0.0, lambda _seconds: None))
        done = run_cli(*shlex.split(command))
        assert done.exit_code == OK
        assert "1 from the cache" in done.stdout


@pytest.mark.parametrize("name", ["my graph.ttl", "a'b.ttl", "$(touch x).ttl"])
def test_hints_to_open_a_file_are_quoted_for_the_shell_or_for_python(name: str) -> None:
    hint = how_to_open(Path("an out") / name)
    assert shlex.split(hint) == ["kg", "query", str(Path("an out") / name), "SELECT ..."]
    assert how_to_open(Path('a "b".json')) == 'citekg.load("a \\"b\\".json") in Python'
