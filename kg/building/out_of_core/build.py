"""Building a graph out of core: linking queries tables on disk, and workers write the shards.

Extraction runs as for any graph. Then the build writes the names of all papers to tables on disk,
which linking queries (`citekg.linking`). Each shard is written with the data of the corpus it
needs. Memory grows with the number of entities, not with that of papers, mentions and relations.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.building.execution.processes import Runner
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.out_of_core.shards import Chunk, ShardTask, name_tables, write_shard
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.building.stages import CorpusIndex, ShardContext, index_corpus
from citekg.exports.tables.partitioned import SHARD_SIZE, head
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.known_introductions import KnownIntroductions, apply_known_roles
from citekg.inference.link_conditions import in_other_sense
from citekg.linking import Linked, make_entities
from citekg.linking.name_tables import DuckDbTables, Row
from citekg.schemas.graph import KnowledgeGraph, reference_names
from citekg.schemas.names import slug
from citekg.schemas.records import Citation, Entity, Introduction, Paper, Relation, Run, Topic
from citekg.schemas.topics import find_topics
from citekg.schemas.vocabulary import INTRODUCES, Vocabulary
from citekg.summary import Counts, MostUsed, counts_of, most_used

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_CLAIMS: Final = f"""
    SELECT paper, role, target, MAX(confidence) FROM resolved_paper_role
    WHERE role = '{INTRODUCES}' OR paper IN (SELECT paper FROM known_paper)
    GROUP BY paper, role, target
    ORDER BY paper, role, target"""  # noqa: S608  # a constant
#: The types and surface forms of what papers claim to introduce.
_CLAIMED_TYPES: Final = f"""
    SELECT DISTINCT n.paper, n.target, n.type, f.form FROM resolved_paper_name AS n
    JOIN surface_form AS f ON f.paper = n.paper AND f.key = n.key
    JOIN ({_CLAIMS}) AS c ON c.paper = n.paper AND c.target = n.target"""  # noqa: S608  # a constant
_SENSES: Final = (
    "SELECT DISTINCT shard, paper, key, target FROM resolved_paper_name ORDER BY shard, paper, key"
)
_PAPER_COUNTS: Final = (
    "SELECT target, COUNT(DISTINCT paper) FROM resolved_paper_name GROUP BY target"
)
_NAMED: Final = "SELECT paper, entity, weight FROM named_entity ORDER BY paper, entity"
#: The papers that papers cite, by their names in reference lists. A paper of the corpus takes
#: precedence over a stub of the same name, and of several papers the last one by id.
_CITED: Final = """
    WITH own AS (SELECT name, MAX(paper) AS paper FROM citation_name WHERE stub = 0 GROUP BY name),
    other AS (
        SELECT name, MAX(paper) AS paper FROM citation_name
        WHERE stub = 1 AND name NOT IN (SELECT name FROM own) GROUP BY name
    )
    SELECT DISTINCT r.shard, r.paper, c.paper FROM reference AS r
    JOIN (SELECT * FROM own UNION ALL SELECT * FROM other) AS c ON c.name = r.name
    WHERE r.paper <> c.paper ORDER BY 1, 2, 3"""


def build_partitions(
    papers: Collection[Paper],
    pipeline: ExtractionPipeline,
    cache: ExtractionCache,
    run: Run,
    target: PartitionTarget,
    runner: Runner,
    introduced_in: Mapping[str, KnownPaper],
) -> tuple[list[str], Counts]:
    """Write the graph of papers with cached extractions; return the list files and the counts.

    Raises `FolderError` if a folder cannot be written to or an extraction is missing, and
    `MissingPackage` without DuckDB and pyarrow.
    """
    target.begin()
    with (
        tempfile.TemporaryDirectory(prefix="kg-") as folder,
        closing(DuckDbTables(Path(folder))) as tables,
    ):
        for rows_by_table in runner(pipeline, name_tables, _chunks(papers, cache)):
            for table, data in rows_by_table.items():
                tables.load(table, data)
        corpus = _Corpus.of(tables, papers, pipeline.lexicon, introduced_in)
        _insert_references(tables, papers, corpus.index.stubs)
        tasks = (
            ShardTask(chunk, context, run, target)
            for chunk, context in corpus.by_chunk(tables, _chunks(papers, cache))
        )
        rest = head(
            corpus.entities.values(),
            corpus.index.stubs,
            corpus.index.introductions,
            run,
            corpus.vocabulary,
            topics=(),
        )
        written: list[WrittenShard] = []
        counts = replace(counts_of(rest), most_used=_most_used(tables, rest))
        for found, counted, named in runner(pipeline, write_shard, tasks):
            written += found
            counts += counted
            tables.load("named_entity", named)
        rest = replace(rest, stated_topics=_topics(tables, corpus.entities))
        return target.finish(rest, written), counts


def _topics(tables: DuckDbTables, entities: Mapping[str, Entity]) -> tuple[Topic, ...]:
    """Return the topics of the corpus; the papers are read from the table several times."""

    def papers() -> Iterator[tuple[str, dict[str, float]]]:
        for paper, rows in groupby(tables.select(_NAMED), itemgetter(0)):
            yield paper, {entity: weight for _, entity, weight in rows}

    return find_topics(entities, papers)


def _chunks(papers: Iterable[Paper], cache: ExtractionCache) -> Iterator[Chunk]:
    rest = iter(papers)
    for number in count():
        some = tuple(islice(rest, SHARD_SIZE))
        if not some:
            return
        yield Chunk(cache.folder, cache.files_of(some), some, number)


def _insert_references(
    tables: DuckDbTables, papers: Iterable[Paper], stubs: Iterable[Paper]
) -> None:
    """Store the reference lists and the names of papers in them, if there are any references."""
    cites = (
        (n // SHARD_SIZE, paper.id, name)
        for n, paper in enumerate(papers)
        for name in paper.references
    )
    tables.insert("reference", cites)
    if next(tables.select("SELECT COUNT(*) FROM reference"))[0]:
        for stub, some in ((0, papers), (1, stubs)):
            tables.insert(
                "citation_name",
                ((p.id, name, stub) for p in some for name in sorted(reference_names(p))),
            )


def _most_used(tables: DuckDbTables, graph: KnowledgeGraph) -> MostUsed:
    papers = {slug(target): papers for target, papers in tables.select(_PAPER_COUNTS)}
    return most_used(graph.entities, papers, graph.vocabulary)


@dataclass(frozen=True)
class _Corpus:
    """The entities of the corpus and who introduced them, from the tables of all names."""

    entities: Mapping[str, Entity]
    listed: Mapping[str, str]
    index: CorpusIndex
    vocabulary: Vocabulary

    @classmethod
    def of(
        cls,
        tables: DuckDbTables,
        papers: Iterable[Paper],
        lexicon: Lexicon,
        introduced_in: Mapping[str, KnownPaper],
    ) -> _Corpus:
        """Link the names in the tables, store their senses there, and index the introductions."""
        entities = {entity.id: entity for entity in make_entities(tables, lexicon)}
        known = KnownIntroductions.of(introduced_in, papers, lexicon)
        listed = known.papers_of(entities.values())
        tables.insert("known_paper", ((paper,) for paper in sorted(known.here)))
        rows = (
            Relation(paper, role, slug(name), confidence, ())
            for paper, role, name, confidence in tables.select(_CLAIMS)
        )
        types = {entity.id: entity.type for entity in entities.values()}
        named_as = (
            (paper, slug(name), type_, form)
            for paper, name, type_, form in tables.select(_CLAIMED_TYPES)
        )
        other = in_other_sense(named_as, types, lexicon.vocabulary)
        claims = [
            claim
            for claim in apply_known_roles(rows, listed)
            if (claim.paper, claim.entity) not in other
        ]
        named = (
            entity for entity in entities.values() if any(papers for _, papers in entity.types)
        )
        return cls(entities, listed, index_corpus(papers, named, claims, known), lexicon.vocabulary)

    def by_chunk(
        self, tables: DuckDbTables, chunks: Iterable[Chunk]
    ) -> Iterator[tuple[Chunk, ShardContext]]:
        """Yield the chunks, each with the context of its papers."""
        introduced: dict[str, list[Introduction]] = defaultdict(list)
        for one in self.index.introductions:
            introduced[one.paper].append(one)
        senses, cited = _by_shard(tables.select(_SENSES)), _by_shard(tables.select(_CITED))
        for chunk, own_senses, citations in zip(chunks, senses, cited, strict=False):
            introduced_here = tuple(
                one for paper in chunk.papers for one in introduced.get(paper.id, ())
            )
            yield chunk, self._context(own_senses, introduced_here, citations)

    def _context(
        self,
        own_senses: Iterable[Row],
        introduced_here: tuple[Introduction, ...],
        citations: Iterable[Row],
    ) -> ShardContext:
        senses = {(paper, name): slug(target) for paper, name, target in own_senses}
        ids = sorted({*senses.values(), *(one.entity for one in introduced_here)})
        introduced_by = self.index.introduced_by
        return ShardContext(
            linked=Linked((), {}, senses),
            listed={entity: self.listed[entity] for entity in ids if entity in self.listed},
            introduced_by={
                entity: introduced_by[entity] for entity in ids if entity in introduced_by
            },
            entities=tuple(self.entities[entity] for entity in ids),
            introductions=introduced_here,
            citations=tuple(Citation(*pair) for pair in citations),
            vocabulary=self.vocabulary,
        )


def _by_shard(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield, without end, the rows of shard 0, 1, ... without their first column, the shard."""
    groups = groupby(rows, itemgetter(0))
    number, some = next(groups, (None, ()))
    for shard in count():
        if shard == number:
            yield [row[1:] for row in some]
            number, some = next(groups, (None, ()))
        else:
            yield []
