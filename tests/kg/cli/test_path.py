"""`kg path`: the shortest paths between two entities or papers."""

from __future__ import annotations

import json
from pathlib import Path

from citekg.graph.graph import Graph
from citekg.schemas.records import Entity
from tests.kg.commands import run_cli
from tests.sample import NEST, QUILL, STUB, changed_graph


def test_a_path_may_begin_and_end_at_a_paper(graph: Graph, file: Path) -> None:
    printed = run_cli("path", file, "arXiv:2401.00001v2", NEST.title).output.splitlines()
    assert (printed[0], printed[-1]) == (QUILL.title, NEST.title)
    assert graph.paths(STUB.arxiv_id, "FeatherSet") == graph.paths(STUB, graph.find("FeatherSet"))


def test_kg_path_prints_each_step_with_direction_confidence_and_sentence(file: Path) -> None:
    result = run_cli("path", file, "PPO", "NestBench")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert (lines[0], lines[-1]) == ("PPO", "NestBench")
    steps = [line.strip() for line in lines if line.startswith("  ")]
    assert [line[0] for line in steps] == ["↑", "“", "↓", "“", "↑", "“", "↓", "“"]
    assert steps[-2] == "↓ evaluates on (0.80)"


def test_the_shortest_path_does_not_depend_on_the_order_of_the_records(graph: Graph) -> None:
    steps = graph.paths("PPO", "NestBench")
    reversed_graph = Graph(
        **{
            n: getattr(graph, n)[::-1]
            for n in ("papers", "entities", "mentions", "relations", "links", "stubs")
        },
        run=graph.run,
        introductions=graph.introductions[::-1],
    )
    assert reversed_graph.paths("PPO", "NestBench") == steps
    (way,) = steps
    assert [step.start for step in way][1:] == [step.end for step in way][:-1]


def test_a_path_as_json_writes_each_step_in_the_direction_of_its_edge(file: Path) -> None:
    (way,) = json.loads(run_cli("path", file, "Quill", "PPO", "--json").output)
    assert [(s["from"], s["says"], s["to"], s["forward"]) for s in way] == [
        (QUILL.title, "introduces", "Quill", False),
        (QUILL.title, "extends", "PPO", True),
    ]


def test_several_paths_are_distinct_and_ordered_by_length(graph: Graph) -> None:
    found = graph.paths("Quill", "NestBench", 3)
    assert len(found) == 3
    assert len({tuple(way) for way in found}) == 3
    assert len(found[0]) <= len(found[-1])


def test_a_path_between_two_names_of_one_entity_reports_the_same_node(file: Path) -> None:
    done = run_cli("path", file, "PPO", "Proximal Policy Optimization")
    assert (done.exit_code, done.stdout) == (0, "Both names denote the same node.\n")


def test_unconnected_entities_have_no_path(graph: Graph, file: Path) -> None:
    alone = changed_graph(graph, entities=(*graph.entities, Entity("alone", "Alone", "Method")))
    assert alone.paths("Alone", "PPO") == []
    path = alone.save(file.with_name("alone.json"))
    assert (
        run_cli("path", path, "Alone", "PPO").output
        == "There is no path between them in this graph.\n"
    )


def test_a_path_may_follow_variant_relations(graph: Graph) -> None:
    (way,) = graph.paths("Qwen2.5-VL-7B", "Qwen2.5")
    assert [step.words for step in way] == ["is a variant of", "is a variant of"]
