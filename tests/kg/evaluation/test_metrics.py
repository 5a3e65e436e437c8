"""Annotated and extracted entities are matched once, and all scores count the same verdicts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from citekg.building.pipeline import make_pipeline
from citekg.cli.main import main
from citekg.evaluation.annotations import Annotated, annotated_papers
from citekg.evaluation.matching import Case, match_entities, proposing_layers
from citekg.evaluation.metrics import Evaluation, Score
from citekg.evaluation.report import as_json, error_listing, tables
from citekg.extractors.gold import gold_entities
from citekg.extractors.markup import clean
from citekg.schemas.records import Paper, PaperEntity
from tests.extent import sample_of
from tests.kg.extractions import make_extraction, named

GOLD = Path(__file__).parents[4] / "shared" / "gold"
TEXT = """We propose Otter Search (OS), which extends PPO.
OtterNet runs on PondBench and on ReedSet.
It beats DPO; reinforcement learning is everywhere."""
PAPER = Paper("o1", "Otter Search", TEXT)


def gold(*entities: Mapping[str, Any]) -> Annotated:
    defaults = {"relation": "uses", "also": [], "also_relation": []}
    rows = [{**defaults, "name": e["surfaces"][0], **e} for e in entities]
    return Annotated(PAPER, tuple(gold_entities({"entities": rows})))


def found(
    *surfaces: str, type_: str = "Method", confidence: float = 0.8, **roles: float
) -> PaperEntity:
    sure: dict[str, Any] = dict(roles)
    return named(PAPER.text, *surfaces, type_=type_, confidence=confidence, **sure)


def cases(annotated: Annotated, *entities: PaperEntity) -> list[Case]:
    return list(match_entities(annotated, make_extraction(PAPER, *entities)))


OTTER = {"surfaces": ["Otter Search", "OS"], "type": "Method", "relation": "introduces"}
POND = {"surfaces": ["PondBench"], "type": "Benchmark", "relation": "evaluatesOn"}
REED = {"surfaces": ["ReedSet"], "type": "Dataset", "also": ["Benchmark"], "relation": "trainsOn"}
PPO = {"surfaces": ["PPO"], "type": "Method", "relation": "extends", "also_relation": ["uses"]}
WIDE = {"surfaces": ["reinforcement learning"], "type": "Method", "optional": True}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    """Two right (one by `also`), a wrong type, a miss, an extra, and an ignored optional one."""
    annotated = gold(OTTER, POND, REED, PPO, WIDE)
    entities = (
        found("OS", introduces=0.9, confidence=0.96),
        found("PondBench", type_="Model", evaluatesOn=0.9, confidence=0.91),
        found("ReedSet", type_="Benchmark", evaluatesOn=0.9, confidence=0.66),
        found("DPO", comparesTo=0.9, confidence=0.64),
        found("reinforcement learning"),
    )
    return Evaluation(1, tuple(cases(annotated, *entities)))


# Matching


@pytest.mark.parametrize(
    ("annotation", "entity", "verdict"),
    [
        (OTTER, found("Otter Search"), "right"),
        (OTTER, found("OS"), "right"),
        (POND, found("PondBench"), "type"),
        (REED, found("ReedSet", type_="Benchmark"), "right"),
        (WIDE, found("reinforcement learning"), "optional"),
        (WIDE, found("reinforcement learning", type_="Model"), "optional"),
    ],
)
def test_entities_that_share_a_surface_form_are_matched_and_judged_by_type(
    annotation: dict[str, object], entity: PaperEntity, verdict: str
) -> None:
    assert [c.verdict for c in cases(gold(annotation), entity)] == [verdict]


def test_an_unmatched_entity_is_a_miss_an_extra_or_optional() -> None:
    assert [c.verdict for c in cases(gold(PPO), found("DPO"))] == ["miss", "extra"]
    assert [c.verdict for c in cases(gold(WIDE))] == ["optional"]


def test_a_second_entity_for_one_annotation_is_an_extra() -> None:
    assert [c.verdict for c in cases(gold(OTTER), found("Otter Search"), found("OS"))] == [
        "right",
        "extra",
    ]


def test_of_two_matching_entities_the_one_with_the_right_type_is_matched() -> None:
    one, two = cases(gold(OTTER), found("Otter Search", type_="Model"), found("OS"))
    assert (one.verdict, one.found and one.found.name) == ("right", "OS")
    assert (two.verdict, two.found and two.found.name) == ("extra", "Otter Search")


def test_a_required_annotation_is_matched_before_an_optional_one() -> None:
    both = {"surfaces": ["OS"], "type": "Method", "optional": True}
    assert [c.verdict for c in cases(gold(both, OTTER), found("OS"))] == ["optional", "right"]


def test_a_case_contains_its_sentence() -> None:
    missed, extra = cases(gold(POND), found("DPO"))
    assert missed.sentence == "OtterNet runs on PondBench and on ReedSet."
    assert extra.sentence == "It beats DPO; reinforcement learning is everywhere."


# Scores


def test_entities_and_types_are_counted_from_the_same_cases(evaluation: Evaluation) -> None:
    assert evaluation.entity == Score(tp=3, fp=1, fn=1)
    assert evaluation.typed == Score(tp=2, fp=2, fn=2)
    assert evaluation.by_type == {
        "Method": Score(1, 1, 1),
        "Benchmark": Score(0, 0, 1),
        "Model": Score(0, 1, 0),
        "Dataset": Score(1, 0, 0),
    }


def test_the_scores_by_type_sum_to_the_total_score(evaluation: Evaluation) -> None:
    scores = evaluation.by_type.values()
    assert (
        Score(sum(s.tp for s in scores), sum(s.fp for s in scores), sum(s.fn for s in scores))
        == evaluation.typed
    )


@pytest.mark.parametrize(
    ("score", "shares"),
    [
        (Score(3, 1, 2), (0.75, 0.6, 2 / 3)),
        (Score(0, 0, 0), (0, 0, 0)),
        (Score(0, 3, 0), (0, 0, 0)),
        (Score(2, 0, 0), (1, 1, 1)),
    ],
)
def test_precision_recall_and_f1_are_computed_without_division_by_zero(
    score: Score, shares: tuple[float, float, float]
) -> None:
    assert (score.precision, score.recall, score.f1) == pytest.approx(shares)


def test_the_confusion_matrix_counts_annotated_and_extracted_types(evaluation: Evaluation) -> None:
    assert evaluation.confusion["Benchmark"] == {
        "Method": 0,
        "Benchmark": 0,
        "Model": 1,
        "Dataset": 0,
        "": 0,
    }
    assert evaluation.confusion["Dataset"]["Dataset"] == 1, (
        "a type that the annotator defends is no confusion"
    )
    assert evaluation.confusion["Method"][""] == evaluation.confusion[""]["Method"] == 1


def test_roles_are_scored_for_entities_with_the_right_type(evaluation: Evaluation) -> None:
    assert evaluation.relation_accuracy == 0.5
    assert evaluation.by_role == {
        "introduces": Score(1, 0, 0),
        "trainsOn": Score(0, 0, 1),
        "evaluatesOn": Score(0, 1, 0),
    }


def test_role_scores_of_all_entities_include_misses_extras_and_wrong_types(
    evaluation: Evaluation,
) -> None:
    assert evaluation.by_role_in_all == {
        "introduces": Score(1, 0, 0),
        "trainsOn": Score(0, 0, 1),
        "evaluatesOn": Score(0, 2, 1),
        "extends": Score(0, 0, 1),
        "comparesTo": Score(0, 1, 0),
    }


def test_an_alternative_role_of_the_annotation_is_right() -> None:
    (case,) = cases(gold(PPO), found("PPO", uses=0.9))
    assert (case.right_roles, case.role_is_found) == (frozenset({"uses"}), True)


COMPARED_PPO = {**PPO, "also_relation": ["comparesTo"]}


@pytest.mark.parametrize(
    ("roles", "accuracy", "precision", "recall"),
    [
        (("extends", "comparesTo"), 1, 1, 1),
        (("extends", "comparesTo", "outperforms"), 1, 1, 1),
        (("extends",), 1, 1, 1),
        (("outperforms",), 1, 1, 1),
        (("extends", "uses"), 1, 0.5, 1),
        (("uses", "comparesTo"), 1, 0.5, 0),
        (("uses",), 0, 0, 0),
    ],
)
def test_precision_counts_all_extracted_roles_and_recall_the_annotated_role(
    roles: tuple[str, ...], accuracy: float, precision: float, recall: float
) -> None:
    sure: dict[str, Any] = dict.fromkeys(roles, 0.9)
    one = cases(gold(COMPARED_PPO), found("PPO", **sure))
    evaluation = Evaluation(1, tuple(one))
    assert evaluation.relation_accuracy == accuracy
    assert evaluation.role_precision == precision
    assert evaluation.role_recall == recall


def test_the_scores_by_role_count_each_extracted_role_as_right_or_wrong() -> None:
    both = cases(gold(COMPARED_PPO), found("PPO", extends=0.9, outperforms=0.9, uses=0.9))
    assert Evaluation(1, tuple(both)).by_role == {
        "comparesTo": Score(1, 0, 0),
        "extends": Score(1, 0, 0),
        "uses": Score(0, 1, 0),
    }
    other = cases(gold(COMPARED_PPO), found("PPO", comparesTo=0.9))
    assert Evaluation(1, tuple(other)).by_role == {"extends": Score(1, 0, 0)}
    wrong = cases(gold(COMPARED_PPO), found("PPO", comparesTo=0.9, uses=0.9))
    assert Evaluation(1, tuple(wrong)).by_role == {
        "extends": Score(0, 0, 1),
        "uses": Score(0, 1, 0),
    }


def test_the_report_shows_precision_and_recall_of_the_roles() -> None:
    evaluation = Evaluation(
        1, tuple(cases(gold(COMPARED_PPO), found("PPO", extends=0.9, uses=0.9)))
    )
    assert as_json(evaluation)["roles"] == {"P": 0.5, "R": 1.0}
    titles = [table.title for table in tables(evaluation)]
    assert "Roles of entities with the right type (accuracy 1.000, P 0.500, R 1.000)" in titles


def test_scores_of_several_roles_equal_those_of_the_reference_scorer(tmp_path: Path) -> None:
    if not (GOLD / "score.py").is_file() and not os.environ.get("CI"):
        pytest.skip(f"the scorer is not at {GOLD}")
    rows = [
        {**OTTER, "also": [], "also_relation": []},
        {**REED, "also_relation": ["evaluatesOn"]},
        {**COMPARED_PPO, "also": []},
    ]
    gold_rows = [{"name": row["surfaces"][0], "optional": False, **row} for row in rows]
    entities = (
        found("Otter Search", introduces=0.9, uses=0.5),
        found("ReedSet", type_="Dataset", trainsOn=0.9, evaluatesOn=0.8),
        found("PPO", comparesTo=0.9, outperforms=0.9, uses=0.4),
    )
    predicted = [
        {"surfaces": e.surfaces, "type": e.type, "relations": [r for r, _, _ in e.roles]}
        for e in entities
    ]
    files = tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl"
    for file, values in zip(files, (gold_rows, predicted), strict=True):
        line = {"id": "o1", "title": PAPER.title, "entities": values}
        file.write_text(json.dumps(line), encoding="utf-8")
    scorer = [sys.executable, str(GOLD / "score.py"), *map(str, files)]
    theirs = json.loads(subprocess.run(scorer, capture_output=True, check=True).stdout)
    ours = as_json(Evaluation(1, tuple(cases(gold(*rows), *entities))))
    for name in ("relation_accuracy", "roles", "typed"):
        assert ours[name] == theirs[name], name


def test_an_annotation_without_a_role_is_ignored_in_the_role_scores() -> None:
    evaluation = Evaluation(1, tuple(cases(gold({**OTTER, "relation": ""}), found("OS", uses=0.9))))
    assert (evaluation.relation_accuracy, evaluation.by_role) == (0, {})


def test_calibration_compares_confidence_with_precision(evaluation: Evaluation) -> None:
    doubtful, sure = evaluation.calibration
    assert (doubtful.low, doubtful.count, doubtful.entity, doubtful.typed) == (0.6, 2, 0.5, 0.5)
    assert (sure.low, sure.count, sure.entity, sure.typed) == (0.9, 2, 1.0, 0.5)
    assert doubtful.confidence == pytest.approx(0.65)
    assert evaluation.calibration_error(typed=False) == pytest.approx((0.15 + 0.065) / 2)
    assert evaluation.calibration_error(typed=True) == pytest.approx((0.15 + 0.435) / 2)


def test_strict_calibration_counts_relations_of_optional_entities_as_wrong() -> None:
    annotated = gold(OTTER, PPO, {**WIDE, "relation": "uses"})
    entities = (
        found("OS", introduces=0.98),
        found("PPO", comparesTo=0.92, outperforms=0.92),
        found("reinforcement learning", uses=0.94),
        found("DPO", uses=0.41),
    )
    doubtful, sure, shown = Evaluation(1, tuple(cases(annotated, *entities))).relation_calibration
    assert (doubtful.low, doubtful.count, doubtful.strict) == (0.4, 1, 0)
    for bin_ in (sure, shown):
        assert (bin_.high, bin_.count) == (1.0, 3)
        assert bin_.strict == pytest.approx(1 / 3)
        assert bin_.required == 0.5
    assert (sure.low, shown.low) == (0.9, 0.5)


def test_scores_by_layer_count_proposed_and_found_entities() -> None:
    annotated = gold(OTTER, POND)
    proposed = {"otter search": frozenset[str](), "os": frozenset({"abbreviations", "tagger"})}
    both = match_entities(annotated, make_extraction(PAPER, found("OS"), found("DPO")), proposed)
    layers = Evaluation(1, tuple(both)).by_layer
    assert [layers[name].proposed for name in ("abbreviations", "lexicon", "tagger", "")] == [
        1,
        0,
        1,
        1,
    ]
    assert layers["tagger"].recall == 0.5
    assert (layers["lexicon"].found, layers["tagger"].found) == (Score(1, 1, 0), Score(0, 0, 0))


def test_proposing_layers_are_listed_for_each_surface_form() -> None:
    reader = make_pipeline(["abbreviations", "rules"])
    proposed = proposing_layers(gold(OTTER), reader)
    assert {"abbreviations", "rules"} == proposed["os"]
    assert proposed["pondbench"] == {"rules"}


def test_without_papers_all_scores_are_zero() -> None:
    empty = Evaluation(0, ())
    assert empty.typed.f1 == empty.relation_accuracy == empty.calibration_error(typed=True) == 0
    assert "0 papers" in next(tables(empty)).title


# Reports


def test_the_report_and_the_json_contain_the_same_scores(evaluation: Evaluation) -> None:
    text, data = "\n".join(table.text() for table in tables(evaluation)), as_json(evaluation)
    assert data["typed"] == {"P": 0.5, "R": 0.5, "F1": 0.5, "tp": 2, "fp": 2, "fn": 2}
    assert "all, typed     0.500  0.500  0.500      2      2       2" in text
    assert json.loads(json.dumps(data)) == data


def test_the_error_listing_contains_misses_wrong_types_and_extras(
    evaluation: Evaluation,
) -> None:
    listed = error_listing(evaluation)
    assert (
        "Missed: 1\n  o1  Method  PPO\n      We propose Otter Search (OS), which extends PPO."
        in listed
    )
    assert "Wrong type: 1\n  o1  Benchmark -> Model  PondBench\n" in listed
    assert "Found, not annotated: 1\n  o1  Method  DPO\n" in listed
    assert [f["verdict"] for f in as_json(evaluation)["faults"]] == ["type", "miss", "extra"]


def test_the_command_evaluates_user_annotations(tmp_path: Path) -> None:
    line = {
        "title": PAPER.title,
        "abstract": PAPER.abstract.replace("\n", " "),
        "entities": [OTTER, PPO],
    }
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    printed = CliRunner().invoke(main, ["evaluate", str(path), "--list"])
    assert printed.exit_code == 0
    assert "Entities in 1 papers" in printed.output
    assert "Missed: 0" in printed.output
    data = json.loads(
        CliRunner()
        .invoke(main, ["evaluate", str(path), "--json", "--layers", "abbreviations"])
        .output
    )
    assert data["by_layer"]["lexicon"]["found"] == 0
    proposed = {layer: row["proposed"] for layer, row in data["by_layer"].items()}
    assert (proposed["abbreviations"], proposed["rules"], proposed["all"]) == (1, 0, 1)


def test_the_command_reports_an_invalid_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(
        '{"title": "T", "abstract": "A", "entities": [{"name": "B", "type": "Method"}]}',
        encoding="utf-8",
    )
    printed = CliRunner().invoke(main, ["evaluate", str(path)])
    assert printed.exit_code == 1
    assert (
        f"{path}:1: entity 1 ('B'): the surface 'B' does not occur in title or abstract"
        in printed.output
    )


def _without_markup(annotated: Path) -> Path:
    """Write the annotations with surface forms as they are extracted; the scorer keeps markup."""
    rows = [json.loads(line) for line in annotated.read_text(encoding="utf-8").splitlines()]
    for entity in (entity for row in rows for entity in row["entities"]):
        entity["surfaces"] = [clean(surface).text for surface in entity["surfaces"]]
    file = annotated.with_name("without-markup.jsonl")
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_the_scores_equal_those_of_the_reference_scorer(tmp_path: Path) -> None:
    annotated = GOLD / "dev.jsonl"
    if not annotated.is_file() and not os.environ.get("CI"):
        pytest.skip(f"the annotated papers are not at {GOLD}")
    dev = tmp_path / "dev.jsonl"
    lines = annotated.read_text(encoding="utf-8").splitlines(keepends=True)
    dev.write_text("".join(sample_of(lines, 5)), encoding="utf-8")
    predicted = tmp_path / "predicted.jsonl"
    predicted.write_text(CliRunner().invoke(main, ["extract", str(dev)]).stdout, encoding="utf-8")
    scorer = subprocess.run(
        [sys.executable, GOLD / "score.py", _without_markup(dev), predicted],
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(scorer.stdout)
    ours = json.loads(CliRunner().invoke(main, ["evaluate", str(dev), "--json"]).stdout)
    assert theirs.pop("papers_missing") == 0
    assert {name: ours[name] for name in theirs} == theirs
    assert len(annotated_papers(str(dev))) == theirs["papers"]
