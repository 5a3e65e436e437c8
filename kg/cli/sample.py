"""`kg sample`: draw claims to judge by hand, and compute precision from the judgements."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import (
    JSON,
    as_json_text,
    count_option,
    echo_json,
    load,
    report_write_errors,
)
from citekg.cli.printing import Output
from citekg.schemas.atomic_files import write_atomically


@click.command()
@click.argument("graph", type=GraphFile(), required=False)
@count_option(50, "The number of rows.")
@click.option(
    "--seed", default=1, show_default=True, help="The random seed; each seed gives another sample."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write."
)
@click.option(
    "--score",
    "marked",
    type=click.Path(path_type=Path),
    help="Compute the precision from a marked sample.",
)
@JSON
def sample(
    graph: Path | None,
    count: int,
    seed: int,
    output: Path | None,
    marked: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Draw a sample of relations and reported results to mark, or compute precision from the marks.

    Open the table in a spreadsheet, write y or n into the column "right" (an empty cell leaves the
    row out), save it, and pass it to --score, which prints the precision by type and role, with
    95 % intervals.

    \b
    Example:
      kg sample out/graph.ttl -n 50 -o sample.tsv
      kg sample --score sample.tsv
    """
    from citekg.evaluation import sampling

    if (graph is None) == (marked is None):
        raise click.UsageError("give either a GRAPH to draw from, or --score and a marked file")
    if marked is not None:
        precision = sampling.marked_precision(marked)
        if as_json:
            echo_json(precision.values())
        else:
            Output().echo(precision)
    if graph is not None:
        rows = sampling.draw_sample(load(graph), count, seed)
        text = as_json_text([*map(asdict, rows)]) if as_json else sampling.to_tsv(rows)
        if output is None:
            click.echo(text, nl=False)
            return
        with report_write_errors(output):
            write_atomically(output, [text.encode()])
