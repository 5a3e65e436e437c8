"""`kg view`: open a graph as a page in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.export_options import SPARQL, with_sparql
from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import CONFIDENCE, GRAPH, report_write_errors
from citekg.schemas.plugins import ExportOptions


@click.command()
@GRAPH
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The page to write. Default: a temporary file.",
)
@CONFIDENCE
@click.option(
    "--since",
    type=GraphFile(),
    help="An earlier graph file: the page opens on what is new since then.",
)
@SPARQL
def view(
    graph: Path,
    output: Path | None,
    min_confidence: float | None,
    since: Path | None,
    sparql: bool,  # noqa: FBT001
) -> None:
    """Open a graph as an interactive page in the browser.

    The page is one file that loads nothing from the network. An .html file of kg build is opened as
    it is. The page hides tentative claims, and has a switch that shows them.

    \b
    Example:
      kg view out/graph.ttl
      kg view out/graph.ttl --since last-week/graph.ttl
    """
    from citekg.graph.notebook import open_in_browser, write_page

    with report_write_errors(output or Path("the temporary folder")):
        options = with_sparql(ExportOptions(), sparql=sparql)
        page = write_page(graph, output, min_confidence or 0.0, since, options)
    click.echo(
        page
        if open_in_browser(page)
        else f"No browser was found. Open this file in a browser: {page}"
    )
