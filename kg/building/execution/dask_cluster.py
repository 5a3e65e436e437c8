"""Running tasks on a Dask cluster."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from citekg.schemas.errors import ExtractionError, MissingPackage

if TYPE_CHECKING:
    import distributed

    from citekg.building.execution.processes import Runner
    from citekg.extractors.pipeline import ExtractionPipeline

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

#: The length of the queue: the number of tasks per thread of the cluster, and the minimum in total.
_QUEUED_PER_THREAD: Final = 4
_MIN_QUEUED: Final = 16
#: The timeout for the restart of a lost worker of a local cluster. Dask's default of 15 seconds is
#: too short on a busy machine, and a cluster waits forever after a timeout of all its workers.
_RESTART_TIMEOUT: Final = "1 day"


@contextmanager
def cluster_workers(
    pipeline: ExtractionPipeline, scheduler: str | None, workers: int
) -> Iterator[Runner]:
    """Yield a runner on the cluster of a scheduler (`tcp://host:8786`), or on a local one.

    Tasks of a lost worker are run again. Raises `ExtractionError` if every worker that runs a task
    is lost or the scheduler does not answer, and `MissingPackage` without Dask.
    """
    with _client(scheduler, workers) as client, _registered(client, pipeline) as name:

        def run(
            function: Callable[[ExtractionPipeline, _Task], _Result], tasks: Iterable[_Task]
        ) -> Iterator[_Result]:
            pending: deque[Any] = deque()
            for task in tasks:
                pending.append(client.submit(_run_task, name, function, task, pure=False))
                threads = sum(client.nthreads().values())
                if len(pending) > max(_MIN_QUEUED, _QUEUED_PER_THREAD * threads):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

        yield run


@contextmanager
def local_cluster(workers: int) -> Iterator[distributed.LocalCluster]:
    """Yield a local cluster without a dashboard; it restarts lost workers.

    Raises `MissingPackage` without Dask.
    """
    dask, distributed = _packages()
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": _RESTART_TIMEOUT}),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # any free port: no warning
        ) as cluster,
    ):
        yield cluster


@contextmanager
def _client(scheduler: str | None, workers: int) -> Iterator[distributed.Client]:
    _, distributed = _packages()
    try:
        with (
            nullcontext(scheduler) if scheduler else local_cluster(workers) as address,
            distributed.Client(address) as client,
        ):
            yield client
    except distributed.scheduler.KilledWorker as error:
        raise ExtractionError(
            "workers are lost again and again (out of memory?): give them more memory"
        ) from error
    except OSError as error:
        raise ExtractionError(
            f"the Dask scheduler {scheduler or ''} does not answer: {error}"
        ) from error


def _packages() -> tuple[ModuleType, ModuleType]:
    try:
        import dask
        import distributed
    except ImportError as error:
        raise MissingPackage("--engine dask", "distributed", "dask") from error
    return dask, distributed


@contextmanager
def _registered(client: distributed.Client, pipeline: ExtractionPipeline) -> Iterator[str]:
    """Send the pipeline to all present and future workers; yield its name, unique to this run.

    Raises `ExtractionError` if a worker cannot load it: without citekg, or with another version.
    """
    name = f"citekg-{secrets.token_hex(8)}"
    try:
        client.register_plugin(_make_plugin(pipeline), name)
    except OSError:  # the connection, not a worker
        raise
    except Exception as error:  # Dask gives the error of a worker as the text of an `Exception`.
        raise ExtractionError(f"the workers cannot load citekg: {error}") from error
    yield name
    client.unregister_worker_plugin(name)


def _make_plugin(pipeline: ExtractionPipeline) -> distributed.WorkerPlugin:
    from distributed import Worker, WorkerPlugin

    class PipelinePlugin(WorkerPlugin):  # type: ignore[misc]
        def setup(self, worker: Worker) -> None:  # noqa: ARG002
            self.pipeline, self.lock = pipeline, threading.Lock()

    return PipelinePlugin()


def _run_task(
    name: str, function: Callable[[ExtractionPipeline, _Task], _Result], task: _Task
) -> _Result:
    """Run a task on a worker, in one thread at a time, because of the GIL."""
    from distributed import get_worker

    plugin = get_worker().plugins[name]
    with plugin.lock:
        return function(plugin.pipeline, task)
