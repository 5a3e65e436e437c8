"""`kg show`, and the look-up of entities and papers behind it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.schemas.errors import UnknownName
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from tests.kg.commands import run_cli
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, changed_graph, sample_graph


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Quill", "Quill"),
        ("quill", "Quill"),
        ("proximal-policy optimization", "PPO"),
        ("HumanEval+", "HumanEval+"),
        ("HumanEval", "HumanEval"),
        ("C++", "C++"),
        ("humaneval~2b", "HumanEval+"),
        ("qwen2.5-vl", "Qwen2.5-VL"),
    ],
)
def test_an_entity_is_found_by_name_alias_or_id_and_symbols_are_significant(
    graph: Graph, asked: str, found: str
) -> None:
    assert graph.find(asked).name == found


@pytest.mark.parametrize(
    ("asked", "near"), [("Quil", "Quill"), ("NestBenhc", "NestBench"), ("Qwen", "Qwen2.5")]
)
def test_an_unknown_name_is_rejected_with_similar_names(
    graph: Graph, asked: str, near: str
) -> None:
    with pytest.raises(UnknownName, match="did you mean") as caught:
        graph.find(asked)
    assert near in caught.value.candidates


def test_an_unknown_or_empty_name_without_similar_names_is_rejected(graph: Graph) -> None:
    for name in ("xyzzy", "", "  "):
        with pytest.raises(UnknownName, match="is not in this graph"):
            graph.find(name)


def test_an_ambiguous_alias_is_rejected_with_both_candidates(graph: Graph) -> None:
    shared = [Entity("one", "One", "Method", ("Same",)), Entity("two", "Two", "Model", ("Same",))]
    with pytest.raises(UnknownName, match="is ambiguous: give one of") as caught:
        changed_graph(graph, entities=(*graph.entities, *shared)).find("Same")
    assert caught.value.candidates == ("one (Method: One)", "two (Model: Two)")


def test_an_ambiguous_name_resolves_to_the_entity_that_far_more_papers_name(
    graph: Graph,
) -> None:
    known, rare = (Entity(name, name, "Method", ("Same",)) for name in ("known", "rare"))
    mention = graph.mentions[0]
    papers = [Paper(f"q{n}", "known known", "") for n in range(5)]
    named = [
        replace(mention, paper=p.id, entity="known", start=0, end=5, text="known") for p in papers
    ]
    crowded = changed_graph(
        graph,
        papers=(*graph.papers, *papers),
        entities=(*graph.entities, known, rare),
        mentions=(*graph.mentions, *named),
    )
    assert crowded.find("Same").id == "known"
    fewer = changed_graph(crowded, mentions=(*graph.mentions, *named[:4]))
    with pytest.raises(UnknownName, match="is ambiguous: give one of"):
        fewer.find("Same")


def test_a_name_takes_precedence_over_an_alias_of_another_entity(graph: Graph) -> None:
    other = Entity("other", "Other", "Model", ("Quill",))
    assert changed_graph(graph, entities=(*graph.entities, other)).find("Quill").id == "quill"


def test_an_introducer_is_extracted_listed_or_unknown(graph: Graph) -> None:
    assert graph.introducers("Quill") == (QUILL,)
    assert graph.introducers("Proximal Policy Optimization") == (STUB,)
    assert graph.introducers("HumanEval") == ()


def test_all_claimed_introducers_are_listed_unless_a_known_introduction_exists(
    graph: Graph,
) -> None:
    claim = Relation(NEST.id, "introduces", "quill", 0.9, ())
    contested = changed_graph(graph, relations=(*graph.relations, claim))
    assert contested.introducers("Quill") == (QUILL, NEST)
    known = changed_graph(
        contested, introductions=(*graph.introductions, Introduction(NEST.id, "quill"))
    )
    assert known.introducers("Quill") == (NEST,)


def test_users_of_an_entity_are_filtered_by_role_and_have_evidence(graph: Graph) -> None:
    assert [(r.paper, r.role) for r in graph.users_of("Quill")] == [
        (FLEDGE.id, "extends"),
        (NEST.id, "uses"),
    ]
    assert [r.paper for r in graph.users_of("Quill", "comparesTo", "mentions")] == [
        FLEDGE.id,
        FEATHERS.id,
    ]
    (extends,) = graph.users_of("Quill", "extends")
    assert [e.sentence for e in graph.evidence(extends)] == ["Fledge builds on Quill."]


def test_show_prints_an_entity_with_its_introducer_and_papers_by_role(file: Path) -> None:
    printed = run_cli("show", file, "quill", "--all").output
    assert printed.startswith("Quill: a method that 4 papers name\n")
    assert f"introduced by: {QUILL.title} (2024-01-02, arXiv 2401.00001)" in printed
    for heading in (
        "introduces it (1)",
        "extends it (1)",
        "uses it (1)",
        "compares with it (1)",
        "mentions it (1)",
    ):
        assert heading in printed
    assert "  Fledge (2025)\n    “Fledge builds on Quill.”" in printed


def test_show_marks_an_introducer_outside_the_corpus(file: Path) -> None:
    printed = run_cli("show", file, "PPO").output
    assert (
        f"introduced by: {STUB.title} (2017, arXiv 1706.00001; known, outside this corpus)"
        in printed
    )
    assert "outperforms it (1)" in printed
    assert "compares with it" not in printed


def test_show_prints_families_and_variants(file: Path) -> None:
    assert "its variants: Qwen2.5-VL (0)" in run_cli("show", file, "Qwen2.5").output
    printed = run_cli("show", file, "Qwen2.5-VL-7B").output
    assert "a variant of: Qwen2.5-VL\na variant of: Qwen2.5\n" in printed
    assert printed.startswith("Qwen2.5-VL-7B: a model that 1 paper names\n")
    assert "introduced by: unknown" in printed


def test_show_prints_the_introducer_of_the_family_of_a_variant(
    graph: Graph, tmp_path: Path
) -> None:
    known = changed_graph(
        graph, introductions=(*graph.introductions, Introduction(STUB.id, "qwen2.5"))
    )
    printed = run_cli("show", known.save(tmp_path / "graph.json"), "Qwen2.5-VL-7B").output
    assert (
        f"a variant of: Qwen2.5, introduced by {STUB.title} (2017, arXiv 1706.00001; known, outside this corpus)"
        in printed
    )


def test_show_marks_a_contested_introduction_and_lists_all_claiming_papers(
    graph: Graph, tmp_path: Path
) -> None:
    claim = Relation(NEST.id, "introduces", "quill", 0.9, ())
    path = changed_graph(graph, relations=(*graph.relations, claim)).save(tmp_path / "graph.json")
    printed = run_cli("show", path, "Quill").output
    assert f"contested, more than one paper claims it\n  {QUILL.title} (2024-01-02" in printed
    assert f"\n  {NEST.title} (2024-02" in printed


def test_show_limits_the_papers_per_role_and_json_has_evidence_offsets(file: Path) -> None:
    printed = json.loads(run_cli("show", file, "Quill", "--json", "--all", "-n", 1).output)
    assert (printed["name"], printed["type"], printed["papers"], printed["contested"]) == (
        "Quill",
        "Method",
        4,
        False,
    )
    assert printed["introduced_by"][0]["in_corpus"] is True
    (evidence_text,) = printed["roles"]["extends"][0]["evidence"]
    text = FLEDGE.text
    assert (
        text[evidence_text["start"] : evidence_text["end"]] == evidence_text["mention"] == "Quill"
    )
    assert evidence_text["sentence"] in text
    many = [Relation(p.id, "mentions", "c~2b~2b", 0.5, ()) for p in (QUILL, NEST, FEATHERS)]
    path = changed_graph(sample_graph(), relations=(*sample_graph().relations, *many)).save(
        file.with_name("many.json")
    )
    shown = run_cli("show", path, "C++", "--all", "-n", 1).output
    assert "mentions it (4)" in shown
    assert "  … and 3 more" in shown


def test_an_unknown_name_is_an_error_with_a_hint(file: Path) -> None:
    for arguments in (("show", file, "Quil"), ("path", file, "Quil", "PPO")):
        result = run_cli(*arguments)
        assert result.exit_code == 1
        assert (
            result.output
            == f"Error: 'Quil' is not in this graph; did you mean Quill, {QUILL.title}?\n"
        )


QUILL_SPELLINGS = (
    QUILL.id,
    "arXiv:2401.00001v3",
    "https://arxiv.org/pdf/2401.00001v1.pdf",
    "10.48550/arXiv.2401.00001",
    "10.1000/QUILL_<1>&2",
    "https://doi.org/10.1000/quill_<1>&2",
    "https://openalex.org/W1000001",
    QUILL.title.upper().replace(" ", "  "),
)


@pytest.mark.parametrize("name", QUILL_SPELLINGS)
def test_a_paper_is_found_by_any_identifier_in_any_form_or_by_its_title(
    graph: Graph, file: Path, name: str
) -> None:
    assert graph.find_paper(name) == QUILL
    assert run_cli("show", file, name).output.startswith(
        f"{QUILL.title} (2024-01-02, Workshop on Feathers & Policies, "
    )
    assert graph.neighbours(name) == graph.neighbours(QUILL)
    assert graph.paths(name, "PPO") == graph.paths(QUILL, graph.find("PPO"))


def test_a_paper_whose_id_is_an_arxiv_id_is_found_by_its_arxiv_url(graph: Graph) -> None:
    assert graph.find_paper("https://arxiv.org/abs/2402.00002") == NEST


def test_show_prints_the_roles_citations_and_references_of_a_paper(file: Path) -> None:
    shown = run_cli("show", file, QUILL.title, "--all").output
    assert f"by: {', '.join(QUILL.authors)}" in shown
    assert "\nintroduces (1)\n  Quill (Method)\n    “We propose Quill, a planner" in shown
    assert "\nevaluates on (2)\n" in shown
    assert f"\ncites (1)\n  {STUB.title} (2017)\n    extends, through PPO" in shown
    assert "\nis cited by (3)\n" in shown
    assert f"\nhas in its references (1)\n  {STUB.title} (2017)" in shown
    few = run_cli("show", file, QUILL.title, "--all", "-n", 1).output
    assert "is cited by (3)" in few
    assert "  … and 2 more" in few
    assert "is cited by (2)" in run_cli("show", file, QUILL.title).output


def test_show_prints_a_paper_outside_the_corpus(file: Path) -> None:
    shown = run_cli("show", file, "arXiv:1706.00001").output
    assert shown.startswith(
        f"{STUB.title} (2017, arXiv 1706.00001, known, outside this corpus)\nknown to introduce: PPO\n"
    )


def test_a_paper_as_json_has_all_claims_with_their_sentences(file: Path) -> None:
    values = json.loads(run_cli("show", file, QUILL.doi, "--json", "-n", 1).output)
    assert (values["type"], values["id"], values["in_corpus"]) == ("Paper", QUILL.id, True)
    assert {claim["name"] for claim in values["roles"]["evaluatesOn"]} == {
        "HumanEval",
        "HumanEval+",
    }
    (claim,) = values["roles"]["extends"]
    assert claim["evidence"][0]["sentence"] in QUILL.text
    assert [(k["kind"], k["through"]) for k in values["cites"]] == [("extends", "PPO")]


def test_an_entity_takes_precedence_over_a_paper_of_the_same_name(graph: Graph, file: Path) -> None:
    assert run_cli("show", file, "Fledge").output.startswith("Fledge: a method")
    assert graph.find_paper("fledge") == FLEDGE


def test_an_unknown_title_is_an_error_with_similar_titles_and_names(file: Path) -> None:
    result = run_cli("show", file, "Proximal Policy Optimisation Algorithm")
    assert (result.exit_code, result.output) == (
        1,
        f"Error: 'Proximal Policy Optimisation Algorithm' is not in this graph; did you mean {STUB.title}, PPO?\n",
    )


def test_an_entity_without_family_is_not_a_variant_of_an_entity_with_an_empty_id(
    graph: Graph,
) -> None:
    nameless = changed_graph(graph, entities=(*graph.entities, Entity("", "Nothing", "Method")))
    assert not [n for n in nameless.neighbours("PPO") if n.words == "is a variant of"]


def test_show_marks_a_paper_without_a_date_as_undated(graph: Graph, tmp_path: Path) -> None:
    undated = Paper(STUB.id, STUB.title, "")
    path = changed_graph(graph, stubs=(undated,)).save(tmp_path / "graph.json")
    assert f"{STUB.title} (undated; known" in run_cli("show", path, "PPO").output
