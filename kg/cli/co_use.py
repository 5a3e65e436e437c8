"""`kg co-use`: list pairs of entities that papers use together."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.graph_arguments import check_types
from citekg.cli.options import GRAPH, confidence_options, count_option, echo_json, load
from citekg.cli.printing import Output, table_options
from citekg.schemas.vocabulary import BENCHMARK, METHOD


@click.command("co-use")
@GRAPH
@click.option(
    "--one", default=METHOD, show_default=True, help="The type of the first entity of each pair."
)
@click.option(
    "--other", default=BENCHMARK, show_default=True, help="The type of the second entity."
)
@count_option(20, "The number of pairs.")
@confidence_options
@table_options
def co_use(
    graph: Path, one: str, other: str, count: int, min_confidence: float, output: Output
) -> None:
    """List entities that papers use together: methods with benchmarks, or any two types.

    \b
    Example:
      kg co-use out/graph.ttl --one Method --other Benchmark
    """
    from citekg.graph.influence import co_use as find_pairs
    from citekg.text_table import Table

    loaded = load(graph).subset(min_confidence=min_confidence)
    check_types(loaded, one, other)
    pairs = find_pairs(loaded, one, other, count)
    if output.is_json:
        echo_json(
            [{"one": c.one.name, "other": c.other.name, "papers": list(c.papers)} for c in pairs]
        )
        return
    rows = tuple((f"{c.one.name} + {c.other.name}", str(len(c.papers))) for c in pairs)
    output.echo(Table("Used together", ("pair", "papers"), rows))
