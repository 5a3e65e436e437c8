"""A graph in many files, for parallel readers: N-Triples, N-Quads and Parquet.

The papers of a graph are split into shards, which can be written independently of each other. The
links and citations of the papers of a shard are in files of their own: when other papers change,
often only they change. The head contains the shared records, the entities and the stubs. It is
written last, because it counts the others. Files are named by their content, so that one with that
name need not be written again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from citekg.exports import PARTITIONED
from citekg.exports.rdf.serializers import lines
from citekg.exports.rdf.triples import ShardCounts, head_triples, shard_triples
from citekg.exports.tables.tables import TABLES, Row, Table, parquet
from citekg.schemas.errors import FormatError
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Citation, Entity, Introduction, Link, Paper, Run, Topic
from citekg.schemas.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pyarrow as pa

_Record = TypeVar("_Record")

#: The maximum number of papers of a shard; the average is about half of it.
SHARD_SIZE = 1024
#: The approximate number of triples, and of table rows, of a file of the head.
_TRIPLES = 500_000
_ROWS = 100_000
#: The number of hexadecimal digits of the digest in the name of a file.
_DIGITS = 20

#: The name of a file and its content.
File = tuple[str, bytes]
#: Yields the rows of a table of the graph as Arrow tables of so many rows; the last one is smaller.
Columns = Callable[[int], "Iterator[pa.Table]"]
NO_COLUMNS: Mapping[str, Columns] = MappingProxyType({})


def shards(graph: KnowledgeGraph, size: int = SHARD_SIZE) -> Iterator[Shard]:
    """Yield the shards of a graph: up to `size` papers with their records, then their links."""
    ids = (paper.id.encode("utf-8", "surrogatepass") for paper in graph.papers)
    for begin, end in pairwise(chain([0], shard_ends(map(zlib.crc32, ids), size))):
        papers = graph.papers[begin:end]
        first, last = papers[0].id, papers[-1].id
        mentions = _between(graph.mentions, first, last, lambda m: m.paper)
        relations = _between(graph.relations, first, last, lambda r: r.paper)
        introductions = _between(graph.introductions, first, last, lambda i: i.paper)
        results = _between(graph.results, first, last, lambda r: r.paper)
        in_papers = {paper.id for paper in papers}
        named = (
            {m.entity for m in mentions}
            | {r.entity for r in relations}
            | {i.entity for i in introductions}
            | {name.entity for result in results for name in result.names if name.entity}
        )
        yield Shard(
            papers=papers,
            entities=tuple(graph.entity_by_id[entity] for entity in sorted(named)),
            mentions=mentions,
            relations=relations,
            links=(),
            run=graph.run,
            introductions=tuple(i for i in introductions if i.paper in in_papers),
            vocabulary=graph.vocabulary,
            results=results,
        )
        yield links_shard(
            _between(graph.links, first, last, lambda k: k.citing),
            _between(graph.citations, first, last, lambda c: c.citing),
            graph.run,
            graph.vocabulary,
        )


def links_shard(
    links: Iterable[Link], citations: tuple[Citation, ...], run: Run, vocabulary: Vocabulary
) -> Shard:
    """Return the shard of the links and citations of papers that another shard describes."""
    shard = Shard.of(
        papers=(), entities=(), mentions=(), relations=(), links=links, run=run,
        vocabulary=vocabulary,
    )  # fmt: skip
    return replace(shard, cited=citations)


def shard_ends(checksums: Iterable[int], size: int) -> Iterator[int]:
    """Yield the number of papers up to the end of each shard.

    `checksums` are the CRC-32 of the ids of all papers, in UTF-8, in the order of the ids. A shard
    ends at certain checksums, so that a new paper changes only its own shard, or at `size` papers.
    """
    begin = end = 0
    average = max(size // 2, 1)
    for end, checksum in enumerate(checksums, 1):
        if end - begin == size or checksum % average == 0:
            begin = end
            yield end
    if end > begin:
        yield end


def _between(
    records: tuple[_Record, ...], first: str, last: str, paper: Callable[[_Record], str]
) -> tuple[_Record, ...]:
    """Return the records of the papers from `first` to `last`; the records are sorted by paper."""
    return records[bisect_left(records, first, key=paper) : bisect_right(records, last, key=paper)]


def head(
    entities: Iterable[Entity],
    stubs: Iterable[Paper],
    introductions: Iterable[Introduction],
    run: Run,
    vocabulary: Vocabulary,
    topics: Iterable[Topic],
) -> KnowledgeGraph:
    """Return the head of a graph: its entities, stubs, topics, and introductions by stubs."""
    by_id = {stub.id: stub for stub in stubs}
    return KnowledgeGraph.of(
        papers=(),
        entities=entities,
        mentions=(),
        relations=(),
        links=(),
        run=run,
        stubs=by_id.values(),
        introductions=(one for one in introductions if one.paper in by_id),
        vocabulary=vocabulary,
        stated_topics=topics,
    )


def shard_files(
    shard: Shard, name: str, options: ExportOptions, *, packed: bool = False
) -> tuple[list[File], ShardCounts]:
    """Return the files of a shard and its counts. A shard without records has no files.

    With `packed`, triples are compressed with gzip. Raises `FormatError` for a format that cannot
    be partitioned, and `MissingPackage` for Parquet without pyarrow.
    """
    counts = ShardCounts(
        len(shard.papers), 0, introductions=bool(shard.introductions), results=len(shard.results)
    )
    if _is_table(name):
        tables = (
            (table, TABLES[table], list(TABLES[table].rows(shard)))
            for table in TABLES
            if table != "entities"
        )
        return [_table_file(file, table, rows) for file, table, rows in tables if rows], counts
    data = b"".join(lines(shard_triples(shard, options)))
    whole = options.part == "all"
    count = (
        data.count(b"\n")
        if whole
        else sum(1 for _ in shard_triples(shard, replace(options, part="all")))
    )
    files = [_triples_file(data, name, packed=packed)] if data else []
    return files, replace(counts, triples=count)


def head_files(
    graph: KnowledgeGraph,
    counts: Sequence[ShardCounts],
    name: str,
    options: ExportOptions,
    *,
    packed: bool = False,
    columns: Mapping[str, Columns] = NO_COLUMNS,
) -> Iterator[File]:
    """Yield the files of the head of a graph; `counts` are the counts of all shards.

    `columns` are tables of the graph that the caller has as Arrow tables. Raises the errors of
    `shard_files`.
    """
    if _is_table(name):
        yield from _tables(graph, columns)
        return
    papers, triples = sum(one.papers for one in counts), sum(one.triples for one in counts)
    total = ShardCounts(
        papers,
        triples,
        introductions=any(one.introductions for one in counts),
        results=sum(one.results for one in counts),
    )
    for part in _join_chunks(lines(head_triples(graph, options, total))):
        yield _triples_file(part, name, packed=packed)


def _is_table(name: str) -> bool:
    if name not in PARTITIONED:
        raise FormatError(name, PARTITIONED)
    return name == "parquet"


def _triples_file(data: bytes, name: str, *, packed: bool) -> File:
    ending = f"{name}.gz" if packed else name
    data = gzip.compress(data, mtime=0) if packed else data
    return f"graph.{name}/{part_name(data)}.{ending}", data


def part_name(data: bytes) -> str:
    """Return the name of a file with this content, without its ending."""
    return f"part-{hashlib.sha256(data).hexdigest()[:_DIGITS]}"


def digest_in(file: str) -> str:
    """Return the name of a file without its folder and its ending, which is a digest."""
    return file.rpartition("/")[2].partition(".")[0]


def _join_chunks(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks joined to parts of at least `_TRIPLES` lines; a chunk holds whole lines."""
    part, count = io.BytesIO(), 0
    for chunk in chunks:
        count += chunk.count(b"\n")
        part.write(chunk)
        if count >= _TRIPLES:
            yield part.getvalue()
            part, count = io.BytesIO(), 0
    if count:
        yield part.getvalue()


def _tables(graph: KnowledgeGraph, columns: Mapping[str, Columns]) -> Iterator[File]:
    """Yield the tables of the head, at least one file each, so that no table is missing."""
    for name, table in TABLES.items():
        parts = columns[name](_ROWS) if name in columns else _batches(table.rows(graph))
        for rows in chain([next(parts, [])], parts):
            yield _table_file(name, table, rows)


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while some := list(islice(rows, _ROWS)):
        yield some


def _table_file(name: str, table: Table, rows: list[Row] | pa.Table) -> File:
    data = parquet(table.columns, rows)
    return f"graph.parquet/{name}/{part_name(data)}.parquet", data
