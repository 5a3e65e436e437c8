"""The igraph view has the same content as the networkx view."""

from __future__ import annotations

import sys

import pytest

from citekg.exports.graphs.networkx_graph import to_networkx
from citekg.graph.graph import Graph
from citekg.schemas.errors import MissingPackage
from tests.sample import sample_graph


def graph() -> Graph:
    return Graph(**vars(sample_graph()))


def test_the_igraph_view_has_nodes_edges_and_attributes_of_the_networkx_view() -> None:
    pytest.importorskip("igraph", reason="igraph is an optional extra")
    view, seen = to_networkx(sample_graph()), graph().to_igraph()
    assert seen.is_directed()
    assert seen.vs["name"] == list(view)
    for vertex in seen.vs:
        present = {k: v for k, v in vertex.attributes().items() if v is not None and k != "name"}
        assert present == {k: v for k, v in view.nodes[vertex["name"]].items() if k != "name"}
    ends = [(seen.vs[e.source]["name"], seen.vs[e.target]["name"], e["key"]) for e in seen.es]
    assert sorted(ends) == sorted(view.edges(keys=True))
    assert seen.vs.find(name="e-quill").degree(mode="in") == view.in_degree("e-quill")


def test_a_missing_library_is_reported_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingPackage, match=r"pip install 'citekg\[igraph\]'"):
        graph().to_igraph()
