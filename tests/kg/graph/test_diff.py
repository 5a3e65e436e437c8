"""The difference between two graphs: each change is reported once, by its kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.building.assembling import assemble
from citekg.cli.main import main
from citekg.curation.decisions import KINDS, Decision, Decisions
from citekg.exports import write
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.graph.diff import GraphDiff, additions, compare
from citekg.graph.diff_report import as_text, as_values
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Extraction, Paper, Run
from tests.kg.extractions import RUN, make_extraction, named
from tests.sample import FLEDGE, sample_graph

SIGNED = {"author": "Ada", "date": "2026-01-31", "reason": "read the papers"}
ONE = Paper("p1", "One", "Kite Search and Gliding on Nest.")
TWO = Paper("p2", "Two", "Gliding and kitesearch on Nest.")
THREE = Paper("p3", "Three", "Sailing on Nest.")


def readings() -> list[Extraction]:
    return [
        make_extraction(
            ONE,
            named(ONE.text, "Kite Search", introduces=1.0),
            named(ONE.text, "Gliding", uses=1.0),
            named(ONE.text, "Nest", type_="Benchmark", evaluatesOn=1.0),
        ),
        make_extraction(
            TWO,
            named(TWO.text, "Gliding", uses=1.0),
            named(TWO.text, "kitesearch", comparesTo=1.0),
            named(TWO.text, "Nest", type_="Benchmark", evaluatesOn=1.0),
        ),
    ]


def graph(
    *entries: Decision, found: Iterable[Extraction] | None = None, run: Run = RUN
) -> KnowledgeGraph:
    return assemble(found or readings(), Lexicon.of([]), run, Decisions(entries))


def make_decision(kind: str, **reported: object) -> Decision:
    return KINDS[kind](**(SIGNED | reported))  # type: ignore[arg-type]


def reported(difference: GraphDiff) -> set[str]:
    """Return the kinds of change that are reported, except for single records."""
    names = (
        "new_papers",
        "removed_papers",
        "new_entities",
        "removed_entities",
        "renamed",
        "merged",
        "split",
        "moved",
    )
    return {name for name in (*names, "retyped", "roles") if getattr(difference, name)}


MERGE = make_decision("merge", names=("Kite Search", "kitesearch"), keep="Kite Search")
SPLIT = make_decision("split", name="Gliding", into="Soaring", papers=("p2",))
RENAME = make_decision("merge", names=("Gliding", "Soaring"), keep="Soaring")


def test_graphs_that_differ_only_in_their_run_are_equal() -> None:
    difference = compare(graph(), graph(run=replace(RUN, configuration="d" * 64)))
    assert difference.equal
    assert reported(difference) == set()
    assert as_text(difference) == "The graphs are equal."


def test_new_and_lost_papers_are_reported_with_their_entities() -> None:
    more = graph(
        found=[
            *readings(),
            make_extraction(
                THREE, named(THREE.text, "Sailing"), named(THREE.text, "Nest", type_="Benchmark")
            ),
        ]
    )
    gained, reduced = compare(graph(), more), compare(more, graph())
    assert [p.id for p in gained.new_papers] == [p.id for p in reduced.removed_papers] == ["p3"]
    assert (
        [e.name for e in gained.new_entities]
        == [e.name for e in reduced.removed_entities]
        == ["Sailing"]
    )
    assert reported(gained) == {"new_papers", "new_entities"}
    assert reported(reduced) == {"removed_papers", "removed_entities"}


def test_a_merge_is_reported_only_as_a_merge() -> None:
    difference = compare(graph(), graph(MERGE))
    assert [({e.name for e in m.before}, m.after.name) for m in difference.merged] == [
        ({"Kite Search", "kitesearch"}, "Kite Search")
    ]
    assert reported(difference) == {"merged"}


def test_a_merge_under_a_new_name_is_reported_only_as_a_merge() -> None:
    under_new = make_decision("merge", names=("Kite Search", "kitesearch", "Kiting"), keep="Kiting")
    assert reported(compare(graph(), graph(under_new))) == {"merged"}


def test_a_split_and_a_reversed_merge_are_reported_only_as_a_split() -> None:
    difference = compare(graph(MERGE), graph())
    assert [(s.before.name, {e.name for e in s.after}) for s in difference.split] == [
        ("Kite Search", {"Kite Search", "kitesearch"})
    ]
    assert reported(difference) == {"split"}
    assert reported(compare(graph(), graph(SPLIT))) == {"split"}


def test_a_new_name_for_the_same_mentions_is_reported_as_a_renaming() -> None:
    difference = compare(graph(), graph(RENAME))
    assert [(c.before.name, c.after.name) for c in difference.renamed] == [("Gliding", "Soaring")]
    assert reported(difference) == {"renamed"}


def test_a_new_spelling_of_the_same_id_is_reported_as_a_renaming() -> None:
    respelling = make_decision("merge", names=("Gliding", "GLIDING", "Soaring"), keep="GLIDING")
    assert reported(compare(graph(), graph(respelling))) == {"renamed"}


def test_mentions_that_change_their_entity_are_reported_as_moved() -> None:
    difference = compare(
        graph(), graph(make_decision("split", name="Gliding", into="Kite Search", papers=("p2",)))
    )
    assert [(m.before.name, m.after.name, m.mentions) for m in difference.moved] == [
        ("Gliding", "Kite Search", 1)
    ]
    assert reported(difference) == {"moved"}


def test_a_new_type_is_reported_also_for_a_renamed_entity() -> None:
    typed = make_decision("type", name="Nest", type="Dataset")
    assert [
        (c.after.name, c.before.type, c.after.type) for c in compare(graph(), graph(typed)).retyped
    ] == [("Nest", "Benchmark", "Dataset")]
    both = compare(graph(), graph(RENAME, make_decision("type", name="Soaring", type="Model")))
    assert reported(both) == {"renamed", "retyped"}


def test_changed_roles_are_reported_by_paper_and_entity() -> None:
    role = make_decision("role", paper="p2", name="Gliding", role="extends")
    [change] = compare(graph(), graph(role)).roles
    assert (change.paper.id, change.entity.name, change.before, change.after) == (
        "p2", "Gliding", ("uses",), ("extends",),
    )  # fmt: skip


def test_an_entity_banned_from_a_paper_is_reported_as_a_lost_role() -> None:
    [change] = compare(graph(), graph(make_decision("ban", name="Nest", papers=("p1",)))).roles
    assert (change.before, change.after) == (("evaluatesOn",), ())


def test_a_changed_confidence_is_a_difference() -> None:
    old = graph()
    new = replace(old, mentions=tuple(replace(m, confidence=0.1) for m in old.mentions))
    difference = compare(old, new)
    assert not difference.equal
    assert reported(difference) == set()
    assert as_text(difference) == "Records that differ: mentions +6 -6"


def test_text_and_json_report_merges_splits_lost_entities_and_roles() -> None:
    ban = make_decision("ban", name="Nest")
    difference = compare(graph(), graph(MERGE, SPLIT, ban))
    text = as_text(difference)
    assert "Merged (1)\n  Kite Search (Method), kitesearch (Method) -> Kite Search (Method)" in text
    assert "Split (1)\n  Gliding (Method) -> Gliding (Method), Soaring (Method)" in text
    assert "Removed entities (1)\n  Nest (Benchmark)" in text
    assert "Other roles (2)\n  p1  Nest: evaluates on -> nothing" in text
    values = json.loads(json.dumps(as_values(difference)))
    assert values["entities"]["merged"][0]["into"] == {
        "id": "kite-search",
        "name": "Kite Search",
        "type": "Method",
    }
    assert values["equal"] is False
    assert values["records"]["papers"] == {"new": 0, "removed": 0}


def test_changed_and_lost_results_are_reported() -> None:
    sample = sample_graph()
    first, second, third = sample.results
    surer = replace(second, confidence=0.99)
    other = replace(sample, results=(replace(first, metric="recall"), surer))
    difference = compare(sample, other)
    assert as_text(difference).startswith(
        f"Other results (2)\n  {FLEDGE.id}  Fledge: accuracy 82.5\\% on NestBench compared with QUILL"
        " -> Fledge: recall 82.5\\% on NestBench compared with QUILL\n"
    )
    change, loss = as_values(difference)["results"]
    assert (change["from"]["metric"], change["to"]["metric"]) == ("accuracy", "recall")
    assert (loss["from"]["value"], loss["to"]) == (third.value, None)


def test_additions_are_new_papers_entities_and_results() -> None:
    sailing = make_extraction(THREE, named(THREE.text, "Sailing"))
    found = additions(graph(), graph(found=[*readings(), sailing]), "old.json")
    assert found.earlier == "old.json"
    assert found.papers == {"p3"}
    assert found.entities == {"sailing"}
    sample = sample_graph()
    first, *others = sample.results
    fewer = replace(sample, results=(replace(others[0], metric="recall"),))
    assert additions(fewer, sample, "").results == {first.id, *(r.id for r in others[1:])}


@pytest.mark.parametrize("decision", [MERGE, SPLIT, RENAME], ids=["merge", "split", "rename"])
def test_merged_split_and_renamed_entities_are_not_additions(decision: Decision) -> None:
    assert additions(graph(), graph(decision), "").entities == set()
    assert additions(graph(decision), graph(), "").entities == set()


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, made in (("old.json", graph()), ("new.ttl", graph(MERGE))):
        write(made, tmp_path / name, name.partition(".")[2])
    return str(tmp_path / "old.json"), str(tmp_path / "new.ttl")


def test_diff_has_different_exit_codes_for_differences_and_errors(
    files: tuple[str, str],
) -> None:
    old, new = files
    run = CliRunner().invoke
    assert run(main, ["diff", old, old]).exit_code == 0
    differing = run(main, ["diff", old, new])
    assert (differing.exit_code, differing.stdout.splitlines()[0]) == (4, "Merged (1)")
    values = run(main, ["diff", new, old, "--json"])
    assert values.exit_code == 4
    assert len(json.loads(values.stdout)["entities"]["split"]) == 1
    assert run(main, ["diff", old, "nowhere.json"]).exit_code == 1
    assert run(main, ["diff", old]).exit_code == 2
