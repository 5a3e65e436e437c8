"""`kg export`: write a graph, or a part of it, in another format."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.export_options import (
    SPARQL,
    SPLIT,
    check_options,
    export_options,
    selection_options,
    with_sparql,
    write_files,
)
from citekg.cli.options import GRAPH, Format, load
from citekg.exports import EXPORTERS
from citekg.graph.subsets import Selection, subset
from citekg.schemas.plugins import ExportOptions


@click.command()
@GRAPH
@click.option(
    "-f",
    "--format",
    "name",
    type=Format(EXPORTERS, "exporter"),
    required=True,
    help="The format to write.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file to write.",
)
@SPLIT
@SPARQL
@export_options
@selection_options
def export(
    graph: Path,
    name: str,
    output: Path,
    split: bool,  # noqa: FBT001
    sparql: bool,  # noqa: FBT001
    options: ExportOptions,
    selection: Selection,
) -> None:
    """Write a graph file, or a part of it, in another format; compressed if OUTPUT ends in .gz.

    A part contains the claims that meet all conditions, with their papers, entities and
    evidence.

    \b
    Example:
      kg export out/graph.ttl -f html -o out/page.html
      kg export out/graph.ttl --about GRPO --role extends --since 2024 -f md -o reading-list.md
    """
    from citekg.summary import file_lines

    options = with_sparql(options, sparql=sparql)
    check_options((name,), options, split=split)
    part = subset(load(graph), selection)
    if selection != Selection() and not part.papers:
        raise click.ClickException(
            f"no paper in {graph} meets these conditions, so nothing was written"
        )
    click.echo("\n".join(file_lines(write_files(part, output, name, options, split=split))))
