"""The command `kg`. Every error of ours becomes one line on standard error here, and only here.

Exit codes: 0 all well; 1 an error, nothing was made; 2 the command line is wrong; 3 the work was
done, but some of the input had to be skipped; 4 two graphs were compared, and they differ; 5 a graph
was validated, and it breaks a rule.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from exports import EXPORTERS, ExportOptions, write_atomically
from extractors.candidates import LAYERS
from kg.commands.asking import query, validate
from kg.commands.exploring import COMMANDS
from kg.commands.options import GRAPH as _GRAPH
from kg.commands.options import SPLIT, check_split, file_of, progress, rdf_options, write_files
from kg.commands.options import loaded as _load
from kg.commands.options import writing as _writing
from kg.commands.publishing import publish
from kg.commands.serving import serve
from kg.sources import READERS, Problem
from kg.workers import ONE_THREAD
from schemas.errors import CitekgError

if TYPE_CHECKING:
    from kg.graph import Graph
    from kg.proposals import Proposal
    from schemas.records import Reading

SKIPPED: Final = 3
DIFFERENT: Final = 4
_CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Commands(click.Group):
    """Turns our errors into messages; lists commands in the order in which they are used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CitekgError as error:
            raise click.ClickException(str(error)) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.group(cls=_Commands, context_settings=_CONTEXT)
@click.version_option(package_name="citekg", prog_name="kg")
def main() -> None:
    """Build, question and show citation-style knowledge graphs of research papers.

    \b
    Example:
      kg build papers/*.txt -o out
      kg query out/graph.ttl "SELECT ?paper { ?p ckg:uses/skos:prefLabel 'D4RL'; dcterms:title ?paper }"

    Exit codes: 0 all well; 1 an error, nothing was made; 2 a wrong command line;
    3 done, but some of the input was skipped; 4 (kg diff) the graphs differ;
    5 (kg validate) the graph breaks a rule.
    """
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


_INPUTS = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
_INPUT_FORMAT = click.option(
    "--input-format", type=click.Choice(list(READERS)), help="Force the input format instead of recognising it."
)
_STRICT = click.option("--strict", is_flag=True, help="Stop at the first problem in the input.")
_LAYERS = click.option(
    "--layers",
    callback=lambda _ctx, _param, value: _layers(value),
    metavar="LIST",
    help=f"The extraction layers to use, separated by commas, of: {', '.join(LAYERS)}. Default: all.",
)
_WORKERS = click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="How many processes read papers."
)


def _layers(value: str | None) -> frozenset[str] | None:
    if value is None:
        return None
    named = frozenset(filter(None, (n.strip() for n in value.split(","))))
    unknown = sorted(named - set(LAYERS))
    if unknown or not named:
        raise click.BadParameter(f"{', '.join(unknown) or 'nothing'}: choose of {', '.join(LAYERS)}")
    return named


@main.command()
@_INPUTS
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to."
)
@click.option(
    "-f",
    "--format",
    "formats",
    type=click.Choice(list(EXPORTERS)),
    multiple=True,
    default=("ttl", "html", "json"),
    show_default=True,
    help="A format to write; may be given several times.",
)
@_INPUT_FORMAT
@_LAYERS
@_WORKERS
@click.option(
    "--decisions",
    "decided",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of merges, splits, types, roles, bans and aliases to replay (see kg review).",
)
@_STRICT
@SPLIT
@click.option("--gz", "packed", is_flag=True, help="Write every file but pages and zip files compressed, as .gz.")
@rdf_options
def build(
    inputs: tuple[str, ...],
    output: Path,
    formats: tuple[str, ...],
    input_format: str | None,
    layers: frozenset[str] | None,
    workers: int,
    decided: Path | None,
    strict: bool,  # noqa: FBT001
    split: bool,  # noqa: FBT001
    packed: bool,  # noqa: FBT001
    options: ExportOptions,
) -> None:
    """Read papers and write their graph.

    INPUT is a file, a folder, a glob or - for standard input: text of a Daily Papers page, or JSON
    Lines with title and abstract; .gz is unpacked.

    \b
    Example:
      kg build examples/papers.jsonl -o out
    """
    from kg.decisions import NO_DECISIONS, read_decisions
    from kg.pipeline import build as build_all
    from kg.summary import built_summary

    if split:
        check_split(formats)
    with progress("Reading papers") as on_progress:
        built = build_all(
            inputs,
            input_format=input_format,
            layers=layers,
            workers=workers,
            decisions=read_decisions(decided) if decided else NO_DECISIONS,
            on_progress=on_progress,
        )
    _report(built.problems, strict=strict)
    for message in built.stale:
        click.echo(f"warning: {message}", err=True)
    if not built.graph.papers:
        raise click.ClickException("no paper could be read, so nothing was written")
    files: list[Path] = []
    for name in dict.fromkeys(formats):
        files += write_files(built.graph, file_of(output, name, packed=packed), name, options, split=split)
    click.echo(built_summary(built.graph, files, len(built.problems)))
    _exit(built.problems)


@main.command()
@_INPUTS
@_INPUT_FORMAT
@_LAYERS
@_WORKERS
@_STRICT
def extract(
    inputs: tuple[str, ...],
    input_format: str | None,
    layers: frozenset[str] | None,
    workers: int,
    strict: bool,  # noqa: FBT001
) -> None:
    """Print what each paper names, as JSON Lines: one paper a line.

    \b
    Example:
      kg extract examples/papers.jsonl > extracted.jsonl
    """
    from kg.pipeline import reader_of, readings
    from kg.sources import read

    problems: list[Problem] = []
    papers = read(inputs, problems.append, input_format)
    _report(problems, strict=strict)
    with progress("Reading papers") as on_progress:
        for reading in readings(reader_of(layers), papers, on_progress, workers):
            click.echo(json.dumps(_extracted(reading), ensure_ascii=False))
    _exit(problems)


def _extracted(reading: Reading) -> dict[str, Any]:
    text = reading.paper.text
    return {
        "id": reading.paper.id,
        "title": reading.paper.title,
        "entities": [
            {
                "id": entity.key,
                "name": entity.name,
                "surfaces": list(entity.surfaces),
                "type": entity.type,
                "relations": [role for role, _, _ in entity.roles],
                "mentions": [{"start": a, "end": b, "text": text[a:b]} for a, b in entity.spans],
                "confidence": entity.confidence,
            }
            for entity in reading.entities
        ],
    }


main.add_command(query)
main.add_command(validate)
main.add_command(serve)
main.add_command(publish)


@main.command()
@_GRAPH
def stats(graph: Path) -> None:
    """Print what a graph holds: papers, entities by type, roles, the most used names.

    \b
    Example:
      kg stats out/graph.ttl
    """
    from kg.summary import graph_summary

    click.echo(graph_summary(_load(graph)))


for _command in COMMANDS:
    main.add_command(_command)


@main.command()
@_GRAPH
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Where to write the page. Default: aside."
)
def view(graph: Path, output: Path | None) -> None:
    """Open a graph as an interactive page in the browser.

    The page is one file that loads nothing from the network; a file that kg build wrote as .html is
    opened as it is.

    \b
    Example:
      kg view out/graph.ttl
    """
    from kg.viewing import opened, page_of

    with _writing(output or Path("the temporary folder")):
        page = page_of(graph, output)
    click.echo(page if opened(page) else f"No browser was found here. Open this file in one: {page}")


@main.command()
@_GRAPH
@click.option("-f", "--format", "name", type=click.Choice(list(EXPORTERS)), required=True, help="The format to write.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file to write."
)
@SPLIT
@rdf_options
def export(graph: Path, name: str, output: Path, split: bool, options: ExportOptions) -> None:  # noqa: FBT001
    """Write a graph file in another format; compressed where the file's name ends in .gz.

    \b
    Example:
      kg export out/graph.ttl -f html -o out/page.html
    """
    if split:
        check_split((name,))
    write_files(_load(graph), output, name, options, split=split)


@main.command()
@click.argument("gold", metavar="GOLD")
@_LAYERS
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--list", "listed", is_flag=True, help="Print every miss, wrong type and extra with its sentence.")
def evaluate(gold: str, layers: frozenset[str] | None, as_json: bool, listed: bool) -> None:  # noqa: FBT001
    """Measure extraction on annotated papers: precision, recall and F1 by type, layer and role.

    GOLD is JSON Lines, a paper a line: title, abstract and entities, each with surfaces (copied from
    the text), type and, if you like, relation, also, also_relation and optional.

    \b
    Example:
      kg evaluate annotated.jsonl --list
    """
    from kg import evaluation_report
    from kg.annotations import annotated_papers
    from kg.evaluating import evaluate as evaluate_all
    from kg.pipeline import reader_of

    evaluation = evaluate_all(annotated_papers(gold), reader_of(layers))
    if as_json:
        click.echo(json.dumps(evaluation_report.as_json(evaluation), ensure_ascii=False, indent=1))
        return
    click.echo(evaluation_report.report(evaluation))
    if listed:
        click.echo("\n" + evaluation_report.faults(evaluation))


@main.command()
@click.argument("graph", type=click.Path(path_type=Path), required=False)
@click.option("-n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="How many relations.")
@click.option("--seed", default=1, show_default=True, help="Another seed gives another sample.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option("--score", "marked", type=click.Path(path_type=Path), help="Say what a marked sample tells.")
def sample(graph: Path | None, count: int, seed: int, output: Path | None, marked: Path | None) -> None:
    """Draw relations of a graph to mark right or wrong, or say what the marks tell.

    Open the table in a spreadsheet, write y or n into the column "right" (blank leaves a row out),
    save it, and give it back with --score: precision by type and role with 95 % intervals.

    \b
    Example:
      kg sample out/graph.ttl -n 50 -o sample.tsv
      kg sample --score sample.tsv
    """
    from kg import sampling

    if (graph is None) == (marked is None):
        raise click.UsageError("give either a GRAPH to draw from, or --score and a marked file")
    if marked is not None:
        click.echo(sampling.marked_precision(marked).text())
    if graph is not None:
        text = sampling.written(sampling.sample(_load(graph), count, seed))
        if output is None:
            click.echo(text, nl=False)
            return
        with _writing(output):
            write_atomically(output, [text.encode()])


@main.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the difference as JSON.")
def diff(old: Path, new: Path, as_json: bool) -> None:  # noqa: FBT001
    """Tell what changed from one graph file to another.

    New and lost papers and entities, merges, splits, other names, types and roles. The exit code is 0
    where the graphs are equal and 4 where they differ.

    \b
    Example:
      kg diff before.ttl out/graph.ttl
    """
    from kg.comparing import compare
    from kg.difference import as_text, as_values

    found = compare(_load(old), _load(new))
    click.echo(json.dumps(as_values(found), ensure_ascii=False, indent=2) if as_json else as_text(found))
    if not found.equal:
        sys.exit(DIFFERENT)


@main.command()
@_GRAPH
@click.option(
    "--decisions",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("decisions.yaml"),
    show_default=True,
    help="The file of decisions to heed and to add to.",
)
@click.option("--list", "only_list", is_flag=True, help="Print the proposals and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the proposals as JSON and ask nothing.")
@click.option("--author", help="Who decides. Default: the name you are logged in under.")
def review(graph: Path, file: Path, only_list: bool, as_json: bool, author: str | None) -> None:  # noqa: FBT001
    """Go through entities that may be one thing, and write down what you decide.

    Each proposal comes with the sentences from both sides. Answer y to merge, n to keep the two apart
    (it is not asked again), s to skip, q to quit; every answer is in the file at once, and kg build
    --decisions replays it. Nothing is merged unasked; without a terminal the proposals are only printed.

    \b
    Example:
      kg review out/graph.ttl --decisions decisions.yaml
    """
    from kg.proposals import proposals
    from kg.reviewing import decisions_so_far, proposal_text, proposal_values

    loaded = _load(graph)
    found = proposals(loaded, decisions_so_far(file))
    if as_json:
        click.echo(json.dumps([proposal_values(loaded, p) for p in found], ensure_ascii=False, indent=2))
    elif only_list or not _is_terminal():
        click.echo("\n\n".join(proposal_text(loaded, p) for p in found) or "Nothing to propose.")
    else:
        _review(loaded, found, file, author)


def _review(graph: Graph, found: list[Proposal], file: Path, author: str | None) -> None:
    from datetime import date
    from getpass import getuser

    from kg.reviewing import ANSWERS, Reviewer
    from kg.reviewing import review as go_through

    answers = click.Choice(list(ANSWERS), case_sensitive=False)
    question = ", ".join(f"{letter} {meaning}" for letter, meaning in ANSWERS.items())
    try:
        reviewer = Reviewer(author or getuser(), date.today().isoformat(), file)
    except (KeyError, OSError) as error:
        raise click.UsageError("your name is unknown here: give it with --author") from error
    with _writing(file):
        written = go_through(graph, found, reviewer, lambda: click.prompt(question, type=answers), click.echo)
    click.echo(f"{written} decision{'s' * (written != 1)} written to {file}" if found else "Nothing to propose.")


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _report(problems: list[Problem] | tuple[Problem, ...], *, strict: bool) -> None:
    for problem in sorted(problems):
        click.echo(f"skipped: {problem}", err=True)
        if strict:
            raise click.ClickException("stopped at the first problem, as --strict asks; nothing was written")


def _exit(problems: list[Problem] | tuple[Problem, ...]) -> None:
    if problems:
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
