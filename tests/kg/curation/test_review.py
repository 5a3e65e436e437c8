"""Merge proposals: which pairs of names are proposed, their evidence, and the review command."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import citekg.cli.review
from citekg.building.assembling import assemble
from citekg.cli.main import main
from citekg.curation.decisions import (
    KINDS,
    NO_DECISIONS,
    Decisions,
    Distinct,
    Merge,
    read_decisions,
)
from citekg.curation.merge_candidates import evidence, merge_candidates
from citekg.curation.review import Reviewer, review
from citekg.exports import write
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Paper, PaperEntity
from tests.kg.extractions import RUN, make_extraction, named

FAMILIES = Lexicon.of([Entry("Wing", "Model"), Entry("Wing-Coder", "Model", family="Wing")])
SIGNED = {"author": "Ada", "date": "2026-01-31", "reason": "read the papers"}


def graph_of(*names: str | tuple[str, ...], **values: Any) -> KnowledgeGraph:
    """A graph with a paper for each name, or tuple of a name and its other spellings."""
    found = []
    for number, spellings in enumerate(names):
        forms = (spellings,) if isinstance(spellings, str) else spellings
        text = f"We look at {' or '.join(forms)} with care."
        paper = Paper(f"p{number}", "Care", text)
        found.append(make_extraction(paper, named(paper.text, *forms, **values)))
    return assemble(found, FAMILIES, RUN)


def pairs(graph: KnowledgeGraph, decisions: Decisions = NO_DECISIONS) -> list[set[str]]:
    return [{p.keep.name, p.other.name} for p in merge_candidates(graph, decisions)]


PROPOSED = [
    ("Kite Search", "kitesearch"),
    ("Kite Search", "Kite Search objective"),
    ("WebShop", "Web-Shop environment"),
    ("Group Kite Optimization", "GKO"),
    ("Chain of Kites", "CoK"),
    ("HalfKiteah", "HalfKiteeah"),
    ("Deep Deterministic Kites", "Deep Determinstic Kites"),
    ("Dreamer-v3", "Dream er v3"),
]


@pytest.mark.parametrize(("one", "other"), PROPOSED)
def test_likely_pairs_are_proposed(one: str, other: str) -> None:
    assert pairs(graph_of(one, other)) == [{one, other}]


NOT_PROPOSED = [
    ("Llama-3.1", "Llama-3.2"),
    ("Llama-3.1", "Llama 3 1"),
    ("CIFAR-10", "CIFAR-100"),
    ("HumanEval", "HumanEval+"),
    ("DeepSeek-V2", "DeepSeek-V3"),
    ("Qwen2.5-7B", "Qwen2.5-72B"),
    ("Qwen2.5-7B", "Qwen2.5-7B-Instruct"),
    ("HalfCheetah-v2", "HalfCheetah-v3"),
    ("AIME 2024", "AIME 2025"),
    ("MathVerse-hard", "MathVerse-lite"),
    ("Optimization1", "Optimization2"),
    ("C++", "C#"),
    ("supervised learning", "unsupervised learning"),
    ("on-policy distillation", "off-policy distillation"),
    ("Direct Preference Optimization", "Diverse Preference Optimization"),
    ("LoRA", "QLoRA"),
    ("Adam", "AdamW"),
    ("GRPO", "GSPO"),
    ("Wing", "Wing-Coder"),
    ("RL method", "RL games"),
    ("RL", "Reinforcement Learning"),
    ("Kite Search", "Knot Selection"),
]


@pytest.mark.parametrize(("one", "other"), NOT_PROPOSED)
def test_names_of_different_entities_are_never_proposed(one: str, other: str) -> None:
    graph = graph_of(one, other)
    assert {one, other} <= {e.name for e in graph.entities}
    assert pairs(graph) == []


def test_an_acronym_of_two_long_names_is_not_proposed_for_either() -> None:
    assert (
        pairs(graph_of(("Kite Oriented Search", "KOS"), ("Knot Optimal Selection", "KOS"), "KOS"))
        == []
    )


def test_names_with_a_shared_acronym_are_proposed_only_if_they_are_similar() -> None:
    alike = graph_of(("Group Kite Optimization", "GKO"), ("Group Kite Optimum", "GKO"))
    assert pairs(alike) == [{"Group Kite Optimization", "Group Kite Optimum"}]
    assert pairs(graph_of(("Group Kite Optimization", "GKO"), ("Gentle Knot Order", "GKO"))) == []


def test_a_dataset_and_a_method_are_not_proposed_as_one_entity() -> None:
    text = Paper("p", "Kites", "Kite Search and KiteSearch")
    two = make_extraction(
        text, named(text.text, "Kite Search"), named(text.text, "KiteSearch", type_="Dataset")
    )
    assert pairs(assemble([two], FAMILIES, RUN)) == []


def test_acronym_and_long_name_introduced_by_different_papers_are_not_proposed() -> None:
    assert pairs(graph_of("Group Kite Optimization", "GKO", introduces=0.9)) == []


def cooccurrence_graph() -> KnowledgeGraph:
    """A graph of two spellings that co-occur with one entity; one of them is in more papers."""
    found = []
    for number, name in enumerate(["Kite Search", "Kite Search", "kitesearch"]):
        paper = Paper(f"p{number}", "Care", f"{name} is tested on Nest.\nIt is not new.")
        extra: Iterable[PaperEntity] = [named(paper.text, "Nest", type_="Benchmark")]
        found.append(
            make_extraction(paper, named(paper.text, name, confidence=0.5 + number / 10), *extra)
        )
    return assemble(found, FAMILIES, RUN)


def test_a_proposal_keeps_the_more_frequent_name_and_states_its_reasons() -> None:
    [proposal] = merge_candidates(cooccurrence_graph(), NO_DECISIONS)
    assert (proposal.keep.name, proposal.other.name) == ("Kite Search", "kitesearch")
    assert proposal.reasons == (
        "the names differ in spacing or a closing word alone",
        "the type is the same: Method",
        "both occur in papers with: Nest",
    )
    assert 0 < proposal.score <= 1


def test_the_evidence_is_the_most_confident_sentences_of_different_papers() -> None:
    graph = cooccurrence_graph()
    [proposal] = merge_candidates(graph, NO_DECISIONS)
    assert [(p.mention.paper, p.sentence) for p in evidence(graph, proposal.keep)] == [
        ("p1", "Kite Search is tested on Nest."),
        ("p0", "Kite Search is tested on Nest."),
    ]
    assert [p.mention.paper for p in evidence(graph, proposal.other)] == ["p2"]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("merge", {"names": ("Kite Search", "kitesearch"), "keep": "Kite Search"}),
        ("distinct", {"names": ("kitesearch", "Kite Search")}),
        ("split", {"name": "Kite Search", "into": "kitesearch", "papers": ("p2",)}),
        ("ban", {"name": "kitesearch"}),
        ("alias", {"name": "Kite Search", "alias": "kitesearch"}),
    ],
)
def test_decided_pairs_are_not_proposed_again(kind: str, values: dict[str, Any]) -> None:
    decision = KINDS[kind](**(SIGNED | values))
    assert pairs(cooccurrence_graph(), Decisions((decision,))) == []


def scripted_answers(*answers: str) -> Iterable[str]:
    yield from answers
    raise AssertionError("asked once too often")


def run_review(graph: KnowledgeGraph, file: Path, *answers: str) -> tuple[int, list[str]]:
    values: list[str] = []
    given = iter(scripted_answers(*answers))
    reviewer = Reviewer("Ada", "2026-01-31", file)
    return review(
        graph, merge_candidates(graph, NO_DECISIONS), reviewer, lambda: next(given), values.append
    ), values


THREE_SPELLINGS = ("Kite Search", "kitesearch", "Kite Search objective")


def test_an_answer_given_before_quitting_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "decisions.yaml"
    assert run_review(graph_of(*THREE_SPELLINGS), file, "y", "q")[0] == 1
    [merge] = read_decisions(file).entries
    assert isinstance(merge, Merge)
    assert (merge.author, merge.date, merge.names[0]) == ("Ada", "2026-01-31", merge.keep)


def test_the_answer_no_is_saved_as_a_distinct_decision_and_skipping_is_not(
    tmp_path: Path,
) -> None:
    file = tmp_path / "decisions.yaml"
    graph = graph_of("Kite Search", "kitesearch", "Knot Tying", "knottying")
    assert run_review(graph, file, "n", "s")[0] == 1
    [distinct] = read_decisions(file).entries
    assert isinstance(distinct, Distinct)
    assert pairs(graph, read_decisions(file)) == [{"Knot Tying", "knottying"}]


def test_pairs_settled_by_an_earlier_answer_are_not_asked(tmp_path: Path) -> None:
    assert run_review(graph_of(*THREE_SPELLINGS), tmp_path / "a.yaml", "y", "y")[0] == 2
    assert run_review(graph_of(*THREE_SPELLINGS), tmp_path / "b.yaml", "y", "n")[0] == 2


def test_decisions_of_a_review_apply_to_the_next_build(tmp_path: Path) -> None:
    file = tmp_path / "decisions.yaml"
    run_review(cooccurrence_graph(), file, "y")
    paper = Paper("q", "New", "kitesearch again")
    other = Paper("r", "More", "Kite Search")
    found = [
        make_extraction(paper, named(paper.text, "kitesearch")),
        make_extraction(other, named(other.text, "Kite Search")),
    ]
    graph = assemble(found, FAMILIES, RUN, read_decisions(file))
    assert [e.name for e in graph.entities] == ["Kite Search"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    write(cooccurrence_graph(), tmp_path / "graph.json", "json")
    return str(tmp_path / "graph.json")


def test_without_a_terminal_the_command_prints_proposals_and_writes_no_file(
    file: str, tmp_path: Path
) -> None:
    decisions = tmp_path / "decisions.yaml"
    for option in ([], ["--list"]):
        result = CliRunner().invoke(main, ["review", file, "--decisions", str(decisions), *option])
        assert result.exit_code == 0
        assert result.stdout.startswith("Kite Search = kitesearch?  (score 0.95)\n  why: ")
        assert "    p2: kitesearch is tested on Nest." in result.stdout
    result = CliRunner().invoke(main, ["review", file, "--decisions", str(decisions), "--json"])
    [proposal] = json.loads(result.stdout)
    assert proposal["other"]["evidence"] == [
        {"paper": "p2", "text": "kitesearch", "sentence": "kitesearch is tested on Nest."}
    ]
    assert not decisions.exists()


def test_on_a_terminal_the_command_asks_and_saves_decisions(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.cli.review, "_is_terminal", lambda: True)
    decisions = tmp_path / "decisions.yaml"
    options = ["review", file, "--decisions", str(decisions), "--author", "Ada"]
    result = CliRunner().invoke(main, options, input="what\nn\n")
    assert result.exit_code == 0
    assert "1 decision written" in result.stdout
    assert [(d.kind, d.author) for d in read_decisions(decisions).entries] == [("distinct", "Ada")]
    assert CliRunner().invoke(main, options).stdout == "There are no proposals.\n"


def test_an_invalid_decisions_file_stops_the_review(file: str, tmp_path: Path) -> None:
    decisions = tmp_path / "decisions.yaml"
    decisions.write_text("- {kind: bann}")
    result = CliRunner().invoke(main, ["review", file, "--decisions", str(decisions), "--list"])
    assert result.exit_code == 1
    assert f"Error: {decisions}:1: " in result.stderr
