"""The page in the browser by `kg view`, and in a notebook by `graph.show()`."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import webbrowser
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner, Result

from citekg.cli.main import main
from citekg.exports import write
from citekg.exports.page.html_page import page
from citekg.graph.graph import Graph
from citekg.schemas.measures import value_label
from citekg.schemas.plugins import ExportOptions
from citekg.storage.graph_files import load_graph
from tests.sample import sample_graph


class Browser(list[Path]):
    """A fake browser: the list of the files that it was asked to open."""

    available = True

    def open(self, address: str) -> bool:
        parts = urlsplit(address)
        assert parts.scheme == "file"
        self.append(Path(unquote(parts.path)))
        return self.available


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    browser = Browser()
    monkeypatch.setattr(webbrowser, "open", browser.open)
    return browser


@pytest.fixture
def graph_file(tmp_path: Path) -> Path:
    file = tmp_path / "a graph.json"
    write(sample_graph(), file, "json")
    return file


@pytest.fixture(scope="module")
def sample_page() -> bytes:
    return b"".join(page(sample_graph(), ExportOptions()))


def view(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["view", *map(str, arguments)])


def test_view_writes_the_page_opens_it_and_prints_its_path(
    graph_file: Path, browser: Browser, sample_page: bytes
) -> None:
    result = view(graph_file)
    assert result.exit_code == 0, result.output
    assert [p.read_bytes() for p in browser] == [sample_page]
    assert result.stdout == f"{browser[0]}\n"


def test_view_writes_the_page_to_the_requested_file(
    graph_file: Path, browser: Browser, tmp_path: Path, sample_page: bytes
) -> None:
    assert view(graph_file, "-o", tmp_path / "new" / "page.html").exit_code == 0
    assert browser == [tmp_path / "new" / "page.html"]
    assert browser[0].read_bytes() == sample_page


def test_the_page_lists_the_additions_since_an_earlier_graph(
    graph_file: Path, browser: Browser, tmp_path: Path
) -> None:
    graph = load_graph(graph_file)
    earlier = replace(graph, results=graph.results[1:])
    write(earlier, tmp_path / "earlier.json", "json")
    result = view(graph_file, "--since", tmp_path / "earlier.json")
    assert result.exit_code == 0, result.output
    packed = re.findall('id="columns">"(.*?)"<', browser[0].read_text("utf-8"))[0]
    columns = json.loads(zlib.decompress(base64.b64decode(packed)))
    numbers = columns["additions"]["results"]
    labels = [columns["results"]["label"][at] for at in numbers]
    assert labels == [value_label(graph.results[0])]
    assert columns["additions"]["papers"] == columns["additions"]["entities"] == []
    assert columns["additions"]["earlier"].endswith("earlier.json")


def test_view_since_rejects_html_pages_and_missing_graphs(
    browser: Browser, graph_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "graph.html").write_text("a page")
    assert view(tmp_path / "graph.html", "--since", graph_file).exit_code == 1
    assert view(graph_file, "--since", tmp_path / "missing.json").exit_code == 1
    assert browser == []


def test_an_existing_page_is_opened_unchanged(browser: Browser, tmp_path: Path) -> None:
    made = tmp_path / "graph.html"
    made.write_text("as it is")
    assert view(made).exit_code == 0
    assert browser == [made]
    assert made.read_text() == "as it is"


def test_without_a_browser_view_prints_the_file_to_open(
    graph_file: Path, browser: Browser, tmp_path: Path
) -> None:
    browser.available = False
    result = view(graph_file, "-o", tmp_path / "page.html")
    assert result.exit_code == 0
    assert str(tmp_path / "page.html") in result.stdout
    assert "No browser" in result.stdout


@pytest.mark.parametrize("name", ["missing.json", "missing.html"])
def test_a_missing_file_is_an_error_and_does_not_open_a_browser(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    result = view(tmp_path / name)
    assert result.exit_code == 1
    assert name in result.stderr
    assert browser == []


class Frame(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag, self.attributes = tag, dict(attrs)


def test_a_notebook_cell_shows_the_whole_page_in_a_sandboxed_iframe(
    graph_file: Path, sample_page: bytes
) -> None:
    frame = Frame()
    frame.feed(Graph.wrap(load_graph(graph_file)).show(height=320)._repr_html_())
    assert frame.tag == "iframe"
    assert frame.attributes["srcdoc"] == sample_page.decode("utf-8")
    style, sandbox = frame.attributes["style"], frame.attributes["sandbox"]
    assert style
    assert "height: 320px" in style
    assert sandbox
    assert "allow-same-origin" not in sandbox


def test_ipython_displays_a_cell_as_html(graph_file: Path) -> None:
    formatters = pytest.importorskip("IPython.core.formatters", reason="IPython is not installed")
    data, _ = formatters.DisplayFormatter().format(Graph.wrap(load_graph(graph_file)).show())
    assert data["text/html"].startswith("<iframe")
    assert data["text/plain"] == "Cell(height=640)"


def test_the_repr_of_a_cell_is_short(graph_file: Path) -> None:
    assert repr(Graph.wrap(load_graph(graph_file)).show()) == "Cell(height=640)"


def test_importing_the_package_does_not_import_ipython_or_pyvis() -> None:
    code = "import sys, citekg.graph.graph, citekg.graph.notebook; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"IPython", "pyvis"} & set(loaded)
