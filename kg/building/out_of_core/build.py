"""Building a graph out of core: linking queries tables on disk, and workers write the shards.

Extraction runs as for any graph. Then the build writes the names of all papers to tables on disk,
which linking queries (`citekg.linking`). Each shard is written with the data of the corpus it
needs. No process holds all entities; only topics keep the ids of entities and papers in memory.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from citekg.building.execution.processes import Runner
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.incremental.kept_rows import KeptRows
from citekg.building.incremental.kept_steps import KeptSteps, Task
from citekg.building.out_of_core.introducing import (
    known_introductions_of,
    settle_introductions,
    stubs_of,
)
from citekg.building.out_of_core.shards import (
    Chunk,
    ContextRows,
    NameTask,
    ShardTask,
    name_tables,
    papers_digest,
    shard_digest,
    shard_result,
    write_shard,
)
from citekg.building.out_of_core.stored_entities import StoredEntities
from citekg.building.out_of_core.target import PartitionTarget, WrittenShard
from citekg.exports.tables.partitioned import SHARD_SIZE, head, in_shards
from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.known_introductions import KnownIntroductions, ListedNames
from citekg.inference.link_conditions import plain_entities
from citekg.linking import link_names
from citekg.linking.batches import Groups
from citekg.linking.entity_rows import ENTITY, entity_of
from citekg.linking.name_tables import DuckDbTables, Row
from citekg.schemas.graph import reference_names
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Paper, Run, Topic
from citekg.schemas.topics import find_topics
from citekg.schemas.vocabulary import INTRODUCES, MIN_CONFIDENCE, Vocabulary
from citekg.sources.keyed_papers import KeyedPaper, keyed_papers
from citekg.summary import TOP_LIMIT, Counts, MostUsed, counts_of, most_used

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

#: The entities of neighbouring shards are mostly the same.
_entity_of: Final = lru_cache(20_000)(entity_of)
_SENSES: Final = (
    "SELECT DISTINCT shard, paper, key, target FROM resolved_paper_name ORDER BY 1, 2, 3, 4"
)
#: The entities that the papers of each shard name or introduce; with what the shard needs to know.
#: That includes the introducer only where another paper of the shard may link to it.
_ENTITIES_BY_SHARD: Final = f"""
    WITH used AS (
        SELECT shard, target FROM resolved_paper_name
        UNION SELECT p.shard, i.target FROM introduction AS i JOIN paper AS p ON p.paper = i.paper
    ),
    cited AS (
        SELECT DISTINCT p.shard, b.target, b.paper, b.date FROM resolved_paper_role AS r
        JOIN introduced_by AS b ON b.target = r.target AND b.paper <> r.paper
        JOIN paper AS p ON p.paper = r.paper LEFT JOIN listed AS l ON l.target = r.target
        WHERE r.role <> '{INTRODUCES}' OR r.confidence < {MIN_CONFIDENCE} OR l.paper IS NOT NULL
    )
    SELECT u.shard, l.paper, b.paper, COALESCE(b.date, p.date), {ENTITY}
    FROM used AS u JOIN entity AS e ON e.key = u.target
    LEFT JOIN family_of AS f ON f.key = u.target LEFT JOIN listed AS l ON l.target = u.target
    LEFT JOIN cited AS b ON b.shard = u.shard AND b.target = u.target
    LEFT JOIN paper AS p ON p.paper = b.paper
    ORDER BY u.shard, e.id, e.key, l.paper, b.paper"""  # noqa: S608  # constants
_INTRODUCTIONS_BY_SHARD: Final = """
    SELECT p.shard, i.paper, i.entity FROM introduction AS i JOIN paper AS p ON p.paper = i.paper
    ORDER BY p.shard, i.paper, i.entity"""
_TYPES: Final = "SELECT type, COUNT(*) FROM entity GROUP BY type ORDER BY type"
#: The entities of each type that most papers name, with the number of papers.
_MOST_USED: Final = f"""
    WITH used AS (
        SELECT target, COUNT(*) AS papers FROM (
            SELECT DISTINCT target, paper FROM resolved_paper_name
        ) AS d GROUP BY target
    ),
    ranked AS (
        SELECT {ENTITY}, u.papers, ROW_NUMBER() OVER (
            PARTITION BY e.type ORDER BY u.papers DESC, e.name
        ) AS place
        FROM used AS u JOIN entity AS e ON e.key = u.target
        LEFT JOIN family_of AS f ON f.key = u.target
    )
    SELECT * FROM ranked WHERE place <= {TOP_LIMIT} ORDER BY type, place"""  # noqa: S608  # a constant
_NAMED: Final = "SELECT paper, entity, weight FROM named_entity ORDER BY paper, entity"
_OFTEN_NAMED: Final = """
    SELECT entity FROM named_entity GROUP BY entity HAVING COUNT(*) > 1
    ORDER BY COUNT(*) DESC, entity LIMIT 20000"""
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
    steps: KeptSteps,
) -> tuple[list[str], Counts]:
    """Write the graph of papers with cached extractions; return the list files and the counts.

    `steps` are the results that earlier builds kept. Raises `FolderError` if a folder cannot be
    written to or an extraction is missing, and `MissingPackage` without DuckDB and pyarrow.
    """
    target.begin()
    vocabulary = pipeline.lexicon.vocabulary
    with (
        tempfile.TemporaryDirectory(prefix="kg-") as folder,
        closing(DuckDbTables(Path(folder))) as tables,
    ):
        listed = ListedNames.of(introduced_in)
        naming = (
            Task(papers_digest(shard), partial(_naming, shard, cache, listed))
            for shard in in_shards(keyed_papers(papers), SHARD_SIZE)
        )
        for number, found in enumerate(steps.run(runner, name_tables, naming)):
            for table, data in found.items():
                tables.load(table, data, number)
        per_key = KeptRows(tables, steps, runner, pipeline)
        link_names(tables, pipeline.lexicon, per_key)
        matches = tables.select("SELECT name, paper FROM listed_name")
        known = KnownIntroductions.of_matches(introduced_in, matches, pipeline.lexicon)
        settle_introductions(tables, known, per_key)
        entities, stubs = StoredEntities(tables), stubs_of(tables)
        names = ((stub.id, name, 1) for stub in stubs for name in sorted(reference_names(stub)))
        tables.insert("citation_name", names)
        writing = (
            Task(
                shard_digest(papers_digest(shard), context, target),
                partial(_writing, shard, cache, context, run, target),
            )
            for shard, context in _with_context(in_shards(keyed_papers(papers), SHARD_SIZE), tables)
        )
        introduced = known_introductions_of(tables)
        rest = head((), stubs, introduced, run, vocabulary, topics=())
        written: list[WrittenShard] = []
        counts = replace(
            counts_of(rest),
            types=Counter(dict(tables.select(_TYPES))),
            most_used=_most_used(tables, vocabulary),
        )

        def is_there(result: dict[str, bytes]) -> bool:
            written, _ = shard_result(result, vocabulary)
            return all(target.is_whole(file) for one in written for file in one.files)

        for result in steps.run(runner, write_shard, writing, is_there):
            files, counted = shard_result(result, vocabulary)
            written += files
            counts += counted
            tables.load("named_entity", result["named_entity"], 0)
        topics = _topics(tables, entities)
        rest = replace(rest, entities=cast("tuple[Entity, ...]", entities), stated_topics=topics)
        lists = target.finish(rest, written)
        steps.forget_others()
        return lists, counts


def _topics(tables: DuckDbTables, entities: StoredEntities) -> tuple[Topic, ...]:
    """Return the topics of the corpus; the papers are read from the table several times.

    Most entities that name topics are among those that most papers name.
    """
    entities.read_at_once(_OFTEN_NAMED)

    def papers() -> Iterator[tuple[str, dict[str, float]]]:
        for paper, rows in groupby(tables.select(_NAMED), itemgetter(0)):
            yield paper, {entity: weight for _, entity, weight in rows}

    return find_topics(entities.by_id, papers)


def _chunk(papers: Iterable[KeyedPaper], cache: ExtractionCache) -> Chunk:
    """Read the papers of a shard."""
    files = cache.files_of(papers)
    return Chunk(cache.folder, files, tuple(paper.read() for paper in papers))


def _naming(
    papers: tuple[KeyedPaper, ...], cache: ExtractionCache, listed: ListedNames
) -> NameTask:
    return NameTask(_chunk(papers, cache), listed)


def _writing(
    papers: tuple[KeyedPaper, ...],
    cache: ExtractionCache,
    context: ContextRows,
    run: Run,
    target: PartitionTarget,
) -> ShardTask:
    return ShardTask(_chunk(papers, cache), context, run, target)


def _most_used(tables: DuckDbTables, vocabulary: Vocabulary) -> MostUsed:
    rows = [*tables.select(_MOST_USED)]
    papers = {row[0]: row[-2] for row in rows}
    return most_used((entity_of(row[:-2]) for row in rows), papers, vocabulary)


def _with_context(
    shards: Iterable[tuple[KeyedPaper, ...]], tables: DuckDbTables
) -> Iterator[tuple[tuple[KeyedPaper, ...], ContextRows]]:
    """Yield the shards, each with the context of its papers."""
    streams = [
        Groups(tables.select(query))
        for query in (_SENSES, _ENTITIES_BY_SHARD, _INTRODUCTIONS_BY_SHARD, _CITED)
    ]
    for number, shard in enumerate(shards):
        rows = ([row[1:] for row in stream.of(number)] for stream in streams)
        senses, entities, introductions, citations = rows
        yield shard, ContextRows(senses, _as_needed(entities, shard), introductions, citations)


def _as_needed(entities: Iterable[Row], shard: Iterable[KeyedPaper]) -> list[Row]:
    """Return rows of `_ENTITIES_BY_SHARD` without what the shard does not depend on.

    The counts and most names of an entity change with every paper that names it.
    """
    heads = {key(paper.head) for paper in shard if paper.head}
    return [
        (row[3], row[5], *_names_needed(row[3:], heads, listed=row[0] is not None), *row[:3])
        for row in entities
    ]


def _names_needed(row: Row, heads: set[str], *, listed: bool) -> tuple[bool, tuple[str, ...]]:
    """Return whether an entity is too vague for a link, and its names that begin titles."""
    entity = _entity_of(row)
    if not listed:
        return bool(plain_entities([entity], ())), ()
    return False, tuple(name for name in entity.names if key(name) in heads)
