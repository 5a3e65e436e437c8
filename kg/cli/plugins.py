"""`kg plugins`: what other packages add."""

from __future__ import annotations

import click
from citekg.cli.options import JSON, echo_json


@click.command()
@JSON
def plugins(as_json: bool) -> None:  # noqa: FBT001
    """List the extractors, sources and exporters that other packages add, and whether they can be used.

    \b
    Example:
      kg plugins
    """
    from citekg.doctor.plugins import as_text, installed

    listed = list(installed())
    if as_json:
        echo_json(listed)
    else:
        click.echo(as_text(listed))
