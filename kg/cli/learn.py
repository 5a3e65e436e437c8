"""`kg learn`: adapt the models to annotated papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citekg.cli import exit_codes
from citekg.cli.options import (
    ANNOTATOR,
    LEXICONS,
    SCHEMA,
    any_file,
    decisions_of,
    echo_json,
    progress,
    read_schema,
)
from citekg.cli.printing import Output, format_options
from citekg.cli.problems import report_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citekg.schemas.records import Paper


@click.command()
@click.argument("annotated", metavar="ANNOTATED", shell_complete=any_file)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file of weights to write.",
)
@click.option(
    "--decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A decisions file; its types, roles, bans, merges and names are examples, too.",
)
@click.option(
    "--papers",
    "inputs",
    multiple=True,
    metavar="INPUT",
    help="Papers without annotations, in which decided names are examples; can be repeated.",
)
@LEXICONS
@SCHEMA
@ANNOTATOR
@format_options
@click.pass_context
def learn(
    ctx: click.Context,
    annotated: str,
    target: Path,
    decisions: Path | None,
    inputs: tuple[str, ...],
    lexicons: tuple[Path, ...],
    schema: Path | None,
    annotator: str | None,
    output: Output,
) -> None:
    """Adapt the models to annotated papers, and print the change in quality.

    ANNOTATED is JSON Lines, one paper per line, as for kg evaluate. The weights are for --weights
    of kg build, extract and evaluate, with the same --schema. The figures are cross-validated: each
    paper is read with weights that were learnt without it. If the gain is not significant, the file
    is written, and the exit code is 6.

    \b
    Example:
      kg learn annotated.jsonl -o mine.weights
      kg build papers.jsonl --weights mine.weights -o out
    """
    from citekg.building.pipeline import make_pipeline
    from citekg.evaluation.annotations import annotated_papers
    from citekg.extractors.adaptation.weights_file import write_weights
    from citekg.learning import report
    from citekg.learning.learn import learn as learn_from
    from citekg.schemas.vocabulary import DEFAULT

    domain = read_schema(schema)
    vocabulary = domain.vocabulary if domain else DEFAULT
    if inputs and not decisions:
        raise click.UsageError("--papers needs --decisions")
    gold = annotated_papers(annotated, vocabulary, annotator)
    pipeline = make_pipeline(None, lexicons, domain)
    with progress("Learning") as on_progress:
        learnt = learn_from(
            gold, pipeline, decisions_of(decisions, vocabulary), _papers(inputs), on_progress
        )
    write_weights(target, learnt.weights)
    if output.is_json:
        echo_json(report.as_json(learnt))
    else:
        output.echo(report.table(learnt))
    if not learnt.is_better:
        click.echo(f"warning: {target} is written, but is not shown to be better", err=True)
        ctx.exit(exit_codes.NOT_BETTER)


def _papers(inputs: tuple[str, ...]) -> Iterable[Paper]:
    from citekg.building.pipeline import read_papers

    if not inputs:
        return ()
    papers, problems = read_papers(inputs)
    report_problems(problems, strict=False)
    return papers
