"""`kg diff` and `kg review`: what changed between two graphs, and what a person decides."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from citekg.cli.exit_codes import DIFFERENT
from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import GRAPH, JSON, echo_json
from citekg.cli.options import loaded as _load
from citekg.cli.options import writing as _writing

if TYPE_CHECKING:
    from citekg.curation.merge_candidates import MergeCandidate
    from citekg.graph.graph import Graph


@click.command()
@click.argument("old", type=GraphFile())
@click.argument("new", type=GraphFile())
@JSON
def diff(old: Path, new: Path, as_json: bool) -> None:  # noqa: FBT001
    """Tell what changed from one graph file to another.

    New and lost papers and entities, merges, splits, other names, types and roles. The exit code is 0
    where the graphs are equal and 4 where they differ.

    \b
    Example:
      kg diff before.ttl out/graph.ttl
    """
    from citekg.graph.diff import compare
    from citekg.graph.diff_report import as_text, as_values

    found = compare(_load(old), _load(new))
    if as_json:
        echo_json(as_values(found))
    else:
        click.echo(as_text(found))
    if not found.equal:
        sys.exit(DIFFERENT)


@click.command()
@GRAPH
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
    from citekg.curation.merge_candidates import merge_candidates
    from citekg.curation.review import existing_decisions, proposal_text, proposal_values

    loaded = _load(graph)
    found = merge_candidates(loaded, existing_decisions(file, loaded.vocabulary))
    if as_json:
        echo_json([proposal_values(loaded, p) for p in found])
    elif only_list or not _is_terminal():
        click.echo("\n\n".join(proposal_text(loaded, p) for p in found) or "Nothing to propose.")
    else:
        _review(loaded, found, file, author)


def _review(graph: Graph, found: list[MergeCandidate], file: Path, author: str | None) -> None:
    from datetime import date
    from getpass import getuser

    from citekg.curation.review import ANSWERS, Reviewer
    from citekg.curation.review import review as go_through

    answers = click.Choice(list(ANSWERS), case_sensitive=False)
    question = ", ".join(f"{letter} {meaning}" for letter, meaning in ANSWERS.items())
    try:
        reviewer = Reviewer(author or getuser(), date.today().isoformat(), file, graph.vocabulary)
    except (KeyError, OSError) as error:
        raise click.UsageError("your name is unknown here: give it with --author") from error
    with _writing(file):
        written = go_through(graph, found, reviewer, lambda: click.prompt(question, type=answers), click.echo)
    click.echo(f"{written} decision{'s' * (written != 1)} written to {file}" if found else "Nothing to propose.")


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
