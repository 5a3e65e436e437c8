"""`kg stats`, `kg view` and `kg export`: a graph counted, opened as a page, or written in another format."""

from __future__ import annotations

from pathlib import Path

import click
from citekg.cli.options import (
    GRAPH,
    MIN_CONFIDENCE,
    SPLIT,
    Format,
    check_options,
    echo_json,
    export_options,
    loaded,
    selection_options,
    write_files,
    writing,
)
from citekg.cli.printing import Output, format_options
from citekg.exports import EXPORTERS, ExportOptions
from citekg.graph.subsets import Selection, subset


@click.command()
@GRAPH
@format_options
def stats(graph: Path, output: Output) -> None:
    """Print what a graph holds: papers, entities by type, roles, the most used names.

    \b
    Example:
      kg stats out/graph.ttl
    """
    from citekg.summary import counts_of, graph_table, summary, values

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
@MIN_CONFIDENCE
def view(graph: Path, output: Path | None, min_confidence: float) -> None:
    """Open a graph as an interactive page in the browser.

    The page is one file that loads nothing from the network; a file that kg build wrote as .html is
    opened as it is.

    \b
    Example:
      kg view out/graph.ttl
    """
    from citekg.graph.notebook import open_in_browser, page_of

    with writing(output or Path("the temporary folder")):
        page = page_of(graph, output, min_confidence)
    click.echo(page if open_in_browser(page) else f"No browser was found here. Open this file in one: {page}")


@click.command()
@GRAPH
@click.option("-f", "--format", "name", type=Format(EXPORTERS, "exporter"), required=True, help="The format to write.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@SPLIT
@export_options
@selection_options
def export(
    graph: Path,
    name: str,
    output: Path,
    split: bool,  # noqa: FBT001
    options: ExportOptions,
    selection: Selection,
) -> None:
    """Write a graph file, or a part of it, in another format; compressed where the file's name ends in .gz.

    A part holds the claims that pass all options, with their papers, entities and evidence.

    \b
    Example:
      kg export out/graph.ttl -f html -o out/page.html
      kg export out/graph.ttl --about GRPO --role extends --since 2024 -f md -o reading-list.md
    """
    from citekg.summary import written

    check_options((name,), options, split=split)
    part = subset(loaded(graph), selection)
    if selection != Selection() and not part.papers:
        raise click.ClickException(f"no paper in {graph} passes these options, so nothing was written")
    click.echo("\n".join(written(write_files(part, output, name, options, split=split))))
