"""The RDF formats, written by pyoxigraph from one stream of triples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Final

from exports import ExportOptions
from exports.terms import Literal
from exports.triples import Triple, triples
from schemas.errors import GraphError
from schemas.graph import KnowledgeGraph
from schemas.vocabulary import PREFIXES

if TYPE_CHECKING:
    import pyoxigraph

_NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ROOT: Final = re.compile(rb"<rdf:RDF ([^>]*)>")
_USED = ("bibo", "ckg", "cito", "dcterms", "fabio", "oa", "prism", "prov", "rdf", "schema", "skos", "void", "xsd")
_ALIGNED = ("cr", "fair4ml", "foaf", "lpwc", "lpwcp", "mls")


def turtle(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Turtle, with prefixes, one block a subject."""
    return _with_sorted_prefixes(graph, options, "TURTLE")


def trig(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """TriG, all in the default graph."""
    return _with_sorted_prefixes(graph, options, "TRIG")


def ntriples(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Canonical N-Triples, a triple a line."""
    yield _serialised(graph, options, "N_TRIPLES")


def nquads(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """N-Quads, a triple of the default graph a line."""
    yield _serialised(graph, options, "N_QUADS")


def rdf_xml(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """RDF/XML; raises `GraphError` for a control character, which XML cannot hold."""
    data = _serialised(graph, options, "RDF_XML", prefixes(options))
    if broken := _NO_XML.search(data.decode()):
        raise GraphError(f"RDF/XML cannot hold the character {broken[0]!r} of some text: choose another format")
    head, root, rest = _ROOT.split(data, maxsplit=1)
    yield head
    yield b"<rdf:RDF " + b" ".join(sorted(root.split())) + b">"  # the serialiser's order is one of chance
    yield rest.replace(b"\r", b"&#xD;")


def _with_sorted_prefixes(graph: KnowledgeGraph, options: ExportOptions, rdf_format: str) -> Iterator[bytes]:
    declared = prefixes(options)
    lines = _serialised(graph, options, rdf_format, declared).split(b"\n", len(declared))
    yield b"\n".join(sorted(lines[:-1]))  # the serialiser's order is one of chance
    yield b"\n"
    yield lines[-1]


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
    used = _USED + (_ALIGNED if options.align else ())
    return {name: PREFIXES[name] for name in sorted(used)} | {"ckgid": options.base_iri}


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
