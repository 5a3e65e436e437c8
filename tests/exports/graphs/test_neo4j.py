"""The CSV files and the script for Neo4j; columns are read by their headers, as in Neo4j."""

from __future__ import annotations

import csv
import io
import re
import zipfile

from hypothesis import given

from citekg.exports import exporter
from citekg.exports.graphs.networkx_graph import to_networkx
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from tests.exports.any_graph import LETTERS, graphs
from tests.sample import sample_graph


def opened(graph: KnowledgeGraph) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(exporter("neo4j").writer(graph, ExportOptions()))))


def rows(graph: KnowledgeGraph, name: str) -> list[dict[str, str]]:
    text = opened(graph).read(f"{name}.csv").decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def ids(graph: KnowledgeGraph) -> set[str]:
    return {row["id:ID"] for name in ("papers", "entities", "results") for row in rows(graph, name)}


def test_nodes_and_edges_equal_the_networkx_view() -> None:
    view = to_networkx(sample_graph())
    results = {row["id:ID"] for row in rows(sample_graph(), "results")}
    assert ids(sample_graph()) == set(view) | results
    edges = [(row[":START_ID"], row[":END_ID"]) for row in rows(sample_graph(), "edges")]
    assert sorted(e for e in edges if not results & {*e}) == sorted(view.edges())


def test_a_result_is_a_node_connected_to_its_paper_and_its_entities() -> None:
    [result, *_] = rows(sample_graph(), "results")
    assert (result["value"], result["low:double"]) == ("82.5\\%", "82.5")
    assert result["system:string[]"] == "Fledge"
    around = {
        (row[":TYPE"], row[":START_ID"], row[":END_ID"])
        for row in rows(sample_graph(), "edges")
        if result["id:ID"] in (row[":START_ID"], row[":END_ID"])
    }
    assert {(type_, end) for type_, _, end in around} == {
        ("REPORTS", result["id:ID"]),
        ("ON", "e-nestbench"),
        ("SYSTEM", "e-fledge"),
        ("VERSUS", "e-quill"),
    }


def test_labels_and_relationship_types_follow_the_conventions_of_neo4j() -> None:
    assert {row[":LABEL"] for row in rows(sample_graph(), "papers")} == {"Paper", "Paper;Stub"}
    assert "Entity;Benchmark" in {row[":LABEL"] for row in rows(sample_graph(), "entities")}
    types = {row[":TYPE"] for row in rows(sample_graph(), "edges")}
    assert {
        "INTRODUCES",
        "EVALUATES_ON",
        "USES_METHOD_IN",
        "KNOWN_TO_INTRODUCE",
        "BROADER",
    } <= types


def test_every_edge_has_a_unique_merge_key() -> None:
    keys = [
        (r[":START_ID"], r[":END_ID"], r[":TYPE"], r["via"]) for r in rows(sample_graph(), "edges")
    ]
    assert len(set(keys)) == len(keys)


def test_the_script_reads_every_file_and_column_and_every_kind_of_edge() -> None:
    script = opened(sample_graph()).read("load.cypher").decode()
    for name in ("papers", "entities", "results", "edges"):
        assert f"file:///{name}.csv" in script
    headers = {
        column
        for name in ("papers", "entities", "results", "edges")
        for column in rows(sample_graph(), name)[0]
    }
    read = set(re.findall(r"row\.`?([\w:\[\]]+)`?", script))
    assert read == headers
    wanted = {(row[":TYPE"], row["kind"]) for row in rows(sample_graph(), "edges")}
    assert set(re.findall(r"row\.`:TYPE` = '(\w+)' AND row\.kind = '(\w+)'", script)) == wanted
    assert script.count("{") == script.count("}")


@given(graph=graphs(LETTERS))
def test_every_record_is_one_csv_line_without_a_backslash_before_a_quote(
    graph: KnowledgeGraph,
) -> None:
    archive = opened(graph)
    for name in ("papers", "entities", "results", "edges"):
        text = archive.read(f"{name}.csv").decode()
        read = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        assert text.count("\n") == len(read)
        assert len({len(row) for row in read}) == 1
        assert not re.search(r'\\"', text)
        assert not any(cell.endswith("\\") for row in read for cell in row)
    assert {
        end for row in rows(graph, "edges") for end in (row[":START_ID"], row[":END_ID"])
    } <= ids(graph)
