"""A fake of the paper services on localhost, with injected faults. All papers are invented."""

from __future__ import annotations

import contextlib
import json
import re
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
ERROR = ENTRY.format(
    id="https://arxiv.org/api/errors#unbalanced",
    title="Error",
    summary="the brackets\n do not match",
)


def title(number: int) -> str:
    return f"Kite study {number} — 风筝 & wind"


def abstract(number: int) -> str:
    return (
        f"We fly kite number {number} with Proximal Policy Optimization (PPO) and evaluate on D4RL."
    )


@dataclass
class Response:
    """The response of the server to one request."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False  # the connection ends in the middle of the body
    reset: bool = False  # the connection is reset before anything is sent


@dataclass
class Services:
    """The server: the number of matching papers, the received requests, and the pending faults.

    Each fault applies to one request, in order; `None` lets a request pass.
    """

    matching: int = 250
    page: int = 100
    bare: frozenset[int] = frozenset()  # the numbers of the papers without an abstract
    changed: dict[int, dict[str, str]] = field(
        default_factory=dict
    )  # title, author or date of single papers
    rejected: frozenset[str] = frozenset()  # arXiv ids for which arXiv rejects the whole request
    faults: list[Response | None] = field(default_factory=list)
    forever: Response | None = None
    held: threading.Event | None = None  # requests wait for it after the first `free` requests
    free: int = 0
    requested: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""

    def answer(self, path: str, asked: dict[str, str]) -> Response:
        """Return the response of the service at this path."""
        by_title = asked.get("search_query", "").startswith("ti:")
        return {
            "/query": self.arxiv_lookup if by_title or "id_list" in asked else self.arxiv,
            "/works": self.openalex if "cursor" in asked else self.openalex_lookup,
            "/paper/search/bulk": self.semantic_scholar,
            "/paper/search": self.semantic_scholar_by_title,
            "/paper/batch": self.semantic_scholar_by_ids,
            "/daily_papers": self.hugging_face,
        }[path](asked)

    def _numbers(self, start: int, size: int) -> range:
        return range(start, min(start + size, self.matching))

    def _known(self, ids: list[str]) -> list[int | None]:
        """The numbers of the papers with these ids, `None` for an unknown id."""
        last = [re.fullmatch(r"(?:.*\.)?(\d+)", one) for one in ids]
        numbers = [int(found[1]) if found else self.matching for found in last]
        return [number if number < self.matching else None for number in numbers]

    def _near(self, words: str, size: int) -> list[int]:
        """The numbers of the papers whose titles share words with a query, most similar first."""
        wanted = set(re.findall(r"\w+", words))
        shared = {
            n: len(wanted & set(re.findall(r"\w+", self._title(n).casefold())))
            for n in range(self.matching)
        }
        return sorted((n for n in shared if shared[n]), key=lambda n: (-shared[n], n))[:size]

    def _title(self, number: int) -> str:
        return self.changed.get(number, {}).get("title", title(number))

    def _author(self, number: int) -> str:
        return self.changed.get(number, {}).get("author", "Ada Lark")

    def _date(self, number: int) -> str:
        return self.changed.get(number, {}).get("date", "2024-05-06")

    def arxiv(self, asked: dict[str, str]) -> Response:
        start, size = int(asked["start"]), int(asked["max_results"])
        text = asked["search_query"]
        if text == "((":
            feed = FEED.format(query=text, size=1, total=1, start=0, entries=ERROR)
            return Response(feed.encode(), 400, kind="application/atom+xml")
        return self._feed(text, list(self._numbers(start, size)), start, size, self.matching)

    def arxiv_lookup(self, asked: dict[str, str]) -> Response:
        """Look up ids, unordered, with a total that counts unknown ids; or the words of a title."""
        if "id_list" not in asked:
            near = self._near(asked["search_query"].partition('"')[2], int(asked["max_results"]))
            return self._feed(asked["search_query"], near, 0, int(asked["max_results"]), len(near))
        ids = asked["id_list"].split(",")
        if self.rejected.intersection(ids):
            error = ENTRY.format(
                id="https://arxiv.org/api/errors#id", title="Error", summary="incorrect id format"
            )
            feed = FEED.format(query="", size=1, total=1, start=0, entries=error)
            return Response(feed.encode(), 400, kind="application/atom+xml")
        known = [number for number in self._known(ids) if number is not None]
        return self._feed("", known[::-1], 0, len(ids), len(ids))

    def _feed(self, query: str, numbers: list[int], start: int, size: int, total: int) -> Response:
        entries = "".join(
            ENTRY.format(
                id=f"http://arxiv.org/abs/2405.{n:05}v1",
                title=self._title(n).replace("&", "&amp;"),
                summary=abstract(n),
            )
            .replace("Ada Lark", self._author(n))
            .replace("2024-05-06", self._date(n))
            for n in numbers
        )
        feed = FEED.format(query=query, size=size, total=total, start=start, entries=entries)
        return Response(feed.encode(), kind="application/atom+xml; charset=UTF-8")

    def _work(self, n: int) -> dict[str, Any]:
        """A paper as OpenAlex has it."""
        index = {word: [at] for at, word in enumerate(abstract(n).split())}
        return {
            "id": f"https://openalex.org/W{n}",
            "doi": f"https://doi.org/10.1000/kites.{n}",
            "title": self._title(n),
            "publication_date": self._date(n),
            "authorships": [{"author": {"display_name": self._author(n)}}],
            "abstract_inverted_index": None if n in self.bare else index,
        }

    def openalex_lookup(self, asked: dict[str, str]) -> Response:
        field, _, wanted = asked["filter"].partition(":")
        if "," in wanted:
            return Response(b'{"error": "Invalid query parameters error."}', 403)
        by_title = field == "title.search"
        size = int(asked["per_page"])
        numbers = self._near(wanted, size) if by_title else self._known(wanted.split("|"))
        works = [self._work(n) for n in numbers if n is not None]
        for work in works:
            number = int(work["id"].rpartition("W")[2])
            work["locations"] = [{"landing_page_url": f"http://arxiv.org/abs/2405.{number:05}"}]
        return _json({"meta": {"count": len(works), "page": 1, "per_page": size}, "results": works})

    def openalex(self, asked: dict[str, str]) -> Response:
        start = 0 if asked["cursor"] == "*" else int(asked["cursor"].removeprefix("after+"))
        numbers = self._numbers(start, int(asked["per_page"]))
        works = [self._work(n) for n in numbers]
        return _json(
            {
                "meta": {
                    "count": self.matching,
                    "next_cursor": f"after+{numbers.stop}" if works else None,
                },
                "results": works,
            }
        )

    def semantic_scholar(self, asked: dict[str, str]) -> Response:
        start = int(asked.get("token", "T0").removeprefix("T"))
        numbers = self._numbers(start, self.page)
        papers = [self._paper(n) for n in numbers]
        more = {"token": f"T{numbers.stop}"} if numbers.stop < self.matching else {"token": None}
        return _json({"total": self.matching, **more, "data": papers})

    def _paper(self, n: int) -> dict[str, Any]:
        """A paper as Semantic Scholar has it."""
        return {
            "paperId": f"{n:040x}",
            "title": self._title(n),
            "abstract": None if n in self.bare else abstract(n),
            "year": int(self._date(n)[:4]),
            "authors": [{"authorId": "1", "name": self._author(n)}],
            "externalIds": {"DOI": f"10.1000/kites.{n}"},
        }

    def semantic_scholar_by_ids(self, asked: dict[str, str]) -> Response:
        """A list in the order of the ids, with nulls; an error where none of them is known."""
        known = self._known([one.partition(":")[2] for one in json.loads(asked["body"])["ids"]])
        if not any(number is not None for number in known):
            return Response(b'{"error": "No valid paper ids given"}', 400)
        return _json([None if n is None else self._identified(n) for n in known])

    def _identified(self, n: int) -> dict[str, Any]:
        """A paper as lookups give it, with its arXiv id."""
        paper = self._paper(n)
        return paper | {"externalIds": paper["externalIds"] | {"ArXiv": f"2405.{n:05}"}}

    def semantic_scholar_by_title(self, asked: dict[str, str]) -> Response:
        numbers = self._near(asked["query"], int(asked["limit"]))
        if not numbers:
            return _json({"total": 0, "offset": 0})
        return _json(
            {"total": len(numbers), "offset": 0, "data": [self._identified(n) for n in numbers]}
        )

    def hugging_face(self, asked: dict[str, str]) -> Response:
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


def _json(value: Any) -> Response:
    return Response(json.dumps(value, ensure_ascii=False).encode())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # send headers and body of a response in one piece
    disable_nagle_algorithm = True
    services: Services

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer({"body": self.rfile.read(int(self.headers["Content-Length"])).decode()})

    def _answer(self, sent: dict[str, str]) -> None:
        services, place = self.services, urlsplit(self.path)
        asked = dict(parse_qsl(place.query)) | sent
        services.requested.append(asked)
        services.paths.append(place.path)
        services.headers.append(dict(self.headers))
        if services.held and len(services.requested) > services.free:
            services.held.wait()
        fault = services.forever or (services.faults.pop(0) if services.faults else None)
        with contextlib.suppress(ConnectionError):
            self._send(fault or services.answer(place.path, asked))

    def _send(self, answer: Response) -> None:
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
        """Suppress the log of the server."""


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
