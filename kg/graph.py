"""The graph as Python users hold it: the records, and the views that other libraries want."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemas.graph import KnowledgeGraph
from schemas.records import Entity, Paper, Relation
from schemas.vocabulary import BENCHMARK, METHOD

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import pandas as pd
    import rdflib

    from exports import ExportOptions
    from kg.influence import CoUse, Influence
    from kg.paths import Step
    from kg.queries import Answer
    from kg.viewing import Cell


class Graph(KnowledgeGraph):
    """A knowledge graph with its views: networkx, rdflib, SPARQL, files and the interactive page."""

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Papers and entities as nodes, relations and links as typed edges."""
        from exports.networkx_graph import to_networkx

        return to_networkx(self)

    def to_rdflib(self, options: ExportOptions | None = None) -> rdflib.Graph:
        """The triples of the RDF export, all of them unless the options want less, in an rdflib graph."""
        import rdflib

        from exports import ExportOptions
        from exports.rdf import ntriples

        return rdflib.Graph().parse(data=b"".join(ntriples(self, options or ExportOptions())), format="nt")

    def to_igraph(self) -> igraph.Graph:
        """The networkx view as a directed igraph graph, its vertices called by `name`, such as `e-grpo`.

        Needs igraph (`pip install 'citekg[igraph]'`); raises `MissingPackage` without it.
        """
        from exports.igraph_graph import to_igraph

        return to_igraph(self)

    def to_pandas(self) -> dict[str, pd.DataFrame]:
        """DataFrames by name: papers (stubs marked), entities, mentions, relations, links, introductions.

        Needs pandas (`pip install 'citekg[pandas]'`); raises `MissingPackage` without it.
        """
        from exports.tables import to_pandas

        return to_pandas(self)

    def query(self, sparql: str) -> Answer:
        """Answer a SPARQL query; the project's prefixes are declared. Raises `QueryError`."""
        from kg.queries import query

        return query(self, sparql)

    def find(self, name: str) -> Entity:
        """The entity of this name or alias; raises `UnknownName`, with names that come near."""
        from kg.finding import find

        return find(self, name)

    def introduced_by(self, name: str) -> tuple[Paper, ...]:
        """The papers that introduce it, stubs among them; more than one means that it is contested."""
        from kg.using import introduced_by

        return introduced_by(self, self.find(name))

    def users_of(self, name: str, *roles: str) -> tuple[Relation, ...]:
        """What papers do with it in these roles, by default using, extending, evaluating or training on it."""
        from kg.using import TAKING_UP, users_of

        return users_of(self, self.find(name), roles or TAKING_UP)

    def paths(self, one: str, other: str, count: int = 1) -> list[tuple[Step, ...]]:
        """The shortest ways from one thing to another, each step with its proof."""
        from kg.paths import paths

        return paths(self, one, other, count)

    def influential_papers(self, count: int = 10) -> list[Influence]:
        """The papers, stubs among them, that others build on most."""
        from kg.influence import influential_papers

        return influential_papers(self, count)

    def influential_entities(self, count: int = 10, type_: str = "") -> list[Influence]:
        """The entities, of one type or of any, that others build on most."""
        from kg.influence import influential_entities

        return influential_entities(self, count, type_)

    def co_use(self, one: str = METHOD, other: str = BENCHMARK, count: int = 10) -> list[CoUse]:
        """The pairs of an entity of one type and one of the other that most papers have both at hand."""
        from kg.influence import co_use

        return co_use(self, one, other, count)

    def save(self, path: str | Path, name: str | None = None, options: ExportOptions | None = None) -> Path:
        """Write the graph in the named format, or the one of the file's ending; never half a file.

        A path that ends in `.gz` is written compressed.
        """
        from exports import format_of, write

        path = Path(path)
        write(self, path, name or format_of(path), options)
        return path

    def show(self, height: int = 640) -> Cell:
        """The interactive page, `height` pixels high, as a notebook shows the last value of a cell."""
        from kg.viewing import cell

        return cell(self, height)
