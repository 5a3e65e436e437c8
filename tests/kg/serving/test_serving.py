"""`kg serve` over real HTTP: protocol, rejected requests, limits, and the page in a browser."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

import psutil
import pytest
import rdflib
import requests
from click.testing import CliRunner
from rdflib.plugins.stores.sparqlstore import SPARQLStore

import citekg.cli.listening
import citekg.queries
import citekg.serving.query_worker
from citekg.cli.main import main
from citekg.exports import write
from citekg.queries import query
from citekg.queries.library import NamedQuery, library
from citekg.queries.store import open_store
from citekg.serving.content_negotiation import RESULTS, TRIPLES, negotiate, wants_page
from citekg.serving.pool import ProcessPool, QueryProcess
from citekg.serving.query_worker import Limits, QueryRequest, Reply, answer_query, serve_queries
from tests.exports.page.browsing import FLAGS, chromium
from tests.kg.queries.service_calls import CALLS
from tests.processes import still_running
from tests.sample import sample_graph

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page

HTTPException = pytest.importorskip(
    "starlette.exceptions", reason="starlette is not installed"
).HTTPException
pytest.importorskip("uvicorn", reason="uvicorn is not installed")
OutgoingBuffer = pytest.importorskip("citekg.serving.streaming").OutgoingBuffer
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*is deprecated, use Dataset:DeprecationWarning:rdflib"
)

#: An ASGI message.
Message = MutableMapping[str, Any]

NAMES = "SELECT ?name { ?p ckg:introduces/skos:prefLabel ?name } ORDER BY ?name"
TRIPLE = "CONSTRUCT { ?p dcterms:title ?t } { ?p dcterms:title ?t ; a schema:ScholarlyArticle }"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a != ?d && ?g != ?j) }"
FORM = "application/x-www-form-urlencoded"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
#: Timeout in seconds for steps that take a second or two, generous for a busy machine.
TIMEOUT_SECONDS = 40

KG = (sys.executable, "-m", "citekg")
SANDBOX_UNAVAILABLE = 77
NO_SECCOMP = "this system has no seccomp, or a machine whose calls we do not know"
#: A program that exits with 0 if neither its threads nor its child processes can open sockets,
#: but files can be opened.
SANDBOXED_PROGRAM = f"""
import os, socket, subprocess, sys, threading
from citekg.serving.sandbox import refuse_connections
tried = []
def socket_is_refused():
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        try:
            socket.socket(family)
        except PermissionError:
            tried.append(family)
if not refuse_connections():
    sys.exit({SANDBOX_UNAVAILABLE})
socket_is_refused()
thread = threading.Thread(target=socket_is_refused)
thread.start()
thread.join()
asks = "import socket, sys\\ntry: socket.socket()\\nexcept PermissionError: sys.exit(5)"
assert subprocess.run([sys.executable, "-c", asks]).returncode == 5
assert len(tried) == 6
assert open(os.devnull).read() == ""
"""


@contextmanager
def served(graph: Path, *options: str, command: Sequence[str] = KG) -> Iterator[str]:
    """The URL of `kg serve`, started in a separate process, without the final slash."""
    started = [*command, "serve", str(graph), "--port", "0", *options]
    process = subprocess.Popen(started, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout.readline().split()[1].rstrip("/")
    finally:
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.ttl"
    write(sample_graph(), path, "ttl")
    return path


@pytest.fixture(scope="module")
def site(graph: Path) -> Iterator[str]:
    with served(graph) as address:
        yield address


@pytest.fixture(scope="module")
def server_with_short_timeouts(graph: Path) -> Iterator[tuple[str, int]]:
    """Host and port of a server with a timeout of two seconds for requests and for responses."""
    code = "import citekg.serving.slow_clients as p; p.RECEIVE_TIMEOUT = p.SEND_TIMEOUT = 2.0\nfrom citekg.cli.main import main; main()"
    with served(graph, command=[sys.executable, "-c", code]) as address:
        host, port = address.removeprefix("http://").split(":")
        yield host, int(port)


@pytest.fixture(scope="module")
def limited_server(graph: Path) -> Iterator[str]:
    """A server with a timeout of 3 s, results of at most 10 kB and one query at a time."""
    with served(graph, "--timeout", "3", "--max-answer", "0.01", "--queries", "1") as address:
        yield address


def ask(site: str, sparql: str, accept: str = "text/csv", **more: str) -> requests.Response:
    return requests.post(
        f"{site}/sparql", data={"query": sparql, **more}, headers={"Accept": accept}, timeout=30
    )


# The protocol


def test_get_and_both_kinds_of_post_give_the_same_result(site: str, graph: Path) -> None:
    expected = query(graph, NAMES).render("csv")
    direct = {"Content-Type": "application/sparql-query", "Accept": "text/csv"}
    answers = [
        requests.get(
            f"{site}/sparql", params={"query": NAMES}, headers={"Accept": "text/csv"}, timeout=30
        ),
        ask(site, NAMES),
        requests.post(f"{site}/sparql", data=NAMES.encode(), headers=direct, timeout=30),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.text.replace("\r\n", "\n") == expected
    assert requests.head(f"{site}/sparql", params={"query": NAMES}, timeout=30).status_code == 200


@pytest.mark.parametrize("named", library(), ids=lambda named: named.name)
def test_a_named_query_gives_the_same_result_as_the_query_function(
    site: str, graph: Path, named: NamedQuery
) -> None:
    answer = ask(site, named.sparql, "application/sparql-results+json").json()
    assert answer == json.loads(query(graph, named.sparql).render("json"))


@pytest.mark.parametrize("accept", RESULTS)
@pytest.mark.parametrize("sparql", [NAMES, "ASK { ?p ckg:introduces ?e }"])
def test_query_results_have_the_accepted_media_type(site: str, sparql: str, accept: str) -> None:
    answer = ask(site, sparql, f"{accept}, */*;q=0.1")
    assert answer.headers["content-type"].partition(";")[0] == accept
    assert ("FeatherSet" if sparql == NAMES else "true") in answer.text
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("accept", TRIPLES)
def test_triples_have_the_accepted_media_type(site: str, accept: str) -> None:
    answer = ask(site, TRIPLE, accept)
    assert answer.headers["content-type"].partition(";")[0] == accept
    form = {
        "application/json": "json-ld",
        "application/ld+json": "json-ld",
        "application/xml": "xml",
    }
    read = rdflib.Graph().parse(data=answer.text, format=form.get(accept, accept))
    assert len(read) == len(sample_graph().papers)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/*", "text/csv"),
        ("text/csv;q=0.3, application/xml;q=0.4", "application/xml"),
        ("text/csv;q=0, */*", "application/sparql-results+json"),
        ("TEXT/CSV", "text/csv"),
        ("text/csv;q=x, text/tab-separated-values", "text/tab-separated-values"),
        ("image/png", None),
    ],
)
def test_content_negotiation_chooses_the_preferred_media_type(
    accept: str, media_type: str | None
) -> None:
    assert negotiate(accept, RESULTS) == media_type


@pytest.mark.parametrize(
    ("accept", "page"), [(BROWSER, True), ("text/html", True), ("*/*", False), ("", False)]
)
def test_an_html_page_is_served_only_to_browsers(accept: str, page: bool) -> None:
    assert wants_page(accept) is page


def test_the_endpoint_works_with_the_sparql_client_of_rdflib(site: str) -> None:
    store = SPARQLStore(f"{site}/sparql", returnFormat="xml")
    view = rdflib.Graph(store, bind_namespaces="none")
    assert [
        str(name) for (name,) in cast("Iterable[rdflib.query.ResultRow]", view.query(NAMES))
    ] == [
        "FeatherSet",
        "Fledge",
        "NestBench",
        "PPO",
        "Quill",
    ]


def test_the_dataset_can_be_specified_in_the_request(site: str) -> None:
    assert (
        ask(
            site, "ASK { ?s ?p ?o }", **{"default-graph-uri": "http://example.org/none"}
        ).text.strip()
        == "false"
    )
    assert ask(
        site, "ASK { GRAPH ?g { ?s ?p ?o } }", **{"named-graph-uri": "http://example.org/none"}
    ).text.strip() == ("false")


@pytest.mark.parametrize("media_type", TRIPLES)
def test_a_request_without_a_query_returns_the_service_description(
    site: str, media_type: str
) -> None:
    answer = requests.get(f"{site}/sparql", headers={"Accept": media_type}, timeout=30)
    assert answer.headers["content-type"].partition(";")[0] == media_type
    form = {
        "application/json": "json-ld",
        "application/ld+json": "json-ld",
        "application/xml": "xml",
    }
    read = rdflib.Graph().parse(data=answer.text, format=form.get(media_type, media_type))
    spaces = {"sd": rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")}
    reported = f"""ASK {{ <{site}/sparql> a sd:Service ; sd:endpoint <{site}/sparql> ;
        sd:supportedLanguage sd:SPARQL11Query ; sd:defaultDataset/sd:defaultGraph/void:triples ?count }}"""
    assert read.query(reported, initNs=spaces | {"void": rdflib.VOID}).askAnswer
    assert not [node for triple in read for node in triple if isinstance(node, rdflib.BNode)]


# Rejected requests


@pytest.mark.parametrize(
    ("request_", "status", "reported"),
    [
        ({"data": {"query": "SELECT * { ?s"}}, 400, "malformed query: line 1, column 14"),
        ({"data": {"quarry": "x"}}, 400, "give one query, not 0"),
        ({"data": {"query": ["ASK {}", "ASK {}"]}}, 400, "give one query, not 2"),
        ({"data": b"query=%FF", "headers": {"Content-Type": FORM}}, 400, "cannot be read"),
        (
            {"data": b"ASK \xff", "headers": {"Content-Type": "application/sparql-query"}},
            400,
            "not UTF-8",
        ),
        (
            {"data": b"ASK {}", "headers": {"Content-Type": "text/plain"}},
            415,
            "post a query as application/sparql-query",
        ),
        (
            {"data": {"query": "ASK {}"}, "headers": {"Accept": "image/png"}},
            406,
            "application/sparql-results+json",
        ),
        (
            {"data": {"query": "ASK {}", "default-graph-uri": "not an IRI"}},
            400,
            "a graph in the request is not an IRI",
        ),
        ({"data": {"query": "#" * 300_000}}, 413, "at most 200000 bytes"),
        ({"data": {"query": "SELECT (<http://x/f>(1) AS ?x) {}"}}, 400, "could not be answered"),
    ],
)
def test_an_invalid_request_is_rejected_with_the_reason(
    site: str, request_: dict[str, Any], status: int, reported: str
) -> None:
    answer = requests.post(f"{site}/sparql", timeout=30, **request_)
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "text/plain; charset=utf-8",
    )
    assert reported in answer.text
    assert answer.text.count("\n") == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_put_delete_and_patch_are_not_allowed(site: str, method: str) -> None:
    assert requests.request(method, f"{site}/sparql", timeout=30).status_code == 405


UPDATES = [
    "INSERT DATA { <a:a> <a:b> <a:c> }",
    "DELETE WHERE { ?s ?p ?o }",
    "DROP ALL",
    "LOAD <http://127.0.0.1:9/>",
]


@pytest.mark.parametrize("update", UPDATES)
def test_updates_are_refused_in_every_form_and_change_nothing(
    site: str, graph: Path, update: str
) -> None:
    before = graph.read_bytes()
    direct = {"Content-Type": "application/sparql-update"}
    answers = [
        requests.post(f"{site}/sparql", data={"update": update}, timeout=30),
        requests.post(f"{site}/sparql", data=update, headers=direct, timeout=30),
        requests.get(f"{site}/sparql", params={"update": update}, timeout=30),
        ask(site, update),
    ]
    for answer in answers:
        assert answer.status_code == 403
        assert "updates are refused" in answer.text
    assert graph.read_bytes() == before
    assert ask(site, NAMES).text.count("\n") == 6


@pytest.mark.parametrize("sparql", CALLS)
def test_queries_that_call_another_endpoint_are_rejected(site: str, sparql: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        port = listening.getsockname()[1]
        answer = ask(site, sparql.replace("<U>", f"<http://127.0.0.1:{port}/>"))
        assert (answer.status_code, "SERVICE is refused" in answer.text) == (403, True)
        with pytest.raises(TimeoutError):
            listening.accept()


def test_requests_with_another_host_name_are_rejected(site: str) -> None:
    assert (
        requests.get(f"{site}/sparql", headers={"Host": "evil.example"}, timeout=30).status_code
        == 400
    )
    port = site.rpartition(":")[2]
    assert (
        requests.get(
            f"{site}/sparql", headers={"Host": f"localhost:{port}"}, timeout=30
        ).status_code
        == 200
    )


EMBEDDED_UPDATES = [
    "{u}",
    "# SELECT * {{ ?s ?p ?o }}\n{u}",
    "#\r{u}",
    "\ufeff{u}",
    "PREFIX x: <u:> BASE <v:> {u}",
    "PREFIX ASK: <u:> {u}",
    "ASK {{}} ; {u}",
    "ASK {{}}\x00{u}",
    "SELECT * {{ ?s ?p ?o }}\n\n{u}",
    "\u00a0{u}",
    "\u2028{u}",
]
UPDATE_SPELLINGS = [
    "insert data",
    "INSERT\tDATA",
    "INSERT#\nDATA",
    "\\u0049NSERT DATA",
    "\uff29NSERT DATA",
    "InSeRt DaTa",
]


def all_triples(site: str) -> str:
    return ask(site, "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o").text


def test_disguised_updates_are_rejected_and_change_nothing(site: str, graph: Path) -> None:
    before, file = all_triples(site), graph.read_bytes()
    insert = " {{ <urn:a> <urn:b> <urn:c> }}"
    updates = [form.format(u=update) for form in EMBEDDED_UPDATES for update in UPDATES]
    updates += [word + insert.format() for word in UPDATE_SPELLINGS]
    for update in updates:
        for answer in (
            requests.post(f"{site}/sparql", data={"query": update}, timeout=30),
            requests.get(f"{site}/sparql", params={"query": update}, timeout=30),
        ):
            assert answer.status_code in {400, 403}, update
    assert all_triples(site) == before
    assert graph.read_bytes() == file
    assert not [p for p in graph.parent.iterdir() if p != graph]


FORMS = (
    "application/sparql-update", "Application/SPARQL-Update; charset=utf-8", "text/plain", "", "application/json",
    "multipart/form-data; boundary=x", FORM, "application/sparql-query", "application/n-triples", "text/turtle",
)  # fmt: skip


@pytest.mark.parametrize("content_type", FORMS)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "QUERY", "MERGE"])
def test_no_method_or_content_type_allows_an_update(
    site: str, method: str, content_type: str
) -> None:
    bodies = (
        b"INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        b"update=INSERT+DATA+%7B%3Curn:a%3E%3Curn:b%3E1%7D",
        b"<urn:a> <urn:b> <urn:c> .",
    )
    for body in bodies:
        for path in (
            "/sparql",
            "/sparql?update=DROP%20ALL",
            "/sparql?query=DROP%20ALL",
            "/",
            "/update",
            "/store",
        ):
            headers = {"Content-Type": content_type, "X-HTTP-Method-Override": "PUT"}
            answer = requests.request(method, site + path, data=body, headers=headers, timeout=30)
            assert 400 <= answer.status_code < 500
    assert ask(site, "ASK { <urn:a> ?p ?o }").text.strip() == "false"


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux limits the files and calls of a process so"
)
@pytest.mark.parametrize("on_disk", [False, True])
def test_the_query_process_cannot_open_a_connection_even_without_the_query_check(
    graph: Path, on_disk: bool
) -> None:
    """The check of the query text is disabled: the operating system must refuse the connection."""
    if (
        on_disk
        and subprocess.run([sys.executable, "-c", SANDBOXED_PROGRAM], check=False).returncode
        == SANDBOX_UNAVAILABLE
    ):
        pytest.skip(NO_SECCOMP)
    reader, writer = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_answer_without_check, args=(writer, graph, on_disk)
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        process.start()
        try:
            assert reader.poll(60)
            assert reader.recv() is None
            call = f"SELECT * {{ SERVICE <http://127.0.0.1:{listening.getsockname()[1]}/> {{ ?a ?b ?c }} }}"
            reader.send(QueryRequest(call, "text/csv"))
            assert reader.poll(60)
            answer_query = reader.recv()
            assert answer_query.status == 400
            assert b"could not be answered" in answer_query.body
            with pytest.raises(TimeoutError):
                listening.accept()
        finally:
            process.kill()
            process.join()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux filters calls so")
def test_a_sandboxed_process_can_open_files_but_not_sockets() -> None:
    ended = subprocess.run([sys.executable, "-c", SANDBOXED_PROGRAM], check=False).returncode
    if ended == SANDBOX_UNAVAILABLE:
        pytest.skip(NO_SECCOMP)
    assert ended == 0


def _answer_without_check(connection: Connection, path: Path, on_disk: bool) -> None:
    changed = pytest.MonkeyPatch()
    changed.setattr(citekg.queries, "calls_service", lambda _sparql: False)
    changed.setattr(citekg.serving.query_worker, "IN_MEMORY", -1 if on_disk else 2**60)
    serve_queries(connection, path, Limits())


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sparql",
        "/sparql?query=ASK%7B%7D",
        "/queries.json",
        "/page/query.js",
        "/no",
        "/sparql?query=x",
    ],
)
def test_every_response_has_security_headers(site: str, path: str) -> None:
    for accept in ("*/*", BROWSER):
        headers = requests.get(site + path, headers={"Accept": accept}, timeout=30).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/page/../../../pyproject.toml",
        "/page/%2e%2e/application.py",
        "/vendor/..%2f..%2fpool.py",
        "/page/%00",
        "//etc/passwd",
    ],
)
def test_paths_outside_the_served_files_are_rejected(site: str, path: str) -> None:
    host, port = site.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert client.makefile("rb").readline().split()[1] in {b"404", b"400", b"405"}


def test_a_host_that_other_machines_can_reach_causes_a_warning(
    graph: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(graph, "--host", "0.0.0.0") as site:
        assert ask(site.replace("0.0.0.0", "127.0.0.1"), "ASK {}").status_code == 200
    warned = capfd.readouterr().err
    assert "warning: 0.0.0.0 can be reached from other machines" in warned
    assert "no password" in warned


def test_the_default_host_causes_no_warning(graph: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served(graph) as site:
        assert ask(site, "ASK {}").status_code == 200
    assert capfd.readouterr().err == ""


# Slow clients


def test_a_client_with_an_incomplete_request_is_disconnected(
    server_with_short_timeouts: tuple[str, int],
) -> None:
    host, port = server_with_short_timeouts
    beginnings = (
        b"",
        b"GET /spar",
        b"GET /sparql HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nASK",
    )
    with ExitStack() as opened:
        clients = [
            opened.enter_context(socket.create_connection((host, port), TIMEOUT_SECONDS))
            for _ in beginnings
        ]
        for client, beginning in zip(clients, beginnings, strict=True):
            client.sendall(beginning)
        for client in clients:
            with suppress(ConnectionError):
                while client.recv(1000):  # raises TimeoutError where the connection is kept
                    pass


def test_a_client_that_disconnects_is_not_logged(
    graph: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with served(graph) as address:
        for _ in range(3):
            with socket.create_connection(
                ("127.0.0.1", int(address.rpartition(":")[2])), TIMEOUT_SECONDS
            ) as client:
                client.sendall(
                    b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nASK"
                )
            assert requests.get(f"{address}/queries.json", timeout=300).ok
    assert capfd.readouterr().err == ""


def test_a_client_that_sends_a_request_byte_by_byte_is_disconnected(
    server_with_short_timeouts: tuple[str, int],
) -> None:
    with (
        socket.create_connection(server_with_short_timeouts, TIMEOUT_SECONDS) as client,
        suppress(ConnectionError),
    ):
        for byte in b"GET /sparql HTTP/1.1\r\nX: " + b"x" * 10 * TIMEOUT_SECONDS:
            client.sendall(bytes([byte]))
            time.sleep(0.1)
        pytest.fail("the connection is kept")


def test_many_slow_clients_do_not_block_other_clients(
    server_with_short_timeouts: tuple[str, int],
) -> None:
    host, port = server_with_short_timeouts
    with ExitStack() as stack:
        for _ in range(60):
            client = stack.enter_context(socket.create_connection((host, port), TIMEOUT_SECONDS))
            client.sendall(b"GET /sparql HTTP/1.1\r\nHost: l")
        assert ask(f"http://{host}:{port}", "ASK {}").text.strip() == "true"


def test_a_client_that_does_not_read_the_response_is_disconnected(
    server_with_short_timeouts: tuple[str, int],
) -> None:
    host, port = server_with_short_timeouts
    sparql = quote("SELECT * { ?s ?p ?o . ?a ?b ?c } LIMIT 60000")
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((host, port))
        client.sendall(
            f"GET /sparql?query={sparql} HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\n\r\n".encode()
        )
        taken = client.recv(1)
        time.sleep(4)
        with suppress(ConnectionError):
            while got := client.recv(1_000_000):
                taken += got
    assert taken.startswith(b"HTTP/1.1 200")
    declared = re.search(rb"content-length: (\d+)", taken, re.IGNORECASE)
    assert declared
    assert len(taken) < int(declared[1])
    assert ask(f"http://{host}:{port}", "ASK {}").text.strip() == "true"


def test_a_connection_can_be_reused_after_a_pause(
    server_with_short_timeouts: tuple[str, int],
) -> None:
    host, port = server_with_short_timeouts
    with requests.Session() as session:
        for pause in (1.5, 0):
            asked = {"query": "ASK {}"}
            answer = session.get(f"http://{host}:{port}/sparql", params=asked, timeout=30)
            assert answer.status_code == 200
            time.sleep(pause)


def test_the_outgoing_buffer_rejects_responses_beyond_its_limit() -> None:
    waiting = OutgoingBuffer(10)
    large = Reply(200, "text/plain", b"x" * 20)
    first = waiting.response(large, {})
    assert waiting.bytes == 0

    async def sent() -> None:
        messages: list[Message] = []

        async def receive() -> None:
            await asyncio.sleep(60)

        async def send(message: Message) -> None:
            messages.append(message)
            assert waiting.bytes == 20
            with pytest.raises(HTTPException, match="try again later"):
                waiting.response(large, {})

        await first(
            {"type": "http", "method": "GET", "asgi": {"spec_version": "2.3"}}, receive, send
        )
        assert b"".join(m.get("body", b"") for m in messages) == b"x" * 20

    asyncio.run(sent())
    assert waiting.bytes == 0
    waiting.response(large, {})


# Limits


def test_a_query_that_takes_too_long_is_stopped_and_the_next_is_answered(
    limited_server: str,
) -> None:
    answer = ask(limited_server, SLOW)
    assert (answer.status_code, answer.text) == (500, "the query took longer than 3 s: narrow it\n")
    assert ask(limited_server, "ASK {}").text.strip() == "true"


def test_a_query_that_waits_too_long_in_the_queue_is_rejected(limited_server: str) -> None:
    answers: list[requests.Response] = []
    asking = [
        threading.Thread(target=lambda: answers.append(ask(limited_server, SLOW))) for _ in range(4)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert {answer.status_code for answer in answers} <= {500, 503}
    assert any("try again later" in answer.text for answer in answers)
    assert ask(limited_server, "ASK {}").status_code == 200


def test_a_result_that_is_too_large_is_rejected(limited_server: str) -> None:
    answer = ask(limited_server, "SELECT * { ?s ?p ?o }")
    assert answer.status_code == 500
    assert answer.text == "the answer has more than 10000 bytes: narrow the query, or set a LIMIT\n"
    assert ask(limited_server, "CONSTRUCT WHERE { ?s ?p ?o }", "text/turtle").status_code == 500
    assert ask(limited_server, "SELECT * { ?s ?p ?o } LIMIT 5").text.count("\n") == 6


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process so")
def test_a_query_that_takes_too_much_memory_is_stopped_and_the_next_is_answered(
    graph: Path,
) -> None:
    greedy = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c"

    async def asked() -> list[bytes]:
        pool = ProcessPool(graph, Limits(60, memory_bytes=400_000_000), 1)
        try:
            return [
                (await pool.execute(QueryRequest(sparql, "text/csv"))).body
                for sparql in (greedy, "ASK {}")
            ]
        finally:
            pool.close()

    refused, answer = asyncio.run(asked())
    assert b"bytes of memory" in refused
    assert answer.strip() == b"true"


def test_a_too_deeply_nested_query_is_rejected_and_the_next_is_answered(
    limited_server: str,
) -> None:
    answer = ask(limited_server, f"ASK {{ FILTER({'!' * 60_000}1) }}")
    assert answer.status_code == 400
    assert ask(limited_server, "ASK {}").text.strip() == "true"


def test_a_query_whose_process_is_killed_fails_and_the_next_is_answered(graph: Path) -> None:
    answerer = QueryProcess(graph, Limits(30))
    try:
        assert answerer.execute(QueryRequest("ASK {}", "text/csv")).body.strip() == b"true"
        answerer.process.kill()
        answerer.process.join()
        reply_ = answerer.execute(QueryRequest("ASK {}", "text/csv"))
        assert (reply_.status, b"could not be run" in reply_.body) == (500, True)
        assert answerer.execute(QueryRequest("ASK {}", "text/csv")).body.strip() == b"true"
    finally:
        answerer.end()


@pytest.mark.parametrize(
    ("question", "status", "reported"),
    [
        (QueryRequest("ASK {}", "text/csv"), 200, b"true"),
        (QueryRequest("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "text/turtle"), 200, b"@prefix"),
        (QueryRequest("ASK {}", "image/png"), 406, b"available as one of"),
        (QueryRequest("SELECT * { ?s ?p ?o }", "text/csv"), 500, b"more than 200 bytes"),
        (QueryRequest("DROP ALL", "text/csv"), 403, b"updates are refused"),
        (QueryRequest("ASK { ?s", "text/csv"), 400, b"malformed"),
        (QueryRequest("ASK {}", "text/csv", ("not an IRI",)), 400, b"not an IRI"),
    ],
)
def test_each_query_request_gets_the_expected_status_and_body(
    graph: Path, question: QueryRequest, status: int, reported: bytes
) -> None:
    given = answer_query(
        open_store(graph, keep=False),
        question,
        Limits(answer_bytes=2_000 if status == 200 else 200),
    )
    assert given.status == status
    assert reported in given.body


# Browsers


def test_cross_origin_requests_are_allowed_only_with_the_origin_option(
    site: str, graph: Path
) -> None:
    preflight = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    with served(graph, "--origin", "*") as open_site:
        for address, reported in ((site, None), (open_site, "*")):
            answer = requests.get(
                f"{address}/sparql",
                params={"query": NAMES},
                headers={"Origin": "https://a.example"},
                timeout=30,
            )
            assert answer.headers.get("access-control-allow-origin") == reported
            allowed = requests.options(f"{address}/sparql", headers=preflight, timeout=30)
            assert (allowed.status_code == 200) == (reported is not None)
            assert ("POST" in allowed.headers.get("access-control-allow-methods", "")) == (
                reported is not None
            )


def test_only_the_origin_given_as_an_option_is_allowed(graph: Path) -> None:
    with served(graph, "--origin", "https://a.example") as site:
        for origin, reported in (
            ("https://a.example", "https://a.example"),
            ("https://b.example", None),
        ):
            answer = requests.get(f"{site}/sparql", headers={"Origin": origin}, timeout=30)
            assert answer.headers.get("access-control-allow-origin") == reported


def test_a_browser_gets_the_viewer_and_the_query_page(site: str) -> None:
    viewer = requests.get(f"{site}/", headers={"Accept": BROWSER}, timeout=30)
    assert viewer.headers["content-type"].startswith("text/html")
    assert "NestBench" in viewer.text or len(viewer.text) > 100_000
    page = requests.get(f"{site}/sparql", headers={"Accept": BROWSER}, timeout=30)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for address in re.findall(r'(?:src|href)="((?:page|vendor)/[^"]+)"', page.text):
        assert requests.get(f"{site}/{address}", timeout=30).status_code == 200
    assert requests.get(f"{site}/vendor/yasqe/LICENSES.txt", timeout=30).text.startswith(
        "Third-party software"
    )


def test_an_rdf_file_of_another_program_can_be_queried_but_has_no_viewer(tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text('<a:a> <a:b> "c" .', encoding="utf-8")
    with served(tmp_path / "other.ttl") as site:
        assert ask(site, "SELECT ?c { <a:a> <a:b> ?c }").text.split() == ["c", "c"]
        refused = requests.get(f"{site}/", timeout=30)
        assert refused.status_code == 404
        assert "there is no viewer for this file" in refused.text


@pytest.fixture
def tab(site: str) -> Iterator[Page]:
    """A tab of a browser, without console errors and without requests to other servers."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = chromium()
    if not found:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(1000 * TIMEOUT_SECONDS)
        asked: list[str] = []
        console_errors: list[str] = []
        page.on("request", lambda request: asked.append(request.url))

        def log(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                console_errors.append(message.text)

        page.on("console", log)
        page.on("pageerror", lambda error: console_errors.append(str(error)))
        yield page
        browser.close()
        assert all(url.startswith((site, "blob:", "data:")) for url in asked)
        assert console_errors == []


def test_the_query_page_runs_a_named_query_and_opens_the_link_of_a_result(
    site: str, graph: Path, tab: Page
) -> None:
    tab.goto(f"{site}/sparql")
    tab.select_option("#named", "top-methods")
    tab.wait_for_selector("#answer table")
    rows = query(graph, next(q for q in library() if q.name == "top-methods").sparql)
    assert tab.locator("#answer tbody tr").count() == len(rows)
    assert tab.inner_text("#status").startswith(f"{len(rows)} rows, ")
    assert tab.locator(".parseErrorIcon").count() == 0
    tab.evaluate(
        "document.querySelector('.CodeMirror').CodeMirror.setValue(\"SELECT ?e { ?e skos:prefLabel 'C++' }\")"
    )
    tab.press(".CodeMirror textarea", "Control+Enter")
    tab.wait_for_selector("text=1 row,")
    tab.click("#answer td a")
    tab.wait_for_selector("#answer pre")
    assert "ckg:Method" in tab.inner_text("#answer pre")
    assert "@prefix cr:" not in tab.inner_text("#answer pre")


def test_axe_finds_no_accessibility_violations_on_the_query_page(site: str, tab: Page) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed"
    )
    tab.goto(f"{site}/sparql?query={NAMES.replace('?', '%3F')}")
    tab.wait_for_selector("#answer table")
    tab.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = tab.evaluate("() => axe.run({ exclude: ['.CodeMirror'] })")["violations"]
    assert [(v["impact"], v["id"], v["nodes"][0]["html"]) for v in found] == []


def test_the_editor_completes_the_properties_of_the_graph(site: str, tab: Page) -> None:
    tab.goto(f"{site}/sparql")
    tab.wait_for_selector(".CodeMirror")
    tab.evaluate(
        "document.querySelector('.CodeMirror').CodeMirror.setValue('SELECT * { ?p ckg:evaluates')"
    )
    tab.evaluate(
        "(c => { c.focus(); c.setCursor(0, 99) })(document.querySelector('.CodeMirror').CodeMirror)"
    )
    shown: list[str] = []
    # On a busy machine, the editor may offer all terms before it has parsed the text.
    for _ in range(3):
        tab.keyboard.press("Control+Space")
        tab.wait_for_selector(".CodeMirror-hints")
        shown = tab.inner_text(".CodeMirror-hints").split()
        if len(shown) == 1:
            break
        tab.keyboard.press("Escape")
        tab.wait_for_selector(".CodeMirror-hints", state="detached")
    assert shown == ["ckg:evaluatesOn"]


def test_a_query_result_can_be_saved_as_a_file(site: str, graph: Path, tab: Page) -> None:
    tab.goto(f"{site}/sparql?query={NAMES.replace('?', '%3F')}")
    tab.wait_for_selector("#answer table")
    with tab.expect_download() as saving:
        tab.select_option("#save", "text/csv")
    assert saving.value.suggested_filename == "answer.csv"
    assert Path(saving.value.path()).read_text().replace("\r\n", "\n") == query(
        graph, NAMES
    ).render("csv")


# The command


def test_a_port_in_use_is_reported(graph: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = CliRunner().invoke(
            main, ["serve", str(graph), "--port", str(taken.getsockname()[1])]
        )
    assert result.exit_code == 1
    assert "cannot listen here" in result.stderr
    assert "choose another --port" in result.stderr


def test_missing_packages_are_reported_with_the_install_command(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.cli.listening, "find_spec", lambda _name: None)
    result = CliRunner().invoke(main, ["serve", str(graph)])
    assert (result.exit_code, "pip install 'citekg[serve]'" in result.stderr) == (1, True)


def test_a_missing_graph_file_is_reported(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", str(tmp_path / "none.ttl"), "--port", "0"])
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: {tmp_path / 'none.ttl'}: no such file\n",
    )


def test_all_processes_end_when_the_server_stops(graph: Path) -> None:
    before = {*psutil.Process().children()}
    with served(graph) as site:
        assert ask(site, "ASK {}").status_code == 200
        (server,) = {*psutil.Process().children()} - before
        below = server.children(recursive=True)
    assert len(below) >= 2
    assert not still_running([server, *below])
    with pytest.raises(requests.ConnectionError):
        requests.get(site, timeout=5)
