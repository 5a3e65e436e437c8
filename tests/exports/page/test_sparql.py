"""SPARQL in the page gives the answers of `kg query`, and its answers select nodes (Chromium)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from citekg.exports import write
from citekg.page_queries import sparql_parts
from citekg.page_queries.engine import VARIABLE, find_engine
from citekg.queries import query
from citekg.queries.library import library, resolve
from citekg.queries.store import open_store
from citekg.schemas.errors import EngineError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from tests.exports.page.browsing import FLAGS, Reader, chromium
from tests.kg.queries.answers import ANSWERS, answered_graph
from tests.kg.queries.terms import text_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

#: The terms in the cells of an answer; a cell that shows a name has its term as the title.
CELL_TERMS = """() => [...document.querySelectorAll(".answer tbody tr")].map((row) => [...row.cells].map(
    (cell) => cell.title || cell.querySelector("button")?.title || cell.textContent))"""


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return answered_graph()


@pytest.fixture(scope="module")
def reader(graph: KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A tab with the page of the sample, whose SPARQL pane is open."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine")
    try:
        find_engine()
    except EngineError as error:
        if VARIABLE in os.environ:
            raise
        pytest.skip(str(error))
    page = tmp_path_factory.mktemp("sparql") / "graph.html"
    write(graph, page, "html", ExportOptions(sparql=sparql_parts))
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=executable, args=FLAGS)
        reader = Reader(opened.new_page(viewport={"width": 1280, "height": 800}))
        reader.open(page)
        assert reader.tab.locator(".sparql").count() == 0  # nothing is unpacked before first use
        reader.tab.click("text=SPARQL")
        reader.tab.wait_for_selector(".sparql .CodeMirror")
        yield reader
        opened.close()
    assert reader.messages == []
    assert [url for url in reader.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def run(tab: Page, sparql: str) -> str:
    """Run a query in the pane; return its status."""
    tab.evaluate(
        """(text) => {
            document.querySelector(".sparql .CodeMirror").CodeMirror.setValue(text);
            document.querySelector(".sparql output").textContent = "";
            document.querySelector(".sparql .run").click();
        }""",
        sparql,
    )
    tab.wait_for_selector(".sparql .run:text('Run')")
    return tab.inner_text(".sparql output")


def rows(tab: Page, sparql: str) -> Counter[tuple[str, ...]]:
    run(tab, sparql)
    shown: list[list[str]] = tab.evaluate(CELL_TERMS)
    return Counter(map(tuple, shown))


@pytest.mark.parametrize("tentative", [False, True], ids=["firm", "tentative"])
def test_named_queries_give_the_same_rows_as_kg_query(
    reader: Reader, graph: KnowledgeGraph, *, tentative: bool
) -> None:
    reader.tab.evaluate(f"location.hash = '#pane=sparql&tentative={'1' * tentative}'")
    for named in sorted(library(), key=lambda each: each.tentative):
        values: dict[str, Any] = ANSWERS[named.name][0]
        answer = query(graph, f"@{named.name}", values=values, tentative=tentative)
        expected = Counter(
            tuple(text_of(term) if term is not None else "" for term in row) for row in answer.rows
        )
        assert expected or not tentative, named.name
        if named.tentative:
            reader.tab.select_option("[aria-label='Named query']", named.name)
            reader.tab.wait_for_selector(".sparql .run:text('Run')")
        assert rows(reader.tab, resolve(f"@{named.name}", values)) == expected, named.name
    reader.tab.select_option("[aria-label='Named query']", "authors")
    reader.tab.wait_for_selector(".sparql .run:text('Run')")
    reader.tab.evaluate("location.hash = '#pane=sparql'")


def test_the_page_has_the_same_triples_as_the_query_store(
    reader: Reader, graph: KnowledgeGraph
) -> None:
    reader.tab.evaluate("location.hash = '#pane=sparql&tentative=1'")
    run(reader.tab, "CONSTRUCT WHERE { ?s ?p ?o }")
    with reader.tab.expect_download() as download:
        reader.tab.select_option("[aria-label='Save the answer as']", "Turtle")
    saved = ox.parse(Path(download.value.path()).read_bytes(), format=ox.RdfFormat.TURTLE)
    reader.tab.evaluate("location.hash = '#pane=sparql'")
    assert {quad.triple for quad in saved} == {quad.triple for quad in open_store(graph)}


def test_the_menu_runs_a_named_query_and_writes_its_name_into_the_address(reader: Reader) -> None:
    reader.tab.select_option("[aria-label='Named query']", "top-methods")
    reader.tab.wait_for_selector(".sparql .run:text('Run')")
    assert reader.state()["query"] == "@top-methods"
    assert "rows" in reader.text(".sparql output")
    reader.tab.reload()
    reader.tab.wait_for_selector(".sparql .answer tbody tr")
    assert "?inWork" in reader.text(".sparql .CodeMirror")


def test_a_name_in_an_answer_selects_its_node(reader: Reader) -> None:
    run(reader.tab, "SELECT ?entity ?name { ?entity a ckg:Benchmark ; skos:prefLabel ?name }")
    reader.tab.click(".answer tbody a >> text=NestBench >> nth=1")
    assert reader.state()["at"] == "e-nestbench"
    assert reader.text("#panel h2") == "NestBench"
    assert reader.tab.locator(".answer tbody tr").count() > 0  # the answer stays
    reader.tab.click("[aria-label='Close details']")


def test_a_click_on_an_iri_without_a_node_shows_its_triples(reader: Reader) -> None:
    run(reader.tab, "SELECT ?run { ?run a prov:Activity }")
    reader.tab.click(".answer .iri")
    reader.tab.wait_for_selector(".sparql .run:text('Run')")
    assert "triples" in reader.text(".sparql output")
    assert reader.tab.locator(".answer th").all_inner_texts() == ["subject", "predicate", "object"]


@pytest.mark.parametrize(
    ("sparql", "message"),
    [
        ("SELECT ?x {\n  ?x a ckg:Method\n} LIMITS 3", "Line 3, column"),
        ("INSERT DATA { <urn:a> <urn:b> 1 }", "Updates are refused"),
        ("SELECT * { SERVICE <https://other.example/> { ?s ?p ?o } }", "SERVICE is refused"),
        ("SELECT (1" + "+1" * 50_000 + " AS ?x) {}", "too complex"),
    ],
)
def test_a_failed_query_shows_an_error_and_the_next_query_works(
    reader: Reader, sparql: str, message: str
) -> None:
    assert message in run(reader.tab, sparql)
    assert run(reader.tab, "ASK { ?s ?p ?o }").startswith(
        "yes"
    )  # the engine is still running, or was restarted


def test_a_long_query_can_be_stopped(reader: Reader) -> None:
    every_pair = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    reader.tab.evaluate(
        "(text) => document.querySelector('.sparql .CodeMirror').CodeMirror.setValue(text)",
        every_pair,
    )
    reader.tab.click(".sparql .run")
    reader.tab.click(".sparql .run:text('Stop')")
    reader.tab.wait_for_selector(".sparql .run:text('Run')")
    assert "Stopped" in reader.text(".sparql output")
    assert run(reader.tab, "ASK { ?s ?p ?o }").startswith("yes")


def test_escape_leaves_the_editor_and_the_pane_stays_open(reader: Reader) -> None:
    reader.tab.click(".sparql .CodeMirror")
    assert reader.tab.evaluate("document.activeElement.ariaLabel") == "SPARQL query"
    reader.tab.keyboard.press("Escape")
    assert reader.tab.evaluate("document.activeElement.textContent") == "Run"
    assert reader.state()["pane"] == "sparql"


def test_the_page_contains_the_licences_of_its_libraries(reader: Reader) -> None:
    reader.tab.click(".licences summary")
    notice = reader.text(".licences pre")
    assert "Oxigraph developers" in notice
    assert "codemirror" in notice
    reader.tab.click(".licences summary")
