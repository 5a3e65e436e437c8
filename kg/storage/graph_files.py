"""Reading a graph file of any format, or the first graph in a folder that `kg build` wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from citekg.exports.graph_files import listed_parts, read_bytes
from citekg.exports.graphs.node_link_reading import read_json
from citekg.exports.rdf.reading import RDF_FORMATS, read_rdf
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.storage.dangling import dangling_references

#: The readers by format name, which is also the file extension.
READERS: Final[dict[str, Callable[[Path], KnowledgeGraph]]] = {
    "json": read_json,
    **{name: partial(read_rdf, rdf_format=name) for name in RDF_FORMATS},
}


def load_graph(path: Path) -> KnowledgeGraph:
    """Return the graph of a file, whose format its extension or else its content determines.

    The path may also be a folder that `kg build` wrote (see `graph_file`), a folder of partitions,
    or its list of files. Raises `GraphError` if the file is missing, broken, no citekg graph, or
    has dangling references.
    """
    graph = read_graph(path)
    if dangling := dangling_references(graph):
        raise GraphError(f"{path}: {dangling}; kg validate lists every problem")
    return graph


def read_graph(path: Path) -> KnowledgeGraph:
    """Return the graph of a file without checking references; raise `GraphError` if unreadable."""
    path = graph_file(path)
    try:
        return READERS[graph_format(path)](path)
    except GraphError as error:
        raise _format_error(path, str(error)) from error


def graph_file(path: Path, formats: Iterable[str] = tuple(READERS)) -> Path:
    """Return the graph file in a folder that `kg build` wrote, by the order of the formats.

    Returns any other path unchanged. Raises `GraphError` if the folder holds no graph.
    """
    if not path.is_dir() or listed_parts(path):
        return path
    for name in formats:
        for ending in (name, f"{name}.gz"):
            for file in (path / f"graph.{ending}", path / f"graph.core.{ending}"):
                if file.is_file() or listed_parts(file):
                    return file
    raise GraphError(
        f"{path}: no graph is in this folder: kg build writes one, such as graph.json or graph.ttl"
    )


def graph_format(path: Path) -> str:
    """Return the name of a graph file's format; raise `GraphError` for a file of no format."""
    if parts := listed_parts(path):
        path = parts[0]
    ending = Path(path.name.removesuffix(".gz")).suffix.lstrip(".").lower()
    return ending if ending in READERS else _detect_format(path)


def _detect_format(path: Path) -> str:
    start = read_bytes(path)[:4096].lstrip()
    if start.startswith((b"{", b"[")):
        return "jsonld" if b'"@' in start else "json"
    if start.lower().startswith((b"@prefix", b"@base", b"prefix", b"base")):
        return "ttl"
    if start.startswith(b"<?xml") and b"rdf:RDF" in start:
        return "rdf"
    if start.startswith(b"<") and not start.startswith((b"<!", b"<?")):
        return "nt"
    known = ", ".join(f".{name}" for name in READERS)
    raise _format_error(path, f"{path}: not a graph file: its ending is none of {known}")


def _format_error(path: Path, message: str) -> GraphError:
    """Return the error for a file that is not a graph, with advice if it contains papers."""
    from citekg.sources import holds_papers

    if path.is_file() and holds_papers(str(path)):
        return GraphError(
            f"{path}: this is a file of papers, not a graph: build one first, with kg build"
        )
    return GraphError(message)
