"""Temporary faults of services, and a clock whose sleep returns at once."""

from __future__ import annotations

from datetime import datetime, timezone

from citekg.fetching.client import Clock
from tests.kg.services import Response

NOW = datetime(2024, 6, 1, 12, tzinfo=timezone.utc).timestamp()


class FakeClock:
    """A clock that advances only when it sleeps; it records each sleep."""

    def __init__(self) -> None:
        self.time = NOW
        self.slept: list[float] = []

    def clock(self) -> Clock:
        return Clock(lambda: self.time, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


FAULTS = {
    "429": Response(b"slow down", 429, {"Retry-After": "7"}),
    "500": Response(b"oops", 500),
    "502": Response(
        b"<html><title>x</title><body>Bad <b>gateway</b></body></html>", 502, kind="text/html"
    ),
    "503": Response(b"", 503),
    "cut": Response(b'{"results": [', cut=True),
    "reset": Response(reset=True),
    "broken": Response(b'{"results": [{"id": "W1", "tit'),
    "empty": Response(b""),
    "a page of the wrong kind": Response(
        b"<html><body>Log in to the network</body></html>", kind="text/html"
    ),
    "JSON of the wrong kind": Response(b'{"message": "ok"}'),
    "no text": Response(b"\xff\xfe\x00\x01"),
    "deep": Response(b"[" * 100_000),
    "broken packing": Response(b"no gzip", headers={"Content-Encoding": "gzip"}),
}
