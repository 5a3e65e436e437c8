"""The project's own annotations, and the texts that they are joined with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from citekg.extractors.training.annotated import annotated_papers, fold_title, with_own_annotations
from citekg.schemas.errors import InputError
from citekg.schemas.vocabulary import ROLES, TYPES
from tests.paths import ROOT

FILES = sorted((ROOT / "extractors" / "training" / "annotations").glob("*.jsonl"))
UNSEEN = ROOT / "benchmarks" / "annotations" / "unseen.jsonl"


def rows_of(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def own_rows() -> list[dict[str, Any]]:
    return rows_of(FILES)


def test_papers_of_the_evaluation_are_not_annotated_for_training() -> None:
    unseen, training = rows_of([UNSEEN]), {fold_title(row["title"]) for row in own_rows()}
    assert len({fold_title(row["title"]) for row in unseen} - training) == len(unseen) == 350


@pytest.mark.parametrize("file", [*FILES, UNSEEN], ids=lambda file: file.stem)
def test_every_annotation_has_known_types_and_roles_and_short_surface_forms(file: Path) -> None:
    for row in rows_of([file]):
        assert {*row} == {"id", "title", "entities"}
        for entity in row["entities"]:
            assert {entity["type"], *entity.get("also", ())} <= {*TYPES}, row["id"]
            assert {entity["relation"], *entity.get("also_relation", ())} <= {*ROLES}, row["id"]
            assert entity["name"] in entity["surfaces"], row["id"]
            assert all(0 < len(surface) < 150 for surface in entity["surfaces"]), row["id"]


def test_no_paper_is_annotated_twice() -> None:
    titles = [" ".join(row["title"].casefold().split()) for row in own_rows()]
    assert len({*titles}) == len(titles)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A file with the texts of the first two annotated papers, and of one that is not annotated."""
    rows = [{"id": r["id"], "title": r["title"], "abstract": "Kites fly."} for r in own_rows()[:2]]
    file = tmp_path / "texts.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as written:
        for row in [*rows, {"id": "kites/1", "title": "Kites", "abstract": "Kites fly."}]:
            written.write(json.dumps(row) + "\n")
    return file


def test_annotations_are_joined_with_their_texts_by_id_and_title(texts: Path) -> None:
    rows = annotated_papers([], [texts], [])
    assert [row["abstract"] for row in rows] == ["Kites fly.", "Kites fly."]
    assert [row["entities"] for row in rows] == [row["entities"] for row in own_rows()[:2]]


def test_papers_of_held_out_files_are_left_out(texts: Path, tmp_path: Path) -> None:
    first, second = own_rows()[:2]
    held_out = tmp_path / "dev.jsonl"
    held_out.write_text(json.dumps({"title": first["title"].upper()}) + "\n", encoding="utf-8")
    assert [row["id"] for row in annotated_papers([], [texts], [held_out])] == [second["id"]]


def test_a_folder_without_annotations_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no annotations"):
        with_own_annotations([], [], tmp_path, "entities")
