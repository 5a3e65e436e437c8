"""The page unpacks exactly the quads of the store that `kg query` opens."""

from __future__ import annotations

import json
import shutil
import subprocess

import pyoxigraph as ox
import pytest

from citekg.page_queries import page_texts
from citekg.page_queries.packing import pack_quads
from citekg.queries.store import open_store, store_of
from citekg.schemas.plugins import EvidenceLevel, ExportOptions
from tests.paths import ROOT
from tests.sample import sample_graph

WORKER = ROOT / "exports" / "page" / "viewer" / "sparql_worker.js"
#: Runs the worker without its last statement, which listens for messages.
UNPACK = """
const { readFileSync } = require("node:fs");
const source = readFileSync(process.argv[1], "utf8").replace(/addEventListener\\(.*\\n$/, "");
const { packed, held } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(new Function(`${source}; return [...nquads(...arguments)].join("")`)(packed, held));
"""


def unpacked(packed: object, held: list[str]) -> set[ox.Quad]:
    """Return the quads that the worker of the page unpacks."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    done = subprocess.run(
        [node, "-e", UNPACK, str(WORKER)],
        input=json.dumps({"packed": packed, "held": held}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return set(ox.parse(done.stdout, format=ox.RdfFormat.N_QUADS))


def test_the_page_unpacks_the_quads_of_the_store_of_kg_query() -> None:
    graph, options = sample_graph(), ExportOptions()
    expected = set(open_store(graph))
    held = [*page_texts(graph, options)]
    packed = json.loads(json.dumps(pack_quads(store_of(graph, options), held)))
    assert len({quad.graph_name for quad in expected}) == 2  # firm and tentative claims
    assert unpacked(packed, held) == expected


@pytest.mark.parametrize("level", ["none", "paper"])
def test_the_page_unpacks_the_quads_of_an_export_with_options(level: EvidenceLevel) -> None:
    graph = sample_graph()
    options = ExportOptions(base_iri="https://example.org/kg#", evidence=level)
    held = [*page_texts(graph, options)]
    store = store_of(graph, options)
    assert unpacked(pack_quads(store, held), held) == set(store)
    assert not any(paper.abstract in held for paper in graph.papers)


def test_characters_that_n_quads_escapes_are_preserved() -> None:
    text = 'a "quote" \\ slash\nline\r\ttab \0 é 🪶'
    subject, property_ = ox.NamedNode("urn:a"), ox.NamedNode("urn:p")
    quads = [ox.Quad(subject, property_, ox.Literal(text), ox.DefaultGraph())]
    assert unpacked(pack_quads(quads, []), []) == set(quads)
    assert unpacked(pack_quads(quads, ["other", text]), ["other", text]) == set(quads)


def test_blank_nodes_and_language_tagged_literals_are_rejected() -> None:
    subject, property_ = ox.NamedNode("urn:a"), ox.NamedNode("urn:p")
    for value in (ox.BlankNode(), ox.Literal("word", language="en")):
        with pytest.raises(TypeError):
            pack_quads([ox.Quad(subject, property_, value, ox.DefaultGraph())], [])


def test_abstracts_that_the_page_already_holds_are_not_packed() -> None:
    graph, options = sample_graph(), ExportOptions()
    held = [*page_texts(graph, options)]
    packed = json.dumps(pack_quads(store_of(graph, options), held), ensure_ascii=False)
    for text in (paper.abstract for paper in graph.papers if paper.abstract):
        assert json.dumps(text, ensure_ascii=False) not in packed
