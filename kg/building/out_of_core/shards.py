"""What is done for some papers at a time, by any process that sees the folder of readings.

First their names go to the tables that linking asks; once it knows what they mean, their part of the graph is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from citekg.building.assembling import claims, mentions_of, relations_of
from citekg.building.incremental.codec import decode, text_key
from citekg.building.incremental.extraction_cache import missing_extractions
from citekg.building.incremental.part_files import read_lines
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.exports.tables.tables import parquet
from citekg.inference.citation_links import links_to
from citekg.inference.known_introductions import with_known_roles
from citekg.linking import Linked
from citekg.linking.input_rows import rows_of
from citekg.linking.name_tables import TABLES
from citekg.schemas.graph import Shard
from citekg.schemas.records import Citation, Entity, Extraction, Introduction, Paper, Run
from citekg.storage.folders import Folder
from citekg.summary import Counts, counts_of

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


@dataclass(frozen=True)
class Chunk:
    """Some papers, the files of a folder that hold their readings, and the number of their shard."""

    folder: Folder
    files: tuple[str, ...]
    papers: tuple[Paper, ...]
    number: int

    def readings(self) -> Iterator[Extraction]:
        """The readings of the papers, in their order; raises `FolderError` where one is not there."""
        lines = {key: line for file in self.files for key, line in read_lines(self.folder, file).items()}
        for paper in self.papers:
            line = lines.get(text_key(paper))
            if line is None:
                raise missing_extractions(", ".join(self.files))
            yield decode(paper, line)


def name_tables(_reader: ExtractionPipeline, chunk: Chunk) -> dict[str, bytes]:
    """What the papers call things and do with them, as Parquet files by their tables; see `citekg.linking.name_tables`."""
    readings = list(chunk.readings())
    rows = rows_of(readings, chunk.number)
    rows["role"] = [
        (reading.paper.id, entity.key, role, sure)
        for reading in readings
        for entity in reading.entities
        for role, sure, _ in claims(entity)
    ]
    return {table: parquet(TABLES[table], found) for table, found in rows.items()}


@dataclass(frozen=True)
class ShardContext:
    """What of the whole corpus some papers need: what their names mean and who introduced it.

    `meant` is the id of the entity by paper and key, `introduced_by` the one paper, with its date, that introduced an
    entity, and `listed` the paper that is known to have.
    """

    meant: Mapping[tuple[str, str], str]
    entities: tuple[Entity, ...]
    introduced_by: Mapping[str, tuple[str, str]]
    listed: Mapping[str, str]
    introductions: tuple[Introduction, ...]
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class ShardTask:
    """Papers whose part of the graph is to be written, with what that needs."""

    chunk: Chunk
    needed: ShardContext
    run: Run
    target: PartitionTarget


def write_shard(reader: ExtractionPipeline, task: ShardTask) -> tuple[tuple[WrittenShard, ...], Counts]:
    """Write the part of the graph that is the papers' own; returns what was written, and counts it."""
    shard = _shard(reader, task)
    counts = replace(counts_of(shard), types=Counter(), most_used=())  # entities count in the head
    return task.target.write_shard(shard, task.chunk.number), counts


def _shard(reader: ExtractionPipeline, task: ShardTask) -> Shard:
    needed, vocabulary = task.needed, reader.lexicon.vocabulary
    linked = Linked((), {}, needed.meant)
    readings = list(task.chunk.readings())
    found = (relation for reading in readings for relation in relations_of(reading, linked))
    relations = list(with_known_roles(found, needed.listed))
    types = {entity.id: entity.type for entity in needed.entities}
    dates = {paper.id: paper.date for paper in task.chunk.papers}
    shard = Shard.of(
        papers=task.chunk.papers,
        entities=needed.entities,
        mentions=(mention for reading in readings for mention in mentions_of(reading, linked)),
        relations=relations,
        links=links_to(needed.introduced_by, relations, dates, types, vocabulary),
        run=task.run,
        introductions=needed.introductions,
        vocabulary=vocabulary,
    )
    return replace(shard, cited=needed.citations)
