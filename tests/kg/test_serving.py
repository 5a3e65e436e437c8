"""`kg serve` over real HTTP: the protocol, its limits, what it refuses, and the page in a browser."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import rdflib
import requests
from click.testing import CliRunner
from rdflib.plugins.stores.sparqlstore import SPARQLStore

import kg.commands.serving
from exports import write
from kg.cli import main
from kg.queries import query
from kg.queries.library import library
from kg.serving.answering import Limits, Question
from kg.serving.negotiating import RESULTS, TRIPLES, chosen, wants_page
from kg.serving.pool import Pool
from tests.kg.test_queries import CALLS
from tests.sample import sample_graph

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated, use Dataset:DeprecationWarning:rdflib")

NAMES = "SELECT ?name { ?p ckg:introduces/skos:prefLabel ?name } ORDER BY ?name"
TRIPLE = "CONSTRUCT { ?p dcterms:title ?t } { ?p dcterms:title ?t ; a schema:ScholarlyArticle }"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c = ?f && ?f = ?i) }"
FORM = "application/x-www-form-urlencoded"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@contextmanager
def served(graph: Path, *options: str) -> Iterator[str]:
    """The address of `kg serve` in a process of its own, without the slash at its end."""
    command = [sys.executable, "-m", "kg.cli", "serve", str(graph), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield process.stdout.readline().split()[1].rstrip("/")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
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
def narrow(graph: Path) -> Iterator[str]:
    """A server with hardly any time and room."""
    with served(graph, "--timeout", "1", "--max-answer", "0.01", "--queries", "1") as address:
        yield address


def ask(site: str, sparql: str, accept: str = "text/csv", **more: str) -> requests.Response:
    return requests.post(f"{site}/sparql", data={"query": sparql, **more}, headers={"Accept": accept}, timeout=30)


# The protocol


def test_every_way_to_ask_gives_the_same_answer(site, graph):
    expected = query(graph, NAMES).render("csv")
    direct = {"Content-Type": "application/sparql-query", "Accept": "text/csv"}
    answers = [
        requests.get(f"{site}/sparql", params={"query": NAMES}, headers={"Accept": "text/csv"}, timeout=30),
        ask(site, NAMES),
        requests.post(f"{site}/sparql", data=NAMES.encode(), headers=direct, timeout=30),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.text.replace("\r\n", "\n") == expected
    assert requests.head(f"{site}/sparql", params={"query": NAMES}, timeout=30).status_code == 200


@pytest.mark.parametrize("named", library(), ids=lambda named: named.name)
def test_a_named_query_is_answered_as_by_the_command(site, graph, named):
    answer = ask(site, named.sparql, "application/sparql-results+json").json()
    assert answer == json.loads(query(graph, named.sparql).render("json"))


@pytest.mark.parametrize("accept", RESULTS)
@pytest.mark.parametrize("sparql", [NAMES, "ASK { ?p ckg:introduces ?e }"])
def test_rows_come_in_the_form_that_is_accepted(site, sparql, accept):
    answer = ask(site, sparql, f"{accept}, */*;q=0.1")
    assert answer.headers["content-type"].partition(";")[0] == accept
    assert ("FeatherSet" if sparql == NAMES else "true") in answer.text
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("accept", TRIPLES)
def test_triples_come_in_the_form_that_is_accepted(site, accept):
    answer = ask(site, TRIPLE, accept)
    assert answer.headers["content-type"].partition(";")[0] == accept
    form = {"application/json": "json-ld", "application/ld+json": "json-ld", "application/xml": "xml"}
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
def test_what_is_wanted_most_is_chosen(accept, media_type):
    assert chosen(accept, RESULTS) == media_type


@pytest.mark.parametrize(("accept", "page"), [(BROWSER, True), ("text/html", True), ("*/*", False), ("", False)])
def test_only_browsers_are_shown_a_page(accept, page):
    assert wants_page(accept) is page


def test_another_client_understands_the_endpoint(site):
    store = SPARQLStore(f"{site}/sparql", returnFormat="xml")
    view = rdflib.Graph(store, bind_namespaces="none")
    assert [str(row[0]) for row in view.query(NAMES)] == ["FeatherSet", "Fledge", "NestBench", "PPO", "Quill"]


def test_a_data_set_can_be_named_in_the_request(site):
    assert ask(site, "ASK { ?s ?p ?o }", **{"default-graph-uri": "http://example.org/none"}).text.strip() == "false"
    assert ask(
        site, "ASK { GRAPH ?g { ?s ?p ?o } }", **{"named-graph-uri": "http://example.org/none"}
    ).text.strip() == ("false")


@pytest.mark.parametrize("media_type", TRIPLES)
def test_without_a_query_the_endpoint_describes_itself(site, media_type):
    answer = requests.get(f"{site}/sparql", headers={"Accept": media_type}, timeout=30)
    assert answer.headers["content-type"].partition(";")[0] == media_type
    form = {"application/json": "json-ld", "application/ld+json": "json-ld", "application/xml": "xml"}
    read = rdflib.Graph().parse(data=answer.text, format=form.get(media_type, media_type))
    spaces = {"sd": rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")}
    told = f"""ASK {{ <{site}/sparql> a sd:Service ; sd:endpoint <{site}/sparql> ;
        sd:supportedLanguage sd:SPARQL11Query ; sd:defaultDataset/sd:defaultGraph/void:triples ?count }}"""
    assert read.query(told, initNs=spaces | {"void": rdflib.VOID}).askAnswer
    assert not [node for triple in read for node in triple if isinstance(node, rdflib.BNode)]


# What is refused


@pytest.mark.parametrize(
    ("request_", "status", "told"),
    [
        ({"data": {"query": "SELECT * { ?s"}}, 400, "malformed query: line 1, column 14"),
        ({"data": {"quarry": "x"}}, 400, "give one query, not 0"),
        ({"data": {"query": ["ASK {}", "ASK {}"]}}, 400, "give one query, not 2"),
        ({"data": b"query=%FF", "headers": {"Content-Type": FORM}}, 400, "cannot be read"),
        ({"data": b"ASK \xff", "headers": {"Content-Type": "application/sparql-query"}}, 400, "not UTF-8"),
        (
            {"data": b"ASK {}", "headers": {"Content-Type": "text/plain"}},
            415,
            "post a query as application/sparql-query",
        ),
        ({"data": {"query": "ASK {}"}, "headers": {"Accept": "image/png"}}, 406, "application/sparql-results+json"),
        ({"data": {"query": "ASK {}", "default-graph-uri": "no IRI"}}, 400, "a graph in the request is no IRI"),
        ({"data": {"query": "#" * 300_000}}, 413, "at most 200000 bytes"),
        ({"data": {"query": "SELECT (<http://x/f>(1) AS ?x) {}"}}, 400, "could not be answered"),
    ],
)
def test_a_request_that_cannot_be_answered_is_told_why(site, request_, status, told):
    answer = requests.post(f"{site}/sparql", timeout=30, **request_)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/plain; charset=utf-8")
    assert told in answer.text
    assert answer.text.count("\n") == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_not_allowed(site, method):
    assert requests.request(method, f"{site}/sparql", timeout=30).status_code == 405


UPDATES = ["INSERT DATA { <a:a> <a:b> <a:c> }", "DELETE WHERE { ?s ?p ?o }", "DROP ALL", "LOAD <http://127.0.0.1:9/>"]


@pytest.mark.parametrize("update", UPDATES)
def test_updates_are_refused_in_every_form_and_change_nothing(site, graph, update):
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
def test_no_query_calls_another_endpoint(site, sparql):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        port = listening.getsockname()[1]
        answer = ask(site, sparql.replace("<U>", f"<http://127.0.0.1:{port}/>"))
        assert (answer.status_code, "SERVICE is refused" in answer.text) == (403, True)
        with pytest.raises(TimeoutError):
            listening.accept()


def test_names_other_than_this_machines_are_refused(site):
    assert requests.get(f"{site}/sparql", headers={"Host": "evil.example"}, timeout=30).status_code == 400
    port = site.rpartition(":")[2]
    assert requests.get(f"{site}/sparql", headers={"Host": f"localhost:{port}"}, timeout=30).status_code == 200


# Limits


def test_a_query_that_takes_too_long_is_ended_and_the_next_is_answered(narrow):
    started = time.monotonic()
    answer = ask(narrow, SLOW)
    assert (answer.status_code, answer.text) == (500, "the query took longer than 1 s: narrow it\n")
    assert time.monotonic() - started < 10
    assert ask(narrow, "ASK {}").text.strip() == "true"


def test_who_waits_too_long_for_others_is_told_to_come_again(narrow):
    answers: list[requests.Response] = []
    asking = [threading.Thread(target=lambda: answers.append(ask(narrow, SLOW))) for _ in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert {answer.status_code for answer in answers} <= {500, 503}
    assert any("ask again later" in answer.text for answer in answers)
    assert ask(narrow, "ASK {}").status_code == 200


def test_an_answer_that_is_too_long_is_refused(narrow):
    answer = ask(narrow, "SELECT * { ?s ?p ?o }")
    assert answer.status_code == 500
    assert answer.text == "the answer has more than 10000 bytes: narrow the query, or set a LIMIT\n"
    assert ask(narrow, "CONSTRUCT WHERE { ?s ?p ?o }", "text/turtle").status_code == 500
    assert ask(narrow, "SELECT * { ?s ?p ?o } LIMIT 5").text.count("\n") == 6


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process so")
def test_a_query_that_takes_too_much_memory_is_ended_and_the_next_is_answered(graph):
    greedy = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c"

    async def asked() -> list[bytes]:
        pool = Pool(graph, Limits(60, memory_bytes=400_000_000), 1)
        try:
            return [(await pool.ask(Question(sparql, "text/csv"))).body for sparql in (greedy, "ASK {}")]
        finally:
            pool.close()

    refused, answer = asyncio.run(asked())
    assert b"bytes of memory" in refused
    assert answer.strip() == b"true"


# Browsers


def test_pages_of_other_sites_may_ask(site):
    answer = requests.get(
        f"{site}/sparql", params={"query": NAMES}, headers={"Origin": "https://a.example"}, timeout=30
    )
    assert answer.headers["access-control-allow-origin"] == "*"
    preflight = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    allowed = requests.options(f"{site}/sparql", headers=preflight, timeout=30)
    assert allowed.status_code == 200
    assert "POST" in allowed.headers["access-control-allow-methods"]


def test_only_the_site_that_is_named_may_ask_where_one_is_named(graph):
    with served(graph, "--origin", "https://a.example") as site:
        for origin, told in (("https://a.example", "https://a.example"), ("https://b.example", None)):
            answer = requests.get(f"{site}/sparql", headers={"Origin": origin}, timeout=30)
            assert answer.headers.get("access-control-allow-origin") == told


def test_a_browser_is_shown_the_viewer_and_the_query_page(site):
    viewer = requests.get(f"{site}/", headers={"Accept": BROWSER}, timeout=30)
    assert viewer.headers["content-type"].startswith("text/html")
    assert "NestBench" in viewer.text or len(viewer.text) > 100_000
    page = requests.get(f"{site}/sparql", headers={"Accept": BROWSER}, timeout=30)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for address in re.findall(r'(?:src|href)="((?:page|vendor)/[^"]+)"', page.text):
        assert requests.get(f"{site}/{address}", timeout=30).status_code == 200
    assert requests.get(f"{site}/vendor/yasqe/LICENSES.txt", timeout=30).text.startswith("Third-party software")


def test_a_file_of_someone_else_is_asked_but_has_no_viewer(tmp_path):
    (tmp_path / "other.ttl").write_text('<a:a> <a:b> "c" .', encoding="utf-8")
    with served(tmp_path / "other.ttl") as site:
        assert ask(site, "SELECT ?c { <a:a> <a:b> ?c }").text.split() == ["c", "c"]
        refused = requests.get(f"{site}/", timeout=30)
        assert refused.status_code == 404
        assert "there is no viewer for this file" in refused.text


@pytest.fixture
def tab(site: str) -> Iterator[object]:
    """A tab of a real browser, which must neither complain nor ask anyone but the server."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not found:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page()
        page.set_default_timeout(10_000)
        asked, complaints = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: message.type in {"error", "warning"} and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        browser.close()
        assert all(url.startswith((site, "blob:", "data:")) for url in asked)
        assert complaints == []


def test_a_reader_asks_a_named_query_and_follows_a_link(site, graph, tab):
    tab.goto(f"{site}/sparql")
    tab.select_option("#named", "top-methods")
    tab.wait_for_selector("#answer table")
    rows = query(graph, next(q for q in library() if q.name == "top-methods").sparql)
    assert tab.locator("#answer tbody tr").count() == len(rows)
    assert tab.inner_text("#status").startswith(f"{len(rows)} rows, ")
    assert tab.locator(".parseErrorIcon").count() == 0
    tab.evaluate("document.querySelector('.CodeMirror').CodeMirror.setValue(\"SELECT ?e { ?e skos:prefLabel 'C++' }\")")
    tab.press(".CodeMirror textarea", "Control+Enter")
    tab.wait_for_selector("text=1 row,")
    tab.click("#answer td a")
    tab.wait_for_selector("#answer pre")
    assert "ckg:Method" in tab.inner_text("#answer pre")
    assert "@prefix cr:" not in tab.inner_text("#answer pre")


def test_axe_finds_nothing_to_mend_on_the_query_page(site, tab):
    axe = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    tab.goto(f"{site}/sparql?query={NAMES.replace('?', '%3F')}")
    tab.wait_for_selector("#answer table")
    tab.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = tab.evaluate("() => axe.run({ exclude: ['.CodeMirror'] })")["violations"]
    assert [(v["impact"], v["id"], v["nodes"][0]["html"]) for v in found] == []


def test_the_editor_completes_the_properties_of_the_graph(site, tab):
    tab.goto(f"{site}/sparql")
    tab.wait_for_selector(".CodeMirror")
    tab.evaluate("document.querySelector('.CodeMirror').CodeMirror.setValue('SELECT * { ?p ckg:evaluates')")
    tab.evaluate("(c => { c.focus(); c.setCursor(0, 99) })(document.querySelector('.CodeMirror').CodeMirror)")
    tab.keyboard.press("Control+Space")
    tab.wait_for_selector(".CodeMirror-hints")
    assert tab.inner_text(".CodeMirror-hints").split() == ["ckg:evaluatesOn"]


def test_an_answer_is_saved_as_a_file(site, graph, tab):
    tab.goto(f"{site}/sparql?query={NAMES.replace('?', '%3F')}")
    tab.wait_for_selector("#answer table")
    with tab.expect_download() as saving:
        tab.select_option("#save", "text/csv")
    assert saving.value.suggested_filename == "answer.csv"
    assert Path(saving.value.path()).read_text().replace("\r\n", "\n") == query(graph, NAMES).render("csv")


# The command


def test_a_port_that_is_taken_is_told(graph):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = CliRunner().invoke(main, ["serve", str(graph), "--port", str(taken.getsockname()[1])])
    assert result.exit_code == 1
    assert "cannot be listened on" in result.stderr
    assert "choose another --port" in result.stderr


def test_what_has_to_be_installed_is_told(graph, monkeypatch):
    monkeypatch.setattr(kg.commands.serving, "find_spec", lambda _name: None)
    result = CliRunner().invoke(main, ["serve", str(graph)])
    assert (result.exit_code, "pip install 'citekg[serve]'" in result.stderr) == (1, True)


def test_a_file_that_is_no_graph_is_not_served(tmp_path):
    result = CliRunner().invoke(main, ["serve", str(tmp_path / "none.ttl"), "--port", "0"])
    assert (result.exit_code, result.stderr) == (1, f"Error: {tmp_path / 'none.ttl'}: no such file\n")


def test_no_process_is_left_when_the_server_stops(graph):
    with served(graph) as site:
        assert ask(site, "ASK {}").status_code == 200
    with pytest.raises(requests.ConnectionError):
        requests.get(site, timeout=5)
    if Path("/proc").is_dir():
        alive = [p for p in Path("/proc").glob("[0-9]*/stat") if f" {os.getpid()} " in p.read_text(errors="replace")]
        assert not [p for p in alive if "spawn_main" in (p.parent / "cmdline").read_text(errors="replace")]
