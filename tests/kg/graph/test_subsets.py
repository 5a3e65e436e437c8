"""Subsets: graphs that hold only the selected records and the records that these refer to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from citekg.exports import exporter
from citekg.graph.graph import Graph
from citekg.graph.subsets import Selection, subset
from citekg.schemas.errors import FilterError, UnknownName
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Entity, Introduction
from citekg.storage.graph_files import load_graph
from citekg.validation.integrity import check_integrity
from citekg.validation.validate import validate
from tests.kg.commands import run_cli
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, changed_graph, records, sample_graph

SELECTIONS = [
    {"about": "Quill"},
    {"about": "PPO"},
    {"about": ["Quill", "NestBench"], "min_confidence": 0.75},
    {"about": "Qwen2.5"},
    {"about": "C++", "min_confidence": 0.9},
    {"role": "extends"},
    {"role": ["introduces", "uses"]},
    {"type": ["Benchmark", "Dataset"]},
    {"since": "2024-02"},
    {"until": 2024, "type": "Method"},
    {"papers": [FLEDGE.id, NEST.title]},
    {"venue": "feathers"},
    {"author": "li", "text": "bird"},
    {"min_confidence": 0.7},
    {"min_confidence": 1.0},
    {"about": "PPO", "since": 2026},
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph(**records(sample_graph()))


@pytest.fixture(scope="module")
def file(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graph.save(tmp_path_factory.mktemp("graph") / "graph.json")


def every_record(graph: KnowledgeGraph) -> Iterator[object]:
    for name in ("papers", "stubs", "entities", "mentions", "relations", "links", "introductions"):
        yield from ((name, record) for record in getattr(graph, name))


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_a_subset_is_a_valid_graph_and_keeps_the_order_of_the_records(
    graph: Graph, tmp_path: Path, selection: dict[str, Any]
) -> None:
    part = graph.subset(**selection)
    assert isinstance(part, Graph)
    assert [*check_integrity(part)] == []
    whole = [*every_record(graph)]
    assert [record for record in whole if record in set(every_record(part))] == [
        *every_record(part)
    ]
    for name in ("json", "ttl"):
        path = part.save(tmp_path / f"part.{name}")
        assert [*validate(path)] == []
        assert records(load_graph(path)) == records(part)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_a_subset_has_the_relations_that_where_finds(
    graph: Graph, selection: dict[str, Any]
) -> None:
    given = {
        "about": None,
        "role": None,
        "type": None,
        "min_confidence": 0.0,
        "papers": None,
    } | selection
    dates = {
        k: v for k, v in selection.items() if k in {"since", "until", "venue", "author", "text"}
    }
    papers = {p.id for p in graph.papers.where(**dates)}
    about = [given["about"]] if isinstance(given["about"], str) else given["about"]
    if about == ["Qwen2.5"]:
        about = ["Qwen2.5", "Qwen2.5-VL", "Qwen2.5-VL-7B"]
    found = graph.relations.where(
        paper=given["papers"],
        role=given["role"],
        type=given["type"],
        entity=about,
        min_confidence=given["min_confidence"],
    )
    assert graph.subset(**selection).relations == tuple(r for r in found if r.paper in papers)


def test_a_subset_keeps_the_evidence_and_the_papers_of_its_relations(graph: Graph) -> None:
    part = graph.subset(about="Quill")
    for relation in part.relations:
        assert [*part.evidence(relation)] == [*graph.evidence(relation)]
    assert {m.entity for m in part.mentions} == {"quill"}
    assert part.papers == graph.papers


def test_papers_are_kept_for_their_relations_and_those_without_any_for_their_date(
    graph: Graph,
) -> None:
    assert graph.subset(about="Quill", role="extends").papers == (FLEDGE,)
    without_claims = changed_graph(graph, relations=(), links=(), mentions=())
    assert without_claims.subset(since=2025).papers == (FLEDGE,)
    assert without_claims.subset(since=2025, role="extends").papers == ()


def test_stubs_and_links_to_them_are_kept_only_if_introductions_are_selected(graph: Graph) -> None:
    whole = graph.subset(about="PPO")
    assert (whole.stubs, [k.cited for k in whole.links]) == ((STUB,), [STUB.id])
    uses = graph.subset(about="PPO", role="extends")
    assert (uses.stubs, uses.links, uses.introductions) == ((), (), ())
    both = graph.subset(about="PPO", role=["extends", "introduces"])
    assert (both.stubs, both.links) == (whole.stubs, whole.links)


def test_a_link_is_kept_only_with_both_papers_and_the_relations_behind_it(graph: Graph) -> None:
    assert {(k.citing, k.cited) for k in graph.subset(papers=[QUILL, NEST]).links} == {
        (QUILL.id, STUB.id),
        (NEST.id, QUILL.id),
    }
    assert not graph.subset(about="Quill", role=["uses", "extends"]).links
    assert not graph.subset(about="Quill", papers=NEST).links


def test_a_known_introduction_counts_as_a_relation_with_confidence_1(graph: Graph) -> None:
    known = changed_graph(
        graph, introductions=(*graph.introductions, Introduction(NEST.id, "c~2b~2b"))
    )
    part = known.subset(about="C++", role="introduces", min_confidence=1)
    assert (part.papers, part.introductions) == ((NEST,), (Introduction(NEST.id, "c~2b~2b"),))


def test_a_subset_includes_variants_and_families_of_the_selected_entities(graph: Graph) -> None:
    assert graph.subset(about="Qwen2.5").papers == (QUILL,)
    assert [e.name for e in graph.subset(type="Model").entities] == [
        "Qwen2.5",
        "Qwen2.5-VL",
        "Qwen2.5-VL-7B",
    ]


def test_a_requested_entity_is_kept_even_without_claims(
    graph: Graph,
) -> None:
    part = graph.subset(about="Quill", since=2030)
    assert (part.papers, [e.name for e in part.entities]) == ((), ["Quill"])


def test_an_empty_selection_keeps_everything_and_generators_are_accepted(
    graph: Graph,
) -> None:
    assert graph.subset() is graph
    assert subset(sample_graph(), Selection()) == sample_graph()
    one = graph.subset(
        about=(name for name in ["Quill"]), role=(r for r in ["uses"]), papers=(p for p in [NEST])
    )
    assert records(one) == records(graph.subset(about="Quill", role="uses", papers=NEST))


def test_unknown_values_of_a_selection_are_rejected(graph: Graph) -> None:
    misspelt: list[dict[str, Any]] = [{"role": "exends"}, {"type": "Methode"}, {"since": "soon"}]
    for wrong in misspelt:
        with pytest.raises(FilterError):
            graph.subset(**wrong)
    unknown: list[dict[str, Any]] = [{"about": "Quil"}, {"papers": "Quil"}]
    for wrong in unknown:
        with pytest.raises(UnknownName):
            graph.subset(**wrong)


def test_nested_families_are_followed_transitively(graph: Graph) -> None:
    deep = [
        Entity(f"f{n}", f"F{n}", "Model", family=f"f{n + 1}" if n < 5 else "quill")
        for n in range(6)
    ]
    part = changed_graph(graph, entities=(*graph.entities, *deep)).subset(about="Quill")
    assert {e.id for e in part.entities} == {e.id for e in deep} | {"quill"}


PROGRAM = """
import hashlib
from citekg.exports import exporter
from citekg.schemas.plugins import ExportOptions
from citekg.graph.subsets import Selection, subset
from tests.sample import sample_graph
part = subset(sample_graph(), Selection(about="Quill", min_confidence=0.5))
for name in ("json", "ttl", "md", "bib"):
    print(hashlib.sha256(b"".join(exporter(name).writer(part, ExportOptions()))).hexdigest())
"""


def test_exports_of_a_subset_do_not_depend_on_the_hash_seed() -> None:
    reported = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(reported) == 1


@pytest.mark.parametrize("name", ["bib", "html", "md", "csv", "ttl", "json"])
def test_export_writes_a_subset_in_any_format(
    file: Path, graph: Graph, tmp_path: Path, name: str
) -> None:
    out = tmp_path / f"part{exporter(name).suffix}"
    options = (
        "--about",
        "Quill",
        "--role",
        "extends",
        "--role",
        "uses",
        "--since",
        "2024-02",
        "--min-confidence",
        0.7,
    )
    done = run_cli("export", file, *options, "-f", name, "-o", out)
    assert done.exit_code == 0, done.output
    part = graph.subset(
        about="Quill", role=["extends", "uses"], since="2024-02", min_confidence=0.7
    )
    assert [r.role for r in part.relations] == ["uses", "extends"]
    assert out.read_bytes() == b"".join(exporter(name).writer(part, ExportOptions()))


def test_every_option_of_export_selects_like_the_python_argument_of_its_name(
    file: Path, graph: Graph, tmp_path: Path
) -> None:
    given = {
        "--about": "PPO", "--role": "extends", "--type": "Method", "--paper": QUILL.id, "--since": "2024-02",
        "--until": "2024-01-02", "--venue": "feathers", "--author": "ünal", "--text": "backbone",
        "--min-confidence": "0.7",
    }  # fmt: skip
    names = {"--paper": "papers", "--min-confidence": "min_confidence"}
    for option, value in given.items():
        out = tmp_path / "part.json"
        assert run_cli("export", file, option, value, "-f", "json", "-o", out).exit_code == 0
        name = names.get(option, option[2:])
        chosen: dict[str, Any] = {name: float(value) if name == "min_confidence" else value}
        part = graph.subset(**({"min_confidence": 0.5} | chosen))
        assert records(load_graph(out)) == records(part)
        assert len(part.relations) < len(graph.relations)
        if option != "--min-confidence":
            assert (
                run_cli("export", file, option, value, "--all", "-f", "json", "-o", out).exit_code
                == 0
            )
            assert records(load_graph(out)) == records(graph.subset(**chosen))


def test_a_subset_without_papers_is_an_error_and_nothing_is_written(
    file: Path, tmp_path: Path
) -> None:
    done = run_cli(
        "export",
        file,
        "--about",
        "Quill",
        "--since",
        "2030",
        "-f",
        "bib",
        "-o",
        tmp_path / "part.bib",
    )
    assert done.exit_code == 1
    assert (
        done.stderr == f"Error: no paper in {file} meets these conditions, so nothing was written\n"
    )
    assert not (tmp_path / "part.bib").exists()


def test_a_confidence_outside_0_to_1_and_an_unknown_name_are_rejected(
    file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "part.bib"
    assert run_cli("export", file, "--min-confidence", "7", "-f", "bib", "-o", out).exit_code == 2
    done = run_cli("export", file, "--about", "Quil", "-f", "bib", "-o", out)
    assert (done.exit_code, "did you mean Quill?" in done.stderr) == (1, True)


@pytest.mark.slow
def test_combined_selections_of_the_example_graph_are_valid(example_graph: Graph) -> None:
    roles, types = (None, "introduces", ("extends", "uses")), (None, "Benchmark")
    for role, type_, since, sure in product(roles, types, (None, 2022), (0.0, 0.8)):
        part = example_graph.subset(role=role, type=type_, since=since, min_confidence=sure)
        assert [*check_integrity(part)] == []


def test_view_shows_only_claims_with_at_least_min_confidence(
    file: Path, tmp_path: Path, graph: Graph
) -> None:
    page = tmp_path / "page.html"
    assert run_cli("view", file, "-o", page, "--min-confidence", "0.75").exit_code == 0
    expected = b"".join(exporter("html").writer(graph.subset(min_confidence=0.75), ExportOptions()))
    assert page.read_bytes() == expected


def test_papers_with_only_claims_below_min_confidence_are_excluded(graph: Graph) -> None:
    assert {r.paper for r in graph.subset(about="Quill", min_confidence=0.8).relations} == {
        QUILL.id,
        NEST.id,
        FLEDGE.id,
    }
    assert FEATHERS not in graph.subset(about="Quill", min_confidence=0.8).papers
