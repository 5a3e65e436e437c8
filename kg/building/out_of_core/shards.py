"""The work on a shard, for any process that sees the cache folder.

A worker first writes the names of the papers to the tables of linking. After linking has resolved
them, it writes the shard of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from citekg.building.incremental.codec import decode, text_key
from citekg.building.incremental.extraction_cache import missing_extractions
from citekg.building.incremental.part_files import read_lines
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.building.stages import (
    LINK_STAGES,
    SHARD_STAGES,
    ShardContext,
    ShardDraft,
    claims_of,
    run_stages,
)
from citekg.exports.tables.tables import parquet
from citekg.inference.citation_links import date_of
from citekg.linking import Linked
from citekg.linking.entity_rows import entity_of
from citekg.linking.input_rows import make_rows
from citekg.linking.name_tables import TABLES, Row
from citekg.schemas.graph import Shard
from citekg.schemas.names import slug
from citekg.schemas.records import Citation, Extraction, Introduction, Paper, Run
from citekg.schemas.vocabulary import Vocabulary
from citekg.storage.folders import Folder
from citekg.summary import Counts, counts_of

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


@dataclass(frozen=True)
class Chunk:
    """The papers of a shard, the cache files with their extractions, and the shard's number."""

    folder: Folder
    files: tuple[str, ...]
    papers: tuple[Paper, ...]
    number: int

    def extractions(self) -> Iterator[Extraction]:
        """Yield the extractions of the papers in order; raise `FolderError` if one is missing."""
        lines = {
            key: line for file in self.files for key, line in read_lines(self.folder, file).items()
        }
        for paper in self.papers:
            line = lines.get(text_key(paper))
            if line is None:
                raise missing_extractions(", ".join(self.files))
            yield decode(paper, line)


def name_tables(_pipeline: ExtractionPipeline, chunk: Chunk) -> dict[str, bytes]:
    """Return the names and roles in the papers as Parquet files, by table of `name_tables`."""
    extractions = list(chunk.extractions())
    rows = make_rows(extractions, chunk.number)
    rows["paper"] = [(chunk.number, one.paper.id, date_of(one.paper)) for one in extractions]
    rows["paper_role"] = [
        (extraction.paper.id, entity.key, role, confidence)
        for extraction in extractions
        for entity in extraction.entities
        for role, confidence, _ in claims_of(entity)
    ]
    return {table: parquet(TABLES[table], found) for table, found in rows.items()}


@dataclass(frozen=True)
class ContextRows:
    """The rows of the tables that make the context of a shard.

    `senses` are (paper, key, key of the entity) and `entities` the columns `ENTITY`, the paper on
    the list of introductions, and the introducer with its date, or None instead of each.
    `introductions` are (paper, id of the entity) and `citations` pairs of papers.
    """

    senses: list[Row]
    entities: list[Row]
    introductions: list[Row]
    citations: list[Row]

    def context(self, vocabulary: Vocabulary) -> ShardContext:
        """Return the context."""
        return ShardContext(
            linked=Linked((), {}, {(p, name): slug(target) for p, name, target in self.senses}),
            listed={row[0]: row[-3] for row in self.entities if row[-3] is not None},
            introduced_by={row[0]: row[-2:] for row in self.entities if row[-2] is not None},
            entities=tuple(entity_of(row[:-3]) for row in self.entities),
            introductions=tuple(Introduction(*row) for row in self.introductions),
            citations=tuple(Citation(*row) for row in self.citations),
            vocabulary=vocabulary,
        )


@dataclass(frozen=True)
class ShardTask:
    """The papers of a shard to write, with their context in the corpus."""

    chunk: Chunk
    context: ContextRows
    run: Run
    target: PartitionTarget


def write_shard(
    pipeline: ExtractionPipeline, task: ShardTask
) -> tuple[tuple[WrittenShard, ...], Counts, bytes]:
    """Write the shard of the graph.

    Returns the written files, the counts, and the entities of each paper as a Parquet file.
    """
    shard = _shard(pipeline, task)
    counts = replace(counts_of(shard), types=Counter(), most_used=())  # entities count in the head
    return task.target.write_shard(shard, task.chunk.number), counts, _named_entities(shard)


def _named_entities(shard: Shard) -> bytes:
    """Return the table from which topics are found, as a Parquet file."""
    rows = (
        (paper, entity, weight)
        for paper, named in shard.named_entities.items()
        for entity, weight in named.items()
    )
    return parquet(TABLES["named_entity"], rows)


def _shard(pipeline: ExtractionPipeline, task: ShardTask) -> Shard:
    context = task.context.context(pipeline.lexicon.vocabulary)
    draft = ShardDraft(tuple(task.chunk.extractions()))
    draft = run_stages((*SHARD_STAGES, *LINK_STAGES), draft, context)
    shard = Shard.of(
        papers=task.chunk.papers,
        entities=context.entities,
        mentions=draft.mentions,
        relations=draft.relations,
        links=draft.links,
        run=task.run,
        introductions=context.introductions,
        vocabulary=pipeline.lexicon.vocabulary,
        results=draft.results,
    )
    return replace(shard, cited=context.citations)
