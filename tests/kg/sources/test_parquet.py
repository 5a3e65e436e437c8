"""Reading Parquet: fields of flat and nested columns, and the handling of faults."""

from __future__ import annotations

import builtins
import json
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from citekg.exports import write
from citekg.schemas.records import Paper, Source
from citekg.sources.field_names import missing_columns_message
from tests.kg.sources.json_records import ABSTRACT, GOLDEN
from tests.kg.sources.reading import read_all
from tests.sample import sample_graph

pa = pytest.importorskip("pyarrow", reason="pyarrow is an optional extra")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an optional extra")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(rows: list[dict[str, Any]], schema: Any = None, **options: Any) -> str:
    """Writes the rows to the file `x`, in the folder where the test runs."""
    pq.write_table(pa.Table.from_pylist(rows, schema), "x", **options)
    return "x"


FLAT = {
    "Title": "Kites",
    "ABSTRACT": ABSTRACT,
    "authors": ["Ada Lark", "Bo Wren"],
    "published": datetime(2024, 5, 6, 17, 30),
    "venue": "Sky",
    "doi": "10.1000/Kites",
    "arxiv_id": "2405.00001v2",
    "url": "https://sky.example/kites",
    "pdf_url": "https://sky.example/kites.pdf",
    "references": ["arXiv:2305.00009", "10.1000/wind"],
    "embedding": [0.25, 0.5],
}
KITES = Paper(
    "2405.00001",
    "Kites",
    ABSTRACT,
    "2024-05-06",
    ("Ada Lark", "Bo Wren"),
    "https://sky.example/kites",
    "2405.00001",
    "Sky",
    (Source("x", 1),),
    "10.1000/kites",
    ("https://sky.example/kites.pdf",),
    ("arxiv:2305.00009", "doi:10.1000/wind"),
)


@pytest.mark.usefixtures("folder")
def test_flat_columns_are_read_into_the_fields_of_a_paper() -> None:
    assert read_all(table([FLAT])) == ([KITES], [])


@pytest.mark.parametrize(
    ("column", "value", "field", "expected"),
    [
        ("authors", "Lark, Ada; Wren, Bo", "authors", ("Ada Lark", "Bo Wren")),
        (
            "authors",
            [{"name": "Ada Lark", "id": 1}, {"name": "Bo Wren", "id": 2}],
            "authors",
            ("Ada Lark", "Bo Wren"),
        ),
        ("published", date(2024, 5, 6), "date", "2024-05-06"),
        ("published", 2024, "date", "2024"),
        ("published", 2024.0, "date", "2024"),
        ("published", float("nan"), "date", ""),
        ("published", None, "date", ""),
        ("venue", b"Sky", "venue", "Sky"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_column_values_of_all_types_are_converted_to_paper_fields(
    column: str, value: object, field: str, expected: object
) -> None:
    (paper,), problems = read_all(table([{**FLAT, column: value}]))
    assert (getattr(paper, field), problems) == (expected, [])


@pytest.mark.parametrize(("record", "paper"), GOLDEN.values(), ids=GOLDEN)
@pytest.mark.usefixtures("folder")
def test_columns_of_a_known_site_are_read_like_its_json(
    record: dict[str, Any], paper: Paper
) -> None:
    if not record.keys() - {"title", "abstract", "authors"}:
        pytest.skip("a table like any other")
    (found,), problems = read_all(table([record]))
    assert problems == []
    assert (
        Paper(**{name: getattr(found, name) for name in Paper.__slots__ if name != "sources"})
        == paper
    )


@pytest.mark.usefixtures("folder")
def test_an_inverted_index_may_be_a_map_column() -> None:
    index = pa.map_(pa.string(), pa.list_(pa.int64()))
    schema = pa.schema(
        [("id", pa.string()), ("title", pa.string()), ("abstract_inverted_index", index)]
    )
    record = {
        "id": "https://openalex.org/W1",
        "title": "Kites",
        "abstract_inverted_index": [("fly", [1]), ("Kites", [0])],
    }
    (paper,), problems = read_all(table([record], schema))
    assert (paper.id, paper.abstract, problems) == ("W1", "Kites fly", [])


@pytest.mark.usefixtures("folder")
def test_a_row_without_title_is_reported_with_its_number() -> None:
    rows = [{"title": f"Kites {n}" if n % 2 else None, "abstract": ABSTRACT} for n in range(6)]
    papers, problems = read_all(table(rows, row_group_size=2))
    assert (
        [p.sources[0].line for p in papers]
        == sorted(p.sources[0].line for p in papers)
        == [2, 4, 6]
    )
    assert [problem.partition(" ")[0] for problem in problems] == ["x:1:", "x:3:", "x:5:"]


@pytest.mark.usefixtures("folder")
def test_a_table_without_paper_columns_is_rejected_with_its_columns() -> None:
    assert read_all(table([{"name": "a", "value": 1}])) == (
        [],
        [f"x: {missing_columns_message(['name', 'value'])}"],
    )


@pytest.mark.usefixtures("folder")
def test_a_truncated_or_damaged_file_is_reported_once() -> None:
    whole = Path(
        table([{"title": f"Kites {n}", "abstract": f"{n} " * 99} for n in range(900)])
    ).read_bytes()
    Path("x").write_bytes(whole[: len(whole) // 2])
    assert read_all("x")[1][0].startswith("x: not a Parquet file")
    Path("x").write_bytes(whole[:8] + bytes(400) + whole[408:])
    problems = read_all("x")[1]
    assert len(problems) == 1
    assert "cannot be read from here on" in problems[0]


@pytest.mark.usefixtures("folder")
def test_text_is_reported_as_not_parquet_if_the_format_is_forced() -> None:
    Path("x").write_text(json.dumps({"title": "Kites", "abstract": ABSTRACT}), encoding="utf-8")
    assert read_all("x", "parquet")[1][0].startswith("x: not a Parquet file")
    assert len(read_all("x")[0]) == 1


@pytest.mark.usefixtures("folder")
def test_a_missing_pyarrow_is_reported_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table([FLAT])
    real = builtins.__import__

    def import_without_pyarrow(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", import_without_pyarrow)
    assert read_all("x") == (
        [],
        ["x: reading Parquet needs pyarrow: pip install 'citekg[parquet]'"],
    )


def test_papers_of_an_exported_parquet_file_are_read(folder: Path) -> None:
    write(sample_graph(), folder / "graph.parquet.zip", "parquet")
    with zipfile.ZipFile(folder / "graph.parquet.zip") as packed:
        packed.extract("papers.parquet")
    papers, problems = read_all("papers.parquet")
    quill = next(p for p in papers if p.arxiv_id == "2401.00001")
    assert quill.links == sample_graph().papers[0].links
    assert set(quill.references) >= {"arxiv:1706.00001", "arxiv:math.GT/0309136", "s2:2718"}
    assert len(papers) == len(sample_graph().papers)
    assert problems == []  # stubs are not reported as incomplete papers
