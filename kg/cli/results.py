"""`kg results`: list the results that abstracts report about one entity or paper."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.graph_arguments import complete_entity_names
from citekg.cli.options import GRAPH, confidence_options, count_option, echo_json, load
from citekg.cli.printing import Output, format_options


@click.command()
@GRAPH
@click.argument("name", shell_complete=complete_entity_names)
@click.option("--against", is_flag=True, help="List results that are compared with NAME instead.")
@count_option(10, "The number of results of each group; other formats than table contain all.")
@confidence_options
@format_options
def results(
    graph: Path,
    name: str,
    against: bool,  # noqa: FBT001
    count: int,
    min_confidence: float,
    output: Output,
) -> None:
    """List the results that abstracts report on a benchmark, of a method or by a paper.

    NAME is the name, an alias or the id of an entity, or the id, arXiv id, DOI or title of a paper.
    Results with the same benchmark, metric and unit form a group, best first. If it is unknown
    whether high or low values are better, the newest come first. Conditions may differ: read the
    sentence of each result.

    \b
    Example:
      kg results out/graph.ttl "GSM8K"
      kg results out/graph.ttl "GRPO" --against
    """
    from citekg.graph import result_report
    from citekg.graph.result_tables import result_table

    table = result_table(load(graph), name, against=against, min_confidence=min_confidence)
    if output.is_json:
        echo_json(result_report.as_values(table))
    elif output.name == "table":
        click.echo(result_report.as_text(table, count))
    else:
        output.echo(table.table())
