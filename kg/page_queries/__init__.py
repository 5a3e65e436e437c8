"""SPARQL inside the page of a graph: `kg export -f html --sparql` and `kg view --sparql`.

The page contains Oxigraph as WebAssembly (`citekg.page_queries.engine`), the quads of the store
that `kg query` would open, packed in columns (`citekg.page_queries.packing`), the editor of `kg
serve`, and the named queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING

from citekg.page_queries.engine import find_engine
from citekg.page_queries.packing import pack_quads
from citekg.queries import prefixes_of
from citekg.queries.library import library
from citekg.queries.store import store_of
from citekg.schemas.page_parts import SparqlParts

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph
    from citekg.schemas.plugins import ExportOptions


def sparql_parts(graph: KnowledgeGraph, options: ExportOptions) -> SparqlParts:
    """Return the data and scripts with which the page of a graph answers SPARQL.

    Raises `EngineError` if the engine is not on this machine.
    """
    engine = find_engine()
    store = store_of(graph, options)
    serving = files("citekg.serving")
    editor = serving / "vendor" / "yasqe"
    own = serving / "page" / "editor.js"
    licences = (
        files("citekg.page_queries") / "LICENCES.txt",
        editor / "LICENSES.txt",
    )
    return SparqlParts(
        quads=pack_quads(store, [*page_texts(graph, options)]),
        engine=engine.wasm,
        bindings=engine.bindings,
        editor="\n".join(part.read_text("utf-8") for part in (editor / "yasqe.min.js", own)),
        editor_style=(editor / "yasqe.min.css").read_text("utf-8"),
        queries=[asdict(query) for query in library()],
        prefixes=prefixes_of(store),
        licences="\n".join(part.read_text("utf-8") for part in licences),
    )


def page_texts(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[str]:
    """Yield the texts that the page already contains: labels of nodes, then abstracts."""
    yield from (entity.name for entity in graph.entities)
    yield from (paper.title for paper in (*graph.papers, *graph.stubs))
    if options.evidence == "sentence":
        yield from (paper.abstract for paper in graph.papers)
