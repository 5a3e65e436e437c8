"""Answers on their way to clients: piece by piece, and only so many bytes of them at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from citekg.serving.query_worker import Reply
    from starlette.types import Receive, Scope, Send

#: A client that takes a piece too slowly is left (see `citekg.serving.slow_clients`).
_PIECE: Final = 65_536


class Pieces(StreamingResponse):
    """A body that is sent piece by piece, so that a slow client is noticed."""

    def __init__(self, body: bytes, status: int, headers: dict[str, str], media_type: str) -> None:
        super().__init__(_cut(body), status, {**headers, "Content-Length": str(len(body))}, media_type)


class Waiting:
    """How many bytes of answers wait for their clients, and how many may."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.bytes = 0

    def response(self, reply: Reply, headers: dict[str, str]) -> Pieces:
        """The reply as it is sent; raises `HTTPException` (503) where too many bytes wait already."""
        if self.bytes and self.bytes + len(reply.body) > self.most:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many answers are being read: ask again later")
        return _Counted(self, reply, headers)


class _Counted(Pieces):
    """Pieces that are counted from now until the client has them or leaves."""

    def __init__(self, waiting: Waiting, reply: Reply, headers: dict[str, str]) -> None:
        super().__init__(reply.body, reply.status, headers, reply.media_type)
        self.waiting, self.count = waiting, len(reply.body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.waiting.bytes += self.count
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.waiting.bytes -= self.count


async def _cut(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, max(len(body), 1), _PIECE):
        yield body[start : start + _PIECE]
