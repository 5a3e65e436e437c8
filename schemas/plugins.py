"""What other packages add to citekg: extractors, sources and exporters, found by their entry points.

A package names what it adds in its metadata, under `citekg.extractors`, `citekg.sources` or
`citekg.exporters`. Nothing of it is imported before it is used; docs/extending.md tells how one is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar

from citekg.schemas.errors import CitekgError, FormatError, PluginError
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_T = TypeVar("_T")

Kind = Literal["extractor", "source", "exporter"]
#: The group of entry points of each kind.
GROUPS: Final[dict[Kind, str]] = {
    "extractor": "citekg.extractors",
    "source": "citekg.sources",
    "exporter": "citekg.exporters",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A span of `Paper.text` that an extractor takes for a name: code points, end exclusive.

    With a `type` it weighs as much as a name of the lexicon; without one the decision step judges it as
    it judges any name that it never saw.
    """

    start: int
    end: int
    type: str = ""


class Extractor(Protocol):
    """What an entry point of `citekg.extractors` is: it proposes spans of one paper, in any order."""

    def __call__(self, paper: Paper, /) -> Iterable[Proposal]:
        """The proposals for a paper; the same paper must always give the same ones."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something that another package adds, under a name of its own; not imported yet."""

    kind: Kind
    name: str
    package: str
    version: str
    entry: EntryPoint

    def __str__(self) -> str:
        return f"the {self.kind} {self.name!r} of {self.package} {self.version}"

    def load(self) -> Any:
        """What the entry point stands for; raises `PluginError` where it cannot be imported."""
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"{self} cannot be imported: {_describe(error)}") from error

    def load_as(self, wanted: type[_T]) -> _T:
        """The same, which must be of that class; raises `PluginError` where it is not."""
        found = self.load()
        if not isinstance(found, wanted):
            raise PluginError(f"{self} is no {wanted.__module__}.{wanted.__qualname__}")
        return found

    def guarded(self, call: Callable[..., Iterable[_T]]) -> Callable[..., Iterator[_T]]:
        """The same call, whatever it raises told as a `PluginError`, but for errors of ours."""

        def run(*given: Any) -> Iterator[_T]:
            try:
                yield from call(*given)
            except CitekgError:
                raise
            except Exception as error:
                raise PluginError(f"{self} failed: {_describe(error)}") from error

        return run


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@cache
def plugins(kind: Kind) -> tuple[Plugin, ...]:
    """All that is installed of a kind, by name and package."""
    from importlib.metadata import entry_points

    found = (
        Plugin(kind, entry.name, entry.dist.name, entry.dist.version, entry)
        for entry in entry_points(group=GROUPS[kind])
        if entry.dist
    )
    return tuple(sorted(found, key=lambda p: (p.name, p.package, p.entry.value)))


def find_plugin(kind: Kind, name: str) -> Plugin | None:
    """The plug-in of that kind and name, if one is installed; raises `PluginError` where two are."""
    found = [plugin for plugin in plugins(kind) if plugin.name == name]
    if len(found) > 1:
        others = " and ".join(f"{other.package} {other.version}" for other in found[1:])
        raise PluginError(f"{found[0]} has the name of one of {others}: uninstall one of them")
    return found[0] if found else None


def plugin_names(kind: Kind) -> list[str]:
    """The names of all that is installed of a kind."""
    return sorted({plugin.name for plugin in plugins(kind)})


def resolve(kind: Kind, name: str, ours: Mapping[str, _T], added: Callable[[Plugin], _T]) -> _T:
    """The format of that name: one of ours, or else what `added` makes of another package's.

    Raises `FormatError` with the known names, and `PluginError` for one of another package that cannot be used.
    """
    if name in ours:
        return ours[name]
    plugin = find_plugin(kind, name)
    if plugin is None:
        raise FormatError(name, {*ours, *plugin_names(kind)})
    return added(plugin)
