"""`kg doctor`: whether everything that is needed is there and works."""

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
    """Tell what is installed here, and whether it works.

    Python and the libraries, the trained weights, the store, and the machine. What is absent is needed
    by some commands only; the exit code is 1 where something that is needed is broken.

    \b
    Example:
      kg doctor
    """
    from citekg.doctor import diagnosis
    from citekg.doctor.findings import BROKEN

    found = diagnosis()
    if as_json:
        echo_json({part: [asdict(finding) for finding in findings] for part, findings in found.items()})
    else:
        click.echo("\n\n".join(f"{part}\n" + "\n".join(map(_line, findings)) for part, findings in found.items()))
    if any(finding.state == BROKEN for findings in found.values() for finding in findings):
        sys.exit(FAILED)


def _line(finding: Finding) -> str:
    mark = {"ok": " ", "absent": "-", "broken": "!"}[finding.state]
    advice = f": {finding.advice}" if finding.advice else ""
    return f"{mark} {finding.name:<18} {finding.value}{advice}"
