"""The interactive page of a graph, in a browser or in a cell of a notebook."""

from __future__ import annotations

import webbrowser
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from citekg.exports import exporter, write
from citekg.graph.diff import additions
from citekg.graph.subsets import Selection, subset
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.storage.graph_files import load_graph

#: The iframe sandbox: the page may run its scripts, save files and open links in a new window.
_SANDBOX: Final = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True, slots=True)
class Cell:
    """The page of a graph in an iframe for a notebook, `height` pixels high."""

    page: str = field(repr=False)
    height: int

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        frame = f'<iframe title="Graph" sandbox="{_SANDBOX}" style="{style}"'
        return f'{frame} srcdoc="{escape(self.page)}"></iframe>'


def cell(graph: KnowledgeGraph, height: int) -> Cell:
    """Return the page of a graph for a notebook; needs no notebook software."""
    return Cell(b"".join(exporter("html").writer(graph, ExportOptions())).decode("utf-8"), height)


def write_page(
    graph_file: Path,
    page: Path | None,
    min_confidence: float = 0.0,
    since: Path | None = None,
    options: ExportOptions = ExportOptions(),  # noqa: B008
) -> Path:
    """Write the page of a graph file to `page`, or to a new temporary folder; return its path.

    The page shows the claims of at least `min_confidence`, and what is new since an earlier graph
    file, `since`. An `.html` file is a page already and is returned as it is. Raises `GraphError`
    if a graph cannot be read.
    """
    if (
        graph_file.suffix == ".html"
        and graph_file.is_file()
        and page is None
        and not min_confidence
        and since is None
        and options == ExportOptions()
    ):
        return graph_file
    selection = Selection(min_confidence=min_confidence)
    graph = subset(load_graph(graph_file), selection)
    if since is not None:
        earlier = subset(load_graph(since), selection)
        options = replace(options, additions=additions(earlier, graph, "/".join(since.parts[-2:])))
    page = page or Path(mkdtemp(prefix="kg-view-")) / "graph.html"
    write(graph, page, "html", options)
    return page


def open_in_browser(page: Path) -> bool:
    """Open a page in the default browser; return false if there is none."""
    return webbrowser.open(page.resolve().as_uri())
