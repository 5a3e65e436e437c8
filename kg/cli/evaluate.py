"""`kg evaluate`: measure extraction on annotated papers."""

from __future__ import annotations

from pathlib import Path

import click

from citekg.cli.extraction_options import LAYERS
from citekg.cli.options import (
    ANNOTATOR,
    LEXICONS,
    MODEL,
    SCHEMA,
    WEIGHTS,
    any_file,
    echo_json,
    read_schema,
)
from citekg.cli.printing import Output, table_options


@click.command()
@click.argument("gold", metavar="GOLD", shell_complete=any_file)
@LAYERS
@LEXICONS
@SCHEMA
@WEIGHTS
@MODEL
@ANNOTATOR
@table_options
@click.option(
    "--list",
    "listed",
    is_flag=True,
    help="Also print every missed, wrongly typed and extra entity with its sentence.",
)
def evaluate(
    gold: str,
    layers: frozenset[str] | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    weights: Path | None,
    model: str,
    annotator: str | None,
    output: Output,
    listed: bool,  # noqa: FBT001
) -> None:
    """Measure extraction on annotated papers: precision, recall and F1 by type, layer and role.

    GOLD is JSON Lines, one paper per line: title, abstract and entities. Each entity has surfaces
    (copied from the text) and a type, and optionally relation, also, also_relation and optional.
    With --schema, types and roles may be those of the schema, as for kg build.

    \b
    Example:
      kg evaluate annotated.jsonl --list
    """
    from citekg.building.pipeline import make_pipeline
    from citekg.evaluation import report
    from citekg.evaluation.annotations import annotated_papers
    from citekg.evaluation.metrics import evaluate as measure
    from citekg.schemas.vocabulary import DEFAULT

    domain = read_schema(schema)
    annotated = annotated_papers(gold, domain.vocabulary if domain else DEFAULT, annotator)
    evaluation = measure(annotated, make_pipeline(layers, lexicons, domain, weights, model))
    if output.is_json:
        echo_json(report.as_json(evaluation))
        return
    output.echo(*report.tables(evaluation))
    if listed:
        click.echo("\n" + report.error_listing(evaluation))
