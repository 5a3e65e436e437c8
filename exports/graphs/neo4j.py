"""The graph as CSV files for Neo4j.

The bulk import and, on a running server, the script `load.cypher` read the same files. A text is
one line; `;` separates the values of a list and is replaced by `,` inside a value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from citekg.exports.graphs.flat import FlatRecord, flat_edges
from citekg.exports.graphs.node_link import OUTPERFORMANCE, entity_node, nodes, paper_node
from citekg.exports.rdf.iris import Iris
from citekg.exports.zip_files import zip_files
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.quantities import parse_quantity
from citekg.schemas.records import Result
from citekg.schemas.vocabulary import BASE_IRI

_PAPER: Final = (
    "id:ID", "paper", "title", "abstract", "date", "authors:string[]", "url", "arxiv_id", "doi",
    "venue", "links:string[]", ":LABEL",
)  # fmt: skip
_ENTITY: Final = ("id:ID", "entity", "name", "type", "aliases:string[]", "family", ":LABEL")
_EDGE: Final = (
    ":START_ID", ":END_ID", ":TYPE", "kind", "via", "confidence:double",
    "tentative:boolean", "sentence", "metric", "on", "margin",
)  # fmt: skip
_RESULT: Final = (
    "id:ID", "value", "low:double", "high:double", "unit", "kind", "direction", "metric", "from",
    "on:string[]", "system:string[]", "versus:string[]", "sentence", "confidence:double",
    "tentative:boolean", ":LABEL",
)  # fmt: skip
_SPACES: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
#: A backslash before a quote, which some CSV readers would interpret as an escape.
_BEFORE_QUOTE: Final = re.compile(r'\\(?="|$)')
_CAMEL_BOUNDARY: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDS: Final = {
    "relation": ("Paper", "Entity"),
    "introduction": ("Paper", "Entity"),
    "link": ("Paper", "Paper"),
    "citation": ("Paper", "Paper"),
    "family": ("Entity", "Entity"),
    OUTPERFORMANCE: ("Entity", "Entity"),
    "report": ("Paper", "Result"),
    "slot": ("Result", "Entity"),
}
_IRIS: Final = Iris(BASE_IRI)
_TYPES: Final = {"introduction": "KNOWN_TO_INTRODUCE", "citation": "HAS_REFERENCE"}
Row = tuple[Any, ...]


def neo4j_files(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield a zip file with papers, entities, results and edges as CSV, and `load.cypher`."""
    return zip_files(
        (
            ("papers.csv", _csv(_PAPER, _papers(graph))),
            ("entities.csv", _csv(_ENTITY, _entities(graph))),
            ("results.csv", _csv(_RESULT, _results(graph))),
            ("edges.csv", _csv(_EDGE, _edges(graph))),
            ("load.cypher", (_script(graph).encode(),)),
        )
    )


def relationship_type(label: str) -> str:
    """Return the name of a role or a link as a relationship type of Neo4j.

    >>> relationship_type("evaluatesOn")
    'EVALUATES_ON'
    """
    return _name(_CAMEL_BOUNDARY.sub("_", label)).upper()


def _papers(graph: KnowledgeGraph) -> Iterator[Row]:
    for node in nodes(graph):
        if node["kind"] != "entity":
            label = "Paper;Stub" if node["kind"] == "stub" else "Paper"
            yield (*_fields(node, _PAPER[1:-1], node["id"]), label)


def _entities(graph: KnowledgeGraph) -> Iterator[Row]:
    for node in nodes(graph):
        if node["kind"] == "entity":
            yield (*_fields(node, _ENTITY[1:-1], node["id"]), f"Entity;{_name(node['type'])}")


def _results(graph: KnowledgeGraph) -> Iterator[Row]:
    for r in graph.results:
        quantity = parse_quantity(r.value)
        numbers = (quantity.low, quantity.high, _text(quantity.unit)) if quantity else ("", "", "")
        texts = map(_text, (r.kind, r.direction, r.metric, r.previous))
        names = (_list(name.text for name in slot) for slot in (r.on, r.systems, r.versus))
        sentence, tentative = _text(graph.sentence(r)), str(graph.is_tentative(r)).lower()
        claim = (sentence, r.confidence, tentative)
        yield (_result_node(r), _text(r.value), *numbers, *texts, *names, *claim, "Result")


def _result_edges(graph: KnowledgeGraph) -> Iterator[tuple[str, str, str, str]]:
    """Yield start, end, type and kind of the relationships of results."""
    for result in graph.results:
        node = _result_node(result)
        yield paper_node(result.paper), node, "REPORTS", "report"
        for type_, slot in (
            ("ON", result.on),
            ("SYSTEM", result.systems),
            ("VERSUS", result.versus),
        ):
            for entity in dict.fromkeys(name.entity for name in slot if name.entity):
                yield node, entity_node(entity), type_, "slot"


def _result_node(result: Result) -> str:
    return _IRIS.local(_IRIS.result(result.id))


def _fields(node: dict[str, Any], columns: Iterable[str], own: str) -> Iterator[str]:
    yield own
    for column in columns:
        value = node[column.partition(":")[0]]
        yield _text(value) if isinstance(value, str) else _list(value)


def _list(texts: Iterable[str]) -> str:
    return ";".join(_text(part).replace(";", ",") for part in texts)


def _edges(graph: KnowledgeGraph) -> Iterator[Row]:
    for edge in flat_edges(graph):
        via = _via(edge)
        type_ = _type(str(edge["kind"]), str(edge["label"]))
        sentence = _text(str(edge.get("sentence", "")))
        tentative = str(bool(edge.get("tentative"))).lower() if "confidence" in edge else ""
        properties = (edge["kind"], via, edge.get("confidence", ""), tentative, sentence)
        reported = (_text(str(edge.get(name, ""))) for name in ("metric", "on", "margin"))
        yield edge["source"], edge["target"], type_, *properties, *reported
    for start, end, type_, kind in _result_edges(graph):
        yield start, end, type_, kind, *("",) * 7


def _via(edge: FlatRecord) -> str:
    """Return the property that distinguishes edges of one type between two nodes."""
    if edge["kind"] == OUTPERFORMANCE:
        return _IRIS.local(_IRIS.result(str(edge["result"])))
    return str(edge.get("entity", "")) if edge["kind"] == "link" else ""


def _type(kind: str, label: str) -> str:
    return _TYPES.get(kind) or relationship_type(label)


def _csv(header: Row, rows: Iterable[Row]) -> Iterator[bytes]:
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in (header, *rows):
        writer.writerow(row)
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()


def _script(graph: KnowledgeGraph) -> str:
    types = sorted({_name(e.type) for e in graph.entities})
    kinds = sorted(
        {(str(e["kind"]), _type(str(e["kind"]), str(e["label"]))) for e in flat_edges(graph)}
        | {(kind, type_) for _, _, type_, kind in _result_edges(graph)}
    )
    return "\n".join(
        (_HEAD, *map(_label, types), *(_relationship(kind, type_) for kind, type_ in kinds))
    )


def _label(type_: str) -> str:
    return _LABEL.format(load=_load("entities", f"row.`:LABEL` = 'Entity;{type_}'"), type=type_)


def _relationship(kind: str, type_: str) -> str:
    load = _load("edges", f"row.`:TYPE` = '{type_}' AND row.kind = '{kind}'")
    start, end = _ENDS[kind]
    return _MERGE.format(load=load, start=start, end=end, type=type_)


def _load(file: str, where: str) -> str:
    return f"LOAD CSV WITH HEADERS FROM 'file:///{file}.csv' AS row\nWITH row WHERE {where}"


def _name(text: str) -> str:
    """Return the text as an identifier of Cypher, with `_` for other characters."""
    return re.sub(r"\W", "_", text, flags=re.ASCII) or "_"


def _text(text: str) -> str:
    return _BEFORE_QUOTE.sub(r"\\ ", _SPACES.sub(" ", text).strip())


_HEAD: Final = """\
// A citekg graph for Neo4j 5.
//
// Into a new database, fastest, while the server is down:
//   neo4j-admin database import full --nodes=papers.csv --nodes=entities.csv --nodes=results.csv \
--relationships=edges.csv neo4j
//
// Into a running server: put the four CSV files into its import folder, then
//   cypher-shell -f load.cypher
// Running it again adds nothing twice.

CREATE CONSTRAINT paper_id IF NOT EXISTS FOR (p:Paper) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;
CREATE CONSTRAINT result_id IF NOT EXISTS FOR (r:Result) REQUIRE r.id IS UNIQUE;

LOAD CSV WITH HEADERS FROM 'file:///papers.csv' AS row
MERGE (p:Paper {id: row.`id:ID`})
SET p.paper = row.paper, p.title = row.title, p.abstract = row.abstract, p.date = row.date, \
p.url = row.url,
    p.arxiv_id = row.arxiv_id, p.doi = row.doi, p.venue = row.venue, \
p.authors = split(row.`authors:string[]`, ';'),
    p.links = split(row.`links:string[]`, ';');

LOAD CSV WITH HEADERS FROM 'file:///papers.csv' AS row
WITH row WHERE row.`:LABEL` = 'Paper;Stub'
MATCH (p:Paper {id: row.`id:ID`})
SET p:Stub;

LOAD CSV WITH HEADERS FROM 'file:///entities.csv' AS row
MERGE (e:Entity {id: row.`id:ID`})
SET e.entity = row.entity, e.name = row.name, e.type = row.type, e.family = row.family,
    e.aliases = split(row.`aliases:string[]`, ';');

LOAD CSV WITH HEADERS FROM 'file:///results.csv' AS row
MERGE (r:Result {id: row.`id:ID`})
SET r.value = row.value, r.low = toFloat(row.`low:double`), r.high = toFloat(row.`high:double`),
    r.unit = row.unit, r.kind = row.kind, r.direction = row.direction, r.metric = row.metric,
    r.from = row.from, r.on = split(row.`on:string[]`, ';'),
    r.system = split(row.`system:string[]`, ';'), r.versus = split(row.`versus:string[]`, ';'),
    r.sentence = row.sentence, r.confidence = toFloat(row.`confidence:double`),
    r.tentative = toBoolean(row.`tentative:boolean`);
"""
_LABEL: Final = """\
{load}
MATCH (e:Entity {{id: row.`id:ID`}})
SET e:`{type}`;
"""
_MERGE: Final = """\
{load}
MATCH (a:{start} {{id: row.`:START_ID`}})
MATCH (b:{end} {{id: row.`:END_ID`}})
MERGE (a)-[r:`{type}` {{via: coalesce(row.via, '')}}]->(b)
SET r.kind = row.kind, r.confidence = toFloat(row.`confidence:double`),
    r.tentative = toBoolean(row.`tentative:boolean`), r.sentence = row.sentence,
    r.metric = row.metric, r.on = row.on, r.margin = row.margin;
"""
