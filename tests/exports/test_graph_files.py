"""GraphML, GEXF and Cytoscape JSON, opened by the libraries that read them."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.exports import exporter
from citekg.exports.graphs.flat import flat_edges, flat_nodes
from citekg.exports.graphs.networkx_graph import to_networkx
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions, NodeSet
from tests.exports.any_graph import LETTERS, XML_LETTERS, graphs
from tests.sample import sample_graph

EDGES = {"relation", "introduction", "link", "citation", "family", "outperformance"}


def exported(graph: KnowledgeGraph, name: str, shown: NodeSet = "all") -> bytes:
    return b"".join(exporter(name).writer(graph, ExportOptions(nodes=shown)))


def read(graph: KnowledgeGraph, name: str, shown: NodeSet = "all") -> nx.Graph[str]:
    """Return the written file as networkx reads it."""
    data = exported(graph, name, shown)
    if name == "cyjs":
        return nx.cytoscape_graph(json.loads(data))
    if name == "gexf":
        return nx.read_gexf(io.BytesIO(data))
    if shown != "all":
        return nx.read_graphml(io.BytesIO(data))
    return nx.read_graphml(io.BytesIO(data), force_multigraph=True)


def plain_nodes(graph: KnowledgeGraph) -> dict[str, dict[str, object]]:
    return {
        str(node["id"]): {k: v for k, v in node.items() if k != "id"} for node in flat_nodes(graph)
    }


@pytest.mark.parametrize("name", ["graphml", "gexf", "cyjs"])
def test_networkx_reads_the_nodes_and_edges_of_the_networkx_view(name: str) -> None:
    view, seen = to_networkx(sample_graph()), read(sample_graph(), name)
    assert seen.is_directed()
    assert seen.is_multigraph()
    assert set(seen) == set(view)
    assert sorted(seen.edges()) == sorted(view.edges())
    assert {d["kind"] for _, d in seen.nodes(data=True)} == {"paper", "stub", "entity"}
    assert {d["kind"] for *_, d in seen.edges(data=True)} == EDGES


@pytest.mark.parametrize("name", ["graphml", "gexf"])
def test_confidences_are_numbers_and_lists_are_joined_texts(name: str) -> None:
    seen = read(sample_graph(), name)
    [uses] = [
        d
        for _, end, d in seen.edges(data=True)
        if d.get("role") == "uses" and end == "e-qwen2.5-vl-7b"
    ]
    assert uses["confidence"] == 0.8
    assert uses["sentence"] == "Its backbone is Qwen2.5-VL-7B."
    paper = seen.nodes["p-2401.00001"]
    assert paper["authors"] == "Zoë Ångström; Bo \\ Li; Ada Ünal"
    assert paper["sources"] == "dumps/page one.txt:12; extra.jsonl.gz:3"
    assert seen.nodes["e-quill"]["types"] == "Method 2; Model 1; Benchmark 1"


@given(graph=graphs(XML_LETTERS))
def test_texts_that_are_valid_in_xml_survive_a_round_trip_through_graphml(
    graph: KnowledgeGraph,
) -> None:
    assert {n: dict(d) for n, d in read(graph, "graphml").nodes(data=True)} == plain_nodes(graph)


@given(graph=graphs(LETTERS), name=st.sampled_from(["graphml", "gexf"]))
def test_any_text_gives_well_formed_xml(graph: KnowledgeGraph, name: str) -> None:
    assert set(read(graph, name)) == set(plain_nodes(graph))


def test_control_characters_are_replaced_in_xml_and_kept_in_json() -> None:
    graph = sample_graph()
    graph = replace(
        graph, papers=(replace(graph.papers[0], title="a\x00b\x1bc"), *graph.papers[1:])
    )
    for name in ("graphml", "gexf"):
        assert read(graph, name).nodes["p-2401.00001"]["label"] == "a\ufffdb\ufffdc"
    assert read(graph, "cyjs").nodes["p-2401.00001"]["label"] == "a\x00b\x1bc"


def test_igraph_reads_the_graphml(tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph", reason="igraph is an optional extra")
    (tmp_path / "graph.graphml").write_bytes(exported(sample_graph(), "graphml"))
    seen = igraph.Graph.Read_GraphML(str(tmp_path / "graph.graphml"))
    assert seen.is_directed()
    assert set(seen.vs["id"]) == set(plain_nodes(sample_graph()))
    ends = [(seen.vs[e.source]["id"], e["label"], seen.vs[e.target]["id"]) for e in seen.es]
    assert sorted(ends) == sorted(
        (e["source"], e["label"], e["target"]) for e in flat_edges(sample_graph())
    )


def test_cytoscape_reads_its_json(tmp_path: Path) -> None:
    if not shutil.which("node"):
        pytest.skip("needs Node.js with the package cytoscape")
    (tmp_path / "graph.cyjs").write_bytes(exported(sample_graph(), "cyjs"))
    program = """
    let cytoscape; try { cytoscape = require("cytoscape") } catch { process.exit(9) }
    const file = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
    const cy = cytoscape({headless: true, elements: file.elements})
    console.log(cy.nodes().length, cy.edges().length, cy.edges("[confidence > 0.7]").length)"""
    done = subprocess.run(
        ["node", "-e", program, str(tmp_path / "graph.cyjs")], capture_output=True, text=True
    )
    if done.returncode == 9:
        pytest.skip("needs Node.js with the package cytoscape")
    edges = list(flat_edges(sample_graph()))
    confident = [edge for edge in edges if float(edge.get("confidence", 0)) > 0.7]
    assert done.stdout.split() == [
        str(len(plain_nodes(sample_graph()))),
        str(len(edges)),
        str(len(confident)),
    ]


@pytest.mark.parametrize("name", ["graphml", "gexf", "cyjs"])
def test_years_counts_and_weights_are_numbers(name: str) -> None:
    seen = read(sample_graph(), name)
    nodes = seen.nodes
    assert [nodes[p].get("year") for p in ("p-2401.00001", "p-2402.00002v2", "p-ppo")] == [
        2024,
        2024,
        2017,
    ]
    assert {data["date"][:4] for data in nodes.values() if "year" in data} == {
        "2017",
        "2024",
        "2025",
    }
    assert [(nodes[e]["papers"], nodes[e]["used"]) for e in ("e-quill", "e-ppo", "e-qwen2.5")] == [
        (4, 2),
        (1, 1),
        (0, 0),
    ]
    weights = {(d["kind"], d["label"], d["weight"]) for *_, d in seen.edges(data=True)}
    assert {
        ("relation", "extends", 0.75),
        ("introduction", "introduces", 1.0),
        ("link", "extends", 0.6),
    } <= weights
    assert all(type(weight) is float for *_, weight in weights)


@pytest.mark.parametrize("name", ["graphml", "gexf", "cyjs"])
def test_the_projection_on_papers_has_one_weighted_edge_per_pair(name: str) -> None:
    graph = sample_graph()
    seen = read(graph, name, "papers")
    assert seen.is_directed()
    assert {d["kind"] for _, d in seen.nodes(data=True)} == {"paper", "stub"}
    assert len(seen) == len(graph.papers) + len(graph.stubs)
    pairs = [(k.citing, k.cited) for k in graph.links] + [
        (c.citing, c.cited) for c in graph.citations
    ]
    weights = {
        (seen.nodes[a]["paper"], seen.nodes[b]["paper"]): d["weight"]
        for a, b, d in seen.edges(data=True)
    }
    assert weights == {pair: float(pairs.count(pair)) for pair in pairs}
    assert max(weights.values()) > 1
    labels = {
        (seen.nodes[a]["paper"], seen.nodes[b]["paper"]): d["label"]
        for a, b, d in seen.edges(data=True)
    }
    assert labels["d-C++ & <fledgling>/é#1", "2401.00001"] == "extends"


@pytest.mark.parametrize("name", ["graphml", "gexf", "cyjs"])
def test_the_projection_on_entities_weights_edges_by_the_papers_that_name_both(name: str) -> None:
    graph = sample_graph()
    seen = read(graph, name, "entities")
    assert not seen.is_directed()
    assert {seen.nodes[node]["entity"] for node in seen} == {e.id for e in graph.entities}
    named = {e: usage.named for e, usage in graph.usage.items()}
    weights = {
        frozenset((seen.nodes[a]["entity"], seen.nodes[b]["entity"])): d["weight"]
        for a, b, d in seen.edges(data=True)
    }
    assert weights == {
        frozenset(pair): float(len(named[pair[0]] & named[pair[1]]))
        for pair in combinations(named, 2)
        if named[pair[0]] & named[pair[1]]
    }
    assert weights[frozenset(("quill", "nestbench"))] == 2


def test_only_a_date_that_begins_with_a_year_gives_a_year() -> None:
    graph = sample_graph()
    dates = ("2024-05", "20245", "soon", "")
    papers = tuple(replace(p, date=date) for p, date in zip(graph.papers, dates, strict=True))
    years = {
        n.get("date", ""): n.get("year")
        for n in flat_nodes(replace(graph, papers=papers))
        if n["kind"] == "paper"
    }
    assert years == {"2024-05": 2024, "20245": None, "soon": None, "": None}


@given(
    graph=graphs(LETTERS),
    name=st.sampled_from(["graphml", "gexf"]),
    shown=st.sampled_from(["papers", "entities"]),
)
def test_a_projection_contains_every_node_of_its_kind(
    graph: KnowledgeGraph, name: str, shown: NodeSet
) -> None:
    kinds = {"papers": {"paper", "stub"}, "entities": {"entity"}}[shown]
    assert set(read(graph, name, shown)) == {
        n["id"] for n in flat_nodes(graph) if n["kind"] in kinds
    }
