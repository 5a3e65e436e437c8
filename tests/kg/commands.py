"""The command line of citekg, run in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from citekg.cli.main import main


def run_cli(*arguments: object, stdin: bytes | None = None) -> Result:
    """Run `kg` with these arguments and return its output and exit code."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
