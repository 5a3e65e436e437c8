"""The page of a graph before its reader: in a browser, or in a cell of a notebook."""

from __future__ import annotations

import webbrowser
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from citekg.exports import ExportOptions, exporter, write
from citekg.schemas.graph import KnowledgeGraph
from citekg.storage.graph_files import load_graph

#: What the page may do in its frame: run its own scripts, save files, open a paper's site in a new window.
_ALLOWED: Final = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True, slots=True)
class Cell:
    """The page of a graph as a notebook shows it, in a frame of its own, `height` pixels high."""

    page: str = field(repr=False)
    height: int

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe title="Graph" sandbox="{_ALLOWED}" style="{style}" srcdoc="{escape(self.page)}"></iframe>'


def cell(graph: KnowledgeGraph, height: int) -> Cell:
    """The graph's page for a notebook; needs no notebook software to be made."""
    return Cell(b"".join(exporter("html").writer(graph, ExportOptions())).decode("utf-8"), height)


def page_of(graph_file: Path, page: Path | None, min_confidence: float = 0.0) -> Path:
    """The page of a graph file, written to `page` or else to a new temporary folder.

    It shows the claims of at least `min_confidence`. A file that ends in `.html` is a page already. Raises
    `GraphError` where the graph cannot be read.
    """
    if graph_file.suffix == ".html" and graph_file.is_file() and page is None and not min_confidence:
        return graph_file
    graph = load_graph(graph_file).subset(min_confidence=min_confidence)
    page = page or Path(mkdtemp(prefix="kg-view-")) / "graph.html"
    write(graph, page, "html")
    return page


def open_in_browser(page: Path) -> bool:
    """Open a page in the reader's browser; false where there is none."""
    return webbrowser.open(page.resolve().as_uri())
