"""An exporter: the links between papers in Graphviz's language."""

from __future__ import annotations

from collections.abc import Iterator

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions


def dot(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Every paper that a link touches as a node, every link as an edge that says what it goes through."""
    linked = sorted({paper for link in graph.links for paper in (link.citing, link.cited)})
    yield b"digraph papers {\n"
    for paper in linked:
        yield f"  {_quoted(paper)} [label={_quoted(graph.cited_by_id[paper].title)}];\n".encode()
    for link in graph.links:
        label = f"{link.kind}: {graph.entity_by_id[link.entity].name}"
        yield f"  {_quoted(link.citing)} -> {_quoted(link.cited)} [label={_quoted(label)}];\n".encode()
    yield b"}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.split()) + '"'
