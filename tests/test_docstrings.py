"""The doctests of all modules pass; `graph` is the graph of the example papers."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import citekg


def modules() -> Iterator[str]:
    """Yield the names of all modules with a doctest, without those of training."""
    for found in pkgutil.walk_packages(citekg.__path__, "citekg."):
        if not found.name.startswith(("citekg.extractors.training", "citekg.__main__")):
            spec = found.module_finder.find_spec(found.name, None)
            if spec and spec.origin and ">>>" in Path(spec.origin).read_text("utf-8"):
                yield found.name


@pytest.mark.parametrize("name", [*modules()])
def test_the_doctests_of_a_module_pass(name: str, example_graph: citekg.Graph) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"graph": example_graph})
    assert result.attempted
    assert not result.failed


def test_modules_with_doctests_are_found() -> None:
    assert "citekg.graph.graph" in modules()
