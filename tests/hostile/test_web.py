"""A faulty web server affects only its own file, which one message reports."""

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

NO_ANSWER: Final = ": not found, or the server does not answer"
#: The responses of the server by path, headers included.
RESPONSES: Final[dict[str, bytes]] = {
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
#: The beginning of the message after the address of the file; empty if there is no message.
EXPECTED_MESSAGES: Final = {
    "good?a=[1]*": "",
    "gone": NO_ANSWER,
    "fault": NO_ANSWER,
    "circle": NO_ANSWER,
    "away": NO_ANSWER,
    "noise": NO_ANSWER,
    "nothing": NO_ANSWER,
    "cut": ": cannot be read: ",
    "more": ": cannot be read: ",
    "negative": NO_ANSWER,
    "page": ": the content is of no known format",
    "packed": ":1: the gzip data is broken from here on (it unpacks to more than 200 times its size)",
}


class _Handler(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        response = RESPONSES[self.path.strip("/").partition("?")[0]]
        with suppress(ConnectionError):
            self.wfile.write(
                response
                if self.command == "GET"
                else response.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            )
        self.close_connection = True

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Suppress log messages."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """The address of the server, and the list of requested paths."""
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


@pytest.mark.parametrize("path", EXPECTED_MESSAGES)
def test_a_faulty_response_affects_only_its_own_file(
    server: tuple[str, list[str]], path: str, tmp_path: Path
) -> None:
    address, asked = server
    (tmp_path / "kites").write_bytes(KITES)
    reported: list[Problem] = []
    papers = read([f"{address}/{path}", str(tmp_path / "kites")], reported.append)
    assert sorted(paper.title for paper in papers) == (
        ["Kites"] if EXPECTED_MESSAGES[path] else ["Kites", "Nests"]
    )
    assert len(reported) == bool(EXPECTED_MESSAGES[path])
    assert all(
        str(problem).startswith(f"{address}/{path}{EXPECTED_MESSAGES[path]}")
        for problem in reported
    )
    assert {requested.partition("?")[0] for requested in asked} == {f"/{path.partition('?')[0]}"}, (
        "a link was followed"
    )


@pytest.mark.parametrize("path", EXPECTED_MESSAGES)
def test_a_password_in_a_url_occurs_in_no_message_and_no_record(
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
        RESPONSES, "parquet", b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(data), data)
    )
    (paper,) = read([f"{server[0]}/parquet"], no_problem)
    assert (paper.title, str(paper.sources[0])) == ("Nests", "parquet:1")
