"""Running tasks in several processes, with the same results as in one."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from citekg.schemas.errors import ExtractionError
from citekg.threads import ONE_THREAD

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

    from citekg.extractors.pipeline import ExtractionPipeline

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

#: The number of queued tasks per process, so that no process is idle and few tasks are in memory.
_QUEUED: Final = 2

_WORKER_KILLED: Final = (
    "a worker was ended from outside (out of memory?): use fewer workers; "
    'in a script, start them behind if __name__ == "__main__"'
)

_pipeline: ExtractionPipeline


class Runner(Protocol):
    """Runs a function with a pipeline on every task; the results keep the order of the tasks."""

    def __call__(
        self,
        function: Callable[[ExtractionPipeline, _Task], _Result],
        tasks: Iterable[_Task],
    ) -> Iterator[_Result]:
        """Yield the results while tasks are still arriving."""


#: Returns a context manager: it starts the workers of a build with a pipeline, yields their runner,
#: and ends them after the `with` block.
Engine = Callable[["ExtractionPipeline"], AbstractContextManager[Runner]]


@contextmanager
def this_process(pipeline: ExtractionPipeline) -> Iterator[Runner]:
    """Yield a runner that runs the tasks one after another in this process."""

    def run(
        function: Callable[[ExtractionPipeline, _Task], _Result], tasks: Iterable[_Task]
    ) -> Iterator[_Result]:
        return (function(pipeline, task) for task in tasks)

    yield run


@contextmanager
def worker_processes(
    pipeline: ExtractionPipeline,
    workers: int,
    prepare: Callable[[ExtractionPipeline], bool] = lambda _: True,
) -> Iterator[Runner]:
    """Yield a runner in `workers` processes, which start with the first task.

    Only a few tasks are taken in advance. `prepare` loads the data that the processes can share and
    returns whether they may be forked. They are forked on Linux if this process has a single
    thread. Otherwise every process imports the main module again, so a script that calls this needs
    `if __name__ == "__main__"`. The runner raises `ExtractionError` if a process is killed.
    """
    processes = _Processes(pipeline, workers, prepare)
    try:
        yield processes
    finally:
        processes.close()


class _Processes:
    """A runner in processes that are started once."""

    def __init__(
        self,
        pipeline: ExtractionPipeline,
        workers: int,
        prepare: Callable[[ExtractionPipeline], bool],
    ) -> None:
        self._pipeline, self._workers, self._prepare = pipeline, workers, prepare

    def __call__(
        self, function: Callable[[ExtractionPipeline, _Task], _Result], tasks: Iterable[_Task]
    ) -> Iterator[_Result]:
        pending: deque[Future[_Result]] = deque()
        try:
            for task in tasks:
                pending.append(_submit(self._pool.executor, function, task))
                if len(pending) > _QUEUED * self._workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        except BrokenProcessPool as error:
            self._pool.parent_end.close()
            raise ExtractionError(_WORKER_KILLED) from error
        finally:
            for future in pending:
                future.cancel()

    @cached_property
    def _pool(self) -> _Pool:
        fork = _can_fork() and self._prepare(self._pipeline) and _can_fork()
        return _Pool.of(self._pipeline, self._workers, fork=fork)

    def close(self) -> None:
        """Wait for the running tasks and end the processes, if they were started."""
        if "_pool" in self.__dict__:
            self._pool.close()


def _can_fork() -> bool:
    """Return whether a fork is safe here: a lock that another thread holds would stay locked.

    Up to Python 3.10, a pool may fork after it has started a thread.
    """
    if sys.platform != "linux" or sys.version_info < (3, 11):
        return False
    return len([*Path("/proc/self/task").iterdir()]) == 1


@dataclass(frozen=True, slots=True)
class _Pool:
    """Processes that have a pipeline; they exit when `parent_end` is closed."""

    executor: ProcessPoolExecutor
    is_forked: bool
    pipelines: Queue[ExtractionPipeline]
    alive: connection.Connection
    parent_end: connection.Connection

    @classmethod
    def of(cls, pipeline: ExtractionPipeline, workers: int, *, fork: bool) -> _Pool:
        """Return a pool; forked processes share the memory of the pipeline."""
        context = get_context("fork" if fork else "spawn")
        pipelines = context.Queue()
        pipelines.cancel_join_thread()
        alive, parent_end = context.Pipe(duplex=False)
        if fork:
            gc.freeze()  # a collection in a process would write to, and so copy, all shared pages
            executor = ProcessPoolExecutor(
                workers, context, _init_fork, (pipeline, alive, parent_end)
            )
        else:
            for _ in range(workers):
                pipelines.put(pipeline)
            executor = ProcessPoolExecutor(workers, context, _init_spawned, (pipelines, alive))
        return cls(executor, fork, pipelines, alive, parent_end)

    def close(self) -> None:
        """Wait for the running tasks and end the processes."""
        self.executor.shutdown(cancel_futures=True)
        if self.is_forked:
            gc.unfreeze()  # otherwise, garbage from before the build would never be freed
        for channel in (self.pipelines, self.alive, self.parent_end):
            channel.close()


def _submit(
    pool: ProcessPoolExecutor, function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task
) -> Future[_Result]:
    """Submit a task to the pool, which may start a process for it.

    Raises `BrokenProcessPool` if that process cannot be started.
    """
    try:
        with _environment(ONE_THREAD):
            return pool.submit(_run_task, function, task)
    except OSError as error:
        raise BrokenProcessPool(str(error)) from error


def _init_fork(
    pipeline: ExtractionPipeline, alive: connection.Connection, parent_end: connection.Connection
) -> None:
    """Initialise a forked process: close its copy of the end that only the parent may hold."""
    global _pipeline
    parent_end.close()
    _init_worker(alive)
    _pipeline = pipeline


def _init_spawned(pipelines: Queue[ExtractionPipeline], alive: connection.Connection) -> None:
    """Initialise a spawned process.

    The pipeline arrives through a queue, to which a separate thread writes. If it was an argument
    of the process, the main thread of the parent would write its megabytes, and would block forever
    if the process was killed before it had read them.
    """
    global _pipeline
    _init_worker(alive)
    _pipeline = pipelines.get()


def _init_worker(alive: connection.Connection) -> None:
    """Ignore interrupts, which the parent handles, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, args=(alive,), daemon=True).start()


def _exit_with_parent(alive: connection.Connection) -> None:
    """Exit this process when its parent ends or closes its end of the pipe.

    A pool terminates its other processes when one is lost. Up to Python 3.11, it does not terminate
    a process that is just starting, and then waits for it forever.
    """
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel, alive])
        os._exit(1)


def _run_task(function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task) -> _Result:
    return function(_pipeline, task)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set environment variables for the processes started meanwhile."""
    previous = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in previous.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
