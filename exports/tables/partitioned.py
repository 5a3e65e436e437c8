"""A graph in many files, for engines that read many at a time: N-Triples, N-Quads and Parquet.

The papers of a graph go into shards, each of which can be written by itself, anywhere. What they share, the
entities and the papers that were not read, is the head; it is written last, because it counts the rest.
"""

from __future__ import annotations

import gzip
import io
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from citekg.exports import PARTITIONED, ExportOptions
from citekg.exports.rdf.serializers import lines
from citekg.exports.rdf.triples import Rest, head_triples, shard_triples
from citekg.exports.tables.tables import TABLES, Row, Table, parquet
from citekg.schemas.errors import FormatError
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.schemas.records import Entity, Introduction, Paper, Run
from citekg.schemas.vocabulary import Vocabulary

_Record = TypeVar("_Record")

#: How many papers make a shard.
SHARD = 1024
#: How many triples, or rows of a table, of the head go into a file, roughly.
_TRIPLES = 500_000
_ROWS = 100_000

#: The name of a file and what is in it.
File = tuple[str, bytes]


def shards(graph: KnowledgeGraph, size: int = SHARD) -> Iterator[Shard]:
    """The papers of a graph in their order, so many at a time, each with all that is told of it."""
    for start in range(0, len(graph.papers), size):
        papers = graph.papers[start : start + size]
        first, last = papers[0].id, papers[-1].id
        mentions = _between(graph.mentions, first, last, lambda m: m.paper)
        relations = _between(graph.relations, first, last, lambda r: r.paper)
        introductions = _between(graph.introductions, first, last, lambda i: i.paper)
        in_papers = {paper.id for paper in papers}
        named = {m.entity for m in mentions} | {r.entity for r in relations} | {i.entity for i in introductions}
        yield Shard(
            papers=papers,
            entities=tuple(graph.entity_by_id[entity] for entity in sorted(named)),
            mentions=mentions,
            relations=relations,
            links=_between(graph.links, first, last, lambda k: k.citing),
            run=graph.run,
            introductions=tuple(i for i in introductions if i.paper in in_papers),
            vocabulary=graph.vocabulary,
            cited=_between(graph.citations, first, last, lambda c: c.citing),
        )


def _between(
    records: tuple[_Record, ...], first: str, last: str, paper: Callable[[_Record], str]
) -> tuple[_Record, ...]:
    """The records, which are sorted by their papers, of the papers between two."""
    return records[bisect_left(records, first, key=paper) : bisect_right(records, last, key=paper)]


def head(
    entities: Iterable[Entity],
    stubs: Iterable[Paper],
    introductions: Iterable[Introduction],
    run: Run,
    vocabulary: Vocabulary,
) -> KnowledgeGraph:
    """What the shards of a graph do not hold: its entities, its stubs, and which of its introductions are theirs."""
    beyond = {stub.id: stub for stub in stubs}
    return KnowledgeGraph.of(
        papers=(),
        entities=entities,
        mentions=(),
        relations=(),
        links=(),
        run=run,
        stubs=beyond.values(),
        introductions=(one for one in introductions if one.paper in beyond),
        vocabulary=vocabulary,
    )


def shard_files(
    shard: Shard, number: int, name: str, options: ExportOptions, *, packed: bool = False
) -> tuple[list[File], Rest]:
    """The files of a shard, and what is in it; `number` is its place among the others.

    Triples are compressed with gzip where they are to be `packed`. Raises `FormatError` for a format that cannot
    be parted, and `MissingPackage` for Parquet without pyarrow.
    """
    rest = Rest(len(shard.papers), 0, introductions=bool(shard.introductions))
    if _is_table(name):
        tables = ((table, TABLES[table], list(TABLES[table].rows(shard))) for table in TABLES if table != "entities")
        return [_table_file(file, table, rows, number) for file, table, rows in tables if rows], rest
    data = b"".join(lines(shard_triples(shard, options)))
    whole = options.part == "all"
    count = data.count(b"\n") if whole else sum(1 for _ in shard_triples(shard, replace(options, part="all")))
    return [_triples_file(data, number, name, packed=packed)], replace(rest, triples=count)


def head_files(
    graph: KnowledgeGraph, rest: Sequence[Rest], name: str, options: ExportOptions, *, packed: bool = False
) -> Iterator[File]:
    """The files of the head of a graph; `rest` tells of the shards. Raises what `shard_files` raises."""
    if _is_table(name):
        yield from _tables(graph, len(rest))
        return
    papers, triples = sum(one.papers for one in rest), sum(one.triples for one in rest)
    told = Rest(papers, triples, introductions=any(one.introductions for one in rest))
    for number, part in enumerate(_joined(lines(head_triples(graph, options, told))), len(rest)):
        yield _triples_file(part, number, name, packed=packed)


def _is_table(name: str) -> bool:
    if name not in PARTITIONED:
        raise FormatError(name, PARTITIONED)
    return name == "parquet"


def _triples_file(data: bytes, number: int, name: str, *, packed: bool) -> File:
    ending = f"{name}.gz" if packed else name
    return f"graph.{name}/part-{number:05}.{ending}", gzip.compress(data, mtime=0) if packed else data


def _joined(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks, which end with lines, joined until they have enough of them."""
    part, count = io.BytesIO(), 0
    for chunk in chunks:
        count += chunk.count(b"\n")
        part.write(chunk)
        if count >= _TRIPLES:
            yield part.getvalue()
            part, count = io.BytesIO(), 0
    if count:
        yield part.getvalue()


def _tables(graph: KnowledgeGraph, number: int) -> Iterator[File]:
    """The tables of the head, a file each at least, so that none of them is missing."""
    for name, table in TABLES.items():
        rows = table.rows(graph)
        part = number
        while (some := list(islice(rows, _ROWS))) or part == number:
            yield _table_file(name, table, some, part)
            part += 1


def _table_file(name: str, table: Table, rows: list[Row], number: int) -> File:
    return f"graph.parquet/{name}/part-{number:05}.parquet", parquet(table.columns, rows)
