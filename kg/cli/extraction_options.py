"""The options of commands that extract; their choices come from the extraction packages."""

from __future__ import annotations

from typing import Final

import click

from citekg.cli.options import Format
from citekg.extractors.candidates.generate import LAYERS as ALL_LAYERS
from citekg.schemas import plugins
from citekg.sources import FORMATS

LAYERS: Final = click.option(
    "--layers",
    callback=lambda _ctx, _param, value: _parse_layers(value),
    metavar="LIST",
    help=f"The extraction layers to use, separated by commas: {', '.join(ALL_LAYERS)}, or a layer "
    "of a plug-in (see kg plugins); default means all built-in layers.",
)
INPUT_FORMAT: Final = click.option(
    "--input-format",
    type=Format(FORMATS, "source"),
    help="Read the input as this format instead of detecting the format.",
)


def _parse_layers(value: str | None) -> frozenset[str] | None:
    """Return the layers of a comma-separated list; `default` means the built-in ones."""
    if value is None:
        return None
    names = frozenset(filter(None, (n.strip() for n in value.split(","))))
    if "default" in names:
        names = (names - {"default"}).union(ALL_LAYERS)
    unknown = names.difference(ALL_LAYERS)
    others = plugins.plugin_names("extractor") if unknown else []
    wrong = ", ".join(sorted(unknown.difference(others))) or ("" if names else "nothing")
    if wrong:
        raise click.BadParameter(f"{wrong}: choose from {', '.join((*ALL_LAYERS, *others))}")
    return names
