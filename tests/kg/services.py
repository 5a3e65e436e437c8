"""A server on loopback that behaves like the services that hand out papers, faults included. All papers are made up."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

FEED = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/made-up</id>
  <title>arXiv Query: search_query={query}</title>
  <updated>2024-06-01T00:00:00Z</updated>
  <opensearch:itemsPerPage>{size}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>{start}</opensearch:startIndex>
{entries}</feed>
"""
ENTRY = """  <entry>
    <id>{id}</id>
    <title>{title}</title>
    <published>2024-05-06T00:00:00Z</published>
    <summary>{summary}</summary>
    <author><name>Ada Lark</name></author>
  </entry>
"""
ERROR = ENTRY.format(id="https://arxiv.org/api/errors#unbalanced", title="Error", summary="the brackets\n do not match")


def title(number: int) -> str:
    return f"Kite study {number} — 风筝 & wind"


def abstract(number: int) -> str:
    return f"We fly kite number {number} with Proximal Policy Optimization (PPO) and evaluate on D4RL."


@dataclass
class Answer:
    """What the server says to one request."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False  # the connection ends in the midst of the body
    reset: bool = False  # the connection is reset before anything is said


@dataclass
class Services:
    """The server: how many papers match, what it was asked, and the faults that are still to come.

    A fault is given to one request each, in order; `None` lets a request pass.
    """

    matching: int = 250
    page: int = 100
    bare: frozenset[int] = frozenset()  # the numbers of the papers without an abstract
    faults: list[Answer | None] = field(default_factory=list)
    forever: Answer | None = None
    held: threading.Event | None = None  # requests wait for it once `free` many have been answered
    free: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""

    def answer(self, path: str, asked: dict[str, str]) -> Answer:
        """What the service of that path says."""
        return {
            "/query": self.arxiv,
            "/works": self.openalex,
            "/paper/search/bulk": self.semantic_scholar,
            "/daily_papers": self.hugging_face,
        }[path](asked)

    def _numbers(self, start: int, size: int) -> range:
        return range(start, min(start + size, self.matching))

    def arxiv(self, asked: dict[str, str]) -> Answer:
        start, size = int(asked["start"]), int(asked["max_results"])
        text = asked["search_query"]
        if text == "((":
            feed = FEED.format(query=text, size=1, total=1, start=0, entries=ERROR)
            return Answer(feed.encode(), 400, kind="application/atom+xml")
        entries = "".join(
            ENTRY.format(
                id=f"http://arxiv.org/abs/2405.{n:05}v1", title=title(n).replace("&", "&amp;"), summary=abstract(n)
            )
            for n in self._numbers(start, size)
        )
        feed = FEED.format(query=text, size=size, total=self.matching, start=start, entries=entries)
        return Answer(feed.encode(), kind="application/atom+xml; charset=UTF-8")

    def openalex(self, asked: dict[str, str]) -> Answer:
        start = 0 if asked["cursor"] == "*" else int(asked["cursor"].removeprefix("after+"))
        numbers = self._numbers(start, int(asked["per_page"]))
        works = [
            {
                "id": f"https://openalex.org/W{n}",
                "doi": f"https://doi.org/10.1000/kites.{n}",
                "title": title(n),
                "publication_date": "2024-05-06",
                "authorships": [{"author": {"display_name": "Ada Lark"}}],
                "abstract_inverted_index": {word: [at] for at, word in enumerate(abstract(n).split())},
            }
            for n in numbers
        ]
        return _json(
            {
                "meta": {"count": self.matching, "next_cursor": f"after+{numbers.stop}" if works else None},
                "results": works,
            }
        )

    def semantic_scholar(self, asked: dict[str, str]) -> Answer:
        start = int(asked.get("token", "T0").removeprefix("T"))
        numbers = self._numbers(start, self.page)
        papers = [
            {
                "paperId": f"{n:040x}",
                "title": title(n),
                "abstract": None if n in self.bare else abstract(n),
                "year": 2024,
                "authors": [{"authorId": "1", "name": "Ada Lark"}],
                "externalIds": {"DOI": f"10.1000/kites.{n}"},
            }
            for n in numbers
        ]
        more = {"token": f"T{numbers.stop}"} if numbers.stop < self.matching else {"token": None}
        return _json({"total": self.matching, **more, "data": papers})

    def hugging_face(self, asked: dict[str, str]) -> Answer:
        day = asked["date"]
        start = int(asked["p"]) * self.page
        entries = [
            {
                "paper": {
                    "id": f"{day[2:4]}{day[5:7]}.{int(day[8:]):02}{n:03}",
                    "title": title(n),
                    "summary": abstract(n),
                    "publishedAt": f"{day}T00:00:00.000Z",
                    "authors": [{"name": "Ada Lark"}],
                },
                "publishedAt": f"{day}T00:00:00.000Z",
                "title": title(n),
            }
            for n in self._numbers(start, self.page)
        ]
        return _json([] if day.endswith("-04") else entries)


def _json(value: Any) -> Answer:
    return Answer(json.dumps(value, ensure_ascii=False).encode())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer goes out in one piece, not its head first
    disable_nagle_algorithm = True
    services: Services

    def do_GET(self) -> None:
        services, place = self.services, urlsplit(self.path)
        asked = dict(parse_qsl(place.query))
        services.asked.append(asked)
        services.paths.append(place.path)
        services.headers.append(dict(self.headers))
        if services.held and len(services.asked) > services.free:
            services.held.wait()
        fault = services.forever or (services.faults.pop(0) if services.faults else None)
        with contextlib.suppress(ConnectionError):
            self._say(fault or services.answer(place.path, asked))

    def _say(self, answer: Answer) -> None:
        if answer.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body) + 100 * answer.cut))
        self.end_headers()
        self.wfile.write(answer.body)
        self.wfile.flush()
        self.close_connection = answer.cut

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serving() -> Iterator[Services]:
    """The services, running until the end of the block."""
    services = Services()
    handler = type("Handler", (_Handler,), {"services": services})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        services.address = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield services
        finally:
            if services.held:
                services.held.set()
            server.shutdown()
            thread.join()
