"""Commands in tests, run in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from citekg.cli.main import main


def run_kg(*arguments: object) -> Result:
    """Return the result of `kg` with these arguments."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])
