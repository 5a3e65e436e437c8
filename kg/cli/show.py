"""`kg show`: print the facts of a graph about one entity or paper."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.graph_arguments import complete_entity_names
from citekg.cli.options import GRAPH, JSON, confidence_options, count_option, echo_json, load


@click.command()
@GRAPH
@click.argument("name", shell_complete=complete_entity_names)
@count_option(5, "The number of entries for each role.")
@confidence_options
@JSON
def show(graph: Path, name: str, count: int, min_confidence: float, as_json: bool) -> None:  # noqa: FBT001
    """Print everything about one entity or paper.

    NAME is the name, an alias or the id of an entity, or the id, arXiv id, DOI or title of a paper.
    For an entity: its type, who introduced it, and which papers use it in which role. For a paper:
    what it introduces, uses and cites. Each claim comes with a sentence as evidence; --json prints
    all claims and all sentences.

    \b
    Example:
      kg show out/graph.ttl "GRPO"
      kg show out/graph.ttl arXiv:2402.03300
    """
    from citekg.graph import entity_report

    loaded = load(graph)
    if as_json:
        echo_json(entity_report.as_values(loaded, name, min_confidence))
    else:
        click.echo(entity_report.as_text(loaded, name, count, min_confidence))
