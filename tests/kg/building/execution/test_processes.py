"""Several processes give the results of one."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, TypeVar, cast

import psutil
import pytest

from citekg.building.execution import processes
from citekg.building.execution.processes import worker_processes
from citekg.building.pipeline import build_graph, extract_all, make_pipeline, process_engine
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.errors import ExtractionError
from citekg.sources import read
from citekg.threads import ONE_THREAD
from tests.problems import no_problem

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


@pytest.fixture(params=[True, False], ids=["fork", "spawn"])
def fork(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are forked, then processes that start anew."""
    if request.param and sys.platform != "linux":
        pytest.skip("processes are forked on Linux only")
    monkeypatch.setattr(processes, "_can_fork", lambda: request.param)


@pytest.mark.usefixtures("fork")
def test_two_workers_read_what_one_reads_in_the_same_order(short_examples: Path) -> None:
    papers = read([str(short_examples)], on_problem=no_problem)
    pipeline = make_pipeline()
    progress: list[tuple[int, int]] = []
    alone = list(extract_all(pipeline, papers, lambda *_: None))
    together = list(
        extract_all(pipeline, papers, lambda *done: progress.append(done), process_engine(2))
    )
    assert together == alone
    assert [r.paper for r in together] == list(papers)
    assert progress == [(n, len(papers)) for n in range(1, len(papers) + 1)]


def test_two_workers_extract_with_the_requested_layers(short_examples: Path) -> None:
    papers = read([str(short_examples)], on_problem=no_problem)
    one, two = (
        build_graph(papers, make_pipeline(["rules"]), engine=process_engine(n)).graph
        for n in (1, 2)
    )
    assert vars(one) == vars(two)
    assert {m.layer for m in two.mentions} == {"rules"}


@pytest.mark.usefixtures("fork")
def test_a_worker_that_is_ended_from_outside_is_reported_not_waited_for() -> None:
    with pytest.raises(ExtractionError, match="fewer workers"):
        list(_run(None, _end, [3], 2))


@pytest.mark.usefixtures("fork")
def test_workers_end_with_the_run() -> None:
    results = _run("reader", _together, range(100), 2)
    next(results)
    started = active_children()
    results.close()
    assert len(started) == 2
    assert not any(process.is_alive() for process in started)


@pytest.mark.usefixtures("fork")
def test_after_the_processes_garbage_is_collected_as_before() -> None:
    frozen = gc.get_freeze_count()
    with worker_processes(make_pipeline(), 2) as run:
        assert [*run(_number, range(4))] == [0, 1, 2, 3]
    assert gc.get_freeze_count() <= frozen


def _number(_pipeline: ExtractionPipeline, number: int) -> int:
    return number


def test_no_process_of_several_threads_forks() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert not processes._can_fork()
    finally:
        over.set()
        thread.join()


def test_a_worker_that_is_ended_as_it_starts_is_reported_not_waited_for() -> None:
    """Whoever started it must not wait for it to take a big pipeline."""
    over = threading.Event()
    thread = threading.Thread(target=_end_those_that_start, args=(over,))
    thread.start()
    try:
        with pytest.raises(ExtractionError, match="fewer workers"):
            list(_run("x" * 20_000_000, _together, [1, 2, 3], 2))
    finally:
        over.set()
        thread.join()


def _end_those_that_start(over: threading.Event) -> None:
    while not over.wait(0.001):
        for process in psutil.Process().children():
            with suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):
                    process.kill()


@pytest.mark.timeout(100)
def test_a_worker_that_is_still_starting_when_another_ends_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Up to Python 3.11 the pool itself ends only those that have started by then, and waits for the rest for ever."""
    monkeypatch.setattr(processes, "_can_fork", lambda: False)
    started: list[SpawnProcess] = []
    start = SpawnProcess.start

    def started_late(process: SpawnProcess) -> None:
        start(process)
        for other in started:
            other.kill()
            other.join()
            time.sleep(0.5)  # in which the pool learns of it
        started.append(process)

    monkeypatch.setattr(SpawnProcess, "start", started_late)
    with pytest.raises(ExtractionError, match="fewer workers"):
        list(_run("reader", _together, [1, 2], 2))
    assert len(started) == 2


def test_no_tasks_need_no_worker() -> None:
    assert list(_run(None, _end, [], 2)) == []


@pytest.mark.usefixtures("fork")
def test_tasks_are_fetched_only_as_workers_become_free() -> None:
    fetched: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            fetched.append(number)
            yield number

    results = _run("reader", _together, numbers(), 2)
    assert next(results) == ("reader", 0)
    assert len(fetched) < 10
    results.close()


@pytest.mark.usefixtures("fork")
def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = ONE_THREAD
    monkeypatch.setenv(first, "7")
    for name in others:
        monkeypatch.delenv(name, raising=False)
    assert list(_run(None, _threads, [first], 1)) == ["1"]
    assert {name: os.environ.get(name) for name in ONE_THREAD} == {
        first: "7",
        **dict.fromkeys(others),
    }


def _run(
    pipeline: object,
    function: Callable[[Any, _Task], _Result],
    tasks: Iterable[_Task],
    workers: int,
) -> Generator[_Result, None, None]:
    """Run tasks with anything for a pipeline: workers only hand it on to the function."""
    with worker_processes(cast("ExtractionPipeline", pipeline), workers) as run:
        yield from run(function, tasks)


def _end(_reader: None, code: int) -> None:
    os._exit(code)


def _together(pipeline: str, task: int) -> tuple[str, int]:
    return pipeline, task


def _threads(_reader: None, name: str) -> str | None:
    return os.environ.get(name)
