"""Several processes give the results of one process."""

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
    """Run the test with forked and with spawned processes."""
    if request.param and sys.platform != "linux":
        pytest.skip("processes are forked on Linux only")
    monkeypatch.setattr(processes, "_can_fork", lambda: request.param)


@pytest.mark.usefixtures("fork")
def test_two_workers_give_the_extractions_of_one_in_the_same_order(short_examples: Path) -> None:
    papers = read([str(short_examples)], on_problem=no_problem)
    pipeline = make_pipeline()
    progress: list[tuple[int, int]] = []
    sequential = list(extract_all(pipeline, papers, lambda *_: None))
    parallel = list(
        extract_all(pipeline, papers, lambda *done: progress.append(done), process_engine(2))
    )
    assert parallel == sequential
    assert [r.paper for r in parallel] == list(papers)
    assert progress == [(n, len(papers)) for n in range(1, len(papers) + 1)]


def test_two_workers_use_the_requested_layers(short_examples: Path) -> None:
    papers = read([str(short_examples)], on_problem=no_problem)
    one, two = (
        build_graph(papers, make_pipeline(["rules"]), engine=process_engine(n)).graph
        for n in (1, 2)
    )
    assert vars(one) == vars(two)
    assert {m.layer for m in two.mentions} == {"rules"}


@pytest.mark.usefixtures("fork")
def test_a_worker_that_exits_during_a_task_is_reported_without_waiting() -> None:
    with pytest.raises(ExtractionError, match="fewer workers"):
        list(_run(None, _exit_with, [3], 2))


@pytest.mark.usefixtures("fork")
def test_workers_end_when_the_results_are_closed() -> None:
    results = _run("reader", _with_pipeline, range(100), 2)
    next(results)
    started = active_children()
    results.close()
    assert len(started) == 2
    assert not any(process.is_alive() for process in started)


@pytest.mark.usefixtures("fork")
def test_no_objects_stay_frozen_for_garbage_collection_after_the_run() -> None:
    frozen = gc.get_freeze_count()
    with worker_processes(make_pipeline(), 2) as run:
        assert [*run(_identity, range(4))] == [0, 1, 2, 3]
    assert gc.get_freeze_count() <= frozen


def _identity(_pipeline: ExtractionPipeline, number: int) -> int:
    return number


def test_a_process_with_several_threads_does_not_fork() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not processes._can_fork()
    finally:
        stop.set()
        thread.join()


def test_a_worker_that_is_killed_while_starting_is_reported_without_waiting() -> None:
    """The parent process must not wait for the worker to receive a large pipeline."""
    stop = threading.Event()
    thread = threading.Thread(target=_kill_starting_workers, args=(stop,))
    thread.start()
    try:
        with pytest.raises(ExtractionError, match="fewer workers"):
            list(_run("x" * 20_000_000, _with_pipeline, [1, 2, 3], 2))
    finally:
        stop.set()
        thread.join()


def _kill_starting_workers(stop: threading.Event) -> None:
    while not stop.wait(0.001):
        for process in psutil.Process().children():
            with suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):
                    process.kill()


@pytest.mark.timeout(100)
def test_a_worker_that_is_still_starting_when_another_dies_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Up to Python 3.11 the pool ends only started workers and waits forever for the others."""
    monkeypatch.setattr(processes, "_can_fork", lambda: False)
    started: list[SpawnProcess] = []
    start = SpawnProcess.start

    def start_late(process: SpawnProcess) -> None:
        start(process)
        for other in started:
            other.kill()
            other.join()
            time.sleep(0.5)  # time for the pool to detect it
        started.append(process)

    monkeypatch.setattr(SpawnProcess, "start", start_late)
    with pytest.raises(ExtractionError, match="fewer workers"):
        list(_run("reader", _with_pipeline, [1, 2], 2))
    assert len(started) == 2


def test_without_tasks_there_are_no_results() -> None:
    assert list(_run(None, _exit_with, [], 2)) == []


@pytest.mark.usefixtures("fork")
def test_tasks_are_fetched_only_as_workers_need_them() -> None:
    fetched: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            fetched.append(number)
            yield number

    results = _run("reader", _with_pipeline, numbers(), 2)
    assert next(results) == ("reader", 0)
    assert len(fetched) < 10
    results.close()


@pytest.mark.usefixtures("fork")
def test_workers_use_one_thread_and_the_environment_is_restored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, *others = ONE_THREAD
    monkeypatch.setenv(first, "7")
    for name in others:
        monkeypatch.delenv(name, raising=False)
    assert list(_run(None, _environment_value, [first], 1)) == ["1"]
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
    """Run tasks with any object as pipeline: workers only pass it to the function."""
    with worker_processes(cast("ExtractionPipeline", pipeline), workers) as run:
        yield from run(function, tasks)


def _exit_with(_reader: None, code: int) -> None:
    os._exit(code)


def _with_pipeline(pipeline: str, task: int) -> tuple[str, int]:
    return pipeline, task


def _environment_value(_reader: None, name: str) -> str | None:
    return os.environ.get(name)
