"""`kg path`: print the shortest paths between two entities or papers."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.graph_arguments import complete_entity_names
from citekg.cli.options import GRAPH, JSON, confidence_options, count_option, echo_json, load


@click.command()
@GRAPH
@click.argument("one", shell_complete=complete_entity_names)
@click.argument("other", shell_complete=complete_entity_names)
@count_option(1, "The number of paths, shortest first.")
@confidence_options
@JSON
def path(
    graph: Path,
    one: str,
    other: str,
    count: int,
    min_confidence: float,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the shortest path between two entities or papers, step by step, with sentences.

    ONE and OTHER are names, ids or titles, as for kg show.

    \b
    Example:
      kg path out/graph.ttl "PPO" "D4RL"
      kg path out/graph.ttl "PPO" 2402.03300
    """
    from citekg.graph import paths

    found = paths.paths(load(graph), one, other, count, min_confidence)
    if as_json:
        echo_json(paths.as_values(found))
    else:
        click.echo(paths.as_text(found))
