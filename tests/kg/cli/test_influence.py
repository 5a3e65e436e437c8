"""`kg influence`: PageRank over links and citations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.graph.influence import citation_network, pagerank
from tests.kg.commands import run_cli
from tests.sample import QUILL, STUB, changed_graph


def test_pagerank_equals_that_of_networkx(graph: Graph) -> None:
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("scipy")
    net = citation_network(graph)
    expected = networkx.pagerank(net, tol=1e-12, max_iter=1000)
    found = pagerank(net)
    assert found.keys() == expected.keys()
    assert all(abs(found[node] - expected[node]) < 1e-6 for node in found)


def test_pagerank_sums_to_one_and_is_empty_without_citations(graph: Graph) -> None:
    assert sum(pagerank(citation_network(graph)).values()) == pytest.approx(1)
    unlisted = [replace(paper, references=()) for paper in graph.papers]
    assert pagerank(citation_network(changed_graph(graph, links=(), papers=unlisted))) == {}


def test_references_alone_rank_papers_but_not_entities(graph: Graph) -> None:
    listed = changed_graph(graph, links=())
    first = listed.influential_papers()[0]
    assert (first.node.id, first.papers) == (STUB.id, 1)
    assert listed.influential_entities() == []


def test_influence_ranks_cited_papers_and_entities_by_share(graph: Graph) -> None:
    papers = graph.influential_papers()
    assert [i.papers for i in papers if i.node == QUILL] == [3]
    assert {i.node.id for i in papers} == {k.cited for k in graph.links}
    entities = graph.influential_entities()
    assert {i.node.id for i in entities} == {k.entity for k in graph.links}
    assert [i.share for i in entities] == sorted((i.share for i in entities), reverse=True)
    assert [i.name for i in graph.influential_entities(type="Dataset")] == ["FeatherSet"]
    assert len(graph.influential_entities(1)) == 1


def test_the_command_ranks_entities_or_papers(file: Path) -> None:
    assert (
        "Proximal Policy Optimization Algorithms" in run_cli("influence", file, "--papers").output
    )
    assert "FeatherSet" in run_cli("influence", file, "--type", "Dataset").output
    printed = json.loads(run_cli("influence", file, "--json", "-n", 2).output)
    assert [set(row) for row in printed] == [
        {"id", "name", "share", "papers", "used", "in_corpus"}
    ] * 2
    assert run_cli("influence", file, "--papers", "--type", "Model").exit_code == 2
