"""`kg topics`: the topics with their sizes, and one topic with its entities and papers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import citekg
from citekg.exports import write
from tests.kg.commands import run_cli
from tests.naming import graph_of_names
from tests.sample import sample_graph

PAPERS = ("Kite Heron", "Kite Heron Egret", "Kite Egret", "Trout Perch", "Trout Roach Perch",
          "Trout Perch Roach", "Trout Roach")  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("topics") / "graph.json"
    write(graph_of_names(PAPERS), path, "json")
    return path


def test_topics_are_listed_with_their_sizes_in_descending_order(file: Path) -> None:
    lines = run_cli("topics", file).output.splitlines()
    assert lines[0] == "2 topics"
    assert [line.split() for line in lines[3:]] == [
        ["Trout", "·", "Perch", "·", "Roach", "4", "3"],
        ["Kite", "·", "Egret", "·", "Heron", "3", "3"],
    ]
    assert run_cli("topics", file, "-n", "1").output.startswith("2 topics, the first 1")


def test_a_topic_is_found_by_the_name_of_any_of_its_entities(file: Path) -> None:
    shown = run_cli("topics", file, "heron").output
    assert shown.startswith("Kite · Egret · Heron: 3 entities")
    assert "On Kite Heron Egret" in shown
    assert "Trout" not in shown


def test_an_entity_without_a_topic_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    write(sample_graph(), path, "json")
    assert run_cli("topics", path, "C++").output == "C++ belongs to no topic\n"


def test_json_lists_the_same_topics_as_python(file: Path) -> None:
    found = json.loads(run_cli("topics", file, "--json", "-n", "1").output)
    topics = citekg.load(file).topics
    assert [(t["label"], tuple(t["entities"]), tuple(t["papers"])) for t in found] == [
        (t.label, t.entities, t.papers) for t in topics
    ]


@pytest.mark.parametrize("name", ["ttl", "jsonld", "rdf"])
def test_rdf_holds_topics_as_collections_and_loads_them_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"graph.{name}"
    graph = graph_of_names(PAPERS)
    write(graph, path, name)
    assert citekg.load(path).topics == graph.topics
    query = """SELECT ?label (COUNT(DISTINCT ?e) AS ?entities) (COUNT(DISTINCT ?p) AS ?papers) {
        ?t a skos:Collection, ckg:Topic ; skos:prefLabel ?label ; skos:member ?e ;
            rdf:_1/skos:prefLabel ?first ; schema:subjectOf ?p .
        ?p a schema:ScholarlyArticle . FILTER(STRSTARTS(?label, ?first))
    } GROUP BY ?label ORDER BY ?label"""
    rows = run_cli("query", path, query, "--format", "csv").output.splitlines()
    assert rows[1:] == ["Kite · Egret · Heron,3,3", "Trout · Perch · Roach,3,4"]
    assert run_cli("validate", path).exit_code == 0
