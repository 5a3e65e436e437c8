"""The graph as tables: papers, entities, mentions, relations, links, results and others.

CSV, Parquet and pandas share one definition of the columns, so that they never differ.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from json import dumps
from typing import TYPE_CHECKING, Any, Final, Literal

from citekg.exports.zip_files import zip_files
from citekg.schemas.errors import MissingPackage
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.quantities import parse_quantity

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Kind = Literal["text", "number", "share", "yes", "texts"]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns with the kinds of their values, and its rows in the graph's order."""

    columns: dict[str, Kind]
    rows: Callable[[KnowledgeGraph], Iterator[Row]]


def _papers(graph: KnowledgeGraph) -> Iterator[Row]:
    for stub, papers in ((False, graph.papers), (True, graph.stubs)):
        for p in papers:
            cells = (
                p.id,
                stub,
                p.title,
                p.abstract,
                p.date,
                [*p.authors],
                p.url,
                p.arxiv_id,
                p.doi,
                p.venue,
            )
            yield *cells, [*p.links], [*p.references], [str(source) for source in p.sources]


def _entities(graph: KnowledgeGraph) -> Iterator[Row]:
    for e in graph.entities:
        yield (
            e.id,
            e.name,
            e.type,
            [*e.aliases],
            [f"{type_} {papers}" for type_, papers in e.types],
            e.family,
            [*e.hidden_names],
        )


def _mentions(graph: KnowledgeGraph) -> Iterator[Row]:
    for m in graph.mentions:
        where = (m.start, m.end, m.text, *m.sentence, graph.sentence(m))
        yield m.id, m.paper, m.entity, m.type, *where, m.layer, m.confidence


def _relations(graph: KnowledgeGraph) -> Iterator[Row]:
    for r in graph.relations:
        yield r.paper, r.role, r.entity, r.confidence, graph.is_tentative(r), [*r.evidence]


def _links(graph: KnowledgeGraph) -> Iterator[Row]:
    for k in graph.links:
        claim = k.confidence, graph.is_tentative(k), [*k.evidence]
        yield k.citing, k.kind, k.cited, k.entity, *claim


def _introductions(graph: KnowledgeGraph) -> Iterator[Row]:
    for known in graph.introductions:
        yield known.paper, known.entity


def _citations(graph: KnowledgeGraph) -> Iterator[Row]:
    for citation in graph.citations:
        yield citation.citing, citation.cited


def _topics(graph: KnowledgeGraph) -> Iterator[Row]:
    for topic in graph.topics:
        yield topic.id, topic.label, [*topic.entities], [*topic.papers]


def _results(graph: KnowledgeGraph) -> Iterator[Row]:
    for r in graph.results:
        quantity = parse_quantity(r.value)
        numbers = (quantity.low, quantity.high, quantity.unit) if quantity else (None, None, "")
        stated = (r.kind, r.direction, r.metric)
        names = (
            cell
            for slot in (r.on, r.systems, r.versus)
            for cell in ([name.text for name in slot], [name.entity for name in slot])
        )
        where = (r.start, r.end, *r.sentence, graph.sentence(r))
        yield (
            r.id, r.paper, r.value, *numbers, *stated, *names, r.previous, *where, r.confidence,
            graph.is_tentative(r),
        )  # fmt: skip


#: The tables by name. Stubs are rows of `papers`, marked in the column `stub`.
TABLES: Final[dict[str, Table]] = {
    "papers": Table(
        {
            "id": "text", "stub": "yes", "title": "text", "abstract": "text", "date": "text",
            "authors": "texts", "url": "text", "arxiv_id": "text", "doi": "text", "venue": "text",
            "links": "texts", "references": "texts", "sources": "texts",
        },
        _papers,
    ),
    "entities": Table(
        {
            "id": "text", "name": "text", "type": "text", "aliases": "texts", "types": "texts",
            "family": "text", "hidden_names": "texts",
        },
        _entities,
    ),
    "mentions": Table(
        {
            "id": "text", "paper": "text", "entity": "text", "type": "text", "start": "number",
            "end": "number", "text": "text", "sentence_start": "number", "sentence_end": "number",
            "sentence": "text", "layer": "text", "confidence": "share",
        },
        _mentions,
    ),
    "relations": Table(
        {
            "paper": "text", "role": "text", "entity": "text", "confidence": "share",
            "tentative": "yes", "evidence": "texts",
        },
        _relations,
    ),
    "links": Table(
        {
            "citing": "text", "kind": "text", "cited": "text", "entity": "text",
            "confidence": "share", "tentative": "yes", "evidence": "texts",
        },
        _links,
    ),
    "introductions": Table({"paper": "text", "entity": "text"}, _introductions),
    "results": Table(
        {
            "id": "text", "paper": "text", "value": "text", "low": "share", "high": "share",
            "unit": "text", "kind": "text", "direction": "text", "metric": "text", "on": "texts",
            "on_entities": "texts", "system": "texts", "system_entities": "texts",
            "versus": "texts", "versus_entities": "texts", "from": "text", "start": "number",
            "end": "number", "sentence_start": "number", "sentence_end": "number",
            "sentence": "text", "confidence": "share", "tentative": "yes",
        },
        _results,
    ),
    "citations": Table({"citing": "text", "cited": "text"}, _citations),
    "topics": Table(
        {"id": "text", "label": "text", "entities": "texts", "papers": "texts"}, _topics
    ),
}  # fmt: skip

#: The beginning of a cell that a spreadsheet would evaluate as a formula, also after an apostrophe.
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
#: The same inside a text, where a spreadsheet that splits cells at other delimiters begins a cell.
_FORMULA_INSIDE: Final = re.compile(r"(?<=[;\t\r\n])(?=['\"]*[=+\-@＝＋－＠])")


def csv_tables(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield a zip file with a CSV file (RFC 4180) for each table: UTF-8, a header, lists as JSON.

    Formulas are escaped against CSV injection, see `escape_formulas`.
    """
    return zip_files((f"{name}.csv", _csv(table, graph)) for name, table in TABLES.items())


def escape_formulas(text: str) -> str:
    """Return the text so that no spreadsheet evaluates it, or a part of it, as a formula.

    A formula gets an apostrophe before it, and one inside a text a space.

    >>> escape_formulas("=1+1"), escape_formulas("GRPO"), escape_formulas("GRPO;=1+1")
    ("'=1+1", 'GRPO', 'GRPO; =1+1')
    """
    escaped = _FORMULA_INSIDE.sub(" ", text)
    return f"'{escaped}" if _FORMULA.match(escaped) else escaped


def _csv(table: Table, graph: KnowledgeGraph) -> Iterator[bytes]:
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\r\n")
    writer.writerow(table.columns)
    for row in table.rows(graph):
        writer.writerow(map(_cell, row))
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()
    yield line.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return escape_formulas(dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return str(value).lower()
    return escape_formulas(value.replace("\0", "\ufffd")) if isinstance(value, str) else value


def parquet_tables(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield a zip file with a Parquet file per table; raises `MissingPackage` without pyarrow."""
    return zip_files(
        (f"{name}.parquet", (parquet(table.columns, table.rows(graph)),))
        for name, table in TABLES.items()
    )


def parquet(columns: Mapping[str, Kind], rows: Iterable[Row] | pa.Table) -> bytes:
    """Return a Parquet file of the rows of a table, which may be an Arrow table.

    Raises `MissingPackage` without pyarrow.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackage("Parquet", "pyarrow", "parquet") from error

    schema = _schema(columns)
    found = rows.cast(schema) if isinstance(rows, pa.Table) else _arrow(schema, rows)
    buffer = io.BytesIO()
    pq.write_table(found, buffer, compression="zstd")
    return buffer.getvalue()


def _schema(columns: Mapping[str, Kind]) -> pa.Schema:
    import pyarrow as pa

    types = {
        "text": pa.string(), "number": pa.int64(), "share": pa.float64(), "yes": pa.bool_(),
        "texts": pa.list_(pa.string()),
    }  # fmt: skip
    return pa.schema([(column, types[kind]) for column, kind in columns.items()])


def _arrow(schema: pa.Schema, rows: Iterable[Row]) -> pa.Table:
    import pyarrow as pa

    cells = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.table(
        [pa.array(values, field.type) for values, field in zip(cells, schema, strict=True)], schema
    )


def to_pandas(graph: KnowledgeGraph) -> dict[str, pd.DataFrame]:
    """Return the tables as typed DataFrames; raises `MissingPackage` without pandas."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingPackage("to_pandas", "pandas", "pandas") from error

    types = {
        "text": "string",
        "number": "int64",
        "share": "float64",
        "yes": "bool",
        "texts": "object",
    }
    return {
        name: pd.DataFrame.from_records(list(table.rows(graph)), columns=[*table.columns]).astype(
            {column: types[kind] for column, kind in table.columns.items()}
        )
        for name, table in TABLES.items()
    }
