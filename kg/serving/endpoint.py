"""The SPARQL 1.1 Protocol over HTTP: what a request asks, and how it is refused."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from citekg.serving.query_worker import Question
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from starlette.requests import Request

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
MOST_BYTES: Final = 200_000

Parameters = dict[str, list[str]]


async def asked(request: Request) -> Question | None:
    """The question of a request, `None` for a GET without one.

    Raises `HTTPException` for what the protocol does not allow, and for updates.
    """
    parameters = _parsed(request.url.query)
    if request.method == "POST":
        await _read_body(request, parameters)
    if "update" in parameters:
        raise HTTPException(HTTPStatus.FORBIDDEN, "updates are refused: this endpoint is only read")
    queries = parameters.get("query", [])
    if not queries and request.method != "POST":
        return None
    if len(queries) != 1:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"give one query, not {len(queries)}")
    graphs = (tuple(parameters.get(name, ())) for name in ("default-graph-uri", "named-graph-uri"))
    return Question(queries[0], request.headers.get("accept", ""), *graphs)


async def _read_body(request: Request, parameters: Parameters) -> None:
    """Add to the parameters what the body of a POST says."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    text = await _text(request)
    if content_type == FORM:
        for name, values in _parsed(text).items():
            parameters.setdefault(name, []).extend(values)
    elif content_type == QUERY:
        parameters.setdefault("query", []).append(text)
    elif content_type == UPDATE:
        parameters["update"] = [text]
    else:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"post a query as {QUERY} or {FORM}")


async def _text(request: Request) -> str:
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a query has at most {MOST_BYTES} bytes")
        return body.decode()
    except ClientDisconnect as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "the query broke off") from error
    except UnicodeDecodeError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the query is not UTF-8: {error.reason}") from error


def _parsed(text: str) -> Parameters:
    try:
        return parse_qs(text, keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"the parameters cannot be read: {error}") from error
