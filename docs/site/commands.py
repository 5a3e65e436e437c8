"""Puts the help of every command into the page that reserves a place for it, when mkdocs builds the site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from kg.cli import main

PLACE = "<!-- the commands stand here -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the commands in their place; mkdocs calls this for every page."""
    return markdown.replace(PLACE, "\n\n".join(_sections())) if PLACE in markdown else markdown


def _sections() -> Iterator[str]:
    with click.Context(main, info_name="kg", max_content_width=84) as top:
        for name, command in main.commands.items():
            with click.Context(command, info_name=name, parent=top, max_content_width=84) as context:
                yield f"## kg {name}\n\n```text\n{command.get_help(context)}\n```"
