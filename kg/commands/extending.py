"""`kg plugins`: what other packages add."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def plugins(as_json: bool) -> None:  # noqa: FBT001
    """List the extractors, sources and exporters that other packages add, and whether they can be used.

    \b
    Example:
      kg plugins
    """
    from kg.plugins import as_text, installed

    listed = list(installed())
    click.echo(json.dumps(listed, ensure_ascii=False, indent=1) if as_json else as_text(listed))
