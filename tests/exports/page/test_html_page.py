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
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.page_parts import SparqlParts
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Run
from tests.exports.page.hostile import hostile_graph
from tests.exports.page.nodes import nodes_and_edges
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


def test_the_page_contains_the_entities_papers_relations_and_links_of_the_graph(
    graph: KnowledgeGraph, text: str
) -> None:
    columns = unpacked(block(text, "columns"))
    assert columns["entities"]["label"] == [e.name for e in graph.entities]
    assert columns["papers"]["label"] == [p.title for p in (*graph.papers, *graph.stubs)]
    assert columns["papers"]["stub"] == [0] * len(graph.papers) + [1] * len(graph.stubs)
    outside_corpus = [i for i in graph.introductions if i.paper not in graph.paper_by_id]
    assert len(columns["relations"]["from"]) == len(graph.relations) + len(outside_corpus)
    assert len(columns["links"]["from"]) == len(graph.links)


def test_the_page_texts_contain_the_evidence_of_every_relation(
    graph: KnowledgeGraph, text: str
) -> None:
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


def test_the_script_lists_contain_every_script_file_of_the_viewer() -> None:
    viewer = files("citekg.exports.page") / "viewer"
    folders = {"": viewer, "questions/": viewer / "questions"}
    assert sorted({*SCRIPTS, *WORKER}) == sorted(
        folder + file.name
        for folder, files_of in folders.items()
        for file in files_of.iterdir()
        if file.name.endswith(".js")
    )


def test_only_comments_on_separate_lines_are_removed_from_scripts() -> None:
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
#: The size of the data of the 477 Daily Papers in the page, in bytes, rounded up.
DAILY_PAPERS_SIZE = 550_000


def test_the_page_without_data_leaves_room_for_the_daily_papers_below_1_5_mb() -> None:
    assert len(rendered(EMPTY).encode("utf-8")) < 1_500_000 - DAILY_PAPERS_SIZE


#: Words that are not used, because of the standard terms entity, evidence and reported.
RETIRED_WORDS = re.compile(r"(?i)(?<![a-z])(?:told|said|things?|proofs?|at hand)(?![a-z])")


#: The script that translates the names of earlier versions, and so contains them.
EARLIER_NAMES_SCRIPT = "earlier_addresses.js"


@pytest.mark.parametrize(
    "name", [n for n in SCRIPTS if n != EARLIER_NAMES_SCRIPT] + ["template.html", *STYLES]
)
def test_the_viewer_uses_standard_terms(name: str) -> None:
    text = (files("citekg.exports.page") / "viewer" / name).read_text("utf-8")
    assert RETIRED_WORDS.findall(text) == []


def test_a_page_without_evidence_contains_no_abstracts(graph: KnowledgeGraph) -> None:
    assert block(rendered(graph, ExportOptions(evidence="none")), "texts") == []


def test_the_page_loads_no_external_resources(text: str) -> None:
    elements = Elements()
    elements.feed(text)
    loading = {"src", "srcset", "action", "formaction", "data", "poster"}
    assert not [(tag, a) for tag, a in elements.seen if loading & a.keys()]
    assert all(str(a["href"]).startswith(("#", "data:,")) for _, a in elements.seen if "href" in a)


def test_the_content_security_policy_allows_only_the_inline_scripts_and_styles(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digests = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts + styles
    ]
    assert sorted(re.findall(r"'sha256-([^']*)'", policy)) == sorted(digests)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_policy_of_an_editable_sparql_page_allows_editor_and_own_server(
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


def test_hostile_texts_do_not_change_the_markup(text: str) -> None:
    plain, hostile = Elements(), Elements()
    plain.feed(text)
    hostile.feed(rendered(hostile_graph()))
    assert hostile.seen == plain.seen


def test_hostile_texts_are_not_written_as_markup_or_templates() -> None:
    page = rendered(hostile_graph())
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "{{" not in re.sub(
        r'<script type="application/json".*?</script>', "", page.split("<script>")[0]
    )


def test_an_empty_graph_can_be_rendered() -> None:
    assert block(rendered(EMPTY), "texts") == []


def test_entity_types_outside_the_vocabulary_are_listed(graph: KnowledgeGraph) -> None:
    custom = replace(
        graph, entities=(replace(graph.entities[0], type="Metric"), *graph.entities[1:])
    )
    assert [t["name"] for t in block(rendered(custom), "about")["types"]][-1] == "Metric"


def test_every_node_has_a_unique_position(graph: KnowledgeGraph) -> None:
    nodes, _ = nodes_and_edges(graph)
    assert len({(n["x"], n["y"]) for n in nodes}) == len(graph.entities) + len(graph.papers) + len(
        graph.stubs
    )


def test_the_page_does_not_depend_on_the_hash_seed(text: str) -> None:
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
