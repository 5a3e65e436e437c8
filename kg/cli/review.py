"""`kg review`: ask a curator which entities to merge, and record the decisions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citekg.cli.options import GRAPH, author_name, echo_json, load, report_write_errors

if TYPE_CHECKING:
    from citekg.curation.merge_candidates import MergeCandidate
    from citekg.graph.graph import Graph


@click.command()
@GRAPH
@click.option(
    "--decisions",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("decisions.yaml"),
    show_default=True,
    help="The file of decisions to read and to add to.",
)
@click.option("--list", "only_list", is_flag=True, help="Print the proposals without questions.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the proposals as JSON, without questions."
)
@click.option("--author", help="The name of the curator. Default: your login name.")
def review(graph: Path, file: Path, only_list: bool, as_json: bool, author: str | None) -> None:  # noqa: FBT001
    """Propose merges of entities that may be the same, and record your decisions.

    Each proposal comes with sentences about both entities. Answer y to merge, n to keep them apart
    (the command does not propose the pair again), s to skip, q to quit. The command saves each
    answer at once and merges nothing without your answer; kg build --decisions applies the
    decisions. Without a terminal, the command only prints the proposals.

    \b
    Example:
      kg review out/graph.ttl --decisions decisions.yaml
    """
    from citekg.curation.merge_candidates import merge_candidates
    from citekg.curation.review import candidate_text, candidate_to_json, existing_decisions

    loaded = load(graph)
    found = merge_candidates(loaded, existing_decisions(file, loaded.vocabulary))
    if as_json:
        echo_json([candidate_to_json(loaded, p) for p in found])
    elif only_list or not _is_terminal():
        click.echo(
            "\n\n".join(candidate_text(loaded, p) for p in found) or "There are no proposals."
        )
    else:
        _review(loaded, found, file, author)


def _review(graph: Graph, found: list[MergeCandidate], file: Path, author: str | None) -> None:
    from datetime import date

    from citekg.curation.review import ANSWERS, Reviewer
    from citekg.curation.review import review as ask_all

    choices = click.Choice(list(ANSWERS), case_sensitive=False)
    question = ", ".join(f"{letter} {meaning}" for letter, meaning in ANSWERS.items())
    today = date.today().isoformat()
    reviewer = Reviewer(author_name(author), today, file, graph.vocabulary)
    with report_write_errors(file):
        written = ask_all(
            graph, found, reviewer, lambda: click.prompt(question, type=choices), click.echo
        )
    click.echo(
        f"{written} decision{'s' * (written != 1)} written to {file}"
        if found
        else "There are no proposals."
    )


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
