"""The installed plug-ins and their state: the output of `kg plugins`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from citekg.exports import EXPORTERS, exporter
from citekg.extractors.candidates.generate import LAYERS, RULE_FINDERS
from citekg.extractors.candidates.plugins import load_extractor
from citekg.messages import one_line
from citekg.schemas.errors import PluginError
from citekg.schemas.plugins import GROUPS, Kind, Plugin, plugins
from citekg.sources import FORMATS, source_format

READY: Final = "ready"
HEADER: Final = ("kind", "name", "package", "version", "state")

#: The built-in names that no plug-in may take, and the function that loads a plug-in, by kind.
_BUILT_IN: Final[dict[Kind, Container[str]]] = {
    "extractor": (*LAYERS, *RULE_FINDERS, "default"),
    "source": FORMATS,
    "exporter": EXPORTERS,
}
_LOADERS: Final[dict[Kind, Callable[[str], object]]] = {
    "extractor": load_extractor,
    "source": source_format,
    "exporter": exporter,
}


def installed() -> Iterator[dict[str, str]]:
    """Yield every plug-in with the keys of `HEADER`; `state` is `ready` or an error message."""
    for kind in GROUPS:
        for plugin in plugins(kind):
            values = (plugin.kind, plugin.name, plugin.package, plugin.version, state(plugin))
            yield dict(zip(HEADER, values, strict=True))


def state(plugin: Plugin) -> str:
    """Load a plug-in; return `ready`, or why it cannot be used."""
    try:
        if plugin.name in _BUILT_IN[plugin.kind]:
            raise PluginError(f"{plugin} has the name of one of citekg, which stays in use")
        _LOADERS[plugin.kind](plugin.name)
    except PluginError as error:
        return one_line(str(error))
    return READY


def as_text(listed: Iterable[dict[str, str]]) -> str:
    """Return the plug-ins as text, a line each; an error message follows on the next line."""
    return (
        "\n".join(_line(one) for one in listed)
        or "No other package adds anything here; see docs/extending.md."
    )


def _line(one: dict[str, str]) -> str:
    ready = one["state"] == READY
    state_ = READY if ready else "refused"
    line = f"{one['kind']:<10} {one['name']:<20} {one['package']} {one['version']:<10} {state_}"
    return line if ready else f"{line}\n    {one['state']}"
