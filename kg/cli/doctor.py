"""`kg doctor`: check the installation."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from citekg.cli.exit_codes import FAILED
from citekg.cli.options import JSON, echo_json

if TYPE_CHECKING:
    from citekg.doctor.findings import Finding


@click.command()
@JSON
def doctor(as_json: bool) -> None:  # noqa: FBT001
    """Check the installation.

    The command checks Python and the libraries, the trained weights, the store, and the machine.
    Only some commands need the parts that are reported as absent. The exit code is 1 if a required
    part is broken.

    \b
    Example:
      kg doctor
    """
    from citekg.doctor import diagnose
    from citekg.doctor.findings import BROKEN

    found = diagnose()
    if as_json:
        echo_json(
            {part: [asdict(finding) for finding in findings] for part, findings in found.items()}
        )
    else:
        click.echo(
            "\n\n".join(
                f"{part}\n" + "\n".join(map(_line, findings)) for part, findings in found.items()
            )
        )
    if any(finding.state == BROKEN for findings in found.values() for finding in findings):
        sys.exit(FAILED)


def _line(finding: Finding) -> str:
    mark = {"ok": " ", "absent": "-", "broken": "!"}[finding.state]
    advice = f": {finding.advice}" if finding.advice else ""
    return f"{mark} {finding.name:<18} {finding.value}{advice}"
