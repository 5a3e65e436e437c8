"""The pool of query processes; a process that times out is killed and restarted."""

from __future__ import annotations

import asyncio
import multiprocessing
from http import HTTPStatus
from pathlib import Path
from typing import Final

from citekg.serving.query_worker import Limits, QueryRequest, Reply, serve_queries

_START: Final = multiprocessing.get_context("spawn")


class QueryProcess:
    """A worker process that evaluates one query at a time."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._start()

    def _start(self) -> None:
        self.connection, other = _START.Pipe()
        self.process = _START.Process(
            target=serve_queries, args=(other, self.path, self.limits), daemon=True
        )
        self.process.start()
        other.close()
        self.is_ready = False

    def execute(self, query: QueryRequest) -> Reply:
        """Return the reply to a query, an error if it exceeds the time or memory limit."""
        try:
            if not self.is_ready:
                self.connection.recv()
                self.is_ready = True
            self.connection.send(query)
            if self.connection.poll(self.limits.seconds):
                reply: Reply = self.connection.recv()
                return reply
            message = f"the query took longer than {self.limits.seconds:g} s: narrow it"
        except (EOFError, OSError):
            message = (
                f"the query took more than {self.limits.memory_bytes} bytes of memory,"
                " or could not be run: narrow it"
            )
        self.restart()
        return Reply.error(HTTPStatus.INTERNAL_SERVER_ERROR, message)

    def restart(self) -> None:
        """Kill the process and start another one, which reads the file again."""
        self.end()
        self._start()

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessPool:
    """A fixed number of worker processes; a query waits for the first that is idle."""

    def __init__(self, path: Path, limits: Limits, size: int) -> None:
        self.limits = limits
        self.workers = [QueryProcess(path, limits) for _ in range(size)]
        self.idle: asyncio.Queue[QueryProcess] = asyncio.Queue()
        for worker in self.workers:
            self.idle.put_nowait(worker)

    async def execute(self, query: QueryRequest) -> Reply:
        """Return the reply to a query; status 503 if no worker becomes idle in time."""
        try:
            worker = await asyncio.wait_for(self.idle.get(), self.limits.seconds)
        except asyncio.TimeoutError:
            return Reply.error(
                HTTPStatus.SERVICE_UNAVAILABLE, "too many queries are running: try again later"
            )
        try:
            return await asyncio.to_thread(worker.execute, query)
        finally:
            self.idle.put_nowait(worker)

    async def reload(self) -> None:
        """Make all worker processes read the file again after their running queries."""
        workers = [await self.idle.get() for _ in self.workers]
        for worker in workers:
            await asyncio.to_thread(worker.restart)
            self.idle.put_nowait(worker)

    def close(self) -> None:
        """Kill all worker processes."""
        for worker in self.workers:
            worker.end()
