"""`kg annotate`: mark the entities of papers in a page on this machine."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citekg.cli.extraction_options import INPUT_FORMAT
from citekg.cli.listening import LOOPBACK, listen, port_option, require_server, run_server
from citekg.cli.options import (
    LEXICONS,
    MODEL,
    SCHEMA,
    WEIGHTS,
    any_file,
    author_name,
    count_option,
    echo_json,
    progress,
    read_schema,
)
from citekg.cli.printing import Output, format_options
from citekg.cli.problems import report_problems

if TYPE_CHECKING:
    from citekg.annotating.annotation_file import AnnotationFile
    from citekg.annotating.session import Session
    from citekg.extractors.pipeline import ExtractionPipeline
    from citekg.schemas.records import Paper
    from citekg.schemas.vocabulary import Vocabulary


@click.command()
@click.argument("inputs", nargs=-1, metavar="[INPUT...]", shell_complete=any_file)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file of annotations to write or to continue.",
)
@count_option(100, "The number of papers to annotate, with those that are done.")
@click.option(
    "--random",
    "is_random",
    is_flag=True,
    help="Take a random sample, for a test set, instead of the most informative papers.",
)
@click.option("--no-proposals", is_flag=True, help="Do not show what the models find.")
@click.option("--annotator", help="The name of the annotator. Default: your login name.")
@port_option(8001)
@click.option(
    "--agreement",
    "compared",
    type=click.Path(),
    help="Print the agreement between the annotators of a file, and exit.",
)
@INPUT_FORMAT
@LEXICONS
@SCHEMA
@WEIGHTS
@MODEL
@format_options
def annotate(
    inputs: tuple[str, ...],
    target: Path | None,
    count: int,
    is_random: bool,  # noqa: FBT001
    no_proposals: bool,  # noqa: FBT001
    annotator: str | None,
    port: int,
    compared: str | None,
    input_format: str | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    weights: Path | None,
    model: str,
    output: Output,
) -> None:
    """Mark the entities of papers in a page on this machine, for kg learn and kg evaluate.

    The page shows one paper after another with the entities that the models find. Each paper is
    saved when it is done; the same command continues where it stopped. The most informative papers
    come first. The command needs two more packages: pip install 'citekg[serve]'.

    \b
    Example:
      kg annotate papers.jsonl -o annotated.jsonl
      kg annotate papers.jsonl -o test.jsonl --random -n 50
      kg annotate --agreement annotated.jsonl
    """
    from citekg.building.pipeline import make_pipeline
    from citekg.schemas.vocabulary import DEFAULT

    domain = read_schema(schema)
    vocabulary = domain.vocabulary if domain else DEFAULT
    if compared is not None:
        if inputs or target:
            raise click.UsageError("--agreement takes no papers and no -o")
        _print_agreement(compared, vocabulary, output)
        return
    if not inputs or target is None:
        raise click.UsageError("give the papers to annotate, and with -o the file to write")
    require_server("kg annotate")
    from citekg.annotating.annotation_file import AnnotationFile

    file = AnnotationFile(target, author_name(annotator, "--annotator"), vocabulary)
    papers = _papers(inputs, input_format)
    pipeline = make_pipeline(None, lexicons, domain, weights, model)
    session = _session(papers, pipeline, file, count, is_random=is_random)
    _serve(replace(session, proposing=not no_proposals), port)


def _papers(inputs: tuple[str, ...], input_format: str | None) -> list[Paper]:
    """Return the papers with title and abstract; the format of annotations needs both."""
    from citekg.building.pipeline import read_papers

    papers, problems = read_papers(inputs, input_format)
    report_problems(problems, strict=False)
    whole = [paper for paper in papers if paper.title.strip() and paper.abstract.strip()]
    if without := len(papers) - len(whole):
        click.echo(f"warning: papers without an abstract are left out: {without}", err=True)
    if not whole:
        raise click.ClickException("there are no papers to annotate")
    return whole


def _session(
    papers: list[Paper],
    pipeline: ExtractionPipeline,
    file: AnnotationFile,
    count: int,
    *,
    is_random: bool,
) -> Session:
    from citekg.annotating.order import informative_order, random_order
    from citekg.annotating.session import Session

    saved = file.rows()
    if is_random:
        ordered = random_order(papers, count)
    else:
        with progress("Choosing papers") as on_progress:
            ordered = informative_order(papers, pipeline, count, [*saved], on_progress)
    session = Session(ordered, pipeline, file, saved)
    session.check()
    return session


def _serve(session: Session, port: int) -> None:
    from citekg.annotating.application import application

    token = secrets.token_urlsafe(24)
    served = application(session, token, LOOPBACK)
    listening, address = listen(LOOPBACK[0], port)
    click.echo(
        f"Annotate {address}/?token={token}\n{session.done} of {len(session.papers)} papers are "
        f"in {session.file.path}, by {session.file.annotator}.\nStop with Ctrl+C."
    )
    run_server(served, listening)


def _print_agreement(name: str, vocabulary: Vocabulary, output: Output) -> None:
    from citekg.annotating.agreement import agreements, table
    from citekg.evaluation.annotations import read_annotations

    found = agreements(read_annotations(name, vocabulary))
    if not found:
        raise click.ClickException(f"{name}: no two annotators annotated the same paper")
    if output.is_json:
        echo_json([agreement.values() for agreement in found])
    else:
        output.echo(table(found))
