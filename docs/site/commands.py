"""A mkdocs hook that inserts the help of every command into the page with the placeholder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from citekg.cli.main import main

PLACE = "<!-- the commands stand here -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with the placeholder replaced; mkdocs calls this for every page."""
    if PLACE not in markdown:
        return markdown
    with click.Context(main, info_name="kg") as context:
        return markdown.replace(PLACE, "\n\n".join(_sections(main, context)))


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    """Yield a section per command of a group, then those of its subgroups."""
    found = (group.get_command(context, name) for name in group.list_commands(context))
    for command in filter(None, found):
        with click.Context(
            command, info_name=command.name, parent=context, max_content_width=84
        ) as within:
            yield f"## {within.command_path}\n\n```text\n{command.get_help(within)}\n```"
            if isinstance(command, click.Group):
                yield from _sections(command, within)
