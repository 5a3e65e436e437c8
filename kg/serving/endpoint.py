"""Parse requests of the SPARQL 1.1 Protocol; invalid ones raise `HTTPException`."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from citekg.serving.query_worker import QueryRequest

if TYPE_CHECKING:
    from starlette.requests import Request

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
MAX_QUERY_BYTES: Final = 200_000

Parameters = dict[str, list[str]]


async def parse_request(request: Request) -> QueryRequest | None:
    """Return the query of a request, `None` for a GET without one.

    Raises `HTTPException` for a request that violates the protocol, and for updates.
    """
    parameters = _parse_parameters(request.url.query)
    if request.method == "POST":
        await _add_body(request, parameters)
    if "update" in parameters:
        raise HTTPException(HTTPStatus.FORBIDDEN, "updates are refused: this endpoint is read-only")
    queries = parameters.get("query", [])
    if not queries and request.method != "POST":
        return None
    if len(queries) != 1:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"give one query, not {len(queries)}")
    graphs = (tuple(parameters.get(name, ())) for name in ("default-graph-uri", "named-graph-uri"))
    return QueryRequest(queries[0], request.headers.get("accept", ""), *graphs)


async def _add_body(request: Request, parameters: Parameters) -> None:
    """Add the query or the form fields of the body of a POST to the parameters."""
    content_type = media_type(request)
    text = await _read_text(request)
    if content_type == FORM:
        for name, values in _parse_parameters(text).items():
            parameters.setdefault(name, []).extend(values)
    elif content_type == QUERY:
        parameters.setdefault("query", []).append(text)
    elif content_type == UPDATE:
        parameters["update"] = [text]
    else:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"post a query as {QUERY} or {FORM}")


def media_type(request: Request) -> str:
    """Return the media type of the body of a request, in lower case and without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_body(request: Request, limit: int, too_large: str) -> bytes:
    """Return the body; raises `HTTPException` if it is incomplete or longer than `limit` bytes."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large)
    except ClientDisconnect as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the request is incomplete") from error
    return bytes(body)


async def _read_text(request: Request) -> str:
    too_large = f"a query has at most {MAX_QUERY_BYTES} bytes"
    body = await read_body(request, MAX_QUERY_BYTES, too_large)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise HTTPException(
            HTTPStatus.BAD_REQUEST, f"the query is not UTF-8: {error.reason}"
        ) from error


def _parse_parameters(text: str) -> Parameters:
    try:
        return parse_qs(text, keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise HTTPException(
            HTTPStatus.BAD_REQUEST, f"the parameters cannot be read: {error}"
        ) from error
