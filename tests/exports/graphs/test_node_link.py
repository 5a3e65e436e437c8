"""Node-link JSON, its view in networkx, and reading it back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from citekg.exports import exporter, write
from citekg.exports.graphs.networkx_graph import to_networkx
from citekg.exports.graphs.node_link_reading import read_json
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, slug
from citekg.schemas.plugins import ExportOptions
from tests.sample import FLEDGE, sample_graph


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


def document(graph: KnowledgeGraph) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(b"".join(exporter("json").writer(graph, ExportOptions())))
    return read


def test_a_written_graph_is_read_back_equal(graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(graph, tmp_path / "graph.json", "json")
    assert read_json(tmp_path / "graph.json") == graph


def test_the_json_equals_the_node_link_data_of_networkx(graph: KnowledgeGraph) -> None:
    content = document(graph)
    loaded = nx.node_link_graph(content, edges="edges")
    assert isinstance(loaded, nx.MultiDiGraph)
    expected = json.loads(json.dumps(nx.node_link_data(to_networkx(graph), edges="edges")))
    for name in ("nodes", "edges"):
        assert sorted(map(canonical, content.pop(name))) == sorted(
            map(canonical, expected.pop(name))
        )
    assert content == expected


def canonical(record: dict[str, Any]) -> str:
    return json.dumps(record, sort_keys=True)


def test_the_networkx_view_has_one_node_per_record_and_one_edge_per_claim(
    graph: KnowledgeGraph,
) -> None:
    view = to_networkx(graph)
    edges = (*graph.relations, *graph.introductions, *graph.links, *graph.citations)
    families = sum(bool(e.family) for e in graph.entities)
    assert view.number_of_nodes() == len(graph.papers) + len(graph.stubs) + len(graph.entities)
    assert view.number_of_edges() == len(edges) + families + len(graph.outperformances)
    won = view.edges["e-fledge", "e-quill", f"outperforms {FLEDGE.id}_r109"]
    assert (won["margin"], won["metric"], won["on"]) == ("4.5 points", "accuracy", ("NestBench",))
    assert view.edges["p-2401.00001", "p-ppo", "reference"] == {"kind": "citation"}
    assert view.nodes["p-ppo"]["kind"] == "stub"
    assert view.edges["p-ppo", "e-ppo", "known"]["kind"] == "introduction"
    assert view.nodes["e-humaneval~2b"]["name"] == "HumanEval+"
    assert view.nodes["p-2401.00001"]["authors"] == ("Zoë Ångström", "Bo \\ Li", "Ada Ünal")
    assert view.edges["p-2401.00001", "e-ppo", "outperforms"]["confidence"] == 0.66
    assert set(view["p-2401.00001"]["e-ppo"]) == {"extends", "outperforms"}
    assert (
        view.edges["p-2402.00002v2", "p-2401.00001", "usesMethodIn e-quill"]["link"]
        == "usesMethodIn"
    )
    assert (
        view.edges[f"e-{slug(key('Qwen2.5-VL-7B'))}", "e-qwen2.5-vl", "broader"]["kind"] == "family"
    )


def test_the_file_has_one_record_per_line_with_sorted_keys(graph: KnowledgeGraph) -> None:
    text = b"".join(exporter("json").writer(graph, ExportOptions())).decode()
    content = document(graph)
    about = content["graph"]
    records = [*content["edges"], *about["mentions"], *about["results"]]
    records += [*about["topics"], *content["nodes"]]
    lines = [line.rstrip(",") for line in text.splitlines() if line.startswith("{")][1:]
    assert lines == [json.dumps(record, ensure_ascii=False, sort_keys=True) for record in records]
    assert [*content] == sorted(content)


def test_the_file_does_not_depend_on_the_hash_seed(graph: KnowledgeGraph) -> None:
    program = "import sys; from citekg.exports import exporter; from citekg.schemas.plugins import ExportOptions; from tests.sample import sample_graph\n"
    program += (
        "sys.stdout.buffer.writelines(exporter('json').writer(sample_graph(), ExportOptions()))"
    )
    for seed in ("0", "7"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        )
        assert done.stdout == b"".join(exporter("json").writer(graph, ExportOptions()))


def _without(content: dict[str, Any], *path: str | int) -> dict[str, Any]:
    *way, last = path
    place: Any = content
    for step in way:
        place = place[step]
    del place[last]
    return content


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("graph",), "graph"),
        (("graph", "run"), "run"),
        (("graph", "format"), "format"),
        (("nodes",), "nodes"),
        (("nodes", 0, "title"), "title"),
        (("nodes", 0, "kind"), "kind"),
        (("edges", 0, "role"), "role"),
        (("graph", "mentions", 0, "start"), "start"),
    ],
)
def test_a_missing_field_is_refused_and_named(
    graph: KnowledgeGraph,
    tmp_path: Path,
    path: tuple[str | int, ...],
    message: str,
) -> None:
    (tmp_path / "graph.json").write_text(
        json.dumps(_without(document(graph), *path)), encoding="utf-8"
    )
    with pytest.raises(GraphError, match=rf"graph\.json: not a citekg graph: .*{message}"):
        read_json(tmp_path / "graph.json")


@pytest.mark.parametrize(
    ("field", "value"),
    [("start", "4"), ("confidence", None), ("text", 3), ("sentence", 1), ("end", True)],
)
def test_a_value_of_the_wrong_type_is_refused(
    graph: KnowledgeGraph, tmp_path: Path, field: str, value: str | int | None
) -> None:
    content = document(graph)
    content["graph"]["mentions"][0][field] = value
    (tmp_path / "graph.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(GraphError, match=f"Mention with {field}"):
        read_json(tmp_path / "graph.json")


def test_an_entity_with_an_empty_id_is_refused(graph: KnowledgeGraph, tmp_path: Path) -> None:
    content = document(graph)
    next(node for node in content["nodes"] if node["kind"] == "entity")["entity"] = ""
    (tmp_path / "graph.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(GraphError, match="has an empty id; build the graph again"):
        read_json(tmp_path / "graph.json")


@pytest.mark.parametrize(
    "text", ["[]", "3", '{"graph": 1, "nodes": [], "edges": []}', '{"graph": {"format": "x/2"}}']
)
def test_json_without_the_structure_of_a_graph_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "graph.json").write_text(text, encoding="utf-8")
    with pytest.raises(GraphError, match="not a citekg graph"):
        read_json(tmp_path / "graph.json")


def test_invalid_json_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_text('{"nodes":\n[}', encoding="utf-8")
    with pytest.raises(GraphError, match=r"graph\.json:2: not JSON"):
        read_json(tmp_path / "graph.json")
    (tmp_path / "graph.json").write_bytes(b'{"\xff": 1}')
    with pytest.raises(GraphError, match="not JSON"):
        read_json(tmp_path / "graph.json")
