"""A graph that is never in one place: what links papers is looked up on disk, and their parts are written by workers.

Papers are read a part at a time as for any graph. Then their names go to tables on disk, linking asks these
(`citekg.linking`), and every shard of papers is written with what it needs to know of the others. What is held in memory
grows with entities, not with papers, mentions and relations.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, count, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.building.execution.processes import Runner
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.out_of_core.shards import Chunk, ShardContext, ShardTask, name_tables, write_shard
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.exports.tables.partitioned import SHARD, head
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.citation_links import introducers
from citekg.inference.known_introductions import KnownIntroductions, introductions, with_known_roles
from citekg.linking import entities_of
from citekg.linking.name_tables import DuckDbTables, Row
from citekg.schemas.graph import KnowledgeGraph, reference_names
from citekg.schemas.names import slug
from citekg.schemas.records import Citation, Entity, Introduction, Paper, Relation, Run
from citekg.schemas.vocabulary import INTRODUCES, Vocabulary
from citekg.summary import Counts, MostUsed, counts_of, most_used

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_CLAIMS: Final = f"""
    SELECT paper, role, target, MAX(confidence) FROM meant_role
    WHERE role = '{INTRODUCES}' OR paper IN (SELECT paper FROM listed) GROUP BY paper, role, target
    ORDER BY paper, role, target"""  # noqa: S608  # a word of ours
_MEANT: Final = "SELECT DISTINCT shard, paper, key, target FROM meant_named ORDER BY shard, paper, key"
_PAPERS: Final = "SELECT target, COUNT(DISTINCT paper) FROM meant_named GROUP BY target"
#: What papers and, beside them, stubs are called on lists of references; of several the last is meant.
_CITED: Final = """
    WITH own AS (SELECT name, MAX(paper) AS paper FROM called WHERE stub = 0 GROUP BY name),
    other AS (
        SELECT name, MAX(paper) AS paper FROM called WHERE stub = 1 AND name NOT IN (SELECT name FROM own) GROUP BY name
    )
    SELECT DISTINCT r.shard, r.paper, c.paper FROM reference AS r
    JOIN (SELECT * FROM own UNION ALL SELECT * FROM other) AS c ON c.name = r.name
    WHERE r.paper <> c.paper ORDER BY 1, 2, 3"""


def build_partitions(
    papers: Collection[Paper],
    reader: ExtractionPipeline,
    kept: ExtractionCache,
    run: Run,
    target: PartitionTarget,
    runner: Runner,
    introduced_in: Mapping[str, KnownPaper],
) -> tuple[list[str], Counts]:
    """Write the graph of papers whose readings are kept; returns the names of the lists of files, and counts all.

    Raises `FolderError` where a folder cannot be written to or readings are gone, and `MissingPackage` without
    DuckDB and pyarrow.
    """
    target.begin()
    with tempfile.TemporaryDirectory(prefix="kg-") as folder, closing(DuckDbTables(Path(folder))) as tables:
        for named in runner(reader, name_tables, _chunks(papers, kept)):
            for table, data in named.items():
                tables.load(table, data)
        whole = CorpusIndex.of(tables, papers, reader.lexicon, introduced_in)
        _insert_references(tables, papers, whole.stubs)
        tasks = (
            ShardTask(chunk, needed, run, target) for chunk, needed in whole.by_chunk(tables, _chunks(papers, kept))
        )
        rest = head(whole.entities.values(), whole.stubs, whole.introductions, run, whole.vocabulary)
        written: list[WrittenShard] = []
        counts = replace(counts_of(rest), most_used=_most_used(tables, rest))
        for found, counted in runner(reader, write_shard, tasks):
            written += found
            counts += counted
        return target.finish(rest, written), counts


def _chunks(papers: Iterable[Paper], kept: ExtractionCache) -> Iterator[Chunk]:
    rest = iter(papers)
    for number in count():
        some = tuple(islice(rest, SHARD))
        if not some:
            return
        yield Chunk(kept.folder, kept.files_of(some), some, number)


def _insert_references(tables: DuckDbTables, papers: Iterable[Paper], stubs: Iterable[Paper]) -> None:
    """Put down what papers cite and what they are called there, if any of them has a list of references."""
    cites = ((n // SHARD, paper.id, name) for n, paper in enumerate(papers) for name in paper.references)
    tables.insert("reference", cites)
    if next(tables.select("SELECT COUNT(*) FROM reference"))[0]:
        for stub, some in ((0, papers), (1, stubs)):
            tables.insert("called", ((p.id, name, stub) for p in some for name in sorted(reference_names(p))))


def _most_used(tables: DuckDbTables, graph: KnowledgeGraph) -> MostUsed:
    papers = {slug(target): papers for target, papers in tables.select(_PAPERS)}
    return most_used(graph.entities, papers, graph.vocabulary)


@dataclass(frozen=True)
class CorpusIndex:
    """What is known once all papers have been seen.

    `introduced_by` is the one paper, with its date, that introduced an entity, `listed` the one that is known to have.
    """

    entities: Mapping[str, Entity]
    stubs: tuple[Paper, ...]
    introduced_by: Mapping[str, tuple[str, str]]
    listed: Mapping[str, str]
    introductions: tuple[Introduction, ...]
    vocabulary: Vocabulary

    @classmethod
    def of(
        cls, tables: DuckDbTables, papers: Iterable[Paper], lexicon: Lexicon, introduced_in: Mapping[str, KnownPaper]
    ) -> CorpusIndex:
        """What follows from the tables, which learn what each name means."""
        entities = {entity.id: entity for entity in entities_of(tables, lexicon)}
        known = KnownIntroductions.of(introduced_in, papers)
        paper_of = known.papers_of(entities.values())
        tables.insert("listed", ((paper,) for paper in sorted(known.here)))
        rows = (Relation(paper, role, slug(name), sure, ()) for paper, role, name, sure in tables.select(_CLAIMS))
        claims = list(with_known_roles(rows, paper_of))
        named = (entity for entity in entities.values() if any(papers for _, papers in entity.types))
        stubs, introduced = introductions(named, claims, known)
        settled = {entity: by[0] for entity, by in introducers(claims, introduced).items() if len(by) == 1}
        introducing = {*settled.values()}
        dates = {paper.id: paper.date for paper in chain(stubs, papers) if paper.id in introducing}
        introduced_by = {entity: (paper, dates[paper]) for entity, paper in settled.items()}
        return cls(entities, stubs, introduced_by, paper_of, introduced, lexicon.vocabulary)

    def by_chunk(self, tables: DuckDbTables, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, ShardContext]]:
        """The chunks, each with what its papers need to know."""
        introduced: dict[str, list[Introduction]] = defaultdict(list)
        for one in self.introductions:
            introduced[one.paper].append(one)
        meant, cited = _by_shard(tables.select(_MEANT)), _by_shard(tables.select(_CITED))
        for chunk, meanings, citations in zip(chunks, meant, cited, strict=False):
            own = tuple(one for paper in chunk.papers for one in introduced.get(paper.id, ()))
            yield chunk, self._needed(meanings, own, citations)

    def _needed(self, meanings: Iterable[Row], own: tuple[Introduction, ...], citations: Iterable[Row]) -> ShardContext:
        meant = {(paper, name): slug(target) for paper, name, target in meanings}
        ids = sorted({*meant.values(), *(one.entity for one in own)})
        return ShardContext(
            meant,
            tuple(self.entities[entity] for entity in ids),
            {entity: self.introduced_by[entity] for entity in ids if entity in self.introduced_by},
            {entity: self.listed[entity] for entity in ids if entity in self.listed},
            own,
            tuple(Citation(*pair) for pair in citations),
        )


def _by_shard(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rest of the rows that begin with each number, from 0 on and without end."""
    groups = groupby(rows, itemgetter(0))
    number, some = next(groups, (None, ()))
    for shard in count():
        if shard == number:
            yield [row[1:] for row in some]
            number, some = next(groups, (None, ()))
        else:
            yield []
