"""A graph in many files, for engines that read many at a time: N-Triples, N-Quads and Parquet."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from itertools import islice
from typing import Final

from exports import PARTITIONED, ExportOptions, exporter
from exports.tables import TABLES, parquet
from schemas.errors import FormatError
from schemas.graph import KnowledgeGraph

#: How many triples, or rows of a table, go into a file, roughly.
_TRIPLES: Final = 500_000
_ROWS: Final = 100_000


def partitions(
    graph: KnowledgeGraph, name: str, options: ExportOptions, *, packed: bool = False, rows: int = _ROWS
) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the files: triples in parts, or the parts of each table in a folder of it.

    Triples are compressed with gzip where they are to be `packed`. Raises `FormatError` for any other format,
    and `MissingPackage` for Parquet without pyarrow.
    """
    if name not in PARTITIONED:
        raise FormatError(name, PARTITIONED)
    if name == "parquet":
        yield from _tables(graph, rows)
        return
    chunks = exporter(name).writer(graph, options)
    ending = f"{name}.gz" if packed else name
    for number, part in enumerate(_joined(chunks, _TRIPLES)):
        yield f"graph.{name}/part-{number:05}.{ending}", gzip.compress(part, mtime=0) if packed else part


def _joined(chunks: Iterator[bytes], lines: int) -> Iterator[bytes]:
    """The chunks, which end with lines, joined until they have so many."""
    part, count = io.BytesIO(), 0
    for chunk in chunks:
        count += chunk.count(b"\n")
        part.write(chunk)
        if count >= lines:
            yield part.getvalue()
            part, count = io.BytesIO(), 0
    if count:
        yield part.getvalue()


def _tables(graph: KnowledgeGraph, size: int) -> Iterator[tuple[str, bytes]]:
    for name, table in TABLES.items():
        rows = table.rows(graph)
        number = 0
        while (some := list(islice(rows, size))) or not number:
            yield f"graph.parquet/{name}/part-{number:05}.parquet", parquet(table, some)
            number += 1
