"""The web application: routes, middleware and responses."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from citekg.exports.page.html_page import page
from citekg.queries import prefixes_of
from citekg.queries.library import library
from citekg.queries.store import open_store
from citekg.schemas.errors import GraphError
from citekg.schemas.plugins import ExportOptions
from citekg.serving.content_negotiation import PAGE, TRIPLES, negotiate, wants_page
from citekg.serving.edit_requests import EditRequests
from citekg.serving.endpoint import parse_request
from citekg.serving.page_requests import error_response
from citekg.serving.pool import ProcessPool
from citekg.serving.query_worker import Limits
from citekg.serving.security_headers import SecurityHeaders
from citekg.serving.service_description import describe_service
from citekg.serving.streaming import ChunkedResponse, OutgoingBuffer
from citekg.storage.graph_files import load_graph

if TYPE_CHECKING:
    from starlette.requests import Request

    from citekg.serving.editing import EditableGraph

_FOLDER: Final = Path(__file__).parent
_BASE_POLICY: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:;"
    f" connect-src 'self'; {_BASE_POLICY}"
)
_PAGE_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Vary": "Accept"}
#: The page of the viewer contains a separate policy, which allows only the scripts of the page.
_VIEWER_HEADERS: Final = {"Content-Security-Policy": _BASE_POLICY}
#: The memory limit of responses being sent, as a multiple of the largest response.
_MAX_LARGE_RESPONSES: Final = 4
_log: Final = logging.getLogger(__name__)


def application(
    path: Path,
    limits: Limits,
    *,
    workers: int = 2,
    hosts: tuple[str, ...] = ("*",),
    origin: str = "",
    edited: EditableGraph | None = None,
    token: str = "",
) -> Starlette:
    """Return the ASGI application that serves a graph file; raises `GraphError` if it is invalid.

    `workers` is the number of query processes, `hosts` lists the accepted `Host` headers, and
    `origin` is the web site whose pages may read responses (CORS): `*` for all, empty for none.
    With `edited`, pages with the token may change its decisions, which rebuilds the graph.
    """
    site = _Site(path, limits, workers, is_edited=edited is not None)
    return Starlette(
        routes=[
            Route("/", site.viewer),
            Route("/sparql", site.sparql, methods=["GET", "POST"]),
            Route("/queries.json", site.queries),
            *(_edit_routes(site, edited, token) if edited else []),
            Mount("/page", StaticFiles(directory=_FOLDER / "page")),
            Mount("/vendor", StaticFiles(directory=_FOLDER / "vendor")),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[*hosts]),
            *([_cors(origin)] if origin else []),
            Middleware(GZipMiddleware, minimum_size=10_000, compresslevel=1),
        ],
        exception_handlers={HTTPException: error_response},
        lifespan=site.lifespan,
    )


def _edit_routes(site: _Site, edited: EditableGraph, token: str) -> list[Route]:
    requests = EditRequests(edited, token, site.reload)
    return [
        Route("/corrections", requests.list, methods=["GET"]),
        Route("/corrections", requests.change, methods=["POST"]),
    ]


def _cors(origin: str) -> Middleware:
    """Return middleware that allows the pages of an origin to read responses (CORS)."""
    return Middleware(
        CORSMiddleware, allow_origins=[origin], allow_methods=["GET", "POST"], allow_headers=["*"]
    )


class _Site:
    """The request handlers for one graph file."""

    def __init__(self, path: Path, limits: Limits, workers: int, *, is_edited: bool) -> None:
        self.path = path
        self.is_edited = is_edited
        self.limits = limits
        self.workers = workers
        self.store = open_store(path)
        self.outgoing = OutgoingBuffer(_MAX_LARGE_RESPONSES * limits.answer_bytes)

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Start the query processes, and stop them when the server stops."""
        self.pool = ProcessPool(self.path, self.limits, self.workers)
        self.viewer_lock = asyncio.Lock()
        try:
            yield
        finally:
            self.pool.close()

    async def viewer(self, _request: Request) -> Response:
        """Return the viewer, which is rendered on the first request."""
        async with self.viewer_lock:
            content = await asyncio.to_thread(lambda: self.viewer_page)
            return ChunkedResponse(content, HTTPStatus.OK, _VIEWER_HEADERS, PAGE)

    @cached_property
    def viewer_page(self) -> bytes:
        """The viewer of the graph as HTML."""
        try:
            graph = load_graph(self.path)
            return b"".join(page(graph, ExportOptions(), editable=self.is_edited))
        except GraphError as error:
            raise HTTPException(
                HTTPStatus.NOT_FOUND, f"there is no viewer for this file: {error}"
            ) from error

    async def reload(self) -> None:
        """Read the graph file again, for the viewer and for queries."""
        async with self.viewer_lock:
            self.__dict__.pop("viewer_page", None)
        self.store = await asyncio.to_thread(open_store, self.path)
        await self.pool.reload()

    async def sparql(self, request: Request) -> Response:
        """Answer a query; without one, return the query page or the service description."""
        accept = request.headers.get("accept", "")
        if request.method != "POST" and wants_page(accept):
            return FileResponse(_FOLDER / "page" / "query.html", headers=_PAGE_HEADERS)
        query = await parse_request(request)
        if query is None:
            return self._description(request, accept)
        started = perf_counter()
        reply = await self.pool.execute(query)
        milliseconds = round(1000 * (perf_counter() - started))
        _log.info(
            "answered",
            extra={
                "status": int(reply.status),
                "bytes": len(reply.body),
                "milliseconds": milliseconds,
            },
        )
        return self.outgoing.response(reply, {"Vary": "Accept"})

    def _description(self, request: Request, accept: str) -> Response:
        media_type = negotiate(accept, TRIPLES)
        if media_type is None:
            raise HTTPException(
                HTTPStatus.NOT_ACCEPTABLE,
                f"the description is available as one of: {', '.join(TRIPLES)}",
            )
        endpoint = str(request.url.replace(query=None))
        return Response(
            describe_service(endpoint, self.store, media_type), 200, {"Vary": "Accept"}, media_type
        )

    async def queries(self, _request: Request) -> Response:
        """Return the data of the query page: title, named queries and prefixes."""
        data: dict[str, Any] = {
            "title": self.path.name,
            "queries": [asdict(query) for query in library()],
            "prefixes": prefixes_of(self.store),
        }
        return Response(json.dumps(data, ensure_ascii=False), media_type="application/json")
