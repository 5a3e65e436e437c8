"""Reference lists of records become citations in the graph, its files and query results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import citekg
from citekg.cli.main import main
from citekg.graph.graph import Graph
from citekg.validation.validate import validate

#: Two works of OpenAlex, of which one is on arXiv and is cited by the other.
WORKS = [
    {
        "id": "https://openalex.org/W1",
        "title": "KiteNet: Flying Kites",
        "publication_year": 2023,
        "abstract": "We introduce KiteNet, a new method for flying kites. KiteNet outperforms PPO on D4RL.",
        "authorships": [],
        "locations": [{"landing_page_url": "https://arxiv.org/abs/2301.00001"}],
        "referenced_works": ["https://openalex.org/W99"],
    },
    {
        "id": "https://openalex.org/W2",
        "doi": "https://doi.org/10.1000/nests",
        "title": "Nests",
        "publication_year": 2024,
        "abstract": "We measure nests of birds in the wild.",
        "authorships": [],
        "referenced_works": ["https://openalex.org/W1", "https://openalex.org/W98"],
    },
]
#: A paper of Semantic Scholar that cites the second work by its DOI.
CITING = {
    "paperId": "c" * 40,
    "title": "Rivers",
    "abstract": "Rivers bend. We build on KiteNet and compare it with PPO on D4RL.",
    "year": 2025,
    "references": [{"paperId": "d" * 40, "externalIds": {"DOI": "10.1000/NESTS"}}],
}


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    monkeypatch.chdir(tmp_path)
    Path("works.jsonl").write_text("\n".join(map(json.dumps, WORKS)), encoding="utf-8")
    Path("citing.json").write_text(json.dumps(CITING), encoding="utf-8")
    graph = citekg.build(["works.jsonl", "citing.json"])
    graph.save("graph.ttl")
    return graph


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done


def test_references_with_different_kinds_of_ids_are_resolved_to_citations(graph: Graph) -> None:
    assert [(c.citing, c.cited) for c in graph.citations] == [
        ("10.1000/nests", "2301.00001"),
        ("c" * 40, "10.1000/nests"),
    ]
    assert graph.paper_by_id["2301.00001"].references == ("openalex:W99",)


def test_citations_are_not_links_and_links_are_not_citations(graph: Graph) -> None:
    links = [(k.citing, k.cited) for k in graph.links if k.cited in graph.paper_by_id]
    assert links == [("c" * 40, "2301.00001")]
    rows = run("query", "graph.ttl", "@unlisted-links", "--format", "csv").stdout.splitlines()[1:]
    pairs = [(row.split(",")[0], row.split(",")[2]) for row in rows]
    assert ("Rivers", "KiteNet: Flying Kites") in pairs
    assert "Nests" not in {cited for _, cited in pairs}


def test_a_saved_graph_is_valid_and_contains_references_and_citations(graph: Graph) -> None:
    assert validate(Path("graph.ttl")) == ()
    assert citekg.load("graph.ttl").citations == graph.citations
    asked = "SELECT ?a ?b { ?p ckg:hasReference ?q . ?p cito:cites ?q . ?p dcterms:title ?a . ?q dcterms:title ?b }"
    assert sorted(run("query", "graph.ttl", asked, "--format", "csv").stdout.splitlines()[1:]) == [
        "Nests,KiteNet: Flying Kites",
        "Rivers,Nests",
    ]
    bare = "SELECT ?q { ?p dcterms:references ?q }"
    assert "https://openalex.org/W98" in run("query", "graph.ttl", bare, "--format", "csv").stdout


@pytest.mark.usefixtures("graph")
def test_validation_reports_a_reference_that_is_in_no_reference_list() -> None:
    text = Path("graph.ttl").read_text(encoding="utf-8")
    Path("graph.ttl").write_text(
        f"{text}ckgid:p-2301.00001 ckg:hasReference ckgid:p-{'c' * 40} .\n", encoding="utf-8"
    )
    assert [
        (v.rule, v.message.endswith("which no list of references contains"))
        for v in validate(Path("graph.ttl"))
    ] == [("unfounded", True)]


@pytest.mark.usefixtures("graph")
def test_stats_and_diff_count_references() -> None:
    messages = json.loads(run("stats", "graph.ttl", "--json").stdout)
    assert (messages["references"], messages["citations"]) == (4, 2)
    assert (
        "References  4 in reference lists, 2 of them to papers of this graph"
        in run("stats", "graph.ttl").stdout
    )
    Path("citing.json").write_text(json.dumps({**CITING, "references": []}), encoding="utf-8")
    citekg.build(["works.jsonl", "citing.json"]).save("other.ttl")
    done = CliRunner().invoke(main, ["diff", "graph.ttl", "other.ttl", "--json"])
    assert json.loads(done.stdout)["records"]["citations"] == {"new": 0, "removed": 1}
