"""The command line of citekg, run in this process."""

from __future__ import annotations

import click
from click.testing import CliRunner, Result

from citekg.cli.main import main


def run_cli(*arguments: object, stdin: bytes | None = None) -> Result:
    """Run `kg` with these arguments and return its output and exit code."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def commands_of(group: click.Group) -> dict[str, click.Command]:
    """Return the commands of a group by name, in the order of its help."""
    context = click.Context(group)
    found = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    return {name: command for name, command in found if command is not None}
