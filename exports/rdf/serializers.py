"""Serialisers of RDF, all from one stream of triples.

Turtle and N-Triples are written as a stream, in constant memory. TriG and N-Quads are the same
text, because all triples are in the default graph. pyoxigraph writes RDF/XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.rdf.mapping import INTEGER, TEXT, TYPE, Literal, iri
from citekg.exports.rdf.triples import Triple, triples
from citekg.exports.rdf.vocabulary import DECLARATION_PREFIXES
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import DEFAULT, PREFIXES

if TYPE_CHECKING:
    import pyoxigraph

_CORE_PREFIXES = (
    "bibo",
    "ckg",
    "cito",
    "dcterms",
    "fabio",
    "oa",
    "prism",
    "prov",
    "qudt",
    "rdf",
    "schema",
    "skos",
    "unit",
    "void",
    "xsd",
)
_ALIGNMENT_PREFIXES = ("cr", "fair4ml", "foaf", "lpwc", "lpwcp", "mls")
_CHUNK: Final = 10_000
_ESCAPES: Final = {
    **{n: f"\\u{n:04X}" for n in (*range(0x20), 0x7F, 0xFFFE, 0xFFFF)},
    **{ord(c): f"\\{e}" for c, e in zip('\t\n\r"\\', 'tnr"\\', strict=True)},
}
_BARE_NUMBERS: Final = {
    INTEGER: re.compile(r"[+-]?\d+"),
    iri("xsd:decimal"): re.compile(r"[+-]?\d*\.\d+"),
}
_LOCAL: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.~-]*[A-Za-z0-9_~-])?")
_FORBIDDEN_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ROOT: Final = re.compile(rb"<rdf:RDF ([^>]*)>")


def turtle(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield Turtle with prefixes, one block per subject; as TriG, all in the default graph."""
    declared = prefixes(graph, options)
    yield "".join(f"@prefix {name}: <{space}> .\n" for name, space in declared.items()).encode()
    yield from _chunks(_blocks(triples(graph, options), _TurtleTerms(declared)))


def ntriples(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield N-Triples, one triple per line; as N-Quads, all in the default graph."""
    yield from lines(triples(graph, options))


def lines(found: Iterable[Triple]) -> Iterator[bytes]:
    """Yield triples as N-Triples, in chunks of many lines."""
    terms = _Terms()
    yield from _chunks(f"{terms[s]} {terms[p]} {terms[o]} .\n" for s, p, o in found)


def rdf_xml(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield RDF/XML; raises `GraphError` for a control character, which XML 1.0 forbids."""
    from pyoxigraph import RdfFormat, serialize

    buffer = BytesIO()
    serialize(
        oxigraph_triples(triples(graph, options)),
        buffer,
        RdfFormat.RDF_XML,
        prefixes=prefixes(graph, options),
    )
    data = buffer.getvalue()
    if broken := _FORBIDDEN_IN_XML.search(data.decode()):
        raise GraphError(
            f"RDF/XML cannot hold the character {broken[0]!r} of some text: choose another format"
        )
    head, root, rest = _ROOT.split(data, maxsplit=1)
    yield head
    yield (
        b"<rdf:RDF " + b" ".join(sorted(root.split())) + b">"
    )  # sorted, because the serialiser writes the namespaces in random order
    yield rest.replace(b"\r", b"&#xD;")


def prefixes(graph: KnowledgeGraph, options: ExportOptions) -> dict[str, str]:
    """Return the namespaces of an export by prefix; that of instances is the base IRI."""
    own = () if graph.vocabulary == DEFAULT else DECLARATION_PREFIXES
    used = {"ckgid", *_CORE_PREFIXES, *own, *(_ALIGNMENT_PREFIXES if options.align else ())}
    return (
        {name: PREFIXES[name] for name in sorted(used)}
        | {"ckgid": options.base_iri}
        | dict(graph.vocabulary.namespaces)
    )


def oxigraph_triples(plain: Iterable[Triple]) -> Iterator[pyoxigraph.Triple]:
    """Yield the triples as objects of pyoxigraph; equal terms are created once."""
    from pyoxigraph import Triple as OxigraphTriple

    made = _OxigraphTerms()
    for subject, predicate, value in plain:
        yield OxigraphTriple(made[subject], made[predicate], made[value])


class _Terms(dict[Any, str]):
    """A cache of the terms in N-Triples syntax; literals are not cached."""

    def __missing__(self, term: str | Literal) -> str:
        if isinstance(term, Literal):
            return self.literal(term)
        text = self[term] = self.node(term)
        return text

    def node(self, node: str) -> str:
        return f"<{node}>"

    def literal(self, literal: Literal) -> str:
        text = f'"{literal.text.translate(_ESCAPES)}"'
        return text if literal.datatype == TEXT else f"{text}^^{self[literal.datatype]}"


class _TurtleTerms(_Terms):
    """A cache of the terms in Turtle syntax, with prefixed names and bare numbers."""

    def __init__(self, declared: dict[str, str]) -> None:
        self.spaces = sorted(((space, name) for name, space in declared.items()), reverse=True)

    def node(self, node: str) -> str:
        for space, name in self.spaces:
            if node.startswith(space) and _LOCAL.fullmatch(node, len(space)):
                return f"{name}:{node[len(space) :]}".replace("~", r"\~")
        return f"<{node}>"

    def literal(self, literal: Literal) -> str:
        bare = _BARE_NUMBERS.get(literal.datatype)
        return literal.text if bare and bare.fullmatch(literal.text) else super().literal(literal)


class _OxigraphTerms(dict[Any, Any]):
    """A cache of the terms of pyoxigraph, by IRI or `Literal`."""

    def __missing__(self, key: str | Literal) -> pyoxigraph.NamedNode | pyoxigraph.Literal:
        import pyoxigraph as ox

        made = (
            ox.Literal(key.text, datatype=self[key.datatype])
            if isinstance(key, Literal)
            else ox.NamedNode(key)
        )
        self[key] = made
        return made


def _blocks(found: Iterable[Triple], terms: _Terms) -> Iterator[str]:
    """Yield the Turtle of each triple, with `;` and `,` for repeated subjects and predicates."""
    subject = predicate = ended = ""
    for s, p, o in found:
        verb = "a" if p == TYPE else terms[p]
        if s != subject:
            yield f"{ended}{terms[s]} {verb} {terms[o]}"
            ended = " .\n"
        elif p != predicate:
            yield f" ;\n\t{verb} {terms[o]}"
        else:
            yield f" , {terms[o]}"
        subject, predicate = s, p
    yield " .\n"


def _chunks(pieces: Iterable[str]) -> Iterator[bytes]:
    """Yield the pieces of a text as bytes, `_CHUNK` pieces at a time."""
    rest = iter(pieces)
    while chunk := "".join(islice(rest, _CHUNK)):
        yield chunk.encode()
