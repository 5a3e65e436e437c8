"""Each named query is documented, runs unchanged, and returns the expected answer."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest
import rdflib

from citekg.exports import exporter
from citekg.queries import query
from citekg.queries.library import find_query, library, listing, resolve
from citekg.schemas.errors import QueryError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import PREFIXES, TYPES
from tests.kg.queries.answers import ANSWERS, answered_graph
from tests.kg.queries.terms import text_of
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, sample_graph

if TYPE_CHECKING:
    from citekg.queries.answers import Term

NAMES = [named_query.name for named_query in library()]


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return answered_graph()


def cells(row: Iterable[Term | None]) -> str:
    return " ".join(text_of(term) for term in row if term is not None)


@pytest.mark.parametrize("name", NAMES)
def test_a_named_query_returns_the_expected_answer(graph: KnowledgeGraph, name: str) -> None:
    values, expected = ANSWERS[name]
    found = [cells(row) for row in query(graph, resolve(f"@{name}", values)).rows]
    wanted = expected.split(" / ")
    if name == "overview":
        found, wanted = sorted(found), sorted(wanted)
    assert len(found) == len(wanted), found
    for one, other in zip(found, wanted, strict=True):
        assert one == other or (other.endswith("*") and one.startswith(other[:-1])), found


def to_rdflib(graph: KnowledgeGraph) -> rdflib.Graph:
    return rdflib.Graph().parse(
        data=b"".join(exporter("ttl").writer(graph, ExportOptions())), format="turtle"
    )


def agree(graph: KnowledgeGraph, view: rdflib.Graph, sparql: str) -> bool:
    """Whether both engines give the same columns and rows."""
    rdflib_result = view.query(
        sparql, initNs={prefix: rdflib.Namespace(space) for prefix, space in PREFIXES.items()}
    )
    result = query(graph, sparql)
    columns = [str(v) for v in rdflib_result.vars or ()] == list(result.variables)
    return columns and sorted(map(plain, rdflib_result)) == sorted(
        plain(row) for row in result.rows
    )


@pytest.fixture(scope="module")
def rdflib_graph(graph: KnowledgeGraph) -> rdflib.Graph:
    """The graph in rdflib."""
    return to_rdflib(graph)


@pytest.fixture(scope="module")
def graph_without_introductions(graph: KnowledgeGraph) -> KnowledgeGraph:
    """The graph without introductions."""
    claims = [r for r in graph.relations if r.role != "introduces"]
    return dataclasses.replace(graph, relations=tuple(claims), links=())


@pytest.fixture(scope="module")
def rdflib_without_introductions(graph_without_introductions: KnowledgeGraph) -> rdflib.Graph:
    """The graph without introductions, in rdflib."""
    return to_rdflib(graph_without_introductions)


@pytest.mark.parametrize("name", NAMES)
def test_rdflib_gives_the_same_answer(
    graph: KnowledgeGraph, rdflib_graph: rdflib.Graph, name: str
) -> None:
    assert agree(graph, rdflib_graph, resolve(f"@{name}", ANSWERS[name][0]))


@pytest.mark.parametrize("name", NAMES)
def test_rdflib_gives_the_same_answer_without_introductions(
    graph_without_introductions: KnowledgeGraph,
    rdflib_without_introductions: rdflib.Graph,
    name: str,
) -> None:
    assert agree(
        graph_without_introductions,
        rdflib_without_introductions,
        resolve(f"@{name}", ANSWERS[name][0]),
    )


def plain(row: Any) -> str:
    """Return a row as text, with normalized numbers and sorted lists of names."""
    given = [
        term if isinstance(term, rdflib.term.Identifier) else getattr(term, "value", "")
        for term in row
    ]
    texts = [str(term) for term in given]
    texts = [f"{float(t):g}" if re.fullmatch(r"\d+(\.\d+)?", t) else t for t in texts]
    return " ".join(", ".join(sorted(re.split(r", | \| ", text))) for text in texts)


def test_there_are_at_least_twenty_named_queries_and_each_is_tested() -> None:
    assert len(NAMES) >= 20
    assert set(ANSWERS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_named_query_is_documented_and_runs_with_default_and_other_values(
    graph: KnowledgeGraph, name: str
) -> None:
    found = find_query(name)
    assert found.title
    assert len(found.about) > 30
    required = {p.name: "a title" for p in found.parameters if p.default is None}
    assert required or found.with_values({}) == found.sparql
    assert query(graph, found.sparql).variables
    assert f"@{name}" in listing()
    for parameter in found.parameters:
        assert parameter.about
        assert f"--set {parameter.name}=" in listing()
        default = parameter.default or ""
        plain = (
            "7" if default.isdecimal() else "0.7" if re.fullmatch(r"[0-9.]+", default) else default
        )
        value = plain if re.fullmatch(r"[0-9.]+", plain) or plain in TYPES else 'a "b" \\ {c}\n'
        changed = found.with_values(required | {parameter.name: value})
        assert query(graph, changed).variables == query(graph, found.sparql).variables


@pytest.mark.parametrize(
    ("argument", "values", "message"),
    [
        ("@top-method", {}, "did you mean @top-methods"),
        ("@xyzzy", {}, "there is no query @xyzzy"),
        ("@top-methods", {"kind": "Model"}, "no parameter 'kind': it has type, limit"),
        ("@top-methods", {"type": "Robot"}, "choose one of Method, Benchmark, Model, Dataset"),
        ("@top-methods", {"limit": "many"}, "give a whole number"),
        ("@top-methods", {"limit": 5.5}, "limit '5.5': give a whole number"),
        ("@top-methods", {"limit": True}, "limit 'True': give a whole number"),
        ("@doubtful", {"max_confidence": "low"}, "max_confidence 'low': give a number"),
        (
            "@paper",
            {},
            "@paper needs title, the title of the paper or a part of it: give --set title=",
        ),
        ("@references", {}, "@references needs title"),
        ("@lineage", {"limit": "1"}, "it has none"),
        ("@citing", {"min_confidence": "7"}, "min_confidence '7': give a number from 0 to 1"),
        ("@citing", {"min_confidence": "nan"}, "give a number from 0 to 1"),
        ("ASK {}", {"limit": "1"}, "only be set in a named query"),
    ],
)
def test_unknown_queries_and_invalid_parameters_are_rejected_with_a_hint(
    argument: str, values: dict[str, str | float | bool], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        resolve(argument, values)


def test_a_named_query_takes_numbers_as_values(graph: KnowledgeGraph) -> None:
    assert resolve("@top-methods", {"limit": 2}) == resolve("@top-methods", {"limit": "2"})
    confidences = [
        float(text_of(row[0]))
        for row in query(graph, "@doubtful", values={"max_confidence": 0.3}).rows
    ]
    assert confidences == [0, 0.1, 0.2, 0.3]
    assert resolve("@family", {"name": 4}) == resolve("@family", {"name": "4"})


@pytest.mark.parametrize("name", NAMES)
def test_defaults_of_named_queries_are_not_names_of_the_sample_graph(name: str) -> None:
    assert not {p.default for p in find_query(name).parameters} & {
        "Quill",
        "Fledge",
        "NestBench",
        "FeatherSet",
    }


def test_a_parameter_value_cannot_inject_sparql(graph: KnowledgeGraph) -> None:
    hostile = '" } ?s ?p ?o . VALUES ?asked { "'
    assert len(query(graph, resolve("@family", {"name": hostile}))) == 0
    assert resolve("ASK {}") == "ASK {}"


def test_a_query_with_a_variable_named_from_includes_tentative_claims(
    graph: KnowledgeGraph,
) -> None:
    answer = query(graph, "@leaderboard", values={"name": "nestbench"}, tentative=True)
    assert [row["value"] for row in answer][-1] == "30-40%"


def test_the_sample_has_the_papers_and_stubs_of_the_expected_answers() -> None:
    assert {p.id for p in sample_graph().papers} == {QUILL.id, NEST.id, FLEDGE.id, FEATHERS.id}
    assert {p.id for p in sample_graph().stubs} == {STUB.id}
