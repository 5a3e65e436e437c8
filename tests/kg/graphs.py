"""Graphs that differ from a given one in some records."""

from __future__ import annotations

from citekg.graph.graph import Graph
from citekg.schemas.graph import KnowledgeGraph


def of(graph: KnowledgeGraph, **changed: object) -> Graph:
    names = (
        "papers",
        "entities",
        "mentions",
        "relations",
        "links",
        "run",
        "stubs",
        "introductions",
    )
    return Graph.of(**{name: getattr(graph, name) for name in names} | changed)
