"""The graph as Python users hold it: the records, and the views that other libraries want."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemas.graph import KnowledgeGraph

if TYPE_CHECKING:
    import networkx as nx
    import rdflib

    from exports import ExportOptions
    from kg.queries import Answer
    from kg.viewing import Cell


class Graph(KnowledgeGraph):
    """A knowledge graph with its views: networkx, rdflib, SPARQL, files and the interactive page."""

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Papers and entities as nodes, relations and links as typed edges."""
        from exports.networkx_graph import to_networkx

        return to_networkx(self)

    def to_rdflib(self) -> rdflib.Graph:
        """All triples of the RDF export in an rdflib graph."""
        import rdflib

        from exports import ExportOptions
        from exports.rdf import ntriples

        return rdflib.Graph().parse(data=b"".join(ntriples(self, ExportOptions())), format="nt")

    def query(self, sparql: str) -> Answer:
        """Answer a SPARQL query; the project's prefixes are declared. Raises `QueryError`."""
        from kg.queries import query

        return query(self, sparql)

    def save(self, path: str | Path, name: str | None = None, options: ExportOptions | None = None) -> Path:
        """Write the graph in the named format, or the one of the file's ending; never half a file.

        A path that ends in `.gz` is written compressed.
        """
        from exports import write

        path = Path(path)
        write(self, path, name or Path(path.name.removesuffix(".gz")).suffix.lstrip("."), options)
        return path

    def show(self, height: int = 640) -> Cell:
        """The interactive page, `height` pixels high, as a notebook shows the last value of a cell."""
        from kg.viewing import cell

        return cell(self, height)
