"""`kg evaluate` and `kg sample`: how right extraction and a graph are."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import (
    JSON,
    LAYERS,
    LEXICONS,
    SCHEMA,
    any_file,
    as_json_text,
    domain_of,
    echo_json,
    loaded,
    writing,
)
from citekg.cli.printing import Output, table_options
from citekg.exports import write_atomically


@click.command()
@click.argument("gold", metavar="GOLD", shell_complete=any_file)
@LAYERS
@LEXICONS
@SCHEMA
@table_options
@click.option("--list", "listed", is_flag=True, help="Print every miss, wrong type and extra with its sentence.")
def evaluate(
    gold: str,
    layers: frozenset[str] | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    output: Output,
    listed: bool,  # noqa: FBT001
) -> None:
    """Measure extraction on annotated papers: precision, recall and F1 by type, layer and role.

    GOLD is JSON Lines, a paper a line: title, abstract and entities, each with surfaces (copied from
    the text), type and, if you like, relation, also, also_relation and optional. Types and roles may be those
    of a schema, as they are for kg build.

    \b
    Example:
      kg evaluate annotated.jsonl --list
    """
    from citekg.building.pipeline import make_pipeline
    from citekg.evaluation import report
    from citekg.evaluation.annotations import annotated_papers
    from citekg.evaluation.metrics import evaluate as evaluate_all
    from citekg.schemas.vocabulary import DEFAULT

    domain = domain_of(schema)
    annotated = annotated_papers(gold, domain.vocabulary if domain else DEFAULT)
    evaluation = evaluate_all(annotated, make_pipeline(layers, lexicons, domain))
    if output.is_json:
        echo_json(report.as_json(evaluation))
        return
    output.echo(*report.tables(evaluation))
    if listed:
        click.echo("\n" + report.faults(evaluation))


@click.command()
@click.argument("graph", type=GraphFile(), required=False)
@click.option("-n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="How many relations.")
@click.option("--seed", default=1, show_default=True, help="Another seed gives another sample.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option("--score", "marked", type=click.Path(path_type=Path), help="Say what a marked sample tells.")
@JSON
def sample(
    graph: Path | None,
    count: int,
    seed: int,
    output: Path | None,
    marked: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Draw relations of a graph to mark right or wrong, or say what the marks tell.

    Open the table in a spreadsheet, write y or n into the column "right" (blank leaves a row out),
    save it, and give it back with --score: precision by type and role with 95 % intervals.

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
        rows = sampling.sample(loaded(graph), count, seed)
        text = as_json_text([*map(asdict, rows)]) if as_json else sampling.written(rows)
        if output is None:
            click.echo(text, nl=False)
            return
        with writing(output):
            write_atomically(output, [text.encode()])
