"""`kg plugins`: list the installed plug-ins."""

from __future__ import annotations

import click

from citekg.cli.options import JSON, echo_json


@click.command()
@JSON
def plugins(as_json: bool) -> None:  # noqa: FBT001
    """List the extractors, sources and exporters of other packages, and whether they work.

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
