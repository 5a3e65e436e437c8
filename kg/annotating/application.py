"""The web application of `kg annotate`: the page, its scripts, and the requests of the page."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from citekg.serving.page_requests import (
    NOT_STORED,
    authorise,
    error_response,
    in_thread,
    read_json,
)
from citekg.serving.security_headers import SecurityHeaders

if TYPE_CHECKING:
    from starlette.requests import Request

    from citekg.annotating.session import Session

_PAGE: Final = Path(__file__).parent / "page"
#: Scripts and styles that the page shares with the viewer.
_SHARED: Final = frozenset(
    {"theme.css", "elements.js", "shapes.js", "dialog.js", "token_requests.js"}
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def application(session: Session, token: str, hosts: tuple[str, ...]) -> Starlette:
    """Return the ASGI application of a session, for pages with the token on these hosts."""
    requests = _Requests(session, token)
    return Starlette(
        routes=[
            Route("/", _page),
            Route("/papers", requests.overview),
            Route("/papers/{at:int}", requests.paper, methods=["GET"]),
            Route("/papers/{at:int}", requests.save, methods=["POST"]),
            Route("/viewer/{name}", _shared),
            Mount("/page", StaticFiles(directory=_PAGE)),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=[*hosts]),
        ],
        exception_handlers={HTTPException: error_response},
    )


class _Requests:
    """The request handlers of the page; a lock serialises access to the session."""

    def __init__(self, session: Session, token: str) -> None:
        self.session = session
        self.token = token
        self.lock = asyncio.Lock()

    async def overview(self, request: Request) -> Response:
        """Return the types, the roles, and which papers are saved."""
        authorise(request, self.token)
        return JSONResponse(self.session.overview(), headers=NOT_STORED)

    async def paper(self, request: Request) -> Response:
        """Return a paper with its saved or proposed entities."""
        at = self._number(request)
        async with self.lock:
            found = await in_thread(lambda: self.session.paper(at))
        return JSONResponse(found, headers=NOT_STORED)

    async def save(self, request: Request) -> Response:
        """Save the entities of a paper."""
        at = self._number(request)
        posted = await read_json(request, "entities")
        async with self.lock:
            await in_thread(lambda: self.session.save(at, posted.get("entities")))
        return JSONResponse({}, headers=NOT_STORED)

    def _number(self, request: Request) -> int:
        """Return the number of the paper in a request; raises `HTTPException` if it is invalid."""
        authorise(request, self.token)
        at = int(request.path_params["at"])
        if at >= len(self.session.papers):
            raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such paper")
        return at


async def _page(_request: Request) -> Response:
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    return FileResponse(_PAGE / "annotate.html", headers=headers)


async def _shared(request: Request) -> Response:
    """Return a file that the page shares with the viewer."""
    name = request.path_params["name"]
    if name not in _SHARED:
        raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such file")
    content = (files("citekg.exports.page") / "viewer" / name).read_text("utf-8")
    media_type = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(content, media_type=media_type)
