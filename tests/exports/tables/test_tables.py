"""The tables as CSV, as Parquet and in pandas."""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from collections.abc import Iterator

import pytest
from hypothesis import given

from citekg.exports import exporter
from citekg.exports.tables.tables import TABLES, escape_formulas, to_pandas
from citekg.graph.graph import Graph
from citekg.schemas.errors import MissingPackage
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from tests.exports.any_graph import LETTERS, graphs
from tests.sample import sample_graph


def opened(graph: KnowledgeGraph, name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(exporter(name).writer(graph, ExportOptions()))))


def rows(graph: KnowledgeGraph, table: str) -> Iterator[dict[str, str]]:
    text = opened(graph, "csv").read(f"{table}.csv").decode()
    return csv.DictReader(io.StringIO(text, newline=""), strict=True)


def test_a_table_has_a_row_for_each_record() -> None:
    graph = sample_graph()
    counts = {name: len(list(rows(graph, name))) for name in TABLES}
    assert counts == {
        "papers": len(graph.papers) + len(graph.stubs),
        "entities": len(graph.entities),
        "mentions": len(graph.mentions),
        "relations": len(graph.relations),
        "links": len(graph.links),
        "introductions": len(graph.introductions),
        "results": len(graph.results),
        "citations": len(graph.citations),
        "topics": len(graph.topics),
    }


def test_table_rows_contain_the_values_of_the_records() -> None:
    paper = next(rows(sample_graph(), "papers"))
    assert paper["title"] == 'Quill: a "reward-free" C# policy 🪶'
    assert json.loads(paper["authors"]) == ["Zoë Ångström", "Bo \\ Li", "Ada Ünal"]
    assert json.loads(paper["sources"]) == ["dumps/page one.txt:12", "extra.jsonl.gz:3"]
    assert [p["id"] for p in rows(sample_graph(), "papers") if p["stub"] == "true"] == ["ppo"]
    [mention] = [m for m in rows(sample_graph(), "mentions") if m["text"] == "Qwen2.5-VL-7B"]
    assert mention["sentence"] == "Its backbone is Qwen2.5-VL-7B."


def test_table_keys_refer_to_existing_rows() -> None:
    graph = sample_graph()
    papers, entities, mentions = (
        {row["id"] for row in rows(graph, name)} for name in ("papers", "entities", "mentions")
    )
    for row in rows(graph, "relations"):
        assert row["paper"] in papers
        assert row["entity"] in entities
        assert mentions.issuperset(json.loads(row["evidence"]))
    for row in rows(graph, "links"):
        assert {row["citing"], row["cited"]} <= papers


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-PPO", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "'=1"]
)
def test_a_text_that_a_spreadsheet_would_execute_gets_an_apostrophe(text: str) -> None:
    assert escape_formulas(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "safe"),
    [("a;=1", "a; =1"), ("a\t+1", "a\t +1"), ("a\n@x", "a\n @x"), ("\t=1", "'\t =1")],
)
def test_a_formula_after_another_separator_within_a_text_is_escaped(text: str, safe: str) -> None:
    assert escape_formulas(text) == safe


@pytest.mark.parametrize("text", ["", "GRPO", "'quoted'", "a=b", " 5", "a; b", "a, =b"])
def test_text_without_a_formula_is_unchanged(text: str) -> None:
    assert escape_formulas(text) == text


@given(graph=graphs(LETTERS))
def test_texts_survive_a_round_trip_through_csv(graph: KnowledgeGraph) -> None:
    read = [(row["id"], row["title"], row["abstract"]) for row in rows(graph, "papers")]
    assert read == [
        tuple(escape_formulas(t.replace("\0", "\ufffd")) for t in (p.id, p.title, p.abstract))
        for p in graph.papers
    ]


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_the_zip_file_contains_one_file_per_table_with_a_fixed_date(name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is an optional extra")
    files = opened(sample_graph(), name).infolist()
    assert [file.filename for file in files] == [f"{table}.{name}" for table in TABLES]
    assert {file.date_time for file in files} == {(1980, 1, 1, 0, 0, 0)}
    assert opened(sample_graph(), name).testzip() is None


def test_parquet_has_typed_columns_and_the_rows_of_the_tables() -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an optional extra")
    archive = opened(sample_graph(), "parquet")
    tables = {
        name: parquet.read_table(io.BytesIO(archive.read(f"{name}.parquet"))) for name in TABLES
    }
    assert str(tables["relations"].schema.field("confidence").type) == "double"
    assert str(tables["mentions"].schema.field("start").type) == "int64"
    for name, table in TABLES.items():
        assert tables[name].column_names == [*table.columns]
        assert [tuple(row.values()) for row in tables[name].to_pylist()] == list(
            table.rows(sample_graph())
        )


def test_pandas_frames_have_typed_columns_and_the_rows_of_the_tables() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is an optional extra")
    frames = Graph(**vars(sample_graph())).to_pandas()
    assert list(frames) == list(TABLES)
    for name, table in TABLES.items():
        assert [*frames[name].itertuples(index=False, name=None)] == list(
            table.rows(sample_graph())
        )
    assert frames["relations"].confidence.dtype == "float64"
    assert frames["mentions"].start.dtype == "int64"
    joined = frames["relations"].merge(frames["entities"], left_on="entity", right_on="id")
    assert len(joined) == len(sample_graph().relations)
    read = pd.read_csv(opened(sample_graph(), "csv").open("papers.csv"), keep_default_na=False)
    assert list(read.title) == list(frames["papers"].title)


@pytest.mark.parametrize("name", ["parquet", "pandas"])
def test_an_empty_graph_has_empty_tables_with_their_columns(name: str) -> None:
    pytest.importorskip("pyarrow" if name == "parquet" else name, reason="an optional extra")
    empty = KnowledgeGraph((), (), (), (), (), sample_graph().run)
    if name == "pandas":
        assert {n: list(frame.columns) for n, frame in to_pandas(empty).items()} == {
            n: list(table.columns) for n, table in TABLES.items()
        }
    else:
        assert opened(empty, name).testzip() is None


@pytest.mark.parametrize(("package", "extra"), [("pandas", "pandas"), ("pyarrow", "parquet")])
def test_a_missing_library_is_reported_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.parquet", None)
    with pytest.raises(MissingPackage, match=rf"pip install 'citekg\[{extra}\]'"):
        to_pandas(sample_graph()) if package == "pandas" else opened(sample_graph(), "parquet")
