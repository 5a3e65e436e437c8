"""HTTP with little patience for clients that send, or take what they asked for, too slowly."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: How many seconds a request may take to arrive, from its first byte to its last.
RECEIVE_TIMEOUT: Final = 10.0
#: How many seconds a client may take for the next piece of an answer.
SEND_TIMEOUT: Final = 20.0


class SlowClientProtocol(H11Protocol):
    """Closes a connection whose client owes the rest of a request, or does not read, for too long."""

    arriving: asyncio.TimerHandle | None = None
    taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come, and owes a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A part of a request has come."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """A request is answered, which may not have come to its end."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        super().pause_writing()
        self.taking = self.loop.call_later(SEND_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has taken it."""
        super().resume_writing()
        _end(self.taking)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        _end(self.arriving)
        _end(self.taking)
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start the time within which the request is to arrive, or end it where nothing is owed."""
        state = self.conn.their_state
        between_requests = self.timeout_keep_alive_task is not None
        if not (state is h11.SEND_BODY or (state is h11.IDLE and not between_requests)):
            _end(self.arriving)
            self.arriving = None
        elif self.arriving is None:
            self.arriving = self.loop.call_later(RECEIVE_TIMEOUT, self.transport.abort)


def _end(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
