"""Fixtures of the commands: the sample graph, in a file and loaded from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.storage.graph_files import load_graph
from tests.sample import changed_graph, sample_graph


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.json"
    return changed_graph(sample_graph()).save(path)


@pytest.fixture(scope="module")
def graph(file: Path) -> Graph:
    return Graph.wrap(load_graph(file))
