"""Samples are reproducible, balanced by type and safe in spreadsheets; their marks are counted."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.evaluation.sampling import Row, draw_sample, marked_precision, to_tsv, wilson
from citekg.exports import write
from citekg.schemas.errors import InputError, InputMissing
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Relation
from tests.sample import sample_graph

HEADER = "right\tname\ttype\trole\tsentence\tpaper\tconfidence\n"


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


def marked(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "marked.tsv"
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


# Drawing


def test_the_seed_determines_the_sample(
    graph: KnowledgeGraph,
) -> None:
    assert draw_sample(graph, 6, 1) == draw_sample(graph, 6, 1)
    assert draw_sample(graph, 6, 1) != draw_sample(graph, 6, 2)


def test_types_are_sampled_evenly(graph: KnowledgeGraph) -> None:
    drawn = [row.type for row in draw_sample(graph, 4, 1)]
    assert sorted(drawn) == ["Benchmark", "Dataset", "Method", "Model"]


def test_a_sample_contains_relations_with_evidence_and_results_once(
    graph: KnowledgeGraph,
) -> None:
    without_evidence = Relation(graph.papers[0].id, "uses", "fledge", 0.5, ())
    more = replace(graph, relations=(*graph.relations, without_evidence))
    assert len(draw_sample(more, 10_000, 1)) == len(graph.relations) + len(graph.results)


def test_a_row_contains_an_evidence_sentence_of_the_relation(graph: KnowledgeGraph) -> None:
    row = next(
        r
        for r in draw_sample(graph, 10_000, 1)
        if r.name == "FeatherSet" and r.role == "introduces"
    )
    assert row == Row(
        "", "FeatherSet", "Dataset", "introduces", row.sentence, row.paper, row.confidence
    )
    assert row.sentence in ("FeatherSet: one million feathers.", "FeatherSet is new.")


def test_a_larger_sample_starts_with_the_smaller_sample(graph: KnowledgeGraph) -> None:
    assert draw_sample(graph, 8, 1)[:5] == draw_sample(graph, 5, 1)


def test_adding_a_relation_keeps_the_sampling_order_of_the_other_rows(
    graph: KnowledgeGraph,
) -> None:
    smaller = replace(graph, relations=graph.relations[1:])
    kept = [r for r in draw_sample(graph, 10_000, 1) if r in draw_sample(smaller, 10_000, 1)]
    methods = [r for r in kept if r.type == "Method"]
    assert methods == [r for r in draw_sample(smaller, 10_000, 1) if r.type == "Method"]


# Writing


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", '=HYPERLINK("http://x")']
)
def test_cells_are_not_interpreted_as_spreadsheet_formulas(cell: str) -> None:
    text = to_tsv([Row("", cell, "Method", "uses", cell, cell, "0.50")])
    (row,) = list(csv.reader(io.StringIO(text), delimiter="\t"))[1:]
    assert [c[0] for c in (row[1], row[4], row[5])] == ["'"] * 3


def test_a_row_is_one_line_with_a_cell_for_each_column() -> None:
    text = to_tsv([Row("", 'a\tb "c"', "Method", "uses", "one\ntwo\r\nthree", "p", "0.50")])
    header, row = text.splitlines()
    assert f"{header}\n" == HEADER
    (cells,) = csv.reader([row], delimiter="\t")
    assert cells == ["", 'a b "c"', "Method", "uses", "one two three", "p", "0.50"]


def test_the_command_writes_a_sample_and_scores_the_marked_file(
    tmp_path: Path, graph: KnowledgeGraph
) -> None:
    write(graph, tmp_path / "graph.json", "json")
    arguments = ["sample", str(tmp_path / "graph.json"), "-n", "5", "--seed", "3"]
    shown = CliRunner().invoke(main, arguments).stdout
    out = tmp_path / "sample.tsv"
    assert CliRunner().invoke(main, [*arguments, "-o", str(out)]).exit_code == 0
    assert out.read_text(encoding="utf-8") == shown
    assert shown == to_tsv(draw_sample(graph, 5, 3))
    out.write_text(
        "\n".join("y" + line if line.startswith("\t") else line for line in shown.splitlines())
    )
    reported = CliRunner().invoke(main, ["sample", "--score", str(out)])
    assert reported.exit_code == 0
    assert "Marked 5 rows of 5" in reported.output


@pytest.mark.parametrize("arguments", [[], ["graph.ttl", "--score", "marked.tsv"]])
def test_the_command_requires_either_a_graph_or_a_marked_file(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, ["sample", *arguments]).exit_code == 2


# Counting marks


def test_precision_is_reported_in_total_and_by_type_and_role(tmp_path: Path) -> None:
    path = marked(
        tmp_path,
        "y\tA\tMethod\tuses",
        "n\tB\tMethod\tintroduces",
        "Yes\tC\tModel\tuses",
        "\tD\tModel\tuses",
    )
    table = marked_precision(path)
    assert table.title == "Marked 3 rows of 4"
    assert [row[:4] for row in table.rows] == [
        ("all", "3", "2", "0.67"),
        ("type Method", "2", "1", "0.50"),
        ("type Model", "1", "1", "1.00"),
        ("role introduces", "1", "0", "0.00"),
        ("role uses", "2", "2", "1.00"),
    ]
    assert table.rows[0][4] == "0.21 to 0.94"


@pytest.mark.parametrize(
    ("right", "count", "interval"),
    [
        (0, 10, (0.0, 0.278)),
        (5, 10, (0.237, 0.763)),
        (10, 10, (0.722, 1.0)),
        (90, 100, (0.826, 0.945)),
    ],
)
def test_the_confidence_interval_is_the_wilson_interval(
    right: int, count: int, interval: tuple[float, float]
) -> None:
    assert wilson(right, count) == pytest.approx(interval, abs=0.001)


@pytest.mark.parametrize(("separator", "end"), [("\t", "\r\n"), (",", "\n"), (";", "\r\n")])
def test_files_saved_by_spreadsheets_are_read(tmp_path: Path, separator: str, end: str) -> None:
    lines = [
        ["name", "right", "role", "type", "my notes"],
        ["A, or B; C", "Y", "uses", "Method", ""],
        [""] * 5,
    ]
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(lines)
    path = tmp_path / "marked.csv"
    path.write_bytes(b"\xef\xbb\xbf" + out.getvalue().encode())
    assert marked_precision(path).title == "Marked 1 rows of 1"


@pytest.mark.parametrize(
    ("rows", "reported"),
    [
        (
            ["y\tA\tMethod\tuses", "maybe\tB\tMethod\tuses"],
            "marked.tsv:3: the mark 'maybe' is neither y nor n nor blank",
        ),
        (["y\tA"], "marked.tsv:2: the row has fewer cells"),
        (["\tA\tMethod\tuses"], "no row is marked"),
    ],
)
def test_invalid_and_missing_marks_are_reported(
    tmp_path: Path, rows: list[str], reported: str
) -> None:
    with pytest.raises(InputError, match="marked") as caught:
        marked_precision(marked(tmp_path, *rows))
    assert reported in str(caught.value)


def test_missing_files_and_files_that_are_not_samples_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a header with the columns right, type, role"):
        marked_precision(marked(tmp_path, header="a\tb\n"))
    with pytest.raises(InputMissing):
        marked_precision(tmp_path / "none.tsv")
    (tmp_path / "bytes.tsv").write_bytes(HEADER.encode() + b"\xff\xfe")
    with pytest.raises(InputError, match=r"bytes\.tsv:2: not UTF-8"):
        marked_precision(tmp_path / "bytes.tsv")
