"""Doing tasks in several processes at once, with the same results as in one."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from citekg.schemas.errors import ExtractionError

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

    from citekg.extractors.pipeline import ExtractionPipeline

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

#: What keeps numpy's matrix products to one thread, if it is set before numpy is imported: on one
#: paper's small matrices more threads only wait for one another.
ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
#: How many tasks wait for each process, so that none is idle and few lie in memory.
_QUEUED: Final = 2

_ENDED: Final = (
    "a worker was ended from outside (out of memory?): use fewer workers; "
    'in a script, start them behind if __name__ == "__main__"'
)

_reader: ExtractionPipeline


class Runner(Protocol):
    """Does a function on every task, with a reader, somewhere; results come in the order of the tasks."""

    def __call__(
        self,
        reader: ExtractionPipeline,
        function: Callable[[ExtractionPipeline, _Task], _Result],
        tasks: Iterable[_Task],
    ) -> Iterator[_Result]:
        """The results, while the tasks are still coming."""


def run_here(
    reader: ExtractionPipeline, function: Callable[[ExtractionPipeline, _Task], _Result], tasks: Iterable[_Task]
) -> Iterator[_Result]:
    """Do the tasks one after another in this process."""
    return (function(reader, task) for task in tasks)


def run_in_workers(
    reader: ExtractionPipeline,
    function: Callable[[ExtractionPipeline, _Task], _Result],
    tasks: Iterable[_Task],
    workers: int,
) -> Iterator[_Result]:
    """Do the tasks in so many processes; no more of them are asked for than are soon done.

    Raises `ExtractionError` where a process is ended from outside. A script that calls this must
    keep its own start behind `if __name__ == "__main__"`, because every process imports it anew.
    """
    context = get_context("spawn")
    readers = context.Queue()
    readers.cancel_join_thread()
    for _ in range(workers):
        readers.put(reader)
    line, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, _start, (readers, line))
    waiting: deque[Future[_Result]] = deque()
    try:
        for task in tasks:
            waiting.append(_submitted(pool, function, task))
            if len(waiting) > _QUEUED * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        held.close()
        raise ExtractionError(_ENDED) from error
    finally:
        pool.shutdown(cancel_futures=True)
        for opened in (readers, line, held):
            opened.close()


def _submitted(
    pool: ProcessPoolExecutor, function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task
) -> Future[_Result]:
    """Hand a task to the pool, which may start a process for it; one that breaks meanwhile says so in other words."""
    try:
        with _environment(ONE_THREAD):
            return pool.submit(_run_task, function, task)
    except OSError as error:
        raise BrokenProcessPool(str(error)) from error


def _start(readers: Queue[ExtractionPipeline], line: connection.Connection) -> None:
    """Make a new process ready; an interrupt is left to the process that waits for the results.

    The reader comes by a queue, whose own thread writes it. Given to the process as it starts, its megabytes
    would be written by who starts it, who waits for ever where the process is ended before it has read them.
    """
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(line,), daemon=True).start()
    _reader = readers.get()


def _end_with_parent(line: connection.Connection) -> None:
    """End this process when the one that started it is gone, however it went, or has let go of the line.

    The pool ends its processes when one is lost, but up to Python 3.11 not the one that it is just starting,
    and then waits for that for ever.
    """
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel, line])
        os._exit(1)


def _run_task(function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task) -> _Result:
    return function(_reader, task)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Environment variables that hold for the processes started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
