"""The page as a file: inert data, a strict content security policy, reproducible bytes."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

from citekg.exports.page.html_page import SCRIPTS, STYLES, WORKER, _without_comments, page
from citekg.exports.page.page_data import nodes_and_edges
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.page_parts import SparqlParts
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Run
from tests.exports.page.hostile import hostile_graph
from tests.sample import sample_graph


def rendered(graph: KnowledgeGraph, options: ExportOptions | None = None) -> str:
    return b"".join(page(graph, options or ExportOptions())).decode("utf-8")


def block(text: str, name: str) -> Any:
    found = re.search(
        rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL
    )
    assert found
    return json.loads(found[1])


def unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed)))


class Elements(HTMLParser):
    """Every element that the page's markup starts, with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


@pytest.fixture(scope="module")
def text(graph: KnowledgeGraph) -> str:
    return rendered(graph)


def test_the_data_in_the_page_is_the_graph(graph: KnowledgeGraph, text: str) -> None:
    columns = unpacked(block(text, "columns"))
    assert columns["entities"]["label"] == [e.name for e in graph.entities]
    assert columns["papers"]["label"] == [p.title for p in (*graph.papers, *graph.stubs)]
    assert columns["papers"]["stub"] == [0] * len(graph.papers) + [1] * len(graph.stubs)
    beyond = [i for i in graph.introductions if i.paper not in graph.paper_by_id]
    assert len(columns["relations"]["from"]) == len(graph.relations) + len(beyond)
    assert len(columns["links"]["from"]) == len(graph.links)


def test_the_evidence_of_every_relation_is_in_the_texts(graph: KnowledgeGraph, text: str) -> None:
    columns = unpacked(block(text, "columns"))
    texts = [paper for packed in block(text, "texts") for paper in unpacked(packed)]
    rows = zip(
        columns["relations"]["from"],
        unpacked(block(text, "details"))["relations"]["evidence"],
        strict=True,
    )
    for relation, (paper, evidence) in zip(graph.relations, rows, strict=False):
        at = paper - len(graph.entities)
        whole = f"{columns['papers']['label'][at]}\n{texts[at]['abstract']}"
        shown = [whole[slice(*texts[at]["mentions"][i][1:3])] for i in evidence]
        assert shown == [e.mention.text for e in graph.evidence(relation)]


def test_every_script_of_the_viewer_is_in_the_page() -> None:
    viewer = files("citekg.exports.page") / "viewer"
    folders = {"": viewer, "questions/": viewer / "questions"}
    assert sorted({*SCRIPTS, *WORKER}) == sorted(
        folder + file.name
        for folder, files_of in folders.items()
        for file in files_of.iterdir()
        if file.name.endswith(".js")
    )


def test_scripts_lose_the_comments_that_take_whole_lines_and_no_code() -> None:
    scripts = """/* One. */
const a = /** @type {A} */ (b);
  /** Two. @param {string} c */
  /**
   * Three ** four / five.
   */
/** @type {B} */ (d).e(/* inline */);
const f = `/* text */`; /* after code */
"""
    assert (
        _without_comments(scripts)
        == """const a = /** @type {A} */ (b);
/** @type {B} */ (d).e(/* inline */);
const f = `/* text */`; /* after code */
"""
    )


EMPTY = KnowledgeGraph.of(
    papers=(), entities=(), mentions=(), relations=(), links=(), run=Run("citekg", "0", "", "")
)
#: The size of the data of the 477 Daily Papers in the page, in bytes, with some room.
DAILY_PAPERS = 550_000


def test_the_page_of_the_daily_papers_stays_below_1_5_mb() -> None:
    assert len(rendered(EMPTY).encode("utf-8")) < 1_500_000 - DAILY_PAPERS


#: Words with a standard term: entity, evidence, reported.
RETIRED = re.compile(r"(?i)(?<![a-z])(?:told|said|things?|proofs?|at hand)(?![a-z])")


#: Translates the names of earlier versions, so that it holds them.
EARLIER = "earlier_addresses.js"


@pytest.mark.parametrize("name", [n for n in SCRIPTS if n != EARLIER] + ["template.html", *STYLES])
def test_the_viewer_uses_standard_terms(name: str) -> None:
    text = (files("citekg.exports.page") / "viewer" / name).read_text("utf-8")
    assert RETIRED.findall(text) == []


def test_without_evidence_the_page_contains_no_abstract(graph: KnowledgeGraph) -> None:
    assert block(rendered(graph, ExportOptions(evidence="none")), "texts") == []


def test_nothing_in_the_page_is_loaded_from_anywhere(text: str) -> None:
    elements = Elements()
    elements.feed(text)
    loading = {"src", "srcset", "action", "formaction", "data", "poster"}
    assert not [(tag, a) for tag, a in elements.seen if loading & a.keys()]
    assert all(str(a["href"]).startswith(("#", "data:,")) for _, a in elements.seen if "href" in a)


def test_the_policy_admits_exactly_the_scripts_and_the_style_of_the_page(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digests = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts + styles
    ]
    assert sorted(re.findall(r"'sha256-([^']*)'", policy)) == sorted(digests)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_an_editable_page_with_sparql_allows_the_editor_as_a_script_and_its_server_for_requests(
    graph: KnowledgeGraph,
) -> None:
    parts = SparqlParts(
        quads={},
        engine=b"",
        bindings="",
        editor="let kite;",
        editor_style="a { top: 0; }",
        queries=(),
        prefixes={},
        licences="",
    )
    options = ExportOptions(sparql=lambda *_: parts)
    text = b"".join(page(graph, options, editable=True)).decode("utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    directives = {name: values for name, *values in map(str.split, policy.split(";"))}
    assert digest(parts.editor) in directives["script-src"]
    assert "'wasm-unsafe-eval'" in directives["script-src"]
    assert digest(parts.editor_style) in directives["style-src"]
    assert directives["connect-src"] == ["'self'"]
    assert directives["worker-src"] == ["blob:"]


def digest(text: str) -> str:
    content = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(content).decode('ascii')}'"


def test_hostile_texts_leave_the_markup_as_it_is(text: str) -> None:
    plain, hostile = Elements(), Elements()
    plain.feed(text)
    hostile.feed(rendered(hostile_graph()))
    assert hostile.seen == plain.seen


def test_no_text_of_the_graph_is_markup_of_the_page() -> None:
    page = rendered(hostile_graph())
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "{{" not in re.sub(
        r'<script type="application/json".*?</script>', "", page.split("<script>")[0]
    )


def test_an_empty_graph_gives_a_page() -> None:
    assert block(rendered(EMPTY), "texts") == []


def test_types_outside_the_vocabulary_are_listed_too(graph: KnowledgeGraph) -> None:
    custom = replace(
        graph, entities=(replace(graph.entities[0], type="Metric"), *graph.entities[1:])
    )
    assert [t["name"] for t in block(rendered(custom), "about")["types"]][-1] == "Metric"


def test_every_node_has_a_place_and_no_two_share_it(graph: KnowledgeGraph) -> None:
    nodes, _ = nodes_and_edges(graph)
    assert len({(n["x"], n["y"]) for n in nodes}) == len(graph.entities) + len(graph.papers) + len(
        graph.stubs
    )


def test_the_bytes_do_not_depend_on_the_hash_seed(text: str) -> None:
    program = (
        "import sys\nfrom citekg.exports.page.html_page import page\n"
        "from citekg.schemas.plugins import ExportOptions\n"
        "from tests.sample import sample_graph\n"
        "sys.stdout.buffer.write(b''.join(page(sample_graph(), ExportOptions())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode("utf-8") == text
