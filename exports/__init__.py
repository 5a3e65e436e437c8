"""Writers of the graph, one module a format; `EXPORTERS` is the list of them.

A writer turns a graph and `ExportOptions` into chunks of bytes; `write` puts them into a file so
that a killed run never leaves half of one. Modules with heavy libraries are imported on first use.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, cast

from citekg.exports.graph_files import LIST
from citekg.schemas.errors import FormatError, GraphError, PluginError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import Plugin, plugin_names, resolve
from citekg.schemas.vocabulary import BASE_IRI

EvidenceLevel = Literal["none", "paper", "sentence"]
Part = Literal["all", "core", "provenance"]
NodeSet = Literal["all", "papers", "entities"]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a writer may be told: the namespace of instances, and how much proof RDF carries.

    `evidence` is `sentence` (every mention with its offsets), `paper` (statement nodes that name
    the paper only) or `none` (the bare graph). `part` leaves out the provenance or the core, and
    `align` adds the same facts in the vocabularies of others. `nodes` projects node and edge files
    to papers alone or to entities alone.
    """

    base_iri: str = BASE_IRI
    evidence: EvidenceLevel = "sentence"
    part: Part = "all"
    align: bool = False
    nodes: NodeSet = "all"


Writer = Callable[[KnowledgeGraph, ExportOptions], Iterator[bytes]]
#: The options, of which a format may heed some only.
_ALL: Final = frozenset(field.name for field in fields(ExportOptions))
_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format: its file ending, what it is for, and where its writer lives (`module:function`).

    What is not `packable` is never compressed again: a page that no browser would open then, or a zip file.
    `options_used` names the options that change what is written. `opened` tells how a written file is opened, with `{file}`
    for its name as a shell takes it, and `"{file}"` for its name as a string of Python. `plugin` is set for the
    format of another package.
    """

    suffix: str
    about: str
    location: str
    packable: bool = True
    options_used: frozenset[str] = _ALL
    opened: str = ""
    plugin: Plugin | None = None

    @property
    def writer(self) -> Writer:
        """The writer itself; it is imported when it is called."""
        return self.plugin.guarded(self._write) if self.plugin else self._write

    def _write(self, graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
        module, function = self.location.split(":")
        return cast("Writer", getattr(import_module(module), function))(graph, options)


_QUERY: Final = 'kg query {file} "SELECT ..."'


def _rdf(suffix: str, about: str, location: str) -> Exporter:
    heeds = frozenset({"base_iri", "evidence", "part", "align"})
    return Exporter(suffix, about, location, options_used=heeds, opened=_QUERY)


def _net(suffix: str, about: str, location: str, opened: str) -> Exporter:
    """A format of nodes and edges with plain values, which can be projected to one kind of node."""
    return Exporter(suffix, about, location, options_used=frozenset({"nodes"}), opened=opened)


def _whole(suffix: str, about: str, location: str, opened: str) -> Exporter:
    """A format that heeds no option."""
    return Exporter(suffix, about, location, packable=not suffix.endswith(".zip"), options_used=_NONE, opened=opened)


#: Every format of ours by name: the choices of `kg build -f` and `kg export -f`, beside those of other packages.
EXPORTERS: Final[dict[str, Exporter]] = {
    "ttl": _rdf(".ttl", "RDF as Turtle, for SPARQL and triple stores", "citekg.exports.rdf.serializers:turtle"),
    "nt": _rdf(".nt", "RDF as N-Triples, a triple a line", "citekg.exports.rdf.serializers:ntriples"),
    "nq": _rdf(".nq", "RDF as N-Quads, all in the default graph", "citekg.exports.rdf.serializers:ntriples"),
    "trig": _rdf(".trig", "RDF as TriG, all in the default graph", "citekg.exports.rdf.serializers:turtle"),
    "jsonld": _rdf(".jsonld", "RDF as compact JSON-LD, with its context inside", "citekg.exports.rdf.jsonld:jsonld"),
    "rdf": _rdf(".rdf", "RDF/XML, for older tools", "citekg.exports.rdf.serializers:rdf_xml"),
    "html": Exporter(
        ".html",
        "an interactive page in one file, for a browser",
        "citekg.exports.page.html_page:page",
        packable=False,
        options_used=frozenset({"base_iri", "evidence"}),
        opened="open it in a browser",
    ),
    "json": _whole(
        ".json",
        "node-link JSON, for networkx and JavaScript",
        "citekg.exports.graphs.node_link:node_link_json",
        'citekg.load("{file}") in Python',
    ),
    "graphml": _net(
        ".graphml",
        "GraphML, for yEd, Gephi and igraph",
        "citekg.exports.graphs.graph_xml:graphml",
        "open it in yEd or Gephi",
    ),
    "gexf": _net(".gexf", "GEXF, for Gephi", "citekg.exports.graphs.graph_xml:gexf", "open it in Gephi"),
    "cyjs": _net(
        ".cyjs",
        "Cytoscape JSON, for Cytoscape and Cytoscape.js",
        "citekg.exports.graphs.cytoscape:cytoscape_json",
        "import it into Cytoscape as a network",
    ),
    "bib": _whole(
        ".bib",
        "the papers as BibTeX",
        "citekg.exports.texts.bibtex:bibtex",
        "import it into Zotero or JabRef, or cite from LaTeX",
    ),
    "csv": _whole(
        ".csv.zip",
        "tables as CSV files in a zip file",
        "citekg.exports.tables.tables:csv_tables",
        "unpack it for a spreadsheet or a database",
    ),
    "parquet": _whole(
        ".parquet.zip",
        "tables as Parquet files in a zip file",
        "citekg.exports.tables.tables:parquet_tables",
        "unpack it for pandas, Polars or DuckDB",
    ),
    "neo4j": _whole(
        ".neo4j.zip",
        "CSV and a Cypher script for Neo4j, in a zip file",
        "citekg.exports.graphs.neo4j:neo4j_files",
        "unpack it; load.cypher tells how Neo4j takes it in",
    ),
    "md": _whole(
        ".md",
        "the papers as a reading list in Markdown",
        "citekg.exports.texts.reading_list:reading_list",
        "open it in any Markdown editor, or turn it into a page or PDF with pandoc",
    ),
    "obsidian": _whole(
        ".obsidian.zip",
        "linked Markdown notes for Obsidian, in a zip file",
        "citekg.exports.texts.markdown_notes:notes",
        "unpack it and open the folder citekg in Obsidian",
    ),
}
#: The formats that can be cut into many files, each of which can be read alone, and how all are opened by their list.
PARTITIONED: Final = {
    "nt": _QUERY,
    "nq": _QUERY,
    "parquet": "the folders beside it are tables for pandas, Polars and DuckDB",
}


def exporter(name: str) -> Exporter:
    """The exporter of that name, ours or else another package's.

    Raises `FormatError` with the known names, and `PluginError` for one of another package that cannot be used.
    """
    return resolve("exporter", name, EXPORTERS, _added)


@cache
def _added(plugin: Plugin) -> Exporter:
    return replace(plugin.load_as(Exporter), plugin=plugin)


def ignored_options(name: str, options: ExportOptions) -> tuple[str, ...]:
    """The options that are set and change nothing in the named format, by their names."""
    told = (field.name for field in fields(options) if getattr(options, field.name) != field.default)
    return tuple(option for option in told if option not in exporter(name).options_used)


def format_of(path: Path) -> str:
    """The name of the format that the file's ending stands for, `.gz` set aside; raises `FormatError`."""
    name = path.name.lower().removesuffix(".gz")
    for known, made in (*EXPORTERS.items(), *_others()):
        if name.endswith(made.suffix):
            return known
    raise FormatError(Path(name).suffix.lstrip("."), {*EXPORTERS, *plugin_names("exporter")})


def how_to_open(path: Path) -> str:
    """How a written file, or the list of a graph in parts, is opened, by its ending; empty where nobody knows."""
    if path.name == LIST:
        return _with_name(PARTITIONED.get(path.parent.suffix[1:], ""), path)
    try:
        made = exporter(format_of(path))
    except FormatError:
        return ""
    told = _with_name(made.opened, path)
    return f"unpack it, then {told}" if path.suffix == ".gz" and told and told == made.opened else told


def _with_name(opened: str, path: Path) -> str:
    """A hint with the name of the file, so that it can be pasted into a shell or into Python."""
    shell, before_and_after = shlex.quote(str(path)), opened.split('"{file}"')
    return json.dumps(str(path), ensure_ascii=False).join(part.replace("{file}", shell) for part in before_and_after)


def _others() -> Iterator[tuple[str, Exporter]]:
    """The formats of other packages that can be used."""
    for name in plugin_names("exporter"):
        with contextlib.suppress(PluginError):
            yield name, exporter(name)


def write(graph: KnowledgeGraph, path: Path, name: str, options: ExportOptions | None = None) -> None:
    """Write the graph in the named format, under `path` only once it is complete.

    A path that ends in `.gz` is written compressed. Raises `GraphError` where the format is a zip file
    and the path does not end so.
    """
    made = exporter(name)
    if made.suffix.endswith(".zip") and path.suffix.lower() != ".zip":
        raise GraphError(f"{path}: {name} writes a zip file: give a name that ends in {made.suffix}")
    chunks = made.writer(graph, options or ExportOptions())
    write_atomically(path, _compressed(chunks) if path.suffix == ".gz" else chunks)


def _compressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks in gzip's form, with no name and no time in it."""
    packer = zlib.compressobj(9, wbits=31)
    yield from map(packer.compress, chunks)
    yield packer.flush()


def write_atomically(path: Path, chunks: Iterable[bytes]) -> None:
    """Write chunks to a temporary file beside `path`, flush it to disk, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
