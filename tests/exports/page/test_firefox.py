"""The page works in Firefox: it draws, finds, selects, shows evidence, and logs no error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from citekg.exports import write
from citekg.page_queries import sparql_parts
from citekg.page_queries.engine import VARIABLE, find_engine
from citekg.schemas.errors import EngineError
from citekg.schemas.plugins import ExportOptions
from tests.exports.page.nodes import nodes_and_edges
from tests.sample import certain_graph

SCRIPT: Final = Path(__file__).with_name("firefox.cjs")
FIREFOX: Final = ("firefox-esr", "firefox")
_TIMEOUT_SECONDS: Final = 240


def _has_sparql_engine() -> bool:
    try:
        find_engine()
    except EngineError:
        if VARIABLE in os.environ:
            raise
        return False
    return True


def _camera(label: str) -> str:
    """Return the camera that looks at a node."""
    nodes, _ = nodes_and_edges(certain_graph())
    return next(f"{node['x']} {node['y']} 2" for node in nodes if node["label"] == label)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The contents of the page after a search, a click on the drawing, evidence and a query."""
    firefox, node = next(filter(None, map(shutil.which, FIREFOX)), None), shutil.which("node")
    if firefox is None:
        pytest.skip("no Firefox on this machine")
    if node is None or subprocess.run([node, "-e", "require('puppeteer-core')"]).returncode:
        pytest.skip("needs Node.js with the package puppeteer-core")
    folder = tmp_path_factory.mktemp("firefox")
    sparql = sparql_parts if _has_sparql_engine() else None
    write(certain_graph(), folder / "graph.html", "html", ExportOptions(sparql=sparql))
    address = (folder / "graph.html").as_uri()
    done = subprocess.run(
        [node, str(SCRIPT), firefox, address, _camera("NestBench"), "sparql" if sparql else ""],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_page_draws_the_graph(shown: dict[str, Any]) -> None:
    assert shown["heading"] == "4 papers"
    assert shown["colours"] > 10


def test_search_selects_a_node_and_writes_it_into_the_address(shown: dict[str, Any]) -> None:
    assert shown["found"] == "NestBench"
    assert "at=e-nestbench" in shown["address"]


def test_a_click_on_the_drawing_opens_the_details_and_their_evidence(
    shown: dict[str, Any],
) -> None:
    assert shown["clicked"] == "NestBench"
    assert "NestBench" in shown["marked"]


def test_a_named_query_returns_rows(shown: dict[str, Any]) -> None:
    if "rows" not in shown:
        pytest.skip("Oxigraph's WebAssembly is not on this machine: see kg sparql-engine")
    assert shown["rows"] > 1


def test_the_console_logs_no_errors_or_warnings(shown: dict[str, Any]) -> None:
    assert shown["messages"] == []
