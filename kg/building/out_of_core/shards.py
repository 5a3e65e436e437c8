"""The tasks of a shard, for any process with access to the cache folder.

A worker first writes the names of the papers to the tables of linking. After linking has resolved
them, it writes the shard of the graph, and then the links and citations of its papers. The results
of these steps are cached (`cached_steps`): their digests cover only the inputs of the shard, so
that papers of other shards rarely change them. New introducers change only the links.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from citekg.building.incremental.codec import decode
from citekg.building.incremental.extraction_cache import missing_extractions
from citekg.building.incremental.part_files import read_lines
from citekg.building.out_of_core.named_entities import named_file
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.building.stages import (
    SHARD_STAGES,
    ShardContext,
    ShardDraft,
    make_results,
    run_stages,
)
from citekg.exports.rdf.triples import ShardCounts
from citekg.exports.tables.partitioned import links_shard
from citekg.exports.tables.tables import Kind, parquet
from citekg.inference.citation_links import date_of, links_to_introducers
from citekg.inference.known_introductions import ListedNames
from citekg.inference.link_conditions import linkable, title_head
from citekg.linking import Linked
from citekg.linking.duckdb_tables import rows_of
from citekg.linking.input_rows import make_rows
from citekg.linking.name_tables import TABLES, Row
from citekg.schemas.graph import Shard, reference_names
from citekg.schemas.names import key, slug
from citekg.schemas.records import (
    Citation,
    Entity,
    Extraction,
    Introduction,
    Paper,
    Relation,
    Run,
)
from citekg.schemas.vocabulary import Vocabulary
from citekg.storage.folders import Folder
from citekg.summary import Counts, counts_of

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


#: The names of the results of a shard: the written files with the counts, the relations that may
#: give a link, and the entities that its papers name.
REPORT: Final = "report"
LINKABLE: Final = "linkable"
NAMED: Final = "named"
#: The counts of a shard; entities are counted in the head.
_COUNTED: Final = tuple(
    f.name for f in fields(Counts) if f.name not in ("vocabulary", "types", "most_used")
)
#: The columns of the relations that may give a link, with the date of the paper.
_LINKABLE: Final[Mapping[str, Kind]] = {
    "paper": "text", "date": "text", "role": "text", "entity": "text", "confidence": "share",
    "evidence": "texts",
}  # fmt: skip


@dataclass(frozen=True)
class Chunk:
    """The papers of a shard, their text keys, and the cache files with their extractions."""

    folder: Folder
    files: tuple[str, ...]
    papers: tuple[Paper, ...]
    texts: tuple[bytes, ...]

    def extractions(self) -> Iterator[Extraction]:
        """Yield the extractions of the papers in order; raise `FolderError` if one is missing."""
        lines = {
            key: line for file in self.files for key, line in read_lines(self.folder, file).items()
        }
        for paper, text in zip(self.papers, self.texts, strict=True):
            line = lines.get(text)
            if line is None:
                raise missing_extractions(", ".join(self.files))
            yield decode(paper, line)


@dataclass(frozen=True)
class NameTask:
    """The papers of a shard, and the names of the papers on the list of introductions."""

    chunk: Chunk
    listed: ListedNames


def name_tables(_pipeline: ExtractionPipeline, task: NameTask) -> dict[str, bytes]:
    """Return the names and roles in the papers as Parquet files, by table of `name_tables`.

    The column `shard` is filled in when they are stored.
    """
    extractions = list(task.chunk.extractions())
    papers = task.chunk.papers
    rows = make_rows(extractions)
    rows["paper"] = [(0, paper.id, date_of(paper)) for paper in papers]
    rows["listed_name"] = [(0, *match) for paper in papers for match in task.listed.matches(paper)]
    rows["title_head"] = [(0, key(head)) for paper in papers if (head := title_head(paper.title))]
    rows["reference"] = [(0, paper.id, name) for paper in papers for name in paper.references]
    rows["citation_name"] = [
        (0, paper.id, name) for paper in papers for name in sorted(reference_names(paper))
    ]
    rows["paper_role"] = [
        (0, extraction.paper.id, entity.key, role, confidence, date_of(extraction.paper))
        for extraction in extractions
        for entity in extraction.entities
        for role, confidence, _ in entity.roles
    ]
    return {table: parquet(TABLES[table], found) for table, found in rows.items()}


@dataclass(frozen=True)
class ContextRows:
    """The rows of the tables that form the context of a shard.

    `senses` are (paper, key, key of the entity), only where the keys differ. `entities` are (id,
    type, names at the start of titles in the shard, paper on the list of introductions or "").
    `introductions` are (paper, id of the entity).
    """

    senses: list[Row]
    entities: list[Row]
    introductions: list[Row]

    def context(self, extractions: Iterable[Extraction], vocabulary: Vocabulary) -> ShardContext:
        """Return the context of extractions; its entities have only the names that they need."""
        own = {named.key: slug(named.key) for each in extractions for named in each.entities}
        entities = tuple(
            Entity(id_, "", type_, tuple(names), ((type_, 1),))
            for id_, type_, names, _ in self.entities
        )
        return ShardContext(
            linked=Linked((), own, {(p, name): slug(target) for p, name, target in self.senses}),
            listed={row[0]: row[-1] for row in self.entities if row[-1]},
            entities=entities,
            introductions=tuple(Introduction(*row) for row in self.introductions),
            vocabulary=vocabulary,
        )


@dataclass(frozen=True)
class CitedRows:
    """The rows of the tables from which the links and citations of a shard follow.

    `introducers` are (entity, its type, its introducer, date of the introducer), only those to
    which a paper of the shard links. `citations` are pairs of papers.
    """

    introducers: list[Row]
    citations: list[Row]


@dataclass(frozen=True)
class ShardTask:
    """The papers of a shard to write, with their context in the corpus."""

    chunk: Chunk
    context: ContextRows
    run: Run
    target: PartitionTarget


@dataclass(frozen=True)
class LinksTask:
    """The relations of a shard that may give a link, and what its papers cite."""

    linkable: bytes
    cited: CitedRows
    run: Run
    target: PartitionTarget


def shard_digest(inputs: bytes, context: str, target: PartitionTarget) -> bytes:
    """Return a digest of the target and of the digests of a shard's inputs and context.

    It does not cover the provenance, because a shard contains none.
    """
    others = [context, asdict(target.options), *target.formats, target.packed]
    return hashlib.sha256(inputs + json.dumps(others).encode()).digest()


def write_shard(pipeline: ExtractionPipeline, task: ShardTask) -> dict[str, bytes]:
    """Write the shard of the graph, without links and citations.

    Returns the written files and the counts (see `shard_result`), the relations that may give a
    link as a Parquet file, and the entities of each paper (see `named_entities`).
    """
    shard = _shard(pipeline, task)
    return {
        REPORT: _report(shard, task.target),
        LINKABLE: _linkable(shard),
        NAMED: named_file(shard.named_columns),
    }


def write_links(pipeline: ExtractionPipeline, task: LinksTask) -> dict[str, bytes]:
    """Write the links and citations of a shard; return the files and the counts."""
    vocabulary = pipeline.lexicon.vocabulary
    rows = [*zip(*(column.to_pylist() for column in rows_of(task.linkable).columns), strict=True)]
    introduced_by = {entity: (paper, date) for entity, _, paper, date in task.cited.introducers}
    relations = (
        Relation(paper, role, entity, confidence, tuple(evidence))
        for paper, _, role, entity, confidence, evidence in rows
        if entity in introduced_by
    )
    links = links_to_introducers(
        introduced_by,
        relations,
        {paper: date for paper, date, *_ in rows},
        {entity: type_ for entity, type_, *_ in task.cited.introducers},
        vocabulary,
    )
    citations = tuple(Citation(*row) for row in task.cited.citations)
    shard = links_shard(links, citations, task.run, vocabulary)
    return {REPORT: _report(shard, task.target)}


def shard_result(
    result: dict[str, bytes], vocabulary: Vocabulary
) -> tuple[list[WrittenShard], Counts]:
    """Return the files that a step wrote, and the counts without those of entities."""
    report = json.loads(result[REPORT])
    counts: dict[str, Any] = {
        name: Counter(value) if isinstance(value, dict) else value
        for name, value in report["counts"].items()
    }
    written = [
        WrittenShard(one["name"], tuple(one["files"]), ShardCounts(**one["rest"]))
        for one in report["written"]
    ]
    return written, Counts(vocabulary, **counts)


def _report(shard: Shard, target: PartitionTarget) -> bytes:
    """Write a shard; return the files and the counts as JSON."""
    written = [asdict(one) for one in target.write_shard(shard)]
    counts = counts_of(shard)
    counted = {name: getattr(counts, name) for name in _COUNTED}
    return json.dumps({"written": written, "counts": counted}).encode()


def _linkable(shard: Shard) -> bytes:
    """Return the relations that may give a link as a Parquet file."""
    dates = {paper.id: date_of(paper) for paper in shard.papers}
    types = {entity.id: entity.type for entity in shard.entities}
    relations = linkable(shard.relations, shard.mentions, types, (), shard.vocabulary)
    rows = (
        (one.paper, dates[one.paper], one.role, one.entity, one.confidence, [*one.evidence])
        for one in relations
    )
    return parquet(_LINKABLE, rows)


def _shard(pipeline: ExtractionPipeline, task: ShardTask) -> Shard:
    extractions = tuple(task.chunk.extractions())
    context = task.context.context(extractions, pipeline.lexicon.vocabulary)
    draft = ShardDraft(extractions)
    draft = run_stages((*SHARD_STAGES, make_results), draft, context)
    return Shard.of(
        papers=task.chunk.papers,
        entities=context.entities,
        mentions=draft.mentions,
        relations=draft.relations,
        links=(),
        run=task.run,
        introductions=context.introductions,
        vocabulary=pipeline.lexicon.vocabulary,
        results=draft.results,
    )
