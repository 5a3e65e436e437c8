"""How commands report the problems of their input."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from citekg.cli.exit_codes import SKIPPED

if TYPE_CHECKING:
    from citekg.sources import Problem


def report_problems(problems: Iterable[Problem], *, strict: bool) -> None:
    """Print each problem on standard error; with `strict` stop after the first.

    Raises `ClickException` if it stops.
    """
    for problem in sorted(problems):
        click.echo(f"{'warning' if problem.warning else 'skipped'}: {problem}", err=True)
        if strict:
            raise click.ClickException(
                "stopped at the first problem because of --strict; nothing was written"
            )


def exit_if_skipped(problems: Iterable[Problem]) -> None:
    """Exit with the code `SKIPPED` if a record was skipped."""
    if not all(problem.warning for problem in problems):
        sys.exit(SKIPPED)
