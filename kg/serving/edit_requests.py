"""Requests that read and change the decisions of `kg serve --edit`.

A request needs the token of the server, and must come from a page of the server itself: browsers
send the origin of the page with every POST.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from citekg.schemas.errors import CitekgError
from citekg.serving.endpoint import media_type, read_body

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from citekg.serving.editing import EditableGraph

_JSON: Final = "application/json"
_MAX_BYTES: Final = 500_000
_NOT_STORED: Final = {"Cache-Control": "no-store"}


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
        self._authorise(request)
        async with self.lock:
            entries = await _in_thread(self.edited.entries)
        place = self.edited.decisions.name
        return JSONResponse({"place": place, "entries": entries}, headers=_NOT_STORED)

    async def change(self, request: Request) -> Response:
        """Add decisions or remove one, and rebuild the graph."""
        self._authorise(request)
        change = await _read_json(request)
        async with self.lock:
            await _in_thread(lambda: self.edited.change(change))
            await self.on_change()
        return JSONResponse({}, headers=_NOT_STORED)

    def _authorise(self, request: Request) -> None:
        """Refuse a request without the token, or from a page of another origin."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(
            token.encode(), self.token.encode()
        ):
            raise HTTPException(HTTPStatus.FORBIDDEN, "the token of this server is missing")
        own = f"http://{request.headers.get('host', '')}"
        origin = request.headers.get("origin", own if request.method == "GET" else "")
        site = request.headers.get("sec-fetch-site", "same-origin")
        if origin != own or site != "same-origin":
            raise HTTPException(HTTPStatus.FORBIDDEN, "this page may not edit the graph")


async def _in_thread(act: Callable[[], Any]) -> Any:
    """Return the result of a function; its `CitekgError` becomes a response with the message."""
    try:
        return await asyncio.to_thread(act)
    except CitekgError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from error
    except OSError as error:
        message = f"nothing was written: {error.strerror or error}"
        raise HTTPException(HTTPStatus.INTERNAL_SERVER_ERROR, message) from error


async def _read_json(request: Request) -> Mapping[str, Any]:
    if media_type(request) != _JSON:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"post the decisions as {_JSON}")
    body = await read_body(request, _MAX_BYTES, f"decisions have at most {_MAX_BYTES} bytes")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the decisions are not JSON") from error
    if not isinstance(found, dict):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "expected a JSON object")
    return found
