"""The layout of a large graph is made by another process and is the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from citekg.exports.page import layout_process
from citekg.exports.page.layout import layout
from citekg.exports.page.layout_process import started_layout

NODES = 30
EDGES = np.array([(0, node) for node in range(1, 20)], dtype=np.int64)
GRAPH = (NODES, EDGES, np.ones(len(EDGES)), np.full(NODES, 5.0))


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Yield the list of the processes that are started; every graph counts as large."""
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def record(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # as for most users
    monkeypatch.setattr(layout_process, "_MIN_NODES", 0)
    monkeypatch.setattr("subprocess.Popen", record)
    yield started
    assert all(process.returncode is not None for process in started)


def test_another_process_computes_the_same_positions(
    processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = layout(*GRAPH)
    monkeypatch.setattr(layout_process, "layout", lambda *_: pytest.fail("computed here"))
    with started_layout(*GRAPH) as positions:
        assert (positions() == expected).all()
    assert [process.returncode for process in processes] == [0]


def test_a_small_graph_needs_no_process(
    processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_process, "_MIN_NODES", NODES + 1)
    with started_layout(*GRAPH) as positions:
        assert (positions() == layout(*GRAPH)).all()
    assert not processes


def test_the_positions_are_the_same_if_the_process_is_killed(
    processes: list[subprocess.Popen[bytes]],
) -> None:
    with started_layout(*GRAPH) as positions:
        processes[0].kill()
        assert (positions() == layout(*GRAPH)).all()


@pytest.mark.parametrize("executable", ["/no/such/python", "", None])
def test_the_positions_are_the_same_if_no_process_can_be_started(
    processes: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    executable: str | None,
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with started_layout(*GRAPH) as positions:
        assert (positions() == layout(*GRAPH)).all()
    assert not processes


def test_the_process_ends_if_the_page_cannot_be_made(
    processes: list[subprocess.Popen[bytes]],
) -> None:
    with pytest.raises(ZeroDivisionError), started_layout(*GRAPH):
        raise ZeroDivisionError
    assert processes[0].returncode


def test_the_process_imports_nothing_from_the_current_folder(
    processes: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    with started_layout(*GRAPH) as positions:
        positions()
    assert [process.returncode for process in processes] == [0]
