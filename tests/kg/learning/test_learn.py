"""Learning from annotated papers: new types and roles, decisions, and output of the command."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import citekg
from citekg.building.incremental.fingerprints import pipeline_fingerprint
from citekg.building.pipeline import build, make_pipeline
from citekg.cli.exit_codes import NOT_BETTER
from citekg.curation.decisions.kinds import (
    Ban,
    Decision,
    Decisions,
    DenyRole,
    Merge,
    Rename,
    SetRole,
    SetType,
)
from citekg.domains import read_domain
from citekg.evaluation.annotations import Annotated, annotated_papers
from citekg.evaluation.metrics import evaluate
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.learning.decided import decided_documents, with_decisions
from citekg.learning.learn import Learnt
from citekg.schemas.errors import WeightsError
from citekg.schemas.records import Paper
from tests.kg.commands import run_cli
from tests.kg.learning.invented import papers, write
from tests.paths import ROOT

SIGNED: dict[str, Any] = {"author": "Ada", "date": "2026-01-31", "reason": "checked"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with annotated papers, a schema, unseen papers, and the weights of `kg learn`."""
    folder = tmp_path_factory.mktemp("learning")
    annotated = write(folder, papers(16))
    write(folder, papers(6, start=40), "unseen.jsonl")
    made = learn(annotated, folder / "mine.weights")
    (folder / "printed.json").write_text(made, encoding="utf-8")
    return folder


def learn(annotated: Path, output: Path) -> str:
    schema = annotated.parent / "schema.yaml"
    result = run_cli("learn", annotated, "--schema", schema, "-o", output, "--json")
    assert result.exit_code == 0, result.output
    return result.stdout


def pipeline(folder: Path, weights: Path | None = None) -> ExtractionPipeline:
    return make_pipeline(domain=read_domain(folder / "schema.yaml"), weights=weights)


def test_a_new_type_that_no_cue_proposes_is_found_in_unseen_papers(folder: Path) -> None:
    domain = read_domain(folder / "schema.yaml")
    unseen = annotated_papers(str(folder / "unseen.jsonl"), domain.vocabulary)
    before = evaluate(unseen, pipeline(folder))
    after = evaluate(unseen, pipeline(folder, folder / "mine.weights"))
    assert before.by_type["Glaze"].recall == 0
    assert after.by_type["Glaze"].f1 > 0.8


def test_a_new_role_is_learnt_without_phrases(folder: Path) -> None:
    text = (
        "Notes on bowls",
        "We fired quartz glaze on small bowls. The quartz glaze melted at low heat.",
    )
    found = citekg.extract(text, schema=folder / "schema.yaml", weights=folder / "mine.weights")
    roles = {e.name: [role for role, _, _ in e.roles] for e in found.entities}
    assert roles.get("quartz glaze") == ["melts"]


def test_learning_from_the_same_annotations_gives_the_same_bytes(folder: Path) -> None:
    learn(folder / "annotated.jsonl", folder / "again.weights")
    assert (folder / "again.weights").read_bytes() == (folder / "mine.weights").read_bytes()


def test_the_command_prints_scores_before_and_after_learning(folder: Path) -> None:
    printed = json.loads((folder / "printed.json").read_text(encoding="utf-8"))
    assert printed["better"] is True
    assert printed["types"] == ["Glaze"]
    glaze = printed["scores"]["Glaze"]
    assert glaze["before"]["F1"] < glaze["after"]["F1"]


def test_the_digest_of_the_weights_is_in_the_provenance(folder: Path) -> None:
    adapted = pipeline(folder, folder / "mine.weights")
    graph = build([Paper("p", "Notes on bowls", "We fired quartz glaze.")], pipeline=adapted).graph
    assert adapted.adapted is not None
    assert graph.run.weights == adapted.adapted.digest
    loaded = citekg.Graph.wrap(graph)
    loaded.save(folder / "graph.ttl")
    assert citekg.load(folder / "graph.ttl").run.weights == adapted.adapted.digest


def test_the_pipeline_fingerprint_depends_on_the_learnt_weights(folder: Path) -> None:
    adapted = pipeline(folder, folder / "mine.weights")
    assert pipeline_fingerprint(adapted) != pipeline_fingerprint(pipeline(folder))
    other = replace(adapted.adapted, threshold=0.6) if adapted.adapted else None
    assert pipeline_fingerprint(replace(adapted, adapted=other)) != pipeline_fingerprint(adapted)


def test_a_pipeline_with_learnt_weights_can_be_pickled(folder: Path) -> None:
    adapted = pipeline(folder, folder / "mine.weights")
    paper = Paper("p", "Notes on bowls", "We fired quartz glaze on small bowls.")
    here = adapted.extract(paper)
    assert [entity.type for entity in here.entities] == ["Glaze"]
    assert pickle.loads(pickle.dumps(adapted)).extract(paper) == here


def test_weights_require_the_schema_that_they_were_learnt_with(folder: Path) -> None:
    with pytest.raises(WeightsError, match="give the --schema that kg learn had"):
        make_pipeline(weights=folder / "mine.weights")


def test_too_few_papers_are_rejected(tmp_path: Path) -> None:
    annotated = write(tmp_path, papers(3))
    result = run_cli("learn", annotated, "--schema", tmp_path / "schema.yaml", "-o", tmp_path / "w")
    assert result.exit_code == 1
    assert "too few to learn from" in result.stderr
    assert not (tmp_path / "w").exists()


def test_weights_without_improvement_are_written_and_reported_as_not_better(tmp_path: Path) -> None:
    rows = [
        {**row, "entities": [], "abstract": "Clay was dug, dried and sold at the river."}
        for row in papers(8)
    ]
    annotated = write(tmp_path, rows)
    result = run_cli("learn", annotated, "-o", tmp_path / "w.weights")
    assert result.exit_code == NOT_BETTER
    assert "not better" in result.stdout
    assert (tmp_path / "w.weights").exists()


def test_an_improvement_in_a_single_paper_is_not_considered_better(folder: Path) -> None:
    domain = read_domain(folder / "schema.yaml")
    unseen = annotated_papers(str(folder / "unseen.jsonl"), domain.vocabulary)
    adapted = pipeline(folder, folder / "mine.weights")
    assert adapted.adapted is not None
    before, after = evaluate(unseen, pipeline(folder)), evaluate(unseen, adapted)
    first = [case for case in after.cases if case.paper == unseen[0].paper.id]
    others = [case for case in before.cases if case.paper != unseen[0].paper.id]
    learnt = Learnt(adapted.adapted, before, replace(before, cases=(*first, *others)))
    assert learnt.after.typed.f1 > learnt.before.typed.f1
    assert not learnt.is_better


def decisions(*entries: Decision) -> Decisions:
    return Decisions(entries)


def test_decisions_override_annotations(folder: Path) -> None:
    domain = read_domain(folder / "schema.yaml")
    annotated = annotated_papers(str(folder / "annotated.jsonl"), domain.vocabulary)[0]
    first, second = (entity.name for entity in annotated.gold)
    decided = with_decisions(
        annotated,
        decisions(
            Ban(name=first, **SIGNED),
            SetType(name=second, type="Method", **SIGNED),
            SetRole(paper=annotated.paper.id, name=second, role="uses", **SIGNED),
        ),
    )
    assert [(e.name, e.type, e.role) for e in decided.gold] == [(second, "Method", "uses")]


def test_in_unannotated_papers_only_decided_names_are_training_examples() -> None:
    paper = Paper("q", "Kites", "Kite Search and Heron Net fly over Wren Lake.")
    (found,) = decided_documents(
        [paper, Paper("r", "Other", "Nothing is named here.")],
        decisions(
            SetType(name="Kite Search", type="Method", **SIGNED),
            Ban(name="Wren Lake", papers=("q",), **SIGNED),
        ),
    )
    assert [entity.name for entity in found.gold] == ["Kite Search"]
    examples = {
        c.key: found.is_example(c)
        for c in ExtractionPipeline().run(paper, until="propose").candidates
    }
    assert examples["kite-search"]
    assert not examples["heron-net"]
    assert examples["wren-lake"]


def annotated_kites(tmp_path: Path) -> Annotated:
    entities = [
        {"surfaces": ["Kite"], "type": "Method", "relation": "uses", "also_relation": ["extends"]},
        {"surfaces": ["Old Kite"], "type": "Method", "relation": "mentions"},
    ]
    row = {"id": "p", "title": "Birds", "abstract": "Kite and Old Kite.", "entities": entities}
    return annotated_papers(str(write(tmp_path, [row])))[0]


def test_a_denied_role_is_removed_from_the_annotation(tmp_path: Path) -> None:
    kites = annotated_kites(tmp_path)
    denied = DenyRole(paper="p", name="Kite", role="uses", **SIGNED)
    kite, old = with_decisions(kites, Decisions((denied,))).gold
    assert (kite.role, kite.other_roles, old.role) == ("extends", (), "mentions")
    elsewhere = replace(denied, paper="another")
    assert with_decisions(kites, Decisions((elsewhere,))).gold[0].role == "uses"


@pytest.mark.parametrize(
    "decision",
    [
        Merge(names=("Kite", "Old Kite"), keep="Kite", **SIGNED),
        Rename(name="Old Kite", to="Kite", **SIGNED),
    ],
)
def test_names_joined_by_a_decision_become_one_annotation(
    decision: Decision, tmp_path: Path
) -> None:
    (kite,) = with_decisions(annotated_kites(tmp_path), Decisions((decision,))).gold
    assert kite.surfaces == ("Kite", "Old Kite")


def test_a_cue_does_not_override_a_probable_learnt_type() -> None:
    domain = read_domain(ROOT / "examples" / "biomedical" / "schema.yaml")
    candidates = [Candidate(key, cue_types={"GeneOrProtein": 0.7}) for key in ("known", "unknown")]
    probabilities = np.zeros((2, len(domain.labels)), dtype=np.float32)
    disease, gene = (domain.labels.index(name) for name in ("Disease", "GeneOrProtein"))
    probabilities[:, disease], probabilities[:, 0] = (0.9, 0.1), (0.1, 0.9)
    best = domain.with_schema_types(candidates, probabilities, ("Disease",)).argmax(axis=1)
    assert best.tolist() == [disease, gene]
    unlearnt = domain.with_schema_types(candidates, probabilities).argmax(axis=1)
    assert unlearnt.tolist() == [gene, gene]
