"""Requests that only the pages of a server may send: they need its token, and its own origin.

Browsers send the origin of the page with every POST.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from citekg.schemas.errors import CitekgError
from citekg.serving.endpoint import media_type, read_body
from citekg.serving.query_worker import TEXT

if TYPE_CHECKING:
    from starlette.requests import Request

_JSON: Final = "application/json"
_MAX_BYTES: Final = 500_000
NOT_STORED: Final = {"Cache-Control": "no-store"}


def authorise(request: Request, expected: str) -> None:
    """Refuse a request without the expected token, or from a page of another origin."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(token.encode(), expected.encode()):
        raise HTTPException(HTTPStatus.FORBIDDEN, "the token of this server is missing")
    own = f"http://{request.headers.get('host', '')}"
    origin = request.headers.get("origin", own if request.method == "GET" else "")
    site = request.headers.get("sec-fetch-site", "same-origin")
    if origin != own or site != "same-origin":
        raise HTTPException(HTTPStatus.FORBIDDEN, "this page may not use this server")


async def in_thread(act: Callable[[], Any]) -> Any:
    """Return the result of a function; its `CitekgError` becomes a response with the message."""
    try:
        return await asyncio.to_thread(act)
    except CitekgError as error:
        raise HTTPException(HTTPStatus.CONFLICT, str(error)) from error
    except OSError as error:
        message = f"nothing was written: {error.strerror or error}"
        raise HTTPException(HTTPStatus.INTERNAL_SERVER_ERROR, message) from error


async def read_json(request: Request, what: str) -> Mapping[str, Any]:
    """Return the JSON object in the body; `what` names it in the message of a refusal."""
    if media_type(request) != _JSON:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"post the {what} as {_JSON}")
    body = await read_body(request, _MAX_BYTES, f"{what} have at most {_MAX_BYTES} bytes")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the {what} are not JSON") from error
    if not isinstance(found, dict):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "expected a JSON object")
    return found


async def error_response(_request: Request, error: Exception) -> Response:
    """Return an HTTP error as a line of text."""
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class only
    return Response(f"{error.detail}\n", error.status_code, error.headers, TEXT)
