"""The interfaces of plug-ins, and the plug-ins of other packages, found by their entry points.

A package lists its plug-ins in its metadata, in the entry point groups `citekg.extractors`,
`citekg.sources` or `citekg.exporters`. A plug-in is imported on first use; docs/extending.md
describes how to write one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, cast

from citekg.schemas.errors import CitekgError, FormatError, InputError, PluginError
from citekg.schemas.files import printable
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.page_parts import SparqlParts
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import BASE_IRI

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
#: The maximum number of characters of a message about the input.
_MESSAGE_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate span of `Paper.text` that an extractor proposes: code points, end exclusive.

    With a `type` it is treated like a lexicon match; without one it is classified like any
    candidate that is not in the lexicon.
    """

    start: int
    end: int
    type: str = ""


class Extractor(Protocol):
    """The interface of an entry point of `citekg.extractors`: a function that proposes spans."""

    def __call__(self, paper: Paper, /) -> Iterable[Proposal]:
        """Return the proposals for a paper in any order; the result must be deterministic."""


@dataclass(frozen=True, slots=True)
class Line:
    """A decoded line of an input file.

    `number` is 1-based. `broken` is the reason why the line could not be decoded, or empty.
    `windows` is the text decoded as Windows-1252, for a line that is not UTF-8.
    """

    number: int
    text: str
    broken: str = ""
    windows: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of the input: its place (`file` or `file:line`) and a message.

    A `warning` concerns a paper that was read, but not in full; any other problem is a record
    that was skipped. Problems sort by file and line.
    """

    place: str
    message: str
    warning: bool = False

    @classmethod
    def from_error(cls, error: InputError) -> Problem:
        """Return the problem that an error describes."""
        return cls(error.place, error.message)

    def shortened(self) -> Problem:
        """Return the problem with its message on one line, cut to `_MESSAGE_LENGTH` characters."""
        message = printable(self.message)
        return (
            self
            if message == self.message and len(message) <= _MESSAGE_LENGTH
            else replace(self, message=message[:_MESSAGE_LENGTH])
        )

    def __lt__(self, other: Problem) -> bool:
        """Compare by file, line and message; a problem without a line sorts last in its file."""
        return (*self._position(), self.message) < (*other._position(), other.message)

    def _position(self) -> tuple[str, int]:
        file, _, line = self.place.rpartition(":")
        return (
            (file, int(line)) if line.isascii() and line.isdecimal() else (self.place, sys.maxsize)
        )

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """An input format, the object of an entry point of `citekg.sources`.

    `about` describes it in one line. `recognises` gets the first lines of a file and returns
    whether the file has this format. `read` gets the name of the file and all its lines. A binary
    format has a `magic`, the bytes with which its files begin, and `read_file`, which gets the path
    of the file and its name. With `windows`, lines that are not UTF-8 may be decoded as
    Windows-1252. With `by_line`, each line of a file of JSON objects, one per line, is read by
    itself, so that parts of the file may be read apart.
    """

    about: str
    recognises: Callable[[list[str]], bool]
    read: Callable[[str, Iterable[Line]], Iterator[Paper | Problem]]
    magic: bytes = b""
    read_file: Callable[[Path, str], Iterator[Paper | Problem]] | None = None
    windows: bool = False
    by_line: bool = False


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plug-in of another package, known by its entry point and not imported yet."""

    kind: Kind
    name: str
    package: str
    version: str
    entry: EntryPoint

    def __str__(self) -> str:
        return f"the {self.kind} {self.name!r} of {self.package} {self.version}"

    def load(self) -> Any:
        """Return the object of the entry point; raises `PluginError` if it cannot be imported."""
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"{self} cannot be imported: {_describe(error)}") from error

    def load_as(self, wanted: type[_T]) -> _T:
        """Return the object; raises `PluginError` if it is not an instance of `wanted`."""
        found = self.load()
        if not isinstance(found, wanted):
            raise PluginError(f"{self} is not a {wanted.__module__}.{wanted.__qualname__}")
        return found

    def guarded(self, call: Callable[..., Iterable[_T]]) -> Callable[..., Iterator[_T]]:
        """Wrap a call so that it raises `PluginError` for any error that is not citekg's."""

        def run(*arguments: Any) -> Iterator[_T]:
            try:
                yield from call(*arguments)
            except CitekgError:
                raise
            except Exception as error:
                raise PluginError(f"{self} failed: {_describe(error)}") from error

        return run


EvidenceLevel = Literal["none", "paper", "sentence"]
Part = Literal["all", "core", "provenance"]
NodeSet = Literal["all", "papers", "entities"]


@dataclass(frozen=True, slots=True)
class Additions:
    """The records of a graph that an earlier graph lacks: ids of papers, entities and results.

    `earlier` names the earlier graph, for example by its file name.
    """

    earlier: str
    papers: frozenset[str]
    entities: frozenset[str]
    results: frozenset[str]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of a writer.

    `base_iri` is the namespace of instances. `evidence` is the level of evidence in RDF: `sentence`
    (every mention with its offsets), `paper` (statement nodes that name the paper only) or `none`
    (no statement nodes). `part` leaves out the provenance or the core. `align` adds the same facts
    in other vocabularies. `nodes` projects files of nodes and edges to papers only or to entities
    only. `additions` lets the page show what is new since an earlier graph. `title` is the name of
    the corpus and `licence` that of its licence, for the page. `sparql` makes the parts of a page
    that answers SPARQL; without it the page does not.
    """

    base_iri: str = BASE_IRI
    evidence: EvidenceLevel = "sentence"
    part: Part = "all"
    align: bool = False
    nodes: NodeSet = "all"
    additions: Additions | None = None
    title: str = ""
    licence: str = ""
    sparql: Callable[[KnowledgeGraph, ExportOptions], SparqlParts] | None = None


Writer = Callable[[KnowledgeGraph, ExportOptions], Iterator[bytes]]
#: The names of all options; a format may use only some of them.
_ALL_OPTIONS: Final = frozenset(field.name for field in fields(ExportOptions))


@dataclass(frozen=True, slots=True)
class Exporter:
    """An export format: its file ending, its description, and its writer (`module:function`).

    A format that is not `compressible` is never compressed with gzip: a zip file, or a page that a
    browser could not open. `options_used` names the options that change the output. `usage`
    describes how to open a written file, with `{file}` for its name quoted for a shell and
    `"{file}"` for its name as a Python string. `plugin` is set for the format of another package.
    """

    suffix: str
    about: str
    location: str
    compressible: bool = True
    options_used: frozenset[str] = _ALL_OPTIONS
    usage: str = ""
    plugin: Plugin | None = None

    @property
    def writer(self) -> Writer:
        """The writer, which is imported on its first call."""
        return self.plugin.guarded(self._write) if self.plugin else self._write

    def _write(self, graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
        module, function = self.location.split(":")
        return cast("Writer", getattr(import_module(module), function))(graph, options)


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@cache
def plugins(kind: Kind) -> tuple[Plugin, ...]:
    """Return the installed plug-ins of a kind, sorted by name and package."""
    from importlib.metadata import entry_points

    found = (
        Plugin(kind, entry.name, entry.dist.name, entry.dist.version, entry)
        for entry in entry_points(group=GROUPS[kind])
        if entry.dist
    )
    return tuple(sorted(found, key=lambda p: (p.name, p.package, p.entry.value)))


def find_plugin(kind: Kind, name: str) -> Plugin | None:
    """Return the plug-in of that kind and name, or None; raises `PluginError` for several."""
    found = [plugin for plugin in plugins(kind) if plugin.name == name]
    if len(found) > 1:
        others = " and ".join(f"{other.package} {other.version}" for other in found[1:])
        raise PluginError(f"{found[0]} has the name of one of {others}: uninstall one of them")
    return found[0] if found else None


def plugin_names(kind: Kind) -> list[str]:
    """Return the names of the installed plug-ins of a kind, sorted."""
    return sorted({plugin.name for plugin in plugins(kind)})


def resolve(kind: Kind, name: str, builtin: Mapping[str, _T], load: Callable[[Plugin], _T]) -> _T:
    """Return the format of that name: a built-in one, or one that `load` gets from a plug-in.

    Raises `FormatError` with the known names, and `PluginError` for a plug-in that cannot be used.
    """
    if name in builtin:
        return builtin[name]
    plugin = find_plugin(kind, name)
    if plugin is None:
        raise FormatError(name, {*builtin, *plugin_names(kind)})
    return load(plugin)
