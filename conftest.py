"""What the examples in docstrings of `kg` speak of: `graph`, the graph of the example papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from citekg.graph.graph import Graph


@pytest.fixture(scope="session")
def example_graph() -> Graph:
    """The graph of examples/papers.jsonl, built once."""
    import citekg

    return citekg.build([Path(__file__).parent / "examples" / "papers.jsonl"])


@pytest.fixture(autouse=True)
def _graph_of_docstrings(request: pytest.FixtureRequest, doctest_namespace: dict[str, Any]) -> None:
    if isinstance(request.node, pytest.DoctestItem) and request.node.name.startswith("kg."):
        doctest_namespace["graph"] = request.getfixturevalue("example_graph")
