"""The graph as GraphML and as GEXF, for Gephi, yEd, igraph and networkx.

The XML is written line by line, so that a large graph needs little memory and the bytes do not
depend on a library. XML 1.0 forbids most control characters: U+FFFD replaces them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from citekg.exports.graphs.flat import (
    EDGE_FIELDS,
    NODE_FIELDS,
    FlatRecord,
    Kind,
    flat_edges,
    flat_nodes,
)
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions

_FORBIDDEN_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML: Final = "<?xml version='1.0' encoding='utf-8'?>\n"
_FIELDS: Final = (("node", NODE_FIELDS), ("edge", EDGE_FIELDS))
#: GEXF has a separate attribute for the weight of an edge.
_GEXF_EDGE_FIELDS: Final = {name: kind for name, kind in EDGE_FIELDS.items() if name != "weight"}
_GEXF_FIELDS: Final = (("node", NODE_FIELDS), ("edge", _GEXF_EDGE_FIELDS))
#: The names of the kinds of values in GraphML and in GEXF.
_GRAPHML: Final[dict[Kind, str]] = {
    "text": "string",
    "integer": "int",
    "number": "double",
    "yes": "boolean",
}
_GEXF: Final[dict[Kind, str]] = {
    "text": "string",
    "integer": "integer",
    "number": "double",
    "yes": "boolean",
}


def graphml(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield GraphML; `networkx.read_graphml` returns a MultiDiGraph with edge ids as keys."""
    yield f'{_XML}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'.encode()
    for what, fields in _FIELDS:
        for field, kind in fields.items():
            typed = f'attr.name="{field}" attr.type="{_GRAPHML[kind]}"'
            yield f'<key id="{what}-{field}" for="{what}" {typed}/>\n'.encode()
    yield f'<graph id="citekg" edgedefault="{_direction(options)}">\n'.encode()
    for node in flat_nodes(graph, options.nodes):
        yield f"<node id={_quoted(node['id'])}>{_data('node', NODE_FIELDS, node)}</node>\n".encode()
    for edge in flat_edges(graph, options.nodes):
        yield f"<edge {_ends(edge)}>{_data('edge', EDGE_FIELDS, edge)}</edge>\n".encode()
    yield b"</graph>\n</graphml>\n"


def gexf(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield GEXF 1.2, the native format of Gephi; fields become columns of its tables."""
    yield f'{_XML}<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'.encode()
    yield f'<graph defaultedgetype="{_direction(options)}" mode="static">\n'.encode()
    for what, fields in _GEXF_FIELDS:
        yield f'<attributes class="{what}" mode="static">\n'.encode()
        for field, kind in fields.items():
            typed = f'title="{field}" type="{_GEXF[kind]}"'
            yield f'<attribute id="{what}-{field}" {typed}/>\n'.encode()
        yield b"</attributes>\n"
    yield b"<nodes>\n"
    for node in flat_nodes(graph, options.nodes):
        own = f"id={_quoted(node['id'])} label={_quoted(node.get('label', ''))}"
        yield f"<node {own}>{_values('node', NODE_FIELDS, node)}</node>\n".encode()
    yield b"</nodes>\n<edges>\n"
    for edge in flat_edges(graph, options.nodes):
        own = f"{_ends(edge)} label={_quoted(edge['label'])} weight={_quoted(edge['weight'])}"
        yield f"<edge {own}>{_values('edge', _GEXF_EDGE_FIELDS, edge)}</edge>\n".encode()
    yield b"</edges>\n</graph>\n</gexf>\n"


def _direction(options: ExportOptions) -> str:
    """Return the direction of the edges: co-mentions of entities are undirected."""
    return "undirected" if options.nodes == "entities" else "directed"


def _ends(edge: FlatRecord) -> str:
    return " ".join(f"{name}={_quoted(edge[name])}" for name in ("id", "source", "target"))


def _data(what: str, fields: Iterable[str], record: FlatRecord) -> str:
    return "".join(
        f'<data key="{what}-{name}">{_text(record[name])}</data>'
        for name in fields
        if name in record
    )


def _values(what: str, fields: Iterable[str], record: FlatRecord) -> str:
    values = (
        f'<attvalue for="{what}-{name}" value={_quoted(record[name])}/>'
        for name in fields
        if name in record
    )
    return f"<attvalues>{''.join(values)}</attvalues>"


def _quoted(value: str | float) -> str:
    return quoteattr(_legal(value))


def _text(value: str | float) -> str:
    return _quoted(value)[1:-1]


def _legal(value: str | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _FORBIDDEN_IN_XML.sub("\ufffd", value if isinstance(value, str) else repr(value))
