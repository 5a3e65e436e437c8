"""Round trips: the papers of a graph are exported and read again."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.exports import exporter
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Paper, Run
from citekg.sources import read
from tests.sample import STUB

EXAMPLES = Path("examples/papers.jsonl")
#: A paper with characters that are special in LaTeX, tables and spreadsheets.
SPECIAL_CHARACTERS = Paper(
    id="2401.00009",
    title=r"C# & 100%: $\pi_0$ of {x} ~ R^2, <a|b>",
    abstract=r"Costs \$5 _now_; see https://a.example/b_c, “quoted”, Ünal's naïve 强化学习.",
    date="2024-02-29",
    authors=("Zoë Ångström", "Johnson and Sons", "Ada van der Berg", "Bo Li Jr."),
    url="https://arxiv.org/abs/2401.00009",
    arxiv_id="2401.00009",
    venue="Proceedings of R&D, Part 1_2",
    doi="10.1000/a_b(1)",
    links=("https://code.example/a;b",),
    references=("arxiv:1706.00001", "doi:10.1000/x_y"),
)


def read_all(*inputs: Path) -> dict[str, Paper]:
    problems: list[object] = []
    papers = read(map(str, inputs), problems.append)
    assert problems == []
    return {paper.title: replace(paper, sources=()) for paper in papers}


@pytest.fixture(scope="module")
def papers() -> dict[str, Paper]:
    return read_all(EXAMPLES) | {SPECIAL_CHARACTERS.title: SPECIAL_CHARACTERS}


def export_and_read(papers: dict[str, Paper], name: str, folder: Path) -> dict[str, Paper]:
    run = Run("kg", "1", "", "")
    graph = KnowledgeGraph.of(
        papers=papers.values(),
        entities=(),
        mentions=(),
        relations=(),
        links=(),
        run=run,
        stubs=(STUB,),
    )
    written = b"".join(exporter(name).writer(graph, ExportOptions()))
    if exporter(name).suffix.endswith(".zip"):
        written = zipfile.ZipFile(io.BytesIO(written)).read(f"papers.{name}")
    file = folder / f"papers.{name}"
    file.write_bytes(written)
    return read_all(file)


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_exported_tables_are_read_back_without_loss_and_without_the_stubs(
    papers: dict[str, Paper], name: str, tmp_path: Path
) -> None:
    assert export_and_read(papers, name, tmp_path) == papers


@pytest.mark.parametrize(
    ("cell", "authors"),
    [
        ('["Ada Lark", "Bo and Sons"]', ("Ada Lark", "Bo and Sons")),
        ("['Lark, Ada', \"Bo O'Neil\"]", ("Ada Lark", "Bo O'Neil")),
        (r"['Bo O\'Neil']", ("Bo O'Neil",)),
        ("[]", ()),
        ("[Ada Lark; Bo Li]", ("[Ada Lark", "Bo Li]")),
        ("[" * 9000, ("[" * 9000,)),
    ],
)
def test_a_cell_may_contain_a_list_in_json_or_python_notation(
    cell: str, authors: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "papers.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("title", "abstract", "authors"), ("A", "B.", cell)])
    assert read_all(file)["A"].authors == authors


def test_exported_bibtex_is_read_back_with_all_fields_except_links_and_references(
    papers: dict[str, Paper], tmp_path: Path
) -> None:
    expected = {title: replace(paper, links=(), references=()) for title, paper in papers.items()}
    assert export_and_read(papers, "bib", tmp_path) == expected


def test_venues_of_all_bibtex_entry_types_are_read_back(tmp_path: Path) -> None:
    venues = ("NeurIPS 2022", "Nature", "arXiv (Cornell University)")
    papers = {v: Paper("", v, "An abstract.", venue=v) for v in venues}
    assert {p.venue for p in export_and_read(papers, "bib", tmp_path).values()} == {*venues}


def test_a_url_in_howpublished_is_not_read_as_a_venue(tmp_path: Path) -> None:
    file = tmp_path / "page.bib"
    file.write_text(
        "@misc{a, title={A}, abstract={B.}, howpublished={\\url{https://a.example/b}}}",
        encoding="utf-8",
    )
    assert read_all(file)["A"].venue == ""


def test_latex_text_commands_are_read_as_their_characters(tmp_path: Path) -> None:
    file = tmp_path / "signs.bib"
    power, braces = (
        r"R\textsuperscript{2}",
        r"\textbraceleft{}x\textbraceright{}\textasciicircum{}2",
    )
    title = rf"{power} \textless{{}}a\textbar{{}}b\textgreater{{}} {braces}"
    file.write_text(f"@misc{{a, title={{{title}}}, abstract={{B.}}}}", encoding="utf-8")
    assert list(read_all(file)) == ["R2 <a|b> {x}^2"]
