"""`kg co-use`: pairs of entities that papers use together."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.schemas.errors import FilterError
from citekg.schemas.records import Introduction, Relation
from citekg.schemas.vocabulary import Role
from tests.kg.commands import run_cli
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, changed_graph


def test_entities_used_by_the_same_paper_are_paired(graph: Graph) -> None:
    pairs = {(c.one.name, c.other.name): c.papers for c in graph.co_use()}
    assert pairs["Quill", "HumanEval"] == (QUILL.id,)
    assert pairs["Quill", "NestBench"] == (NEST.id, FLEDGE.id)
    assert ("C++", "NestBench") not in pairs
    assert next(iter(pairs)) == ("Quill", "NestBench")


def test_pairs_of_one_type_are_listed_once_and_have_two_different_entities(graph: Graph) -> None:
    pairs = [(c.one.name, c.other.name) for c in graph.co_use("Method", "Method")]
    assert len(pairs) == len({frozenset(p) for p in pairs})
    assert all(a != b for a, b in pairs)


def test_an_unknown_type_is_rejected(graph: Graph) -> None:
    for ask in (
        lambda: graph.co_use("Method", "Methode"),
        lambda: graph.influential_entities(9, "Methode"),
    ):
        with pytest.raises(
            FilterError, match="no type is called 'Methode': choose one of Benchmark, Dataset"
        ):
            ask()


def test_a_role_of_a_schema_counts_as_use_unless_its_parent_is_compares_to(graph: Graph) -> None:
    treats, beats = (
        Role(n, n, ("Method",), "", parent)
        for n, parent in (("treats", None), ("beats", "comparesTo"))
    )
    wider = replace(graph.vocabulary, paper_roles=(*graph.vocabulary.paper_roles, treats, beats))
    for role, seen in (("treats", True), ("beats", False)):
        stated = tuple(replace(r, role=role) if r.role == "uses" else r for r in graph.relations)
        pairs = changed_graph(graph, relations=stated, vocabulary=wider).co_use(
            "Method", "Method", 99
        )
        assert (pairs == graph.co_use("Method", "Method", 99)) is seen


def test_entities_introduced_by_a_stub_are_not_paired(graph: Graph) -> None:
    known = (*graph.introductions, Introduction(STUB.id, "humaneval"))
    assert changed_graph(graph, introductions=known).co_use() == graph.co_use()


@pytest.mark.parametrize(
    ("one", "other"), [("Method", "Benchmark"), ("Benchmark", "Method"), ("Method", "Method")]
)
def test_the_named_query_co_use_returns_the_counts_of_the_python_method(
    graph: Graph, one: str, other: str
) -> None:
    treats, beats = (
        Role(n, n, ("Method",), "", parent)
        for n, parent in (("treats", None), ("beats", "comparesTo"))
    )
    wider = replace(graph.vocabulary, paper_roles=(*graph.vocabulary.paper_roles, treats, beats))
    stated = (
        *graph.relations,
        Relation(NEST.id, "treats", "ppo", 0.9, ()),
        Relation(FLEDGE.id, "beats", "ppo", 0.9, ()),
    )
    known = (*graph.introductions, Introduction(FEATHERS.id, "humaneval"))
    for asked in (
        graph,
        changed_graph(graph, relations=stated, vocabulary=wider, introductions=known),
    ):
        counted = [(c.one.name, c.other.name, len(c.papers)) for c in asked.co_use(one, other, 99)]
        rows = asked.query("@co-use", tentative=True, one=one, other=other, limit="99")
        assert [(row["one"], row["other"], int(row["papers"])) for row in rows] == counted
        assert counted


def test_co_use_lists_pairs(file: Path) -> None:
    assert "Quill + NestBench" in run_cli("co-use", file).output
    printed = json.loads(
        run_cli("co-use", file, "--one", "Method", "--other", "Dataset", "--json").output
    )
    assert {"one": "Quill", "other": "FeatherSet", "papers": sorted([NEST.id])} in printed
