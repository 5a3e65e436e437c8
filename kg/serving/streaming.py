"""Send responses in chunks, with a limit on the bytes buffered for all clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from citekg.serving.query_worker import Reply

#: Bytes per chunk; a client too slow for one is disconnected (see `citekg.serving.slow_clients`).
_CHUNK: Final = 65_536


class ChunkedResponse(StreamingResponse):
    """A response sent in chunks, so that a slow client is detected."""

    def __init__(self, body: bytes, status: int, headers: dict[str, str], media_type: str) -> None:
        super().__init__(
            _chunks(body), status, {**headers, "Content-Length": str(len(body))}, media_type
        )


class OutgoingBuffer:
    """The number of bytes of responses being sent, and its limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0

    def response(self, reply: Reply, headers: dict[str, str]) -> ChunkedResponse:
        """Return the response for a reply; raises `HTTPException` (503) beyond the limit."""
        if self.bytes and self.bytes + len(reply.body) > self.limit:
            raise HTTPException(
                HTTPStatus.SERVICE_UNAVAILABLE, "too many results are being sent: try again later"
            )
        return _CountedResponse(self, reply, headers)


class _CountedResponse(ChunkedResponse):
    """A response whose bytes are counted until the client has received them or disconnects."""

    def __init__(self, outgoing: OutgoingBuffer, reply: Reply, headers: dict[str, str]) -> None:
        super().__init__(reply.body, reply.status, headers, reply.media_type)
        self.outgoing, self.count = outgoing, len(reply.body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.outgoing.bytes += self.count
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.outgoing.bytes -= self.count


async def _chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, max(len(body), 1), _CHUNK):
        yield body[start : start + _CHUNK]
