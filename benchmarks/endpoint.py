"""Load test of `kg serve` with clients of every kind: memory, errors and response times.

    python -m benchmarks.endpoint out/graph.ttl --minutes 30

Each kind of client has its own rate, about four requests a second in total: named queries, pages,
queries that are invalid, too slow or too large, updates, clients that send or read slowly, and
clients that disconnect at once. An unexpected answer counts as an error. Linux only, because memory
is read from `/proc`.
"""

from __future__ import annotations

import argparse
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import requests

from citekg.queries.library import library

BROWSER_HEADERS = {"Accept": "text/html,*/*;q=0.8"}
SLOW_QUERY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c = ?f && ?f = ?i) }"
LARGE_QUERY = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 400000"
MEDIUM_QUERY = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 3000"
NAMED_QUERIES = [query.sparql for query in library()]


@dataclass
class Measurements:
    """The answers and errors by kind of client, and the measurements."""

    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    megabytes: list[float] = field(default_factory=list)

    def record(self, kind: str, answer: str, expected: str, seconds: float) -> None:
        """Count an answer, also as an error if it is not the expected one."""
        self.answers[kind, answer] += 1
        self.times[kind].append(seconds)
        if answer != expected:
            self.errors[kind, answer] += 1


def send_query(site: str, sparql: str, **more: str) -> str:
    data = {"query": sparql, **more}
    return str(
        requests.post(
            f"{site}/sparql", data=data, headers={"Accept": "text/csv"}, timeout=60
        ).status_code
    )


def fetch(site: str, path: str, **headers: str) -> str:
    return str(requests.get(site + path, headers=headers, timeout=60).status_code)


def connect(site: str) -> socket.socket:
    host, port = site.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), 60)


def slow_sender(site: str) -> str:
    """Send a byte a second until the server disconnects."""
    with connect(site) as client, suppress(OSError):
        for byte in b"GET /sparql HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 60:
            client.sendall(bytes([byte]))
            time.sleep(1)
        return "never left"
    return "left"


def slow_reader(site: str) -> str:
    """Request a large answer and read nothing for half a minute."""
    with connect(site) as client, suppress(OSError):
        body = f"query={requests.utils.quote(MEDIUM_QUERY)}".encode()
        head = "POST /sparql HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\nContent-Type: application/"
        head += f"x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.sendall(head.encode() + body)
        time.sleep(30)
        return client.recv(12).decode()
    return "left"


def disconnecting_client(site: str) -> str:
    """Send a request and disconnect at once."""
    with connect(site) as client:
        client.sendall(
            b"GET /sparql?query=ASK%7B?s%20?p%20?o%7D HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
    return "gone"


@dataclass(frozen=True)
class Client:
    """A kind of client: the seconds between two of them, its action, and the expected answer."""

    pause: float
    act: Callable[[str, int], str]
    expected: str


CLIENTS = {
    "named query": Client(
        0.5, lambda site, n: send_query(site, NAMED_QUERIES[n % len(NAMED_QUERIES)]), "200"
    ),
    "viewer": Client(20, lambda site, _: fetch(site, "/"), "200"),
    "query page": Client(10, lambda site, _: fetch(site, "/sparql", **BROWSER_HEADERS), "200"),
    "queries.json": Client(10, lambda site, _: fetch(site, "/queries.json"), "200"),
    "description": Client(10, lambda site, _: fetch(site, "/sparql"), "200"),
    "malformed": Client(3, lambda site, _: send_query(site, "SELECT * { ?s"), "400"),
    "update": Client(3, lambda site, _: send_query(site, "DROP ALL"), "403"),
    "update parameter": Client(
        5, lambda site, _: send_query(site, "ASK {}", update="DROP ALL"), "403"
    ),
    "SERVICE": Client(
        5,
        lambda site, _: send_query(site, "ASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"),
        "403",
    ),
    "too long a query": Client(10, lambda site, _: send_query(site, "#" * 300_000), "413"),
    "other host": Client(10, lambda site, _: fetch(site, "/", Host="evil.example"), "400"),
    "medium answer": Client(10, lambda site, _: send_query(site, MEDIUM_QUERY), "200"),
    "too large an answer": Client(30, lambda site, _: send_query(site, LARGE_QUERY), "500"),
    "too slow a query": Client(60, lambda site, _: send_query(site, SLOW_QUERY), "500"),
    "slow sender": Client(5, lambda site, _: slow_sender(site), "left"),
    "slow reader": Client(15, lambda site, _: slow_reader(site), "HTTP/1.1 200"),
    "disconnecting client": Client(3, lambda site, _: disconnecting_client(site), "gone"),
}


@contextmanager
def serve_graph(graph: Path) -> Iterator[tuple[str, int]]:
    """Start a server with small limits; yield its URL and process id."""
    command = [
        sys.executable,
        "-m",
        "citekg",
        "serve",
        str(graph),
        "--port",
        "0",
        "--timeout",
        "3",
        "--max-answer",
        "5",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout.readline().split()[1].rstrip("/"), process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def run_client(site: str, kind: str, measurements: Measurements, until: float) -> None:
    """Start one client after the other, each in its own thread, so that slow ones overlap."""
    client = CLIENTS[kind]
    for number in count():
        if time.monotonic() > until:
            return
        threading.Thread(
            target=run_request, args=(site, kind, number, measurements), daemon=True
        ).start()
        time.sleep(client.pause)


def run_request(site: str, kind: str, number: int, measurements: Measurements) -> None:
    started = time.perf_counter()
    try:
        answer = CLIENTS[kind].act(site, number)
    except (OSError, requests.RequestException) as error:
        answer = type(error).__name__
    measurements.record(kind, answer, CLIENTS[kind].expected, time.perf_counter() - started)


def megabytes(pid: int) -> float:
    """Return the resident memory of a process and its descendants."""
    children = [
        int(p)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for p in (task / "children").read_text().split()
    ]
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6
    return resident + sum(megabytes(child) for child in children)


def load(graph: Path, minutes: float, interval: float) -> Measurements:
    """Run all kinds of clients for some minutes; sample the memory every `interval` seconds."""
    measurements = Measurements()
    with serve_graph(graph) as (site, pid):
        requests.get(site, timeout=60)
        until = time.monotonic() + 60 * minutes
        for kind in CLIENTS:
            threading.Thread(
                target=run_client, args=(site, kind, measurements, until), daemon=True
            ).start()
        while time.monotonic() < until:
            with suppress(OSError):  # a process that has just ended
                measurements.megabytes.append(megabytes(pid))
            time.sleep(interval)
        time.sleep(min(45, 30 * minutes))
    return measurements


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    options = parser.parse_args()
    measurements = load(options.graph, options.minutes, interval=min(10, 6 * options.minutes))
    for (kind, answer), number in sorted(measurements.answers.items()):
        times = sorted(measurements.times[kind])
        print(
            f"{kind:<20} {answer:<14} {number:>6}  median {statistics.median(times):.3f} s,"
            f" largest {times[-1]:.3f} s"
        )
    print(
        f"{sum(measurements.answers.values())} requests, {sum(measurements.errors.values())} errors {dict(measurements.errors)}"
    )
    tenth = max(1, len(measurements.megabytes) // 10)
    parts = (
        measurements.megabytes[at : at + tenth]
        for at in range(0, len(measurements.megabytes), tenth)
    )
    print(
        "memory in MB, a tenth of the time each:", *(round(statistics.mean(part)) for part in parts)
    )


if __name__ == "__main__":
    main()
