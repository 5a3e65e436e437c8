"""`kg stats`: count the records of a graph."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.options import GRAPH, echo_json, load
from citekg.cli.printing import Output, format_options


@click.command()
@GRAPH
@format_options
def stats(graph: Path, output: Output) -> None:
    """Count papers, entities by type and roles, and list the most used names.

    \b
    Example:
      kg stats out/graph.ttl
    """
    from citekg.summary import counts_of, counts_to_json, graph_table, summary

    loaded = load(graph)
    if output.is_json:
        echo_json(counts_to_json(counts_of(loaded)))
    elif output.name == "table":
        click.echo(summary(counts_of(loaded)))
    else:
        output.echo(graph_table(loaded))
