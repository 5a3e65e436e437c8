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
    """Check a graph file and list what is wrong with it.

    Checks the SHACL shapes, the IRIs, the offsets of the mentions, and that claims and links are
    consistent with each other. The exit code is 5 if something is wrong.

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
