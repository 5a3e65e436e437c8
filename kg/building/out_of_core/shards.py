"""The tasks of a shard, for any process with access to the cache folder.

A worker first writes the names of the papers to the tables of linking. After linking has resolved
them, it writes the shard of the graph. The results of both steps are cached (`cached_steps`): their
digests cover only the inputs of the shard, so that papers of other shards rarely change them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from citekg.building.incremental.codec import decode
from citekg.building.incremental.extraction_cache import missing_extractions
from citekg.building.incremental.part_files import read_lines
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.building.stages import (
    LINK_STAGES,
    SHARD_STAGES,
    ShardContext,
    ShardDraft,
    run_stages,
)
from citekg.exports.rdf.triples import ShardCounts
from citekg.exports.tables.tables import parquet
from citekg.inference.citation_links import date_of
from citekg.inference.known_introductions import ListedNames
from citekg.inference.link_conditions import title_head
from citekg.linking import Linked
from citekg.linking.input_rows import make_rows
from citekg.linking.name_tables import TABLES, Row
from citekg.schemas.graph import Shard, reference_names
from citekg.schemas.names import key, slug
from citekg.schemas.records import Citation, Entity, Extraction, Introduction, Paper, Run
from citekg.schemas.vocabulary import Vocabulary
from citekg.sources.keyed_papers import KeyedPaper, text_key
from citekg.storage.folders import Folder
from citekg.summary import Counts, counts_of

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


_json: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
#: The counts of a shard; entities are counted in the head.
_COUNTED: Final = tuple(
    f.name for f in fields(Counts) if f.name not in ("vocabulary", "types", "most_used")
)


@dataclass(frozen=True)
class Chunk:
    """The papers of a shard, and the cache files with their extractions."""

    folder: Folder
    files: tuple[str, ...]
    papers: tuple[Paper, ...]

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


@dataclass(frozen=True)
class NameTask:
    """The papers of a shard, and the names of the papers on the list of introductions."""

    chunk: Chunk
    listed: ListedNames


def name_tables(_pipeline: ExtractionPipeline, task: NameTask) -> dict[str, bytes]:
    """Return the names and roles in the papers as Parquet files, by table of `name_tables`.

    The column `shard` is filled in when they are loaded: new papers change the numbers of shards.
    """
    extractions = list(task.chunk.extractions())
    papers = task.chunk.papers
    rows = make_rows(extractions)
    rows["paper"] = [(0, paper.id, date_of(paper)) for paper in papers]
    rows["listed_name"] = [match for paper in papers for match in task.listed.matches(paper)]
    rows["title_head"] = [(0, key(head)) for paper in papers if (head := title_head(paper.title))]
    rows["reference"] = [(0, paper.id, name) for paper in papers for name in paper.references]
    rows["citation_name"] = [
        (paper.id, name, 0) for paper in papers for name in sorted(reference_names(paper))
    ]
    rows["paper_role"] = [
        (extraction.paper.id, entity.key, role, confidence)
        for extraction in extractions
        for entity in extraction.entities
        for role, confidence, _ in entity.roles
    ]
    return {table: parquet(TABLES[table], found) for table, found in rows.items()}


@dataclass(frozen=True)
class ContextRows:
    """The rows of the tables that form the context of a shard.

    `senses` are (paper, key, key of the entity). `entities` are (id, type, names at the
    start of titles in the shard, paper on the list of introductions, introducer, date of the
    introducer), with None for a missing paper; introducers are only those to which a paper of the
    shard links. `introductions` are (paper, id of the entity) and `citations` are pairs of papers.
    """

    senses: list[Row]
    entities: list[Row]
    introductions: list[Row]
    citations: list[Row]

    def context(self, vocabulary: Vocabulary) -> ShardContext:
        """Return the context; its entities have only the names that the shard needs."""
        entities = tuple(
            Entity(id_, "", type_, tuple(names), ((type_, 1),))
            for id_, type_, names, *_ in self.entities
        )
        return ShardContext(
            linked=Linked((), {}, {(p, name): slug(target) for p, name, target in self.senses}),
            listed={row[0]: row[-3] for row in self.entities if row[-3] is not None},
            introduced_by={row[0]: row[-2:] for row in self.entities if row[-2] is not None},
            entities=entities,
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


def papers_digest(papers: Iterable[KeyedPaper]) -> bytes:
    """Return a digest of the papers of a shard, on which its names depend."""
    return hashlib.sha256(b"".join(paper.digest for paper in papers)).digest()


def shard_digest(papers: bytes, context: str, target: PartitionTarget) -> bytes:
    """Return a digest of the target and of the digests of the papers and the context.

    It does not cover the provenance, because a shard contains none.
    """
    inputs = json.dumps([context, asdict(target.options)])
    text = f"{inputs} {[*target.formats, str(target.packed)]}"
    return hashlib.sha256(papers + text.encode()).digest()


def write_shard(pipeline: ExtractionPipeline, task: ShardTask) -> dict[str, bytes]:
    """Write the shard of the graph.

    Returns the written files, the counts, and the entities of each paper as a Parquet file; see
    `shard_result`.
    """
    shard = _shard(pipeline, task)
    written = [asdict(one) for one in task.target.write_shard(shard)]
    counts = counts_of(shard)
    counted = {name: getattr(counts, name) for name in _COUNTED}
    report = json.dumps({"written": written, "counts": counted})
    return {"report": report.encode(), "named_entities": _named_entities(shard)}


def shard_result(
    result: dict[str, bytes], vocabulary: Vocabulary
) -> tuple[list[WrittenShard], Counts]:
    """Return the files that `write_shard` wrote, and the counts without those of entities."""
    report = json.loads(result["report"])
    counts: dict[str, Any] = {
        name: Counter(value) if isinstance(value, dict) else value
        for name, value in report["counts"].items()
    }
    written = [
        WrittenShard(one["name"], tuple(one["files"]), ShardCounts(**one["rest"]))
        for one in report["written"]
    ]
    return written, Counts(vocabulary, **counts)


def _named_entities(shard: Shard) -> bytes:
    """Return the table from which topics are found, as a Parquet file."""
    rows = ((paper, _json(named)) for paper, named in shard.named_entities.items())
    return parquet(TABLES["named_entities"], rows)


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
