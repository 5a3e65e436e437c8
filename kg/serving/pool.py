"""The processes that answer, from the side of the server: a late one is ended and started anew."""

from __future__ import annotations

import asyncio
import multiprocessing
from http import HTTPStatus
from pathlib import Path
from typing import Final

from citekg.serving.query_worker import Limits, Question, Reply, answer_all

_START: Final = multiprocessing.get_context("spawn")


class QueryProcess:
    """One process that answers one question at a time."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._start()

    def _start(self) -> None:
        self.connection, other = _START.Pipe()
        self.process = _START.Process(target=answer_all, args=(other, self.path, self.limits), daemon=True)
        self.process.start()
        other.close()
        self.is_open = False

    def ask(self, question: Question) -> Reply:
        """The reply to a question, within the time that it may take."""
        try:
            if not self.is_open:
                self.connection.recv()
                self.is_open = True
            self.connection.send(question)
            if self.connection.poll(self.limits.seconds):
                reply: Reply = self.connection.recv()
                return reply
            fault = f"the query took longer than {self.limits.seconds:g} s: narrow it"
        except (EOFError, OSError):
            fault = (
                f"the query took more than {self.limits.memory_bytes} bytes of memory, or could not be run: narrow it"
            )
        self.end()
        self._start()
        return Reply.fault(HTTPStatus.INTERNAL_SERVER_ERROR, fault)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Pool:
    """A few answerers; a question waits for the first that is free."""

    def __init__(self, path: Path, limits: Limits, size: int) -> None:
        self.limits = limits
        self.answerers = [QueryProcess(path, limits) for _ in range(size)]
        self.free: asyncio.Queue[QueryProcess] = asyncio.Queue()
        for answerer in self.answerers:
            self.free.put_nowait(answerer)

    async def ask(self, question: Question) -> Reply:
        """The reply to a question; 503 where none is free for as long as a query may take."""
        try:
            answerer = await asyncio.wait_for(self.free.get(), self.limits.seconds)
        except asyncio.TimeoutError:
            return Reply.fault(HTTPStatus.SERVICE_UNAVAILABLE, "too many queries are running: ask again later")
        try:
            return await asyncio.to_thread(answerer.ask, question)
        finally:
            self.free.put_nowait(answerer)

    def close(self) -> None:
        """End all processes."""
        for answerer in self.answerers:
            answerer.end()
