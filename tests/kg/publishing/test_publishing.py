"""`kg publish` to real triple stores, and equal query results from all of them."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import rdflib
import requests
from click.testing import CliRunner, Result
from urllib3.util import Retry

import citekg.cli.publish
import citekg.publishing.servers
from citekg.cli.main import main
from citekg.exports import write
from citekg.publishing import ntriples_lines, publish
from citekg.publishing.servers import Account, Place, Server, Via, resolve_place
from citekg.queries import query
from citekg.queries.library import NamedQuery, library
from citekg.schemas.errors import PublishError
from citekg.schemas.vocabulary import PREFIXES
from tests.kg import servers
from tests.kg.queries.answers import ANSWERS
from tests.sample import sample_graph

GRAPH = "http://example.org/graph"
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


@dataclass(frozen=True)
class Store:
    """A running triple store: its URLs for graphs, updates and queries."""

    graph_store: str
    update: str
    query: str
    account: Account | None = None

    def server(self, via: str, graph: str = GRAPH) -> Server:
        return Server(
            resolve_place(self.graph_store if via == "graph-store" else self.update, graph),
            self.account,
        )

    def select(self, sparql: str, graph: str = GRAPH) -> list[list[str | None]]:
        """The rows of an answer, with that graph as the default one."""
        head = "".join(f"PREFIX {prefix}: <{space}>\n" for prefix, space in PREFIXES.items())
        asked = {"query": head + sparql, "default-graph-uri": graph}
        answer = requests.post(
            self.query,
            data=asked,
            headers={"Accept": "application/sparql-results+json"},
            timeout=60,
        )
        assert answer.ok, answer.text
        reported = answer.json()
        return [
            [row.get(n, {}).get("value") for n in reported["head"]["vars"]]
            for row in reported["results"]["bindings"]
        ]


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if not servers.OXIGRAPH:
        pytest.skip("the Oxigraph server is not installed")
    with servers.oxigraph(tmp_path_factory.mktemp("oxigraph")) as address:
        yield Store(f"{address}/store", f"{address}/update", f"{address}/query")


@pytest.fixture(scope="module")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if not servers.VIRTUOSO:
        pytest.skip("the Virtuoso server is not installed")
    with servers.virtuoso(tmp_path_factory.mktemp("virtuoso")) as address:
        yield Store(
            f"{address}/sparql-graph-crud-auth",
            f"{address}/sparql-auth",
            f"{address}/sparql",
            Account("dba", "dba"),
        )


@pytest.fixture(params=["oxigraph", "virtuoso"])
def store(request: pytest.FixtureRequest) -> Store:
    running: Store = request.getfixturevalue(request.param)
    return running


@pytest.fixture(params=["graph-store", "update"])
def server(store: Store, request: pytest.FixtureRequest) -> Server:
    """A server whose graph is empty."""
    there = store.server(request.param)
    there.clear()
    return there


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(sample_graph(), tmp_path / "graph.ttl", "ttl")
    return tmp_path / "graph.ttl"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["publish", *arguments])


# All triples arrive


@pytest.mark.parametrize("size", [0, 100])
def test_every_triple_arrives_and_is_counted(server: Server, file: Path, size: int) -> None:
    reported: list[tuple[int, int]] = []
    number = len(ntriples_lines(file))
    assert (
        publish(file, server, size=size, on_progress=lambda *done: reported.append(done))
        == number
        == server.count()
    )
    assert reported[-1] == (number, number)
    assert len(reported) == (-(-number // 100) if size else 1)
    assert [p.name for p in file.parent.iterdir()] == ["graph.ttl"]


@pytest.mark.parametrize("via", ["graph-store", "update"])
def test_the_published_graph_equals_the_graph_of_the_file(
    oxigraph: Store, file: Path, via: str
) -> None:
    server = oxigraph.server(via)
    server.clear()
    publish(file, server, size=200)
    got = requests.get(
        oxigraph.graph_store, params={"graph": GRAPH}, headers={"Accept": "text/turtle"}, timeout=30
    )
    assert comparable_triples(
        rdflib.Graph().parse(data=got.content, format="turtle")
    ) == comparable_triples(rdflib.Graph().parse(file))


def comparable_triples(graph: rdflib.Graph) -> set[tuple[object, ...]]:
    """The triples, with numbers as numbers: a store writes 1.0 as 1."""
    return {
        (s, p, (o.datatype, o.toPython()) if isinstance(o, rdflib.Literal) else o)
        for s, p, o in graph
    }


def test_texts_with_special_characters_are_published_unchanged(
    server: Server, store: Store, tmp_path: Path
) -> None:
    texts = [
        "强化学习 🪶",
        'a "quoted" \\ text',
        "two\nlines\r\nthree\ttabs",
        "line\u2028separator\x85",
        "é e\u0301",
    ]
    written = "".join(
        f"<http://a.example/{n}> <http://a.example/p> {json.dumps(t, ensure_ascii=False)} .\n"
        for n, t in enumerate(texts)
    )
    (tmp_path / "texts.nt").write_text(written, encoding="utf-8", newline="")
    assert publish(tmp_path / "texts.nt", server) == len(texts)
    assert [
        row[0] for row in store.select("SELECT ?t { ?s <http://a.example/p> ?t } ORDER BY ?s")
    ] == texts


@pytest.mark.parametrize("ending", ["json", "nq", "jsonld", "rdf", "ttl.gz"])
def test_every_file_format_of_a_graph_gives_the_same_triples(
    file: Path, tmp_path: Path, ending: str
) -> None:
    write(sample_graph(), tmp_path / f"other.{ending}", ending.removesuffix(".gz"))
    assert sorted(ntriples_lines(tmp_path / f"other.{ending}")) == sorted(ntriples_lines(file))


def test_a_graph_that_is_not_empty_is_changed_only_with_replace(server: Server, file: Path) -> None:
    server.add("<http://a.example/s> <http://a.example/p> <http://a.example/o> .\n")
    with pytest.raises(
        PublishError, match=f"the graph {GRAPH} already holds 1 triples: clear it with --replace"
    ):
        publish(file, server)
    assert server.count() == 1
    assert publish(file, server, replace=True) == server.count()


def test_a_graph_can_be_published_to_the_default_graph(oxigraph: Store, file: Path) -> None:
    for via in ("graph-store", "update"):
        there = oxigraph.server(via, "")
        there.clear()
        assert publish(file, there, size=300) == there.count()
        there.clear()
        assert there.count() == 0


# Interrupted runs


class InterruptedServer(Server):
    """A server that fails after three batches."""

    left = 3

    def add(self, triples: str) -> None:
        if not self.left:
            raise PublishError("the cable was pulled")
        self.left -= 1
        super().add(triples)


@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupted_run_is_resumed(
    server: Server, file: Path, monkeypatch: pytest.MonkeyPatch, replace: bool
) -> None:
    with pytest.raises(PublishError, match="cable"):
        publish(file, InterruptedServer(server.place, server.account), size=100, replace=replace)
    assert server.count() == 300
    assert file.with_name(".graph.ttl.publishing").exists()
    sent: list[int] = []
    add = server.add

    def count_and_add(triples: str) -> None:
        sent.append(triples.count("\n"))
        add(triples)

    monkeypatch.setattr(server, "add", count_and_add)
    assert publish(file, server, size=100, replace=replace) == 300 + sum(sent) == server.count()
    assert not file.with_name(".graph.ttl.publishing").exists()


def test_all_triples_are_sent_again_if_the_server_lost_them(server: Server, file: Path) -> None:
    with pytest.raises(PublishError, match="cable"):
        publish(file, InterruptedServer(server.place, server.account), size=100)
    server.clear()
    assert publish(file, server, size=100) == server.count()


def test_an_interrupted_run_is_not_resumed_with_a_changed_file(server: Server, file: Path) -> None:
    with pytest.raises(PublishError, match="cable"):
        publish(file, InterruptedServer(server.place, server.account), size=100)
    file.write_text(
        f"{file.read_text(encoding='utf-8')}\n<http://a/s> <http://a/p> 1 .\n", encoding="utf-8"
    )
    with pytest.raises(PublishError, match="already holds 300 triples"):
        publish(file, server, size=100)


# Faulty and unreachable servers


@contextlib.contextmanager
def server_with_statuses(*statuses: int, count: object = 0) -> Iterator[tuple[str, list[str]]]:
    """The URL of a server with these statuses in turn, and the list of requested paths."""
    requested_paths: list[str] = []
    waiting = list(statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            requested_paths.append(self.path)
            asked = self.path == "/query"
            self.send_response(200 if asked else waiting.pop(0) if len(waiting) > 1 else waiting[0])
            body = (
                json.dumps({"results": {"bindings": [{"n": {"value": count}}]}}).encode()
                if asked
                else b"because\n"
            )
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Suppress the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,)).start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}", requested_paths
        finally:
            running.shutdown()


def test_accepted_triples_that_the_server_does_not_store_are_reported(file: Path) -> None:
    with server_with_statuses(200) as (address, _):
        result = run(str(file), "--endpoint", f"{address}/store")
    assert result.exit_code == 1
    assert re.search(r"holds 0 triples, though \d+ were sent and accepted", result.stderr)


def test_requests_to_a_busy_server_are_repeated(file: Path) -> None:
    with server_with_statuses(503, 503, 200, count=len(ntriples_lines(file))) as (
        address,
        requested_paths,
    ):
        there = resolve_place(f"{address}/update", GRAPH)
        Server(there).add("<a:a> <a:b> <a:c> .")
    assert requested_paths == ["/update"] * 3


@pytest.mark.parametrize(
    ("status", "reported"),
    [(500, "rejected with 500 Internal Server Error: because"), (413, "413")],
)
def test_a_rejected_request_is_reported_with_its_reason(
    file: Path, status: int, reported: str
) -> None:
    with server_with_statuses(status) as (address, _):
        result = run(str(file), "--endpoint", f"{address}/store")
    assert (result.exit_code, reported in result.stderr, result.stderr.count("\n")) == (1, True, 1)


def test_a_url_that_is_not_a_query_endpoint_is_reported(file: Path) -> None:
    with server_with_statuses(200, count={"no": "number"}) as (address, _):
        result = run(str(file), "--endpoint", f"{address}/store")
    assert result.stderr.endswith(
        "/query: not an endpoint that answers queries: give its URL with --query\n"
    )


def test_an_unreachable_server_is_reported_in_one_line_after_retries(
    file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        citekg.publishing.servers,
        "_RETRY",
        Retry(total=2, backoff_factor=0),
    )
    with pytest.raises(SystemExit):
        main(["publish", str(file), "--endpoint", "http://127.0.0.1:9/store"])
    hint = "start the server there, or give another URL with --endpoint"
    assert (
        capfd.readouterr().err
        == f"Error: http://127.0.0.1:9/query: no answer: Connection refused; {hint}\n"
    )


def test_an_unreachable_server_is_reported_without_retries(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.publishing.servers, "_RETRY", 0)
    result = run(str(file), "--endpoint", "http://127.0.0.1:9/store")
    assert (
        result.exit_code,
        result.stderr.startswith("Error: http://127.0.0.1:9/query: no answer: "),
    ) == (1, True)


# Places and accounts


@pytest.mark.parametrize(
    ("endpoint", "query_", "via"),
    [
        ("http://h/store", "http://h/query", "graph-store"),
        ("http://h/update", "http://h/query", "update"),
        ("http://h/ds/data", "http://h/ds/query", "graph-store"),
        ("http://h/repositories/r/statements", "http://h/repositories/r", "update"),
        ("http://h/repositories/r/rdf-graphs/service", "http://h/repositories/r", "graph-store"),
        ("http://h:8890/sparql-graph-crud-auth", "http://h:8890/sparql-auth", "graph-store"),
        ("http://h:8890/sparql-auth", "http://h:8890/sparql-auth", "update"),
    ],
)
def test_the_url_of_a_known_server_determines_its_query_url_and_protocol(
    endpoint: str, query_: str, via: Via
) -> None:
    assert resolve_place(endpoint, GRAPH) == Place(endpoint, query_, via, GRAPH)


def test_an_unknown_url_needs_an_explicit_protocol_and_an_invalid_url_is_rejected() -> None:
    with pytest.raises(PublishError, match="give --via"):
        resolve_place("http://h/rdf", GRAPH)
    assert resolve_place("http://h/rdf", GRAPH, via="update") == Place(
        "http://h/rdf", "http://h/rdf", "update", GRAPH
    )
    assert resolve_place("http://h/store", GRAPH, query="http://h/q").query == "http://h/q"
    with pytest.raises(PublishError, match="not the URL of a server"):
        resolve_place("localhost/store", GRAPH)


def test_publishing_to_virtuoso_requires_a_valid_account(
    virtuoso: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for endpoint in (virtuoso.graph_store, virtuoso.update):
        into = ("--endpoint", endpoint, "--graph", GRAPH, "--replace")
        assert "requires an account" in run(str(file), *into).stderr
        monkeypatch.setenv("KG_PASSWORD", "wrong")
        assert (
            "this user may not write to the server" in run(str(file), *into, "--user", "dba").stderr
        )
        monkeypatch.setenv("KG_PASSWORD", "dba")
        result = run(str(file), *into, "--user", "dba")
        assert result.exit_code == 0, result.stderr
        assert re.fullmatch(
            rf"\d+ triples in the graph {GRAPH}, counted at \S+/sparql-auth\n", result.stdout
        )
        monkeypatch.delenv("KG_PASSWORD")


def test_the_representation_of_an_account_does_not_contain_the_password() -> None:
    assert "secret" not in repr(Account("me", "secret"))


# Equal query results


def normalised_cells(row: Sequence[object]) -> list[str]:
    """The cells of a row as text: numbers in one form, joined names in one order."""
    texts = ["" if cell is None else str(cell) for cell in row]
    plain = [f"{float(t):g}" if re.fullmatch(r"-?\d+(\.\d+)?", t) else t for t in texts]
    return [", ".join(sorted(re.split(r", | \| ", text))) for text in plain]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("published") / "graph.ttl"
    write(sample_graph(), path, "ttl")
    return path


@pytest.mark.parametrize("named", library(), ids=lambda named: named.name)
def test_a_named_query_has_the_same_result_on_a_server(
    store: Store, published: Path, named: NamedQuery
) -> None:
    there = store.server("graph-store", f"{GRAPH}s")
    if not there.count():
        publish(published, there)
    for sparql in (named.sparql, named.with_values(ANSWERS[named.name][0])):
        ours = query(published, sparql)
        cells = [[getattr(term, "value", None) for term in row] for row in ours.rows]
        theirs = store.select(sparql, f"{GRAPH}s")
        assert sorted(map(normalised_cells, theirs)) == sorted(map(normalised_cells, cells))


# The command


def test_missing_packages_are_reported_with_the_install_command(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.cli.publish, "find_spec", lambda _name: None)
    result = run(str(file), "--endpoint", "http://h/store")
    assert (result.exit_code, "pip install 'citekg[publish]'" in result.stderr) == (1, True)
