"""`kg stats`, `kg view` and `kg export`: a graph counted, opened as a page, or written in another format."""

from __future__ import annotations

from pathlib import Path

import click

from exports import EXPORTERS, ExportOptions
from kg.commands.options import (
    GRAPH,
    SPLIT,
    Format,
    check_options,
    echo_json,
    loaded,
    rdf_options,
    write_files,
    writing,
)
from kg.commands.printing import Output, format_options


@click.command()
@GRAPH
@format_options
def stats(graph: Path, output: Output) -> None:
    """Print what a graph holds: papers, entities by type, roles, the most used names.

    \b
    Example:
      kg stats out/graph.ttl
    """
    from kg.summary import counts_of, graph_table, summary, values

    found = loaded(graph)
    if output.is_json:
        echo_json(values(counts_of(found)))
    elif output.name == "table":
        click.echo(summary(counts_of(found)))
    else:
        output.echo(graph_table(found))


@click.command()
@GRAPH
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Where to write the page. Default: aside."
)
def view(graph: Path, output: Path | None) -> None:
    """Open a graph as an interactive page in the browser.

    The page is one file that loads nothing from the network; a file that kg build wrote as .html is
    opened as it is.

    \b
    Example:
      kg view out/graph.ttl
    """
    from kg.viewing import opened, page_of

    with writing(output or Path("the temporary folder")):
        page = page_of(graph, output)
    click.echo(page if opened(page) else f"No browser was found here. Open this file in one: {page}")


@click.command()
@GRAPH
@click.option("-f", "--format", "name", type=Format(EXPORTERS, "exporter"), required=True, help="The format to write.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@SPLIT
@rdf_options
def export(graph: Path, name: str, output: Path, split: bool, options: ExportOptions) -> None:  # noqa: FBT001
    """Write a graph file in another format; compressed where the file's name ends in .gz.

    \b
    Example:
      kg export out/graph.ttl -f html -o out/page.html
    """
    from kg.summary import written

    check_options((name,), options, split=split)
    click.echo("\n".join(written(write_files(loaded(graph), output, name, options, split=split))))
