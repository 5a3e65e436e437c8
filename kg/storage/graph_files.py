"""Reading a graph file of any format, or the best one of a folder that `kg build` made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Final

from citekg.exports.graph_files import contents, parts_of
from citekg.exports.graphs.node_link_reading import read_json
from citekg.exports.rdf.reading import RDF_FORMATS, read_rdf
from citekg.graph.graph import Graph
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.storage.dangling import dangling_references

#: The readers by the name of the format, which is also the ending of its files.
READERS: Final[dict[str, Callable[[Path], KnowledgeGraph]]] = {
    "json": read_json,
    **{name: partial(read_rdf, rdf_format=name) for name in RDF_FORMATS},
}


def load_graph(path: Path) -> Graph:
    """Read a graph file; its format follows from its ending, `.gz` set aside, or else from its content.

    It may be a folder that `kg build` made (see `graph_file`), or one of triples in parts, or its list of files.

    Raises `GraphError` where the file is missing, broken, no graph of ours, or refers to what it does not hold.
    """
    graph = read_graph(path)
    if lost := dangling_references(graph):
        raise GraphError(f"{path}: {lost}; kg validate tells all that is wrong")
    return graph


def read_graph(path: Path) -> Graph:
    """Read a graph file, whether or not its records fit together. Raises `GraphError` where that cannot be done."""
    path = graph_file(path)
    try:
        graph = READERS[graph_format(path)](path)
    except GraphError as error:
        raise _refusal(path, str(error)) from error
    return Graph(**{field.name: getattr(graph, field.name) for field in fields(graph)})


def graph_file(path: Path, formats: Iterable[str] = tuple(READERS)) -> Path:
    """The graph in a folder that `kg build` made: the first by the order of the formats; any other path as it is.

    Raises `GraphError` where the folder holds no graph.
    """
    if not path.is_dir() or parts_of(path):
        return path
    for name in formats:
        for ending in (name, f"{name}.gz"):
            for file in (path / f"graph.{ending}", path / f"graph.core.{ending}"):
                if file.is_file() or parts_of(file):
                    return file
    raise GraphError(f"{path}: no graph is in this folder: kg build writes one, such as graph.json or graph.ttl")


def graph_format(path: Path) -> str:
    """The name of a graph file's format, or of its parts; raises `GraphError` for a file that is nothing like one."""
    if parts := parts_of(path):
        path = parts[0]
    ending = Path(path.name.removesuffix(".gz")).suffix.lstrip(".").lower()
    return ending if ending in READERS else _recognised(path)


def _recognised(path: Path) -> str:
    start = contents(path)[:4096].lstrip()
    if start.startswith((b"{", b"[")):
        return "jsonld" if b'"@' in start else "json"
    if start.lower().startswith((b"@prefix", b"@base", b"prefix", b"base")):
        return "ttl"
    if start.startswith(b"<?xml") and b"rdf:RDF" in start:
        return "rdf"
    if start.startswith(b"<") and not start.startswith((b"<!", b"<?")):
        return "nt"
    known = ", ".join(f".{name}" for name in READERS)
    raise _refusal(path, f"{path}: not a graph file: its ending is none of {known}")


def _refusal(path: Path, message: str) -> GraphError:
    """The error for a file that is no graph: what to do with it where it holds papers, or else the message."""
    from citekg.sources import holds_papers

    if path.is_file() and holds_papers(str(path)):
        return GraphError(f"{path}: this is a file of papers, not a graph: build one first, with kg build")
    return GraphError(message)
