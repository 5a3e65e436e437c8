"""Doing tasks on a Dask cluster: the same function on the same parts, on as many machines as there are."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from citekg.schemas.errors import ExtractionError, MissingPackage

if TYPE_CHECKING:
    import distributed
    from citekg.extractors.pipeline import ExtractionPipeline

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

#: How many tasks wait for each thread of the cluster, and for all of them at least.
_QUEUED: Final = 4
_MIN_QUEUED: Final = 16


def run_on_cluster(
    reader: ExtractionPipeline,
    function: Callable[[ExtractionPipeline, _Task], _Result],
    tasks: Iterable[_Task],
    scheduler: str | None,
    workers: int,
) -> Iterator[_Result]:
    """Do the tasks on the cluster of a scheduler (`tcp://host:8786`), or on one that is started here.

    What a lost worker had to do others do again. Raises `ExtractionError` where no worker gets through with
    a task or no scheduler answers, and `MissingPackage` without Dask.
    """
    with _client(scheduler, workers) as client, _holding(client, reader) as name:
        waiting: deque[Any] = deque()
        for task in tasks:
            waiting.append(client.submit(_run_task, name, function, task, pure=False))
            if len(waiting) > max(_MIN_QUEUED, _QUEUED * sum(client.nthreads().values())):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _client(scheduler: str | None, workers: int) -> Iterator[distributed.Client]:
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise MissingPackage("--engine dask", "distributed", "dask") from error
    here = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    try:
        with Client(scheduler) if scheduler else Client(**here) as client:
            yield client
    except KilledWorker as error:
        raise ExtractionError("workers are lost again and again (out of memory?): give them more of it") from error
    except OSError as error:
        raise ExtractionError(f"the Dask scheduler {scheduler or ''} does not answer: {error}") from error


@contextmanager
def _holding(client: distributed.Client, reader: ExtractionPipeline) -> Iterator[str]:
    """Gives the reader to every worker, also to those that come later, under a name that is this run's."""
    name = f"citekg-{secrets.token_hex(8)}"
    client.register_plugin(_plugin(reader), name)
    yield name
    client.unregister_worker_plugin(name)


def _plugin(reader: ExtractionPipeline) -> distributed.WorkerPlugin:
    from distributed import Worker, WorkerPlugin

    class HoldsReader(WorkerPlugin):  # type: ignore[misc]
        def setup(self, worker: Worker) -> None:  # noqa: ARG002
            self.reader, self.alone = reader, threading.Lock()

    return HoldsReader()


def _run_task(name: str, function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task) -> _Result:
    """Do a task on a worker; its threads take turns, for only one of them could work anyway."""
    from distributed import get_worker

    held = get_worker().plugins[name]
    with held.alone:
        return function(held.reader, task)
