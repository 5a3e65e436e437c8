"""A faulty web server costs its own file and a message; memory and time are bounded."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from citekg.sources import Problem, read
from tests.hostile.making import KITES, NESTS
from tests.problems import no_problem

pytest.importorskip("aiohttp", reason="fsspec asks web servers with aiohttp")

GONE: Final = ": not found, or the server does not answer"
#: What the server says to a path, head included.
SAID: Final[dict[str, bytes]] = {
    "good": b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(NESTS), NESTS),
    "gone": b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "fault": b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    "circle": b"HTTP/1.1 302 Found\r\nLocation: /circle\r\nContent-Length: 0\r\n\r\n",
    "away": b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    "noise": b"\0\1\2 noise\r\n\r\n",
    "nothing": b"",
    "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + NESTS,
    "more": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + NESTS,
    "negative": b"HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\n" + NESTS,
    "page": b'HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n<a href="/page/good">next page</a>\n',
    "packed": b"HTTP/1.1 200 OK\r\n\r\n" + gzip.compress(b" " * 2**25),
}
#: How a message about the file goes on behind its address; nothing where there is none.
TOLD: Final = {
    "good?a=[1]*": "",
    "gone": GONE,
    "fault": GONE,
    "circle": GONE,
    "away": GONE,
    "noise": GONE,
    "nothing": GONE,
    "cut": ": cannot be read: ",
    "more": ": cannot be read: ",
    "negative": GONE,
    "page": ": the content is of no known format",
    "packed": ":1: the gzip data is broken from here on (it unpacks to more than 200 times its size)",
}


class _Handler(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        stated = SAID[self.path.strip("/").partition("?")[0]]
        with suppress(ConnectionError):
            self.wfile.write(
                stated if self.command == "GET" else stated.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            )
        self.close_connection = True

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """The address of the server, and the paths that it was asked for."""
    asked: list[str] = []
    handler = type("Handler", (_Handler,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}", asked
        finally:
            running.shutdown()
            thread.join()


@pytest.mark.parametrize("path", TOLD)
def test_a_misbehaving_server_affects_only_its_own_file(
    server: tuple[str, list[str]], path: str, tmp_path: Path
) -> None:
    address, asked = server
    (tmp_path / "kites").write_bytes(KITES)
    reported: list[Problem] = []
    papers = read([f"{address}/{path}", str(tmp_path / "kites")], reported.append)
    assert sorted(paper.title for paper in papers) == (
        ["Kites"] if TOLD[path] else ["Kites", "Nests"]
    )
    assert len(reported) == bool(TOLD[path])
    assert all(str(problem).startswith(f"{address}/{path}{TOLD[path]}") for problem in reported)
    assert {one.partition("?")[0] for one in asked} == {f"/{path.partition('?')[0]}"}, (
        "a link was followed"
    )


@pytest.mark.parametrize("path", TOLD)
def test_a_password_in_a_url_is_in_no_message_and_no_record(
    server: tuple[str, list[str]], path: str
) -> None:
    reported: list[Problem] = []
    papers = read([f"{server[0].replace('://', '://ada:secret@')}/{path}"], reported.append)
    assert [*papers, *reported]
    assert "secret" not in repr([*papers, *reported])
    assert "secret" not in "".join(map(str, reported))


def test_parquet_from_a_web_server_is_read(
    server: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow", reason="an optional extra")
    pq = pytest.importorskip("pyarrow.parquet", reason="an optional extra")
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.table({"title": ["Nests"], "abstract": ["A nest is where kites rest."]}), sink
    )
    data = sink.getvalue().to_pybytes()
    monkeypatch.setitem(
        SAID, "parquet", b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(data), data)
    )
    (paper,) = read([f"{server[0]}/parquet"], no_problem)
    assert (paper.title, str(paper.sources[0])) == ("Nests", "parquet:1")
