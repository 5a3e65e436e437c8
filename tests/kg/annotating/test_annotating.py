"""The records of annotation sessions: their file, their order, and the agreement of annotators."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citekg.annotating.agreement import agreements, kappa
from citekg.annotating.annotation_file import AnnotationFile
from citekg.annotating.order import (
    POOL,
    choose,
    hashed_words,
    informative_order,
    random_order,
    word_vectors,
)
from citekg.annotating.session import Session
from citekg.evaluation.annotations import annotated_papers, read_annotations
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.errors import InputError
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import DEFAULT
from tests.kg.commands import run_cli

KITE = {"surfaces": ["Kite Search"], "type": "Method", "relation": "introduces"}
POND = {"surfaces": ["PondBench"], "type": "Benchmark", "relation": "evaluatesOn"}


def paper(number: int) -> Paper:
    return Paper(f"h{number}", f"Kite Search {number}", "We test Kite Search on PondBench.")


def file(folder: Path, annotator: str = "Ada") -> AnnotationFile:
    return AnnotationFile(folder / "mine.jsonl", annotator, DEFAULT)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, (folder / "mine.jsonl").read_text("utf-8").splitlines())]


def test_saved_papers_are_valid_input_of_evaluate_and_learn(tmp_path: Path) -> None:
    for number in range(8):
        file(tmp_path).save(paper(number), [KITE, POND] if number else [])
    saved = tmp_path / "mine.jsonl"
    read = annotated_papers(str(saved))
    assert [len(one.gold) for one in read] == [0, *[2] * 7]
    assert read[1].gold[0].role == "introduces"
    evaluated = run_cli("evaluate", saved, "--json")
    assert evaluated.exit_code == 0, evaluated.output
    assert json.loads(evaluated.stdout)["papers"] == 8
    learnt = run_cli("learn", saved, "-o", tmp_path / "mine.weights", "--json")
    assert learnt.exit_code in (0, 6), learnt.output
    assert json.loads(learnt.stdout)["papers"] == 8


def test_saving_a_paper_again_replaces_it_and_keeps_lines_of_other_annotators(
    tmp_path: Path,
) -> None:
    ada, bo = file(tmp_path), file(tmp_path, "Bo")
    bo.save(paper(1), [POND])
    theirs = (tmp_path / "mine.jsonl").read_bytes()
    ada.save(paper(1), [KITE])
    ada.save(paper(2), [])
    ada.save(paper(1), [KITE, POND])
    assert (tmp_path / "mine.jsonl").read_bytes().startswith(theirs)
    found = [(row["annotator"], row["id"], len(row["entities"])) for row in lines(tmp_path)]
    assert found == [("Bo", "h1", 1), ("Ada", "h1", 2), ("Ada", "h2", 0)]
    assert [*ada.rows()] == ["h1", "h2"]
    assert [*bo.rows()] == ["h1"]


def test_a_line_without_annotator_gets_the_annotator_who_saves_it(tmp_path: Path) -> None:
    row = {"id": "h1", "title": "T", "abstract": "Kite", "entities": []}
    (tmp_path / "mine.jsonl").write_text(json.dumps(row), "utf-8")  # without a final line end
    assert [*file(tmp_path).rows()] == ["h1"]
    file(tmp_path).save(paper(1), [])
    file(tmp_path).save(paper(2), [])
    assert [row["annotator"] for row in lines(tmp_path)] == ["Ada", "Ada"]


@pytest.mark.parametrize(
    ("entity", "why"),
    [
        ({**KITE, "surfaces": ["Heron"]}, "does not occur"),
        ({**KITE, "type": "Bird"}, "none of Method"),
        ({**KITE, "relation": "flies"}, "none of introduces"),
        ("Kite", "not an object"),
    ],
)
def test_invalid_annotations_are_not_written(tmp_path: Path, entity: Any, why: str) -> None:
    file(tmp_path).save(paper(1), [KITE])
    before = (tmp_path / "mine.jsonl").read_bytes()
    with pytest.raises(InputError, match=why):
        file(tmp_path).save(paper(1), [entity])
    assert (tmp_path / "mine.jsonl").read_bytes() == before


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\x00\xff", b"{}\n", b"[1]\n"])
def test_a_file_that_is_not_an_annotation_file_is_rejected(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "mine.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=r"mine\.jsonl:1"):
        file(tmp_path).rows()


def test_a_different_paper_with_the_same_id_is_rejected(tmp_path: Path) -> None:
    file(tmp_path).save(paper(1), [])
    other = Paper("h1", "Another title", "Another text.")
    session = Session([other], ExtractionPipeline(), file(tmp_path), file(tmp_path).rows())
    with pytest.raises(InputError, match="another title or abstract"):
        session.check()


def test_proposals_are_texts_of_the_paper_and_tokens_are_offsets_in_utf_16(tmp_path: Path) -> None:
    given = Paper("p", "𝔸 note", "We train **PPO** on MuJoCo, and compare with TD3.")
    session = Session([given], ExtractionPipeline(), file(tmp_path), {})
    shown = session.paper(0)
    units = given.text.encode("utf-16-le")
    words = [units[2 * a : 2 * b].decode("utf-16-le") for a, b in shown["tokens"]]
    assert words[:3] == ["𝔸", "note", "We"]
    surfaces = {surface for entity in shown["entities"] for surface in entity["surfaces"]}
    assert {"PPO", "MuJoCo"} <= surfaces
    session.save(0, [{**entity, "confidence": None} for entity in shown["entities"]])
    assert session.paper(0)["saved"]
    session.proposing = False
    session.saved.clear()
    assert session.paper(0)["entities"] == []


def test_a_random_order_depends_only_on_the_ids() -> None:
    papers = [paper(number) for number in range(40)]
    some = random_order(papers, 10)
    assert some == random_order(reversed(papers), 10)
    assert some != papers[:10]
    fewer = [one for one in papers if one != some[3]]
    assert random_order(fewer, 9) == [one for one in some if one != some[3]]
    assert POOL >= 1000


def test_choose_prefers_uncertain_papers_and_defers_similar_ones() -> None:
    texts = ["sails catch wind", "sails catch wind", "pots hold clay", "bees make honey"]
    vectors = word_vectors([hashed_words(text.split()) for text in texts])
    assert choose([0.9, 0.9, 0.5, 0.1], vectors, 4) == [0, 2, 3, 1]
    assert choose([0.9, 0.9, 0.5, 0.1], vectors, 2, done=[1]) == [2, 3]
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_done_papers_come_first_and_certain_papers_after_uncertain_ones() -> None:
    certain = Paper("a", "On walks", "People walk to the market and buy bread.")
    uncertain = Paper("b", "Larkspur and Vesper", "Larkspur, Vesper Kit and a Moor plan help us.")
    done = Paper("c", "Clay pots", "Pots hold water.")
    papers = [certain, uncertain, done]
    found = informative_order(papers, ExtractionPipeline(), 3, done=["c"])
    assert [one.id for one in found] == ["c", "b", "a"]
    assert informative_order(papers, ExtractionPipeline(), 1, done=["c"]) == [done]


def write_annotations(folder: Path, **entities: list[Any]) -> str:
    for annotator, found in entities.items():
        file(folder, annotator).save(paper(1), found)
    return str(folder / "mine.jsonl")


def test_agreement_counts_names_types_and_roles_of_both_annotators(tmp_path: Path) -> None:
    wrong = {**POND, "type": "Dataset"}
    optional = {"surfaces": ["We"], "type": "Method", "optional": True}
    path = write_annotations(
        tmp_path, Ada=[KITE, POND, optional], Bo=[{**KITE, "relation": "uses"}, wrong]
    )
    (found,) = agreements(read_annotations(path))
    assert (found.papers, found.f1, found.typed_f1, found.role_f1) == (1, 1.0, 0.5, 0.0)
    assert found.type_kappa == pytest.approx((0.5 - 0.25) / 0.75)
    printed = run_cli("annotate", "--agreement", path, "--json")
    assert json.loads(printed.stdout)[0]["names of both"] == 2
    assert "Ada and Bo" in run_cli("annotate", "--agreement", path).output


def test_kappa_is_undefined_for_a_single_label_or_no_items() -> None:
    assert kappa([("a", "a")] * 3) is None
    assert kappa([]) is None
    assert kappa([("a", "b"), ("b", "a")]) == -1


def test_evaluate_needs_an_annotator_for_a_file_of_two_annotators(tmp_path: Path) -> None:
    path = write_annotations(tmp_path, Ada=[KITE, POND], Bo=[])
    refused = run_cli("evaluate", path)
    assert (refused.exit_code, "use --annotator" in refused.output) == (1, True)
    assert run_cli("evaluate", path, "--annotator", "Bo").exit_code == 0
    missing = run_cli("evaluate", path, "--annotator", "Cy")
    assert (missing.exit_code, "by 'Cy'" in missing.output) == (1, True)


USAGE: list[tuple[list[str], str]] = [
    ([], "give the papers"),
    (["papers.jsonl"], "with -o the file"),
    (["papers.jsonl", "--agreement", "x"], "takes no papers"),
]


@pytest.mark.parametrize(("options", "why"), USAGE)
def test_missing_and_incompatible_options_are_rejected(options: list[str], why: str) -> None:
    result = run_cli("annotate", *options)
    assert (result.exit_code, why in result.output) == (2, True), result.output
