"""All outputs agree on the number of papers per entity and on the confidence of each claim."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest

from citekg.exports import exporter
from citekg.graph.graph import Graph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Introduction, Mention, Relation
from citekg.schemas.vocabulary import Role
from tests.kg.commands import run_cli
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, changed_graph, records, sample_graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The sample, with a known introduction of an entity that the paper does not name."""
    sample = records(sample_graph())
    known = tuple(sorted((*sample["introductions"], Introduction(NEST.id, "c~2b~2b"))))
    return Graph(**sample | {"introductions": known})


@pytest.fixture(scope="module")
def file(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graph.save(tmp_path_factory.mktemp("graph") / "graph.json")


def counts(graph: Graph) -> dict[str, tuple[int, int]]:
    return {e: (len(u.named), len(u.used)) for e, u in graph.usage.items()}


def test_usage_lists_the_papers_that_name_use_and_introduce_an_entity(graph: Graph) -> None:
    quill, ppo, cpp = (graph.usage[entity] for entity in ("quill", "ppo", "c~2b~2b"))
    assert quill.named == {QUILL.id, NEST.id, FLEDGE.id, FEATHERS.id}
    assert quill.used == {NEST.id, FLEDGE.id}
    assert quill.introduced == {QUILL.id}
    assert (ppo.named, ppo.introduced) == (frozenset({QUILL.id}), frozenset({STUB.id}))
    assert (cpp.named, cpp.used, cpp.introduced) == (
        frozenset({FLEDGE.id}),
        frozenset(),
        frozenset({NEST.id}),
    )


def test_a_mention_without_a_claim_counts_as_naming_but_not_as_use() -> None:
    sample = sample_graph()
    mention = Mention(FEATHERS.id, "fledge", 0, 3, "Fea", "Method", (0, 3), "lexicon", 0.9)
    named = replace(sample, mentions=(*sample.mentions, mention)).usage["fledge"]
    assert (named.named, named.used) == (frozenset({FLEDGE.id, FEATHERS.id}), frozenset())


def test_a_role_of_a_schema_counts_as_use_unless_its_parent_is_compares_to(
    graph: Graph,
) -> None:
    made = [
        Role(n, n, ("Method",), "", parent)
        for n, parent in (("treats", None), ("beats", "comparesTo"))
    ]
    vocabulary = replace(graph.vocabulary, paper_roles=(*graph.vocabulary.paper_roles, *made))
    for role, used in (("treats", {NEST.id}), ("beats", set())):
        claim = Relation(NEST.id, role, "ppo", 0.9, ())
        claimed = changed_graph(graph, vocabulary=vocabulary, relations=(claim,))
        assert claimed.usage["ppo"].used == used
        assert {r.paper for r in claimed.users_of("PPO")} == used


def test_show_stats_influence_python_and_gexf_report_the_same_counts(
    graph: Graph, file: Path
) -> None:
    expected = counts(graph)
    names = {e.id: e.name for e in graph.entities}
    for entity in names:
        shown = json.loads(run_cli("show", file, entity, "--json", "--all").output)
        assert (shown["papers"], shown["used"]) == expected[entity]
        assert shown["introduced"] == len(graph.usage[entity].introduced)
    for least in range(1, 5):
        found = {e.id for e in graph.entities.where(min_papers=least)}
        assert found == {e for e, (named, _) in expected.items() if named >= least}
    stats = json.loads(run_cli("stats", file, "--json").output)["most used"]
    assert {row["name"]: row["papers"] for rows in stats.values() for row in rows} == {
        names[e]: named for e, (named, _) in expected.items() if named
    }
    for row in json.loads(run_cli("influence", file, "--json", "--all", "-n", 99).output):
        assert (row["papers"], row["used"]) == expected[row["id"]]
    assert {
        i.node.id: (i.papers, i.used) for i in graph.influential_entities(99)
    }.items() <= expected.items()
    net = nx.read_gexf(io.BytesIO(b"".join(exporter("gexf").writer(graph, ExportOptions()))))
    nodes = [data for _, data in net.nodes(data=True) if data["kind"] == "entity"]
    assert {n["entity"]: (n["papers"], n["used"]) for n in nodes} == expected


@pytest.mark.parametrize("type_", ["Method", "Benchmark", "Model", "Dataset"])
def test_the_query_top_methods_counts_the_papers_that_name_an_entity(
    graph: Graph, type_: str
) -> None:
    rows = graph.query("@top-methods", tentative=True, type=type_, limit="99")
    assert {row["name"]: int(row["papers"]) for row in rows} == {
        e.name: len(graph.usage[e.id].named)
        for e in graph.entities
        if e.type == type_ and graph.usage[e.id].named
    }


def test_stats_and_show_of_the_saved_example_graph_match_the_counts_in_memory(
    example_graph: Graph, tmp_path: Path
) -> None:
    file = example_graph.save(tmp_path / "graph.json")
    stats = json.loads(run_cli("stats", file, "--json").output)["most used"]
    for rows in stats.values():
        for row in rows:
            shown = json.loads(run_cli("show", file, row["name"], "--json", "--all").output)
            assert shown["papers"] == row["papers"] == len(example_graph.usage[shown["id"]].named)


def test_influence_separates_use_from_mention_and_marks_papers_outside_the_corpus(
    graph: Graph, file: Path
) -> None:
    printed = run_cli("influence", file, "--papers").output
    assert "used by  cited by" in printed
    assert f"{STUB.title} (outside this corpus)" in printed
    assert f"{QUILL.title} (outside" not in printed
    rows = {
        row["id"]: row
        for row in json.loads(run_cli("influence", file, "--papers", "--json", "--all").output)
    }
    assert (rows[QUILL.id]["papers"], rows[QUILL.id]["used"], rows[QUILL.id]["in_corpus"]) == (
        3,
        2,
        True,
    )
    assert rows[STUB.id]["in_corpus"] is False
    assert "used by  named by" in run_cli("influence", file).output
    assert [(i.papers, i.used) for i in graph.influential_entities() if i.name == "Quill"] == [
        (4, 2)
    ]


def test_show_and_path_print_the_confidence_of_each_claim(file: Path) -> None:
    shown = run_cli("show", file, "Quill").output
    assert "\n  0.90  Fledge (2025)\n    “Fledge builds on Quill.”" in shown
    assert "used by: 2 papers in their own work" in shown
    path = run_cli("path", file, "Quill", "PPO").output.splitlines()
    assert [line for line in path if line.startswith(("  ↓", "  ↑"))] == [
        "  ↑ introduces (1.00)",
        "  ↓ extends (0.75)",
    ]
    (way,) = json.loads(run_cli("path", file, "Quill", "PPO", "--json").output)
    assert [step["confidence"] for step in way] == [1.0, 0.75]


def test_show_path_influence_and_co_use_exclude_claims_below_min_confidence(
    file: Path, graph: Graph
) -> None:
    shown = json.loads(run_cli("show", file, "Quill", "--json", "--min-confidence", "0.85").output)
    assert {role: len(claims) for role, claims in shown["roles"].items()} == {
        "introduces": 1,
        "extends": 1,
    }
    assert (shown["papers"], shown["used"]) == (2, 1)
    assert (
        run_cli("path", file, "Quill", "PPO", "--min-confidence", "0.9").output
        == "There is no path between them in this graph.\n"
    )
    assert graph.paths("Quill", "PPO", min_confidence=0.9) == []
    everything = json.loads(run_cli("influence", file, "--json").output)
    confident = json.loads(run_cli("influence", file, "--json", "--min-confidence", "0.65").output)
    assert (len(everything), confident) == (4, [])
    pairs = [
        json.loads(run_cli("co-use", file, "--json", *sure).output)
        for sure in ((), ("--min-confidence", "0.85"))
    ]
    assert (len(pairs[0]) > 0, pairs[1]) == (True, [])


@pytest.mark.parametrize("name", ["citing", "provenance", "unlisted-links"])
def test_named_queries_with_confidences_accept_min_confidence(
    graph: Graph, tmp_path: Path, name: str
) -> None:
    cited = replace(graph.papers[0], references=("arxiv:0000.00000",))
    file = changed_graph(graph, papers=(cited, *graph.papers[1:])).save(tmp_path / "graph.ttl")
    values = {"citing": ("--set", "title=Quill"), "provenance": ("--set", "name=Quill")}.get(
        name, ()
    )
    answers = [
        json.loads(run_cli("query", file, f"@{name}", *values, "--json", *sure).output)["results"][
            "bindings"
        ]
        for sure in ((), ("--min-confidence", "0.65"), ("--min-confidence", "1"))
    ]
    kept = [
        [row for row in answers[0] if float(row["confidence"]["value"]) >= least]
        for least in (0, 0.65, 1)
    ]
    assert answers == kept
    assert len(answers[0]) > len(answers[2])


def test_queries_without_that_parameter_reject_min_confidence(file: Path) -> None:
    for asked in ("@top-methods", "ASK {}"):
        assert run_cli("query", file, asked, "--min-confidence", "0.5").exit_code == 1


@pytest.mark.parametrize(
    "command", ["show", "path", "influence", "co-use", "view", "export", "query"]
)
def test_every_command_that_lists_claims_has_the_option_min_confidence(command: str) -> None:
    assert "--min-confidence" in run_cli(command, "--help").output


def test_the_csv_export_has_the_confidences_of_the_relations(graph: Graph) -> None:
    (data,) = [t for n, t in _tables(graph).items() if n == "relations.csv"]
    assert {float(row["confidence"]) for row in csv.DictReader(io.StringIO(data))} == {
        r.confidence for r in graph.relations
    }


def _tables(graph: Graph) -> dict[str, str]:
    import zipfile

    with zipfile.ZipFile(
        io.BytesIO(b"".join(exporter("csv").writer(graph, ExportOptions())))
    ) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}
