"""Requests that read and change the decisions of `kg serve --edit`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from citekg.serving.page_requests import NOT_STORED, authorise, in_thread, read_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from citekg.serving.editing import EditableGraph


class EditRequests:
    """The handlers of requests about the decisions of one graph; changes run one after another."""

    def __init__(
        self, edited: EditableGraph, token: str, on_change: Callable[[], Awaitable[None]]
    ) -> None:
        self.edited = edited
        self.token = token
        self.on_change = on_change
        self.lock = asyncio.Lock()

    async def list(self, request: Request) -> Response:
        """Return the decisions of the file and its name."""
        authorise(request, self.token)
        async with self.lock:
            entries = await in_thread(self.edited.entries)
        place = self.edited.decisions.name
        return JSONResponse({"place": place, "entries": entries}, headers=NOT_STORED)

    async def change(self, request: Request) -> Response:
        """Add decisions or remove one, and rebuild the graph."""
        authorise(request, self.token)
        change = await read_json(request, "decisions")
        async with self.lock:
            await in_thread(lambda: self.edited.change(change))
            await self.on_change()
        return JSONResponse({}, headers=NOT_STORED)
