"""Reported results as tables, in Python and by `kg results`."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.graph.result_tables import NOTICE, ResultTable
from citekg.schemas.errors import UnknownName
from citekg.schemas.measures import amount_of, value_label
from citekg.schemas.records import Entity, ResultName
from tests.kg.commands import run_cli
from tests.kg.reported import HERON, KITE, RESULTS, WADER, reported_graph, result
from tests.sample import changed_graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return reported_graph()


@pytest.fixture(scope="module")
def file(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graph.save(tmp_path_factory.mktemp("reported") / "graph.json")


def listed(table: ResultTable) -> dict[str, list[str]]:
    return {group.title: [one.label for one in group.results] for group in table.groups}


def test_results_of_one_benchmark_metric_unit_and_kind_are_ranked_best_first(graph: Graph) -> None:
    table = graph.leaderboard("LakeBench")
    assert listed(table) == {
        "accuracy in % on Lake-Bench": ["85.0%", "82.1%", "78.5%"],
        "latency in ms on Lake-Bench": ["40 ms", "60 ms"],
        "ripples on Lake-Bench": ["2.5", "3.5"],
    }
    assert [group.order for group in table.groups] == [
        "higher is better",
        "lower is better",
        "newest first: not ranked",
    ]
    assert NOTICE in table.title


def test_results_of_a_method_without_a_benchmark_are_not_ranked(graph: Graph) -> None:
    speeds = (
        result(KITE, "82.1%", "accuracy", "", "Kite"),
        result(WADER, "60 ms", "accuracy", "", "Kite"),
        result(WADER, "85.0%", "accuracy", "", "Kite"),
    )
    table = changed_graph(graph, results=speeds).leaderboard("Kite")
    assert listed(table)["accuracy in %"] == ["85.0%", "82.1%"]
    assert {group.lower_is_better for group in table.groups} == {None}


def test_results_of_variants_are_counted_but_not_ranked_with_those_of_the_entity(
    graph: Graph,
) -> None:
    wider = Entity("bench", "Bench", "Benchmark")
    entities = (replace(e, family="bench" if e.id == "lake-bench" else "") for e in graph.entities)
    family = changed_graph(graph, entities=(*entities, wider))
    assert family.leaderboard("Bench").variants == (("Lake-Bench", 7),)
    assert family.leaderboard("Bench").groups == ()


def test_a_unit_that_repeats_the_metric_does_not_form_a_separate_group(graph: Graph) -> None:
    steps = (
        replace(RESULTS[0], value="400 steps", metric="training steps"),
        replace(RESULTS[5], value="40", metric="training steps"),
    )
    table = changed_graph(graph, results=steps).leaderboard("Lake-Bench")
    assert listed(table) == {"training steps on Lake-Bench": ["40", "400 steps"]}


def test_a_table_is_requested_by_entity_paper_or_a_name_that_only_results_have(
    graph: Graph,
) -> None:
    assert len(graph.leaderboard("Kite").results) == 7
    assert [one.result.paper for one in graph.leaderboard("Heron models").results] == [HERON.id]
    unlinked = result(KITE, "82.1%", "accuracy", "Pool-Bench")
    assert unlinked.on == (ResultName("Pool-Bench"),)
    assert changed_graph(graph, results=(unlinked,)).leaderboard("pool-bench").results
    with pytest.raises(UnknownName, match="Lake-Bench"):
        graph.leaderboard("Lake-Bensh")


def test_results_of_low_confidence_are_hidden_and_counted(graph: Graph) -> None:
    hidden = graph.leaderboard("Kite", against=True)
    assert (hidden.results, hidden.hidden) == ((), 1)
    shown = graph.leaderboard("Kite", against=True, min_confidence=0)
    assert listed(shown) == {"change of samples as a factor": ["10x lower"]}


@pytest.mark.parametrize(
    ("value", "kind", "direction", "label", "amount"),
    [
        ("$85.0$\\%", "score", "", "85.0%", 85),
        ("67%-77%", "score", "", "67%-77%", 72),
        ("-2.5 dB", "score", "", "-2.5 dB", -2.5),
        ("4.3 points", "change", "up", "+4.3 points", 4.3),
        ("2$\\times$", "change", "up", "2× higher", 2),
        ("2times", "change", "down", "2 times lower", 0.5),
        ("+2 dB", "change", "up", "+2 dB", 2),
        ("30%", "change", "down", "−30%", -30),
        ("10x", "change", "down", "10x lower", 0.1),
        ("two orders of magnitude", "change", "up", "two orders of magnitude higher", None),
    ],
)
def test_the_label_and_amount_of_a_value_include_the_direction_of_a_change(
    value: str, kind: str, direction: str, label: str, amount: float | None
) -> None:
    one = replace(RESULTS[0], value=value, kind=kind, direction=direction)
    assert value_label(one) == label
    assert amount_of(one) == (pytest.approx(amount) if amount is not None else None)


def test_kg_results_prints_the_best_result_first_with_paper_date_and_sentence(file: Path) -> None:
    done = run_cli("results", file, "Lake-Bench", "-n", "1")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[:6] == [
        f"Lake-Bench: 7 results of 3 papers, {NOTICE}",
        "",
        "accuracy in % on Lake-Bench (higher is better)",
        "  85.0%  Kite",
        f"         {WADER.title} (2025-03)",
        "         “Kite reaches 85.0% accuracy on Lake-Bench with a latency of 40 ms, and Heron 60 ms.”",
    ]
    assert "  … and 2 more" in done.output
    assert "Heron, from 71%" in run_cli("results", file, "Heron").output


def test_kg_results_prints_every_result_as_csv_and_json(file: Path) -> None:
    printed = run_cli("results", file, "Kite", "--format", "csv").output
    rows = list(csv.DictReader(io.StringIO(printed)))
    values = json.loads(run_cli("results", file, "Kite", "--json").output)
    assert [row["value"] for row in rows] == [
        one["label"] for group in values["groups"] for one in group["results"]
    ]
    assert values["groups"][-1]["results"][0]["versus"] == [{"text": "Heron", "entity": "heron"}]
    assert (
        "1 more result of a low confidence" in run_cli("results", file, "Kite", "--against").output
    )
    assert "10x lower" in run_cli("results", file, "Kite", "--against", "--all").output
