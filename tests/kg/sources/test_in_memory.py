"""Papers in memory: records, data frames and plain texts are read like files."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

import citekg
from citekg.graph.graph import Graph
from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Problem
from citekg.schemas.records import Paper

ABSTRACT = "We propose KestrelNet, a new method that extends PPO. KestrelNet is evaluated on D4RL."
RECORDS = [
    {
        "title": "KestrelNet",
        "abstract": ABSTRACT,
        "id": "k1",
        "year": 2024,
        "authors": ["Ada Lark", {"name": "Bo Li"}],
    },
    {
        "title": "Owl",
        "abstract": "We use PPO.",
        "id": "o1",
        "date": "2025-03-01",
        "venue": "ICLR",
        "doi": "10.1000/X",
    },
]


def papers_without_sources(graph: Graph) -> list[tuple[object, ...]]:
    """Return the fields of the papers without their sources."""
    return [(p.id, p.title, p.abstract, p.date, p.authors, p.venue, p.doi) for p in graph.papers]


def test_records_in_memory_give_the_same_graph_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "papers.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    from_file, in_memory = citekg.build([file]), citekg.build(RECORDS)
    assert papers_without_sources(in_memory) == papers_without_sources(from_file)
    assert in_memory.relations == from_file.relations
    assert [str(p.sources[0]) for p in in_memory.papers] == ["records:1", "records:2"]


def test_the_order_of_records_in_an_iterable_affects_only_their_sources() -> None:
    assert papers_without_sources(
        citekg.build(record for record in RECORDS)
    ) == papers_without_sources(citekg.build(RECORDS[::-1]))


def test_paper_objects_are_accepted_as_records_and_keep_their_sources() -> None:
    built = citekg.build(RECORDS)
    assert citekg.build(built.papers).papers == built.papers
    paper = Paper("x", "KestrelNet", ABSTRACT)
    assert [str(s) for s in citekg.build([paper]).papers[0].sources] == ["records:1"]
    assert citekg.build(paper).papers == citekg.build([paper]).papers
    assert citekg.build(RECORDS[0]).papers == citekg.build(RECORDS[:1]).papers


def test_numpy_values_dates_and_tuples_in_records_are_converted() -> None:
    np = pytest.importorskip("numpy")
    odd = {
        "title": "KestrelNet",
        "abstract": ABSTRACT,
        "year": np.int64(2024),
        "venue": float("nan"),
    }
    (paper,) = citekg.build([{**odd, "authors": np.array(["Ada Lark"])}]).papers
    assert (paper.date, paper.venue, paper.authors) == ("2024", "", ("Ada Lark",))
    (paper,) = citekg.build(
        [{"title": "K", "abstract": ABSTRACT, "date": date(2024, 5, 6), "authors": ("A", "B")}]
    ).papers
    assert (paper.date, paper.authors) == ("2024-05-06", ("A", "B"))


def test_known_columns_of_a_data_frame_are_read_and_empty_cells_are_ignored() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "Title": ["KestrelNet", "Owl"],
            "ABSTRACT": [ABSTRACT, "We use PPO."],
            "Year": [2024, None],
            "Authors": ["Lark, Ada; Li, Bo", None],
            "score": [0.5, 0.7],
        },
        index=["b", "a"],
    )
    kestrel, owl = sorted(citekg.build(frame).papers, key=lambda p: p.title)
    assert (kestrel.date, kestrel.authors) == ("2024", ("Ada Lark", "Bo Li"))
    assert (owl.date, owl.authors, [str(s) for s in owl.sources]) == ("", (), ["records:2"])


def test_the_papers_table_of_to_pandas_is_read_back() -> None:
    pytest.importorskip("pandas")
    built = citekg.build(RECORDS)
    again = citekg.build(built.to_pandas()["papers"])
    assert sorted(paper[1:] for paper in papers_without_sources(again)) == sorted(
        paper[1:] for paper in papers_without_sources(built)
    )


def test_a_data_frame_without_a_title_column_is_rejected_with_its_columns() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(
        InputError, match=r"DataFrame: the columns wanted are title .* found are 'name', 'abstract'"
    ):
        citekg.build(pd.DataFrame({"name": ["a"], "abstract": ["b"]}))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            {"title": ["Owl"], "abstract": "We use PPO."},
            "records:2: 'title' is a list where text is expected",
        ),
        (
            {"title": "Owl", "abstract": object()},
            "records:2: 'abstract' is an object where text is expected",
        ),
        (
            {"title": "Owl", "abstract": "x", "authors": {1}},
            "records:2: 'authors' is a set where text is expected",
        ),
        (
            Paper("x", "Owl", cast("str", None)),
            "records:2: 'abstract' is a NoneType where text is expected",
        ),
        ("papers.jsonl", "records:2: a str where a dictionary or a Paper is expected"),
        (7, "records:2: an int where a dictionary or a Paper is expected"),
    ],
)
def test_an_invalid_record_is_reported_with_its_number_and_the_others_are_kept(
    record: object, message: str
) -> None:
    given = [RECORDS[0], record, RECORDS[1]]
    with pytest.raises(InputError) as raised:
        citekg.build(given)
    assert str(raised.value) == message
    problems: list[Problem] = []
    assert len(citekg.build(given, on_problem=problems.append).papers) == 2
    assert [str(p) for p in problems] == [message]


def test_records_mixed_with_paths_and_values_of_other_types_are_rejected() -> None:
    with pytest.raises(
        InputError, match="input 2: a dict among paths: give paths alone, or records alone"
    ):
        citekg.build(["papers.jsonl", RECORDS[0]])
    with pytest.raises(
        InputError, match="records: an int where paths, records or a DataFrame are expected"
    ):
        citekg.build(7)


def test_paths_may_be_a_string_or_a_generator_of_path_objects(tmp_path: Path) -> None:
    file = tmp_path / "papers.jsonl"
    file.write_text(json.dumps(RECORDS[0]))
    assert citekg.build(Path(name) for name in [file]).papers == citekg.build(str(file)).papers


def test_extract_gives_the_same_entities_for_a_text_a_pair_a_record_and_a_paper() -> None:
    expected = [
        ("KestrelNet", "introduces"),
        ("Proximal Policy Optimization", "extends"),
        ("D4RL", "evaluatesOn"),
    ]
    given: list[tuple[str, str] | dict[str, str] | Paper] = [
        ("KestrelNet", ABSTRACT),
        {"title": "KestrelNet", "abstract": ABSTRACT},
        Paper("", "KestrelNet", ABSTRACT),
    ]
    for one in given:
        reading = citekg.extract(one)
        assert [(e.name, e.roles[0][0]) for e in reading.entities] == expected
        assert reading.paper.text == f"KestrelNet\n{ABSTRACT}"
    alone = citekg.extract(ABSTRACT)
    assert [e.name for e in alone.entities] == [name for name, _ in expected]
    for entity in alone.entities:
        assert {alone.paper.text[start:end] for start, end in entity.spans} == {*entity.surfaces}


def test_extract_uses_the_given_schema() -> None:
    schema = Path(__file__).parents[3] / "examples" / "biomedical" / "schema.yaml"
    assert {
        e.type for e in citekg.extract("Imatinib inhibits BCR-ABL1.", schema=schema).entities
    } - {"Method", "Model"}


@pytest.mark.parametrize("given", [7, None, ("a", "b", "c"), {"title": 3.5, "abstract": ""}])
def test_extract_rejects_values_without_a_valid_text(
    given: Any,
) -> None:
    with pytest.raises(InputError, match=r"records:1: "):
        citekg.extract(given)
