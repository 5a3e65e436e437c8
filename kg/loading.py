"""Reading a graph file, whatever its form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Final

from exports.node_link_reading import read_json
from exports.rdf_reading import RDF_FORMATS, read_rdf
from exports.reading import contents, parts_of
from kg.graph import Graph
from kg.references import dangling
from schemas.errors import GraphError
from schemas.graph import KnowledgeGraph

#: The readers by the name of the format, which is also the ending of its files.
READERS: Final[dict[str, Callable[[Path], KnowledgeGraph]]] = {
    "json": read_json,
    **{name: partial(read_rdf, rdf_format=name) for name in RDF_FORMATS},
}


def load(path: Path) -> Graph:
    """Read a graph file; the form is told by its ending, `.gz` set aside, or else by its content.

    Of triples in parts, give the folder or its list of files.

    Raises `GraphError` where the file is missing, broken, no graph of ours, or refers to what it does not hold.
    """
    graph = read(path)
    if lost := dangling(graph):
        raise GraphError(f"{path}: {lost}; kg validate tells all that is wrong")
    return graph


def read(path: Path) -> Graph:
    """Read a graph file, whether or not its records fit together. Raises `GraphError` where that cannot be done."""
    graph = READERS[graph_format(path)](path)
    return Graph(**{field.name: getattr(graph, field.name) for field in fields(graph)})


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
    raise GraphError(f"{path}: not a graph file: its ending is none of {', '.join(f'.{name}' for name in READERS)}")
