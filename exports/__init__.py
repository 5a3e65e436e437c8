"""Exporters of the graph, one module per format; `EXPORTERS` is the registry.

A writer turns a graph and `ExportOptions` into chunks of bytes. `write` writes them to a file
atomically, so that a killed run leaves no partial file. Modules with heavy libraries are imported
on first use.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Final

from citekg.exports.graph_files import PARTS_LIST
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FormatError, GraphError, PluginError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import Exporter, ExportOptions, Plugin, plugin_names, resolve

_NONE: Final[frozenset[str]] = frozenset()
_QUERY: Final = 'kg query {file} "SELECT ..."'


def _rdf(suffix: str, about: str, location: str) -> Exporter:
    options = frozenset({"base_iri", "evidence", "part", "align"})
    return Exporter(suffix, about, location, options_used=options, usage=_QUERY)


def _network(suffix: str, about: str, location: str, usage: str) -> Exporter:
    """Return a format of nodes and edges, which can be projected to one kind of node."""
    return Exporter(suffix, about, location, options_used=frozenset({"nodes"}), usage=usage)


def _without_options(suffix: str, about: str, location: str, usage: str) -> Exporter:
    """Return a format that uses no option."""
    return Exporter(
        suffix,
        about,
        location,
        compressible=not suffix.endswith(".zip"),
        options_used=_NONE,
        usage=usage,
    )


#: The built-in formats by name: the choices of `kg build -f` and `kg export -f`, without plug-ins.
EXPORTERS: Final[dict[str, Exporter]] = {
    "ttl": _rdf(
        ".ttl",
        "RDF as Turtle, for SPARQL and triple stores",
        "citekg.exports.rdf.serializers:turtle",
    ),
    "nt": _rdf(
        ".nt", "RDF as N-Triples, a triple a line", "citekg.exports.rdf.serializers:ntriples"
    ),
    "nq": _rdf(
        ".nq", "RDF as N-Quads, all in the default graph", "citekg.exports.rdf.serializers:ntriples"
    ),
    "trig": _rdf(
        ".trig", "RDF as TriG, all in the default graph", "citekg.exports.rdf.serializers:turtle"
    ),
    "jsonld": _rdf(
        ".jsonld",
        "RDF as compact JSON-LD, with its context inside",
        "citekg.exports.rdf.jsonld:jsonld",
    ),
    "rdf": _rdf(".rdf", "RDF/XML, for older tools", "citekg.exports.rdf.serializers:rdf_xml"),
    "html": Exporter(
        ".html",
        "an interactive page in one file, for a browser",
        "citekg.exports.page.html_page:page",
        compressible=False,
        options_used=frozenset({"base_iri", "evidence", "additions", "title", "licence", "sparql"}),
        usage="open it in a browser",
    ),
    "json": _without_options(
        ".json",
        "node-link JSON, for networkx and JavaScript",
        "citekg.exports.graphs.node_link:node_link_json",
        'citekg.load("{file}") in Python',
    ),
    "graphml": _network(
        ".graphml",
        "GraphML, for yEd, Gephi and igraph",
        "citekg.exports.graphs.graph_xml:graphml",
        "open it in yEd or Gephi",
    ),
    "gexf": _network(
        ".gexf", "GEXF, for Gephi", "citekg.exports.graphs.graph_xml:gexf", "open it in Gephi"
    ),
    "cyjs": _network(
        ".cyjs",
        "Cytoscape JSON, for Cytoscape and Cytoscape.js",
        "citekg.exports.graphs.cytoscape:cytoscape_json",
        "import it into Cytoscape as a network",
    ),
    "bib": _without_options(
        ".bib",
        "the papers as BibTeX",
        "citekg.exports.texts.bibtex:bibtex",
        "import it into Zotero or JabRef, or cite from LaTeX",
    ),
    "csv": _without_options(
        ".csv.zip",
        "tables as CSV files in a zip file",
        "citekg.exports.tables.tables:csv_tables",
        "unpack it for a spreadsheet or a database",
    ),
    "parquet": _without_options(
        ".parquet.zip",
        "tables as Parquet files in a zip file",
        "citekg.exports.tables.tables:parquet_tables",
        "unpack it for pandas, Polars or DuckDB",
    ),
    "neo4j": _without_options(
        ".neo4j.zip",
        "CSV and a Cypher script for Neo4j, in a zip file",
        "citekg.exports.graphs.neo4j:neo4j_files",
        "unpack it; load.cypher describes how to import it into Neo4j",
    ),
    "md": _without_options(
        ".md",
        "the papers as a reading list in Markdown",
        "citekg.exports.texts.reading_list:reading_list",
        "open it in any Markdown editor, or turn it into a page or PDF with pandoc",
    ),
    "obsidian": _without_options(
        ".obsidian.zip",
        "linked Markdown notes for Obsidian, in a zip file",
        "citekg.exports.texts.markdown_notes:notes",
        "unpack it and open the folder citekg in Obsidian",
    ),
}
#: The formats that can be split into many independent files, each with the usage of the list of
#: files.
PARTITIONED: Final = {
    "nt": _QUERY,
    "nq": _QUERY,
    "parquet": "the folders beside it are tables for pandas, Polars and DuckDB",
}


def exporter(name: str) -> Exporter:
    """Return the exporter of that name, built-in or from a plug-in.

    Raises `FormatError` with the known names, and `PluginError` for a plug-in that cannot be used.
    """
    return resolve("exporter", name, EXPORTERS, _load_plugin)


@cache
def _load_plugin(plugin: Plugin) -> Exporter:
    return replace(plugin.load_as(Exporter), plugin=plugin)


def ignored_options(name: str, options: ExportOptions) -> tuple[str, ...]:
    """Return the names of the options that are set, but not used by the named format."""
    changed = (
        field.name for field in fields(options) if getattr(options, field.name) != field.default
    )
    return tuple(option for option in changed if option not in exporter(name).options_used)


def format_of(path: Path) -> str:
    """Return the name of the format of a file's ending, without `.gz`; raises `FormatError`."""
    name = path.name.lower().removesuffix(".gz")
    for known, made in (*EXPORTERS.items(), *_plugin_exporters()):
        if name.endswith(made.suffix):
            return known
    raise FormatError(Path(name).suffix.lstrip("."), {*EXPORTERS, *plugin_names("exporter")})


def how_to_open(path: Path) -> str:
    """Return how to open a written file, or the list of a graph in parts; empty if unknown."""
    if path.name == PARTS_LIST:
        return _with_name(PARTITIONED.get(path.parent.suffix[1:], ""), path)
    try:
        made = exporter(format_of(path))
    except FormatError:
        return ""
    hint = _with_name(made.usage, path)
    return (
        f"unpack it, then {hint}" if path.suffix == ".gz" and hint and hint == made.usage else hint
    )


def _with_name(usage: str, path: Path) -> str:
    """Return a usage with the quoted file name, so that it can be pasted into a shell or Python."""
    shell, before_and_after = shlex.quote(str(path)), usage.split('"{file}"')
    return json.dumps(str(path), ensure_ascii=False).join(
        part.replace("{file}", shell) for part in before_and_after
    )


def _plugin_exporters() -> Iterator[tuple[str, Exporter]]:
    """Yield the formats of plug-ins that can be used."""
    for name in plugin_names("exporter"):
        with contextlib.suppress(PluginError):
            yield name, exporter(name)


def write(
    graph: KnowledgeGraph, path: Path, name: str, options: ExportOptions | None = None
) -> None:
    """Write the graph atomically to `path` in the named format.

    A path that ends in `.gz` is compressed with gzip. Raises `GraphError` if the format is a zip
    file and the path does not end in `.zip`.
    """
    made = exporter(name)
    if made.suffix.endswith(".zip") and path.suffix.lower() != ".zip":
        raise GraphError(
            f"{path}: {name} writes a zip file: give a name that ends in {made.suffix}"
        )
    chunks = made.writer(graph, options or ExportOptions())
    write_atomically(path, _compressed(chunks) if path.suffix == ".gz" else chunks)


def _compressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks compressed with gzip (RFC 1952), without file name and timestamp."""
    packer = zlib.compressobj(9, wbits=31)
    yield from map(packer.compress, chunks)
    yield packer.flush()
