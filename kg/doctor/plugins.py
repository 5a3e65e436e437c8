"""What other packages add to citekg here, and whether it can be used: what `kg plugins` prints."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final

from citekg.exports import EXPORTERS, exporter
from citekg.extractors.candidates.generate import LAYERS, RULE_FINDERS
from citekg.extractors.candidates.plugins import extractor
from citekg.messages import one_line
from citekg.schemas.errors import PluginError
from citekg.schemas.plugins import GROUPS, Kind, Plugin, plugins
from citekg.sources import FORMATS, source_format

READY: Final = "ready"
HEADER: Final = ("kind", "name", "package", "version", "state")

#: The names that are ours, and what makes a plug-in of each kind ready for use.
_OURS: Final[dict[Kind, Container[str]]] = {
    "extractor": (*LAYERS, *RULE_FINDERS, "default"),
    "source": FORMATS,
    "exporter": EXPORTERS,
}
_OPENED: Final[dict[Kind, Callable[[str], object]]] = {
    "extractor": extractor,
    "source": source_format,
    "exporter": exporter,
}


def installed() -> Iterator[dict[str, str]]:
    """Every plug-in as `HEADER` says; its state is `ready`, or what is wrong with it."""
    for kind in GROUPS:
        for plugin in plugins(kind):
            told = (plugin.kind, plugin.name, plugin.package, plugin.version, state(plugin))
            yield dict(zip(HEADER, told, strict=True))


def state(plugin: Plugin) -> str:
    """`ready`, or why the plug-in cannot be used; it is imported for that."""
    try:
        if plugin.name in _OURS[plugin.kind]:
            raise PluginError(f"{plugin} has the name of one of citekg, which stays in use")
        _OPENED[plugin.kind](plugin.name)
    except PluginError as error:
        return one_line(str(error))
    return READY


def as_text(listed: Iterable[dict[str, str]]) -> str:
    """The plug-ins for a reader, a line each; what is wrong with one stands below it."""
    return "\n".join(_line(one) for one in listed) or "No other package adds anything here; see docs/extending.md."


def _line(one: dict[str, str]) -> str:
    ready = one["state"] == READY
    line = f"{one['kind']:<10} {one['name']:<20} {one['package']} {one['version']:<10} {READY if ready else 'refused'}"
    return line if ready else f"{line}\n    {one['state']}"
