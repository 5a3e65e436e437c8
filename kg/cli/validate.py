"""`kg validate`: check a graph file."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from citekg.cli.exit_codes import INVALID
from citekg.cli.options import JSON, RDF_GRAPH, echo_json


@click.command()
@RDF_GRAPH
@JSON
def validate(graph: Path, as_json: bool) -> None:  # noqa: FBT001
    """Check a graph file and list the violations.

    The command checks the SHACL shapes, the IRIs, the offsets of the mentions, and the consistency
    of claims and links. The exit code is 5 if there is a violation.

    \b
    Example:
      kg validate out/graph.ttl
    """
    from citekg.validation.validate import report
    from citekg.validation.validate import validate as find_violations

    violations = find_violations(graph)
    if as_json:
        echo_json(
            {
                "file": str(graph),
                "valid": not violations,
                "violations": [asdict(v) for v in violations],
            }
        )
    else:
        click.echo(report(violations, graph))
    if violations:
        sys.exit(INVALID)
