"""The embedded store that answers queries: a graph or a graph file, loaded into Oxigraph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exports import ExportOptions
from exports.rdf import oxigraph_triples
from exports.rdf_reading import RDF_FORMATS, files_of
from exports.reading import contents
from exports.terms import DATASET, TYPE, URI_SPACE
from exports.triples import triples
from kg.loading import graph_format, load
from schemas.errors import GraphError
from schemas.graph import KnowledgeGraph
from schemas.vocabulary import BASE_IRI

if TYPE_CHECKING:
    import pyoxigraph


def opened(source: Path | KnowledgeGraph) -> pyoxigraph.Store:
    """A store of the graph's triples, or of those in the file, whoever wrote them.

    Raises `GraphError` for a file that cannot be read.
    """
    if isinstance(source, KnowledgeGraph):
        return _store_of(source)
    name = graph_format(source)
    return _loaded(source, name) if name in RDF_FORMATS else _store_of(load(source))


def base_of(store: pyoxigraph.Store) -> str:
    """The base IRI of the instances in the store."""
    import pyoxigraph as ox

    for dataset in store.quads_for_pattern(None, ox.NamedNode(TYPE), ox.NamedNode(DATASET)):
        for quad in store.quads_for_pattern(dataset.subject, ox.NamedNode(URI_SPACE), None):
            return str(getattr(quad.object, "value", BASE_IRI))
    return BASE_IRI


def _store_of(graph: KnowledgeGraph) -> pyoxigraph.Store:
    import pyoxigraph as ox

    store = ox.Store()
    store.bulk_extend(ox.Quad(*triple) for triple in oxigraph_triples(triples(graph, ExportOptions())))
    return store


def _loaded(path: Path, name: str) -> pyoxigraph.Store:
    import pyoxigraph as ox

    store = ox.Store()
    for file in files_of(path):
        try:
            store.bulk_load(contents(file), format=getattr(ox.RdfFormat, RDF_FORMATS[name]))
        except SyntaxError as error:
            line = f":{error.lineno}" if error.lineno else ""
            raise GraphError(f"{file}{line}: not {name}: {error.msg}") from error
    return store
