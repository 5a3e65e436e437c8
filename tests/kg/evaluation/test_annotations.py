"""Annotated papers are read, and an invalid line is reported with file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from citekg.evaluation.annotations import annotated_papers
from citekg.schemas.errors import InputError, InputMissing
from tests.kg.evaluation.annotated import HERON, LINE


def write_lines(folder: Path, *lines: object) -> str:
    path = folder / "gold.jsonl"
    path.write_text(
        "\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines), encoding="utf-8"
    )
    return str(path)


def with_entity(**changes: object) -> dict[str, Any]:
    return {**LINE, "entities": [{**HERON, **changes}]}


def test_an_annotated_paper_is_read_with_its_entities(tmp_path: Path) -> None:
    (one,) = annotated_papers(write_lines(tmp_path, LINE))
    assert (one.paper.id, one.paper.title) == ("h1", "Heron Search")
    heron, pond = one.gold
    assert (heron.name, heron.type, heron.role, heron.optional) == (
        "Heron Search",
        "Method",
        "introduces",
        False,
    )
    assert heron.forms == {"heronsearch", "hs"}
    assert (pond.name, pond.role, pond.other_types, pond.other_roles) == ("PondBench", "", (), ())


def test_an_entity_without_surfaces_has_its_name_as_surface(tmp_path: Path) -> None:
    (one,) = annotated_papers(
        write_lines(tmp_path, {**LINE, "entities": [{"name": "PondBench", "type": "Benchmark"}]})
    )
    assert one.gold[0].surfaces == ("PondBench",)


def test_a_paper_without_id_has_file_and_line_as_id(tmp_path: Path) -> None:
    path = write_lines(tmp_path, "", {k: v for k, v in LINE.items() if k != "id"})
    assert annotated_papers(path)[0].paper.id == f"{path}:2"


def test_gzipped_annotations_are_read(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(LINE).encode()))
    assert len(annotated_papers(str(path))) == 1


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ({**LINE, "title": " "}, "'title' is missing or not a text"),
        ({**LINE, "abstract": 7}, "'abstract' is missing or not a text"),
        ({**LINE, "entities": None}, "'entities' is not a list"),
        ({**LINE, "entities": ["HS"]}, "entity 1 is not an object"),
        ({**LINE, "entities": [HERON, {"type": "Method"}]}, "'surfaces' of the entity ''"),
        (with_entity(surfaces="HS"), "is not a list of texts"),
        (with_entity(surfaces=[]), "entity 1 (''): 'surfaces' is empty"),
        (
            with_entity(surfaces=["heron search"]),
            "'heron search' does not occur in title or abstract",
        ),
        (with_entity(type="Bird"), "type 'Bird' is none of Method, Benchmark, Model, Dataset"),
        (with_entity(type=None), "type None is none of"),
        (with_entity(also=["Bird"]), "also 'Bird' is none of"),
        (with_entity(also="Model"), "'also' of the entity 'Heron Search' is not a list"),
        (
            with_entity(relation="flies"),
            "entity 1 ('Heron Search'): relation 'flies' is none of introduces",
        ),
        (with_entity(relation=["uses"]), "relation ['uses'] is none of"),
        (with_entity(also_relation=["flies"]), "also_relation 'flies' is none of"),
        (LINE, "the id 'h1' is taken by"),
    ],
)
def test_an_invalid_line_is_reported_with_file_line_and_reason(
    tmp_path: Path, line: object, reported: str
) -> None:
    path = write_lines(tmp_path, LINE, line)
    with pytest.raises(InputError) as caught:
        annotated_papers(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert reported in str(caught.value)


def test_bytes_that_are_not_utf_8_are_reported_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_bytes(json.dumps(LINE).encode() + b"\n\xff\xfe{}")
    with pytest.raises(InputError, match=r"gold\.jsonl:2: not UTF-8"):
        annotated_papers(str(path))


def test_an_empty_or_missing_annotation_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no annotated papers"):
        annotated_papers(write_lines(tmp_path, ""))
    with pytest.raises(InputMissing):
        annotated_papers(str(tmp_path / "none.jsonl"))
