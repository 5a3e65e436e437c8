"""Building a graph out of core: linking queries tables in DuckDB, and workers write the shards.

Extraction runs as for any graph. Then the build writes the names of all papers to tables, which
spill to disk and which linking queries (`citekg.linking`). Each shard is written with the corpus
data that it needs. No process holds all entities; only topics keep the ids of entities and papers
in memory.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from citekg.building.execution.processes import Runner
from citekg.building.incremental.cached_rows import CachedRows
from citekg.building.incremental.cached_steps import CachedSteps, Step, Task
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.out_of_core.contexts import LINKS, RECORDS, ContextTables
from citekg.building.out_of_core.introducing import (
    determine_introducers,
    known_introductions_of,
    stubs_of,
)
from citekg.building.out_of_core.named_entities import named_entities
from citekg.building.out_of_core.paper_shards import PaperShard
from citekg.building.out_of_core.shards import (
    LINKABLE,
    NAMED,
    REPORT,
    Chunk,
    CitedRows,
    ContextRows,
    LinksTask,
    NameTask,
    ShardTask,
    shard_digest,
    shard_result,
    write_links,
    write_shard,
)
from citekg.building.out_of_core.stored_entities import StoredEntities
from citekg.building.out_of_core.stored_names import store_names
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.building.out_of_core.touched_entities import TouchedEntities
from citekg.exports.tables.partitioned import head
from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.known_introductions import (
    IntroductionList,
    KnownIntroductions,
    ListedNames,
)
from citekg.linking import link_names
from citekg.linking.duckdb_tables import DuckDbTables
from citekg.linking.entity_rows import ENTITY, WITH_FAMILY, entity_of
from citekg.linking.kinds import insert_lexicon
from citekg.schemas.graph import reference_names
from citekg.schemas.records import Entity, Run, Topic
from citekg.schemas.topics import NamedEntities, find_topics
from citekg.schemas.vocabulary import Vocabulary
from citekg.summary import TOP_LIMIT, Counts, MostUsed, counts_of, most_used

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_TYPES: Final = "SELECT type, COUNT(*) FROM entity GROUP BY type ORDER BY type"
#: The entities of each type that most papers name, with the number of papers.
_MOST_USED: Final = f"""
    WITH ranked AS (
        SELECT u.key, u.papers, ROW_NUMBER() OVER (
            PARTITION BY e.type ORDER BY u.papers DESC, e.name
        ) AS place
        FROM entity_papers AS u JOIN entity AS e ON e.key = u.key
    )
    SELECT {ENTITY}, r.papers FROM {WITH_FAMILY} JOIN ranked AS r ON r.key = e.key
    WHERE r.place <= {TOP_LIMIT} ORDER BY e.type, r.place"""  # noqa: S608  # a constant


def build_partitions(
    shards: Sequence[PaperShard],
    pipeline: ExtractionPipeline,
    cache: ExtractionCache,
    run: Run,
    target: PartitionTarget,
    runner: Runner,
    introduced_in: Mapping[str, KnownPaper],
    steps: CachedSteps,
    end_workers: Callable[[], None] = lambda: None,
) -> tuple[list[str], Counts]:
    """Write the graph of papers with cached extractions; return the list files and the counts.

    `steps` is the cache of the results of earlier builds. `end_workers` is called after the last
    task, so that the memory of the workers is free when the topics need most. Raises `FolderError`
    if a folder cannot be written to or an extraction is missing, and `MissingPackage` without
    DuckDB and pyarrow.
    """
    target.begin()
    vocabulary = pipeline.lexicon.vocabulary
    with (
        tempfile.TemporaryDirectory(prefix="kg-") as folder,
        steps.database() as stored,
        closing(DuckDbTables(Path(folder), stored)) as tables,
    ):
        listed = ListedNames.of(introduced_in)
        naming = (Task(one.digest, partial(_name_task, one, cache, listed)) for one in shards)
        touched = TouchedEntities(tables)
        numbers = store_names(tables, runner, naming, touched)
        per_key = CachedRows(tables, runner, pipeline, compares_all=touched.are_all)
        insert_lexicon(tables, pipeline.lexicon)
        link_names(tables, pipeline.lexicon, per_key, touched.touch)
        matches = tables.select("SELECT name, paper FROM listed_name")
        known = KnownIntroductions.of_matches(
            IntroductionList.of(introduced_in, pipeline.lexicon), matches
        )
        determine_introducers(tables, known, per_key)
        touched.complete()
        entities, stubs = StoredEntities(tables), stubs_of(tables)
        per_key.remove_others()
        names = ((stub.id, name) for stub in stubs for name in sorted(reference_names(stub)))
        tables.insert("stub_name", names)
        tasks = _ShardTasks(shards, numbers, cache, tables, steps, run, target)
        introduced = known_introductions_of(tables)
        rest = head((), stubs, introduced, run, vocabulary, topics=())
        written: list[WrittenShard] = []
        counts = replace(
            counts_of(rest),
            types=Counter(dict(tables.select(_TYPES))),
            most_used=_most_used(tables, vocabulary),
        )

        known_files = steps.known_digests()

        def is_complete(result: dict[str, bytes]) -> bool:
            written, _ = shard_result(result, vocabulary)
            return all(target.is_whole(file, known_files) for one in written for file in one.files)

        entries = (REPORT, NAMED)
        records = steps.run(runner, write_shard, tasks.records(), entries, is_complete)
        links = steps.run(runner, write_links, tasks.links(), entries, is_complete)
        named: list[bytes] = []
        for result in chain(records, links):
            files, counted = shard_result(result, vocabulary)
            written += files
            counts += counted
            if NAMED in result:
                named.append(result[NAMED])
        end_workers()
        corpus = named_entities(named)
        named.clear()  # the topics need most memory
        topics = _topics(entities, corpus)
        rest = replace(rest, entities=cast("tuple[Entity, ...]", entities), stated_topics=topics)
        lists = target.finish(rest, written, {"entities": entities.columns})
        target.add_digests(written, known_files)
        known_files.store()
        steps.forget_others()
        return lists, counts


def _topics(entities: StoredEntities, corpus: NamedEntities) -> tuple[Topic, ...]:
    """Return the topics of the corpus."""
    # Most entities that name topics are among these.
    entities.read_at_once(corpus.entities[i] for i in corpus.core)
    return find_topics(entities.by_id, corpus)


@dataclass(frozen=True)
class _ShardTasks:
    """The tasks that write the shards: their records, then their links and citations."""

    shards: Sequence[PaperShard]
    #: The number of each shard in the tables.
    numbers: Sequence[int]
    cache: ExtractionCache
    tables: DuckDbTables
    steps: CachedSteps
    run: Run
    target: PartitionTarget
    #: The digests of the tasks that write records, which the links of the same shards depend on.
    digests: list[bytes] = field(default_factory=list)

    def records(self) -> Iterator[Task]:
        """Yield a task for the records of each shard."""
        contexts = ContextTables(self.tables, RECORDS)
        self.digests.extend(
            shard_digest(shard.digest, contexts.digest(number), self.target)
            for number, shard in zip(self.numbers, self.shards, strict=True)
        )
        contexts.expect(self._lacking(write_shard, self.digests))
        for number, shard, digest in zip(self.numbers, self.shards, self.digests, strict=True):
            yield Task(digest, partial(self._records_task, shard, contexts, number))

    def links(self) -> Iterator[Task]:
        """Yield a task for the links of each shard, after all tasks of records were run."""
        contexts = ContextTables(self.tables, LINKS)
        digests = [
            shard_digest(digest, contexts.digest(number), self.target)
            for number, digest in zip(self.numbers, self.digests, strict=True)
        ]
        contexts.expect(self._lacking(write_links, digests))
        for number, records, digest in zip(self.numbers, self.digests, digests, strict=True):
            yield Task(digest, partial(self._links_task, records, contexts, number))

    def _lacking(self, step: Step, digests: Iterable[bytes]) -> Iterator[int]:
        """Yield the numbers of the shards without a stored result."""
        for number, digest in zip(self.numbers, digests, strict=True):
            if not self.steps.is_stored(step, digest):
                yield number

    def _records_task(self, shard: PaperShard, contexts: ContextTables, number: int) -> ShardTask:
        rows = ContextRows(*contexts.rows(number))
        return ShardTask(_chunk(shard, self.cache), rows, self.run, self.target)

    def _links_task(self, records: bytes, contexts: ContextTables, number: int) -> LinksTask:
        linkable = self.steps.result(write_shard, records)[LINKABLE]
        return LinksTask(linkable, CitedRows(*contexts.rows(number)), self.run, self.target)


def _chunk(shard: PaperShard, cache: ExtractionCache) -> Chunk:
    """Read the papers of a shard."""
    papers = shard.read()
    files = cache.files_of(papers)
    texts = tuple(paper.text for paper in papers)
    return Chunk(cache.folder, files, tuple(paper.read() for paper in papers), texts)


def _name_task(shard: PaperShard, cache: ExtractionCache, listed: ListedNames) -> NameTask:
    return NameTask(_chunk(shard, cache), listed)


def _most_used(tables: DuckDbTables, vocabulary: Vocabulary) -> MostUsed:
    rows = [*tables.select(_MOST_USED)]
    papers = {row[0]: row[-1] for row in rows}
    return most_used((entity_of(row[:-1]) for row in rows), papers, vocabulary)
