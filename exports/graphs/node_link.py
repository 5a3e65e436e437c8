"""The graph as node-link JSON, the lossless format that networkx and JavaScript libraries read.

Nodes are papers and stubs (`p-…`) and entities (`e-…`); edges are relations, introductions, links,
citations, families and outperformances. The mentions, the results, the run, the topics and a
vocabulary other than the shipped one are under `graph`. Outperformances and topics derive from the
other records: reading a file ignores them. Each record is on one line, with sorted keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

from citekg.exports.rdf.iris import Iris
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Result
from citekg.schemas.vocabulary import BASE_IRI, DEFAULT, OUTPERFORMS

#: The value of `graph.format` in every file of this format.
FORMAT: Final = "citekg-graph/1"
FAMILY: Final = "broader"
KNOWN: Final = "known"
REFERENCE: Final = "reference"
OUTPERFORMANCE: Final = "outperformance"
#: The names of fields of a result in files, where they differ.
RESULT_NAMES: Final = {"systems": "system", "previous": "from"}

_IRIS: Final = Iris(BASE_IRI)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True)
Record = dict[str, Any]


def node_link_json(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield node-link JSON.

    Load it with `citekg.load` or `networkx.node_link_graph(data, edges="edges")`.
    """
    yield b'{"directed": true,\n"edges": ['
    yield from _lines(edges(graph))
    yield b'\n],\n"graph": {'
    yield f'"format": {_json(FORMAT)}, "mentions": ['.encode()
    yield from _lines(map(_fields, graph.mentions))
    yield b'\n],\n"results": ['
    yield from _lines(map(result_record, graph.results))
    yield f'\n], "run": {_json(asdict(graph.run))},\n"topics": ['.encode()
    yield from _lines(map(_fields, graph.topics))
    yield f"\n]{_vocabulary(graph)}}},\n".encode()
    yield b'"multigraph": true,\n"nodes": ['
    yield from _lines(nodes(graph))
    yield b"\n]}\n"


def _vocabulary(graph: KnowledgeGraph) -> str:
    """Return the member `vocabulary`; empty for the shipped vocabulary."""
    return (
        "" if graph.vocabulary == DEFAULT else f',\n"vocabulary": {_json(asdict(graph.vocabulary))}'
    )


def nodes(graph: KnowledgeGraph) -> Iterator[Record]:
    """Yield papers, stubs and entities as nodes: `id`, `kind`, `label` and the record's fields.

    The id of the record is under `paper` or `entity`.
    """
    for kind, papers in (("paper", graph.papers), ("stub", graph.stubs)):
        for paper in papers:
            yield _fields(paper) | {
                "sources": tuple(map(_fields, paper.sources)),
                "id": paper_node(paper.id),
                "kind": kind,
                "label": paper.title,
                "paper": paper.id,
            }
    for entity in graph.entities:
        yield _fields(entity) | {
            "id": entity_node(entity.id),
            "kind": "entity",
            "label": entity.name,
            "entity": entity.id,
        }


def edges(graph: KnowledgeGraph) -> Iterator[Record]:
    """Yield relations, introductions, links, citations, families and outperformances as edges.

    Each has `source`, `target`, `key`, `kind`, and the fields of the record. The key is the role of
    a relation, `known` for an introduction, the kind and the entity of a link, `reference` for a
    citation, `broader` for a family, and `outperforms` with the id of the result for an
    outperformance. The kind of a link is under `link`. Relations, links and outperformances have
    `tentative`.
    """
    for relation in graph.relations:
        ends = paper_node(relation.paper), entity_node(relation.entity)
        mark = {"tentative": graph.is_tentative(relation)}
        yield _fields(relation) | mark | _edge(*ends, relation.role, "relation")
    for known in graph.introductions:
        ends = paper_node(known.paper), entity_node(known.entity)
        yield _fields(known) | _edge(*ends, KNOWN, "introduction")
    for link in graph.links:
        ends = paper_node(link.citing), paper_node(link.cited)
        key = f"{link.kind} {entity_node(link.entity)}"
        mark = {"tentative": graph.is_tentative(link)}
        yield _fields(link) | mark | _edge(*ends, key, "link") | {"link": link.kind}
    for citation in graph.citations:
        yield _edge(paper_node(citation.citing), paper_node(citation.cited), REFERENCE, "citation")
    for entity in graph.entities:
        if entity.family:
            yield _edge(entity_node(entity.id), entity_node(entity.family), FAMILY, "family")
    for one in graph.outperformances:
        ends = entity_node(one.winner), entity_node(one.loser)
        mark = {"tentative": graph.is_tentative(one)}
        edge = _edge(*ends, f"{OUTPERFORMS} {one.result}", OUTPERFORMANCE)
        yield _fields(one) | mark | edge


def _fields(record: Any) -> Record:
    """Return the fields of a record that contains no other record."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def result_record(result: Result) -> Record:
    """Return a result as values: its fields, with `system` and `from` for systems and previous."""
    fields = asdict(result)
    renamed = {name: fields.pop(field) for field, name in RESULT_NAMES.items()}
    return fields | renamed


def paper_node(paper: str) -> str:
    """Return the node id of a paper."""
    return _IRIS.local(_IRIS.paper(paper))


def entity_node(entity: str) -> str:
    """Return the node id of an entity; raises `GraphError` if the entity's id is not a slug."""
    return _IRIS.local(_IRIS.entity(entity))


def _edge(source: str, target: str, key: str, kind: str) -> Record:
    return {"source": source, "target": target, "key": key, "kind": kind}


def _lines(records: Iterable[Record]) -> Iterator[bytes]:
    comma = "\n"
    for record in records:
        yield f"{comma}{_json(record)}".encode()
        comma = ",\n"


def _json(value: Any) -> str:
    return _ENCODER.encode(value)
