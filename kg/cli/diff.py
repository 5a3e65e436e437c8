"""`kg diff`: compare two graph files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from citekg.cli.exit_codes import DIFFERENT
from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import JSON, echo_json, load


@click.command()
@click.argument("old", type=GraphFile())
@click.argument("new", type=GraphFile())
@JSON
def diff(old: Path, new: Path, as_json: bool) -> None:  # noqa: FBT001
    """List the changes from one graph file to another.

    The changes are new and removed papers and entities, merges, splits, and changed names, types
    and roles. The exit code is 0 if the graphs are equal and 4 if they differ.

    \b
    Example:
      kg diff before.ttl out/graph.ttl
    """
    from citekg.graph.diff import compare
    from citekg.graph.diff_report import as_text, as_values

    found = compare(load(old), load(new))
    if as_json:
        echo_json(as_values(found))
    else:
        click.echo(as_text(found))
    if not found.equal:
        sys.exit(DIFFERENT)
