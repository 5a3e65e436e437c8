"""Records are immutable and hashable, and a graph has indexes of its records."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any

import pytest

import citekg.schemas.graph
import citekg.schemas.records
import citekg.schemas.vocabulary
from citekg.schemas.errors import UnknownName
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Link, Relation
from tests.sample import NEST, QUILL, STUB, sample_graph

RECORD_CLASSES = [
    kind
    for module in (citekg.schemas.records, citekg.schemas.graph, citekg.schemas.vocabulary)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("kind", RECORD_CLASSES)
def test_records_are_immutable(kind: type) -> None:
    record: object = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(record, fields(kind)[0].name, "another")


def test_equal_records_have_the_same_hash() -> None:
    for record in (
        QUILL,
        QUILL.sources[0],
        sample_graph().mentions[0],
        sample_graph().links[0],
        sample_graph().run,
    ):
        assert len({record, replace(record)}) == 1


def test_the_order_of_records_does_not_change_the_graph() -> None:
    graph = sample_graph()
    collections = {f.name: getattr(graph, f.name) for f in fields(graph)}
    in_reverse_order: dict[str, Any] = {
        name: value[::-1] if isinstance(value, tuple) else value
        for name, value in collections.items()
    }
    assert KnowledgeGraph.of(**in_reverse_order) == graph


def test_the_evidence_of_a_claim_is_its_mentions_with_their_sentences() -> None:
    graph = sample_graph()
    claims: list[Relation | Link] = [*graph.relations, *graph.links]
    evidence_of_claim = {claim: [*graph.evidence(claim)] for claim in claims}
    for claim, found in evidence_of_claim.items():
        assert tuple(evidence_text.mention.id for evidence_text in found) == claim.evidence
        assert all(evidence_text.mention.text in evidence_text.sentence for evidence_text in found)
    extends = next(r for r in graph.relations if r.role == "extends" and r.paper == QUILL.id)
    assert [p.sentence for p in evidence_of_claim[extends]] == [
        "We propose Quill, a planner that extends PPO\tand needs no critic."
    ]


def test_the_indexes_of_a_graph_are_correct_and_cached() -> None:
    graph = sample_graph()
    assert graph.paper_by_id[NEST.id] == NEST
    assert STUB.id not in graph.paper_by_id
    assert graph.cited_by_id[STUB.id] == STUB
    assert graph.entity_by_id["quill"].name == "Quill"
    assert {m.entity for m in graph.mentions_of["quill"]} == {"quill"}
    assert graph.mention_by_id[graph.mentions[0].id] == graph.mentions[0]
    for name in ("paper_by_id", "cited_by_id", "entity_by_id", "mention_by_id", "mentions_of"):
        assert getattr(graph, name) is getattr(graph, name)


def test_the_error_for_an_unknown_name_suggests_similar_names() -> None:
    assert str(UnknownName("GRPA", ["GRPO"])) == "'GRPA' is not in this graph; did you mean GRPO?"
    assert "is ambiguous: give one of a, b" in str(UnknownName("x", ["a", "b"], many=True))
    with pytest.raises(TypeError):
        UnknownName("x", ["a"], True)  # type: ignore[call-arg]
