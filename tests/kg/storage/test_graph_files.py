"""Loading graph files and folders: formats, file names and error messages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import citekg
from citekg.building.out_of_core.target import PartitionTarget, write_partitioned
from citekg.cli.main import main
from citekg.exports import write
from citekg.exports.rdf.split import write_split
from citekg.queries import query
from citekg.queries.store import TRIPLES_FIRST
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.storage.folders import LocalFolder
from citekg.storage.graph_files import READERS, graph_file, load_graph
from tests.sample import records, sample_graph


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", [True, False])
def test_the_format_of_a_graph_is_recognised_by_file_extension_or_content(
    tmp_path: Path, name: str, packed: bool, ending: bool
) -> None:
    graph = sample_graph()
    write(graph, tmp_path / "written", name)
    path = tmp_path / f"graph{f'.{name}' if ending else ''}{'.gz' if packed else ''}"
    data = (tmp_path / "written").read_bytes()
    path.write_bytes(gzip.compress(data) if packed else data)
    read = load_graph(path)
    assert isinstance(read, KnowledgeGraph)
    assert records(read) == records(graph)


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x00\x01", b"<!doctype html><html>", b"\x1f\x8bbroken"]
)
def test_a_file_that_is_not_a_graph_is_rejected(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "graph.dat").write_bytes(content)
    with pytest.raises(GraphError, match=r"graph\.dat: "):
        load_graph(tmp_path / "graph.dat")


@pytest.mark.parametrize("name", READERS)
def test_an_empty_file_and_an_empty_folder_are_rejected(tmp_path: Path, name: str) -> None:
    (tmp_path / f"graph.{name}").write_bytes(b"")
    with pytest.raises(GraphError, match=rf"graph\.{name}"):
        load_graph(tmp_path / f"graph.{name}")
    (tmp_path / f"graph.{name}").unlink()
    with pytest.raises(GraphError, match="no graph is in this folder"):
        load_graph(tmp_path)


def test_a_folder_is_loaded_from_its_preferred_graph_file(tmp_path: Path) -> None:
    graph = sample_graph()
    (tmp_path / "graph.html").write_text("<!doctype html>")
    for name, packed in (("rdf", ""), ("nt", ".gz"), ("ttl", ""), ("json", ".gz"), ("json", "")):
        write(graph, tmp_path / f"graph.{name}{packed}", name)
        assert graph_file(tmp_path) == tmp_path / f"graph.{name}{packed}"
        assert records(citekg.load(tmp_path)) == records(graph)
    assert graph_file(tmp_path, TRIPLES_FIRST) == tmp_path / "graph.ttl"
    assert query(tmp_path, "ASK { ?p ckg:introduces ?e }")
    run = CliRunner().invoke(main, ["validate", str(tmp_path)])
    assert run.output == f"{tmp_path / 'graph.ttl'}: valid\n"


def test_a_split_or_partitioned_graph_is_loaded_from_its_folder(tmp_path: Path) -> None:
    graph = sample_graph()
    write_split(graph, tmp_path / "split" / "graph.ttl", "ttl", ExportOptions())
    write_partitioned(graph, PartitionTarget(LocalFolder(tmp_path / "parts"), ("nt",)))
    for folder in ("split", "parts"):
        assert records(citekg.load(tmp_path / folder)) == records(graph)
        assert (
            CliRunner()
            .invoke(main, ["stats", str(tmp_path / folder)])
            .output.startswith("Papers      4\n")
        )


PAPER = {"title": "Kites", "abstract": "We fly a kite."}
PAPERS = {
    "papers.jsonl": f"{json.dumps(PAPER)}\n{json.dumps(PAPER | {'title': 'More kites'})}\n",
    "one.json": json.dumps(PAPER),
    "papers.csv": "title,abstract\nKites,We fly a kite.\n",
    "papers.bib": "@article{a, title = {Kites}, abstract = {We fly a kite.}}\n",
}


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize(
    "command",
    [["stats"], ["query", "ASK {}"], ["validate"], ["show", "x"], ["publish"], ["diff", "x"]],
)
def test_a_file_of_papers_in_place_of_a_graph_is_reported_as_such(
    tmp_path: Path, name: str, command: list[str]
) -> None:
    file = tmp_path / name
    file.write_text(PAPERS[name])
    end = ["--endpoint", "http://127.0.0.1:1/store"] if command == ["publish"] else []
    result = CliRunner().invoke(main, [command[0], str(file), *command[1:], *end])
    wanted = (
        f"Error: {file}: this is a file of papers, not a graph: build one first, with kg build\n"
    )
    assert (result.exit_code, result.stderr) == (1, wanted)


@pytest.mark.parametrize("name", [*READERS, "html"])
def test_a_graph_in_place_of_papers_is_reported_as_such(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"some.{name}"
    write(sample_graph(), file, name)
    result = CliRunner().invoke(main, ["extract", str(file)])
    wanted = (
        f"skipped: {file}: this is a graph, not papers: kg stats, kg show and kg query read it\n"
    )
    assert (result.exit_code, result.stderr) == (3, wanted)


def test_a_broken_graph_is_not_reported_as_a_file_of_papers(tmp_path: Path) -> None:
    write(sample_graph(), tmp_path / "graph.json", "json")
    text = (tmp_path / "graph.json").read_text()
    (tmp_path / "graph.json").write_text(text.replace('"nodes"', '"knots"'))
    with pytest.raises(GraphError, match="not a citekg graph"):
        load_graph(tmp_path / "graph.json")
