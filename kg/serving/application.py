"""The web application: which address gives what."""

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

from citekg.exports import ExportOptions, exporter
from citekg.queries import prefixes_of
from citekg.queries.library import library
from citekg.queries.store import open_store
from citekg.schemas.errors import GraphError
from citekg.serving.content_negotiation import PAGE, TRIPLES, negotiate, wants_page
from citekg.serving.endpoint import asked
from citekg.serving.pool import Pool
from citekg.serving.query_worker import TEXT, Limits
from citekg.serving.security_headers import SecurityHeaders
from citekg.serving.service_description import description
from citekg.serving.streaming import Pieces, Waiting
from citekg.storage.graph_files import load_graph
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from starlette.requests import Request

_HERE: Final = Path(__file__).parent
_CLOSED: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
    + _CLOSED
)
_PAGE_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Vary": "Accept"}
#: The viewer's own policy stands in its page, and admits its own scripts alone.
_VIEWER_HEADERS: Final = {"Content-Security-Policy": _CLOSED}
#: How many answers of the largest size may be on their way to clients at a time.
_LARGEST_ANSWERS: Final = 4
_log: Final = logging.getLogger(__name__)


def application(
    path: Path, limits: Limits, *, answerers: int = 2, hosts: tuple[str, ...] = ("*",), origin: str = ""
) -> Starlette:
    """The application that serves a graph file; raises `GraphError` where it cannot be read.

    `answerers` is how many queries may run at a time, `hosts` are the names it answers to, and
    `origin` is the web site whose pages may read it, `*` for all, none where it is empty.
    """
    site = _Site(path, limits, answerers)
    return Starlette(
        routes=[
            Route("/", site.viewer),
            Route("/sparql", site.sparql, methods=["GET", "POST"]),
            Route("/queries.json", site.queries),
            Mount("/page", StaticFiles(directory=_HERE / "page")),
            Mount("/vendor", StaticFiles(directory=_HERE / "vendor")),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[*hosts]),
            *([_reading(origin)] if origin else []),
            Middleware(GZipMiddleware, minimum_size=10_000, compresslevel=1),
        ],
        exception_handlers={HTTPException: _told},
        lifespan=site.running,
    )


def _reading(origin: str) -> Middleware:
    """Lets the pages of a web site read the answers."""
    return Middleware(CORSMiddleware, allow_origins=[origin], allow_methods=["GET", "POST"], allow_headers=["*"])


class _Site:
    """What is served of one graph file."""

    def __init__(self, path: Path, limits: Limits, answerers: int) -> None:
        self.path = path
        self.limits = limits
        self.answerers = answerers
        self.store = open_store(path)
        self.waiting = Waiting(_LARGEST_ANSWERS * limits.answer_bytes)

    @asynccontextmanager
    async def running(self, _app: Starlette) -> AsyncIterator[None]:
        """The time between start and stop, in which there are processes that answer."""
        self.pool = Pool(self.path, self.limits, self.answerers)
        self.drawing = asyncio.Lock()
        try:
            yield
        finally:
            self.pool.close()

    async def viewer(self, _request: Request) -> Response:
        """The interactive page, drawn when it is first asked for."""
        async with self.drawing:
            return Pieces(await asyncio.to_thread(lambda: self.drawn), HTTPStatus.OK, _VIEWER_HEADERS, PAGE)

    @cached_property
    def drawn(self) -> bytes:
        """The page of the graph."""
        try:
            return b"".join(exporter("html").writer(load_graph(self.path), ExportOptions()))
        except GraphError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no viewer for this file: {error}") from error

    async def sparql(self, request: Request) -> Response:
        """An answer, or for a browser the page to ask on, or the service description."""
        accept = request.headers.get("accept", "")
        if request.method != "POST" and wants_page(accept):
            return FileResponse(_HERE / "page" / "query.html", headers=_PAGE_HEADERS)
        question = await asked(request)
        if question is None:
            return self._description(request, accept)
        started = perf_counter()
        reply = await self.pool.ask(question)
        took = round(1000 * (perf_counter() - started))
        _log.info("answered", extra={"status": int(reply.status), "bytes": len(reply.body), "milliseconds": took})
        return self.waiting.response(reply, {"Vary": "Accept"})

    def _description(self, request: Request, accept: str) -> Response:
        media_type = negotiate(accept, TRIPLES)
        if media_type is None:
            raise HTTPException(HTTPStatus.NOT_ACCEPTABLE, f"the description comes as one of: {', '.join(TRIPLES)}")
        endpoint = str(request.url.replace(query=None))
        return Response(description(endpoint, self.store, media_type), 200, {"Vary": "Accept"}, media_type)

    async def queries(self, _request: Request) -> Response:
        """What the page needs to know: the named queries and the prefixes."""
        told: dict[str, Any] = {
            "title": self.path.name,
            "queries": [asdict(query) for query in library()],
            "prefixes": prefixes_of(self.store),
        }
        return Response(json.dumps(told, ensure_ascii=False), media_type="application/json")


async def _told(_request: Request, error: Exception) -> Response:
    """A refusal as a line of text."""
    assert isinstance(error, HTTPException)  # noqa: S101  # it is registered for these alone
    return Response(f"{error.detail}\n", error.status_code, error.headers, TEXT)
