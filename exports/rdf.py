"""The RDF formats, written by pyoxigraph from one stream of triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from exports import ExportOptions
from exports.terms import Literal
from exports.triples import Triple, triples
from schemas.graph import KnowledgeGraph
from schemas.vocabulary import PREFIXES

if TYPE_CHECKING:
    import pyoxigraph

_USED = ("bibo", "ckg", "cito", "dcterms", "fabio", "oa", "prism", "prov", "rdf", "schema", "skos", "void", "xsd")


def turtle(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Turtle, with prefixes, one block a subject."""
    declared = prefixes(options)
    lines = _serialised(graph, options, "TURTLE", declared).split(b"\n", len(declared))
    yield b"\n".join(sorted(lines[:-1]))  # the serialiser declares prefixes in an order of chance
    yield b"\n"
    yield lines[-1]


def ntriples(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Canonical N-Triples, a triple a line."""
    yield _serialised(graph, options, "N_TRIPLES")


def _serialised(
    graph: KnowledgeGraph, options: ExportOptions, rdf_format: str, declared: dict[str, str] | None = None
) -> bytes:
    from pyoxigraph import RdfFormat, serialize

    buffer = BytesIO()
    found = oxigraph_triples(triples(graph, options))
    serialize(found, buffer, getattr(RdfFormat, rdf_format), prefixes=declared)
    return buffer.getvalue()


def prefixes(options: ExportOptions) -> dict[str, str]:
    """The prefixes that an export uses, with the one of instances at its base IRI."""
    return {name: PREFIXES[name] for name in _USED} | {"ckgid": options.base_iri}


def oxigraph_triples(plain: Iterable[Triple]) -> Iterator[pyoxigraph.Triple]:
    """The triples in pyoxigraph's own terms; equal IRIs share one term."""
    import pyoxigraph as ox

    nodes: dict[str, ox.NamedNode] = {}

    def node(text: str) -> ox.NamedNode:
        if (found := nodes.get(text)) is None:
            found = nodes[text] = ox.NamedNode(text)
        return found

    for subject, predicate, value in plain:
        term = ox.Literal(value.text, datatype=node(value.datatype)) if isinstance(value, Literal) else node(value)
        yield ox.Triple(node(subject), node(predicate), term)
