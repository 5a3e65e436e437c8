"""JSON formats of sites: fields that are kept, layouts, and messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.identifiers import arxiv_id, doi
from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper, Source
from citekg.sources import read
from citekg.sources.json_records import iter_records
from citekg.sources.openalex import rebuild_abstract
from tests.kg.sources.json_records import (
    GOLDEN,
    HF_DAILY,
    KAGGLE,
    OPENALEX,
    PAPERS_WITH_CODE,
    S2ORC,
    SEMANTIC_SCHOLAR,
    SHA,
)
from tests.kg.sources.reading import Written, read_all
from tests.problems import no_problem

each_format = pytest.mark.parametrize(("record", "paper"), GOLDEN.values(), ids=GOLDEN)


def another_paper(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with other identifiers, so that it is another paper."""
    bare = json.dumps(record).replace("Kites", "Nests").replace("ites", "ests")
    changed: dict[str, Any] = json.loads(
        bare.replace("2405.00001", "2405.00002").replace(SHA, "d" * 40)
    )
    return {k: 8 if k == "corpusid" else v for k, v in changed.items()}


# Fields that are kept


@each_format
def test_ids_dates_authors_venue_and_links_are_kept(
    written: Written, record: dict[str, Any], paper: Paper
) -> None:
    (found,), problems = read_all(written(json.dumps(record)))
    assert problems == []
    assert found.sources == (Source("x", 1),)
    assert (
        Paper(**{name: getattr(found, name) for name in Paper.__slots__ if name != "sources"})
        == paper
    )


LAYOUTS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "lines": lambda found: "".join(json.dumps(one) + "\n" for one in found),
    "a list on one line": json.dumps,
    "a list over many lines": lambda found: json.dumps(found, indent=2),
    "a list with a record a line": lambda found: (
        "[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n"
    ),
    "records over many lines": lambda found: "\n".join(json.dumps(one, indent=1) for one in found),
}


@each_format
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_the_papers_do_not_depend_on_the_layout_of_the_json(
    written: Written, record: dict[str, Any], paper: Paper, layout: Callable[..., str]
) -> None:
    found, problems = read_all(written(layout([record, another_paper(record)])))
    assert problems == []
    assert {p.title for p in found} == {"Kites", "Nests"}
    assert {p.abstract for p in found if p.title == "Kites"} == {paper.abstract}


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize(
    ("around", "record"),
    [
        (
            {
                "meta": {"count": 2, "groups": [{"key": "x"}]},
                "results": [],
                "group_by": [{"key": "y"}],
            },
            OPENALEX,
        ),
        ({"total": 2, "offset": 0, "next": 2, "data": []}, SEMANTIC_SCHOLAR),
        ({"recommendedPapers": []}, SEMANTIC_SCHOLAR),
    ],
)
def test_papers_are_read_from_the_list_of_an_api_response(
    written: Written, around: dict[str, Any], record: dict[str, Any], indent: int | None
) -> None:
    answer = {
        key: [record, another_paper(record)] if value == [] else value
        for key, value in around.items()
    }
    found, problems = read_all(written(json.dumps(answer, indent=indent)))
    assert problems == []
    assert {p.title for p in found} == {"Kites", "Nests"}


def test_citing_papers_are_read_from_the_entries_of_semantic_scholar(written: Written) -> None:
    (found,), problems = read_all(
        written(json.dumps({"data": [{"citingPaper": SEMANTIC_SCHOLAR}]}))
    )
    assert (found.id, problems) == ("2405.00001", [])


def test_the_arxiv_id_is_read_from_the_primary_location_of_an_openalex_work(
    tmp_path: Path,
) -> None:
    place = {
        "landing_page_url": "https://sky.example/kites",
        "pdf_url": "https://arxiv.org/pdf/2405.00001",
    }
    work = {k: v for k, v in OPENALEX.items() if k != "locations"} | {"primary_location": place}
    (tmp_path / "works.jsonl").write_text(json.dumps(work) + "\n", encoding="utf-8")
    (paper,), problems = read_all(str(tmp_path / "works.jsonl"))
    assert (paper.id, paper.url, problems) == ("2405.00001", "https://sky.example/kites", [])


def test_records_of_five_sites_with_the_same_arxiv_id_are_merged(tmp_path: Path) -> None:
    openalex = OPENALEX | {"locations": [{"landing_page_url": "http://arxiv.org/abs/2405.00001v3"}]}
    with_code = PAPERS_WITH_CODE | {"url_abs": "https://arxiv.org/abs/2405.00001v1"}
    for n, record in enumerate((openalex, SEMANTIC_SCHOLAR, HF_DAILY, KAGGLE, with_code)):
        (tmp_path / f"{n}").write_text(json.dumps(record), encoding="utf-8")
    (found,) = read([str(tmp_path)], no_problem)
    assert (found.id, found.arxiv_id, len(found.sources)) == ("2405.00001", "2405.00001", 5)


# Faults are reported, and the other records are kept


@each_format
def test_a_missing_abstract_is_allowed_and_a_missing_title_if_another_record_has_it(
    written: Written, record: dict[str, Any], paper: Paper
) -> None:
    stated = json.dumps(record)
    no_abstract = stated
    for name in ("abstract_inverted_index", "abstract", "short_abstract", "summary"):
        no_abstract = no_abstract.replace(f'"{name}":', f'"no_{name}":')
    no_title = stated.replace('"title":', '"no_title":')
    nests = json.dumps(another_paper(record))
    title_only = {(paper.title, "")}
    for half, kept, reported in (
        (no_abstract, title_only, []),
        (no_title, set(), ["x:2: the paper has no title"]),
    ):
        found, problems = read_all(written(f"{nests}\n{half}\n"))
        assert {(p.title, p.abstract) for p in found if p.title != "Nests"} == kept
        assert problems == reported
        joined, problems = read_all(written(f"{half}\n{stated}\n"))
        assert ([p.title for p in joined], [len(p.sources) for p in joined], problems) == (
            [paper.title],
            [2],
            [],
        )


@each_format
@pytest.mark.parametrize(
    "broken", ['{"title": "Ki', '{"title": "Kites" "x": [1}', "oops", '{"a": {"b": 1}']
)
def test_a_broken_line_is_reported_and_the_lines_around_it_are_kept(
    written: Written, record: dict[str, Any], paper: Paper, broken: str
) -> None:
    found, problems = read_all(
        written(f"{json.dumps(record)}\n{broken}\n{json.dumps(another_paper(record))}\n")
    )
    assert {p.title for p in found} == {paper.title, "Nests"}
    assert [p.partition(": ")[0] for p in problems] == ["x:2"]


@pytest.mark.parametrize(
    "fault", ['"title": "Ki', '"title" "Kites"', '"title": {"Kites"', '"title": [[[']
)
def test_a_broken_record_of_an_indented_list_is_reported_and_the_others_are_kept(
    written: Written, fault: str
) -> None:
    three = [
        PAPERS_WITH_CODE,
        PAPERS_WITH_CODE | {"title": "Rivers"},
        another_paper(PAPERS_WITH_CODE),
    ]
    text = json.dumps(three, indent=2).replace('"title": "Rivers"', fault)
    found, problems = read_all(written(text))
    assert {p.title for p in found} == {"Kites", "Nests"}
    start = [n for n, line in enumerate(text.splitlines(), 1) if line == "  {"][1]
    assert [p.partition(": ")[0] for p in problems] == [f"x:{start}"]


def test_a_broken_record_of_a_list_on_one_line_is_reported_and_the_others_are_kept(
    written: Written,
) -> None:
    text = json.dumps([KAGGLE, KAGGLE | {"id": "3"}, another_paper(KAGGLE)]).replace(
        '"id": "3"', '"id" "3"'
    )
    found, problems = read_all(written(text))
    assert {p.title for p in found} == {"Kites", "Nests"}
    assert len(problems) == 1
    assert problems[0].startswith("x:1: record 2: not JSON")


def test_a_truncated_file_is_reported_and_its_complete_records_are_kept(written: Written) -> None:
    text = json.dumps([PAPERS_WITH_CODE, another_paper(PAPERS_WITH_CODE)], indent=2)
    found, problems = read_all(written(text[:-30]))
    assert [p.title for p in found] == ["Kites"]
    assert [p.partition(": ")[2] for p in problems] == ["the JSON of the record is incomplete"]
    found, problems = read_all(written(text[:-1]))
    assert len(found) == 2
    assert [p.partition(": ")[2] for p in problems] == [
        "the list is incomplete after the start of this record"
    ]


def test_an_undecodable_line_is_reported_once(tmp_path: Path) -> None:
    file = tmp_path / "x"
    pretty = json.dumps([PAPERS_WITH_CODE, another_paper(PAPERS_WITH_CODE)], indent=2).encode()
    file.write_bytes(pretty.replace(b'"title": "Kites"', b'"title": "K\xff"'))
    found, problems = read_all(str(file))
    assert [p.title for p in found] == ["Nests"]
    assert problems == [f"{file}:5: not UTF-8 text; convert the file to UTF-8"]


@pytest.mark.parametrize(
    ("record", "change", "stated"),
    [
        (
            OPENALEX,
            {"abstract_inverted_index": {"a": "0"}},
            "the positions of 'a' in the abstract are not a list",
        ),
        (OPENALEX, {"authorships": ["Ada"]}, "an authorship is not an object"),
        (OPENALEX, {"ids": []}, "'ids' is a list where an object is expected"),
        (SEMANTIC_SCHOLAR, {"authors": "Ada"}, "'authors' is a text where a list is expected"),
        (SEMANTIC_SCHOLAR, {"title": True}, "'title' is true or false where text is expected"),
        (
            KAGGLE,
            {"authors_parsed": ["Ada"]},
            "an author in 'authors_parsed' is not a list of texts",
        ),
        (
            S2ORC,
            {"content": {"text": "x", "annotations": {"title": "[1]"}}},
            "the places of the title in the full",
        ),
    ],
)
def test_a_field_of_the_wrong_type_is_reported_and_the_next_record_is_kept(
    written: Written, record: dict[str, Any], change: dict[str, Any], stated: str
) -> None:
    (found,), problems = read_all(
        written(f"{json.dumps(record | change)}\n{json.dumps(another_paper(record))}\n")
    )
    assert found.title == "Nests"
    assert problems[0].startswith(f"x:1: {stated}")
    assert len(problems) == 1


# Properties of all inputs

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.lists(st.dictionaries(st.text(max_size=4), values, min_size=1, max_size=4), max_size=4)


@given(objects, st.sampled_from([None, 1, 2, 4]), st.booleans())
def test_iter_records_gives_the_records_of_a_list_unchanged(
    found: list[dict[str, Any]], indent: int | None, wrap: bool
) -> None:
    text = json.dumps(
        {"meta": {"n": [1]}, "results": found, "more": {}} if wrap else found, indent=indent
    )
    lines = [Line(n, line) for n, line in enumerate(text.split("\n"), 1)]
    lists = frozenset({"results"} if wrap else ())
    assert [record for _, record in iter_records(lines, lists)] == found


@given(st.lists(st.text(alphabet='{}[]",: \\ab01', max_size=20), max_size=6))
def test_iter_records_accepts_any_text_and_gives_valid_line_numbers(texts: list[str]) -> None:
    for number, _ in iter_records([Line(n, t) for n, t in enumerate(texts, 1)], frozenset({"a"})):
        assert 1 <= number <= len(texts)


@given(st.lists(st.sampled_from(["kites", "fly", "a", "the", "wind."]), min_size=1))
def test_an_abstract_is_rebuilt_from_its_inverted_index(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        index.setdefault(word, []).append(at)
    assert rebuild_abstract(index) == " ".join(words)


@pytest.mark.parametrize(
    "written_id",
    [
        "2405.00001",
        "arXiv:2405.00001v2",
        "https://arxiv.org/abs/2405.00001",
        "http://export.arxiv.org/pdf/2405.00001v1.pdf",
        "10.48550/arXiv.2405.00001",
        "https://doi.org/10.48550/ARXIV.2405.00001",
        "oai:arXiv.org:2405.00001",
    ],
)
def test_an_arxiv_id_is_recognised_in_every_notation(written_id: str) -> None:
    assert arxiv_id(written_id) == "2405.00001"


@pytest.mark.parametrize(
    "text", ["", "10.1000/2405.00001", "https://example.org/abs/2405.00001", "2405.000012"]
)
def test_other_texts_are_not_recognised_as_arxiv_ids(text: str) -> None:
    assert arxiv_id(text) == ""


def test_a_doi_is_recognised_with_and_without_its_resolver() -> None:
    assert {
        doi(d) for d in ("10.1000/AbC", "doi:10.1000/abc", "http://dx.doi.org/10.1000/ABC")
    } == {"10.1000/abc"}
    assert doi("https://example.org/x") == ""
