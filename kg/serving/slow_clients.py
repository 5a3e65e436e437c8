"""HTTP protocol with timeouts against clients that send or receive too slowly (slowloris)."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: The time limit in seconds for receiving a whole request.
RECEIVE_TIMEOUT: Final = 10.0
#: The time limit in seconds for the client to receive the next chunk of a response.
SEND_TIMEOUT: Final = 20.0


class SlowClientProtocol(H11Protocol):
    """Aborts a connection whose client is too slow to send its request or to read the response."""

    receive_timer: asyncio.TimerHandle | None = None
    send_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the receive timer of a new connection."""
        super().connection_made(transport)
        self._update_receive_timer()

    def data_received(self, data: bytes) -> None:
        """Update the receive timer after a part of a request."""
        super().data_received(data)
        self._update_receive_timer()

    def on_response_complete(self) -> None:
        """Update the receive timer after a response; its request may be incomplete."""
        super().on_response_complete()
        self._update_receive_timer()

    def pause_writing(self) -> None:
        """Start the send timer when the send buffer is full."""
        super().pause_writing()
        self.send_timer = self.loop.call_later(SEND_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the send timer when the client has received the data."""
        super().resume_writing()
        _cancel(self.send_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop both timers."""
        _cancel(self.receive_timer)
        _cancel(self.send_timer)
        super().connection_lost(exc)

    def _update_receive_timer(self) -> None:
        """Start the receive timer if a request is incomplete, else stop it."""
        state = self.conn.their_state
        between_requests = self.timeout_keep_alive_task is not None
        if not (state is h11.SEND_BODY or (state is h11.IDLE and not between_requests)):
            _cancel(self.receive_timer)
            self.receive_timer = None
        elif self.receive_timer is None:
            self.receive_timer = self.loop.call_later(RECEIVE_TIMEOUT, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
