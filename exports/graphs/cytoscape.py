"""The graph as Cytoscape JSON, for the Cytoscape desktop program and for Cytoscape.js."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from citekg.exports.graphs.flat import FlatRecord, flat_edges, flat_nodes
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions


def cytoscape_json(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield Cytoscape JSON.

    Load it with `cytoscape({elements: file.elements})` in JavaScript, or *Import network* in the
    desktop program. Nodes have a `name` and edges an `interaction`, the fields that the program
    uses as labels.
    """
    directed = json.dumps(options.nodes != "entities")
    yield f'{{"data": {{"name": "citekg"}}, "directed": {directed}, '.encode()
    yield b'"multigraph": true, "elements": {\n'
    nodes, edges = flat_nodes(graph, options.nodes), flat_edges(graph, options.nodes)
    yield b'"nodes": ['
    yield from _lines(
        {**node, "value": node["id"], "name": node.get("label", "")} for node in nodes
    )
    yield b'\n],\n"edges": ['
    yield from _lines({**edge, "key": edge["id"], "interaction": edge["label"]} for edge in edges)
    yield b"\n]}}\n"


def _lines(elements: Iterable[FlatRecord]) -> Iterator[bytes]:
    comma = "\n"
    for element in elements:
        yield f"{comma}{json.dumps({'data': element}, ensure_ascii=False, sort_keys=True)}".encode()
        comma = ",\n"
