"""Loading a graph file, whatever it is called."""

from __future__ import annotations

import gzip

import pytest

from exports import write
from kg.graph import Graph
from kg.loading import READERS, load
from schemas.errors import GraphError
from tests.sample import records, sample_graph


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", [True, False])
def test_a_file_is_known_by_its_ending_or_its_content(tmp_path, name, packed, ending):
    graph = sample_graph()
    write(graph, tmp_path / "written", name)
    path = tmp_path / f"graph{f'.{name}' if ending else ''}{'.gz' if packed else ''}"
    data = (tmp_path / "written").read_bytes()
    path.write_bytes(gzip.compress(data) if packed else data)
    read = load(path)
    assert isinstance(read, Graph)
    assert records(read) == records(graph)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00\x01", b"<!doctype html><html>", b"\x1f\x8bbroken"])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    (tmp_path / "graph.dat").write_bytes(content)
    with pytest.raises(GraphError, match=r"graph\.dat: "):
        load(tmp_path / "graph.dat")


@pytest.mark.parametrize("name", READERS)
def test_an_empty_file_and_a_folder_are_refused(tmp_path, name):
    (tmp_path / f"graph.{name}").write_bytes(b"")
    with pytest.raises(GraphError, match=rf"graph\.{name}"):
        load(tmp_path / f"graph.{name}")
    with pytest.raises(GraphError, match="cannot be read"):
        load(tmp_path)
