"""What each shard takes from the rest of the corpus: rows of the tables, and a digest of them.

The database computes the digest; the rows are only read for shards that are written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from citekg.linking.duckdb_tables import digest_of
from citekg.linking.name_tables import Row, Tables, listed
from citekg.schemas.vocabulary import INTRODUCES, MIN_CONFIDENCE

#: The names in the papers of each shard whose entity has another key.
_SENSES: Final = """
    SELECT DISTINCT shard, paper, key, target FROM resolved_paper_name WHERE target <> key"""
#: The entities that the papers of each shard name or introduce, with the data that the shard needs.
#: Counts and most names are left out, because they change with every paper that names the entity.
#: The paper on the list of introductions matters only to claims of introduction, and to itself.
_ENTITIES: Final = f"""
    WITH used AS (
        SELECT shard, target FROM resolved_paper_name
        UNION SELECT p.shard, i.target FROM introduction AS i JOIN paper AS p ON p.paper = i.paper
    ),
    head AS (
        SELECT t.shard, f.target, LIST(DISTINCT f.name ORDER BY f.name) AS names
        FROM listed_form AS f JOIN title_head AS t ON t.key = f.key GROUP BY t.shard, f.target
    ),
    listed_in AS (
        SELECT DISTINCT r.shard, l.target, l.paper FROM listed AS l
        JOIN resolved_paper_role AS r ON r.target = l.target
            AND (r.role = '{INTRODUCES}' OR r.paper = l.paper)
    )
    SELECT u.shard, e.id, e.type, COALESCE(h.names, []) AS names, COALESCE(l.paper, '') AS listed
    FROM used AS u JOIN entity AS e ON e.key = u.target
    LEFT JOIN listed_in AS l ON l.shard = u.shard AND l.target = u.target
    LEFT JOIN head AS h ON h.shard = u.shard AND h.target = u.target"""  # noqa: S608  # a constant
_INTRODUCTIONS: Final = """
    SELECT DISTINCT p.shard, i.paper, i.entity FROM introduction AS i
    JOIN paper AS p ON p.paper = i.paper"""
#: The entities to whose introducers papers of each shard link, under the conditions of
#: `citekg.inference.citation_links`: another paper, not a later one, and no plain words.
_INTRODUCERS: Final = f"""
    WITH introducer AS (
        SELECT b.target, b.paper, COALESCE(b.date, p.date) AS date FROM introduced_by AS b
        LEFT JOIN paper AS p ON p.paper = b.paper WHERE b.target NOT IN (SELECT target FROM plain)
    )
    SELECT DISTINCT r.shard, e.id, e.type, b.paper AS introducer, b.date
    FROM resolved_paper_role AS r
    JOIN introducer AS b ON b.target = r.target AND b.paper <> r.paper
    JOIN entity AS e ON e.key = r.target
    LEFT JOIN listed AS l ON l.target = r.target
    WHERE (r.role <> '{INTRODUCES}' OR r.confidence < {MIN_CONFIDENCE} OR l.paper IS NOT NULL)
        AND LEFT(b.date, LENGTH(r.date)) <= LEFT(r.date, LENGTH(b.date))"""  # noqa: S608  # constants
#: The papers that papers cite, by their names in reference lists. A paper of the corpus takes
#: precedence over a stub of the same name, and of several papers the last one by id.
_CITATIONS: Final = """
    WITH own AS (SELECT name, MAX(paper) AS paper FROM citation_name GROUP BY name),
    other AS (
        SELECT name, MAX(paper) AS paper FROM stub_name
        WHERE name NOT IN (SELECT name FROM own) GROUP BY name
    )
    SELECT DISTINCT r.shard, r.paper AS citing, c.paper AS cited FROM reference AS r
    JOIN (SELECT * FROM own UNION ALL SELECT * FROM other) AS c ON c.name = r.name
    WHERE r.paper <> c.paper"""
#: The tables of the rows for the records of a shard, in the order of the fields of `ContextRows`.
RECORDS: Final[Mapping[str, str]] = {
    "shard_sense": _SENSES,
    "shard_entity": _ENTITIES,
    "shard_introduction": _INTRODUCTIONS,
}
#: The tables of the rows for its links and citations, in the order of the fields of `CitedRows`.
LINKS: Final[Mapping[str, str]] = {
    "shard_introducer": _INTRODUCERS,
    "shard_citation": _CITATIONS,
}
#: The digest of the rows of each shard in a table, without the number of the shard.
_DIGESTS: Final = f"""
    SELECT shard, {digest_of("*COLUMNS(* EXCLUDE (shard))")} FROM {{}} GROUP BY shard"""  # noqa: S608  # an internal name
_ROWS: Final = "SELECT * FROM {} WHERE shard IN ({})"
#: The number of shards whose rows are read together, because each query reads a whole table.
_READ_AT_ONCE: Final = 32


class ContextTables:
    """The rows of each shard in new tables, and a digest of them, which is empty without rows.

    The tables are not sorted by shard: that needs more memory than the database has.
    """

    def __init__(self, tables: Tables, queries: Mapping[str, str]) -> None:
        """Create the tables by these queries."""
        self._tables, self._names = tables, tuple(queries)
        self._digests: dict[int, str] = defaultdict(str)
        self._expected: dict[int, None] = {}
        self._read: dict[int, list[list[Row]]] = {}
        for table, query in queries.items():
            tables.execute(f"CREATE TABLE {table} AS {query}")
            for shard, digest in tables.select(_DIGESTS.format(table)):
                self._digests[shard] += f"{table} {digest:x} "

    def digest(self, shard: int) -> str:
        """Return the digest of the rows of a shard."""
        return self._digests[shard]

    def expect(self, shards: Iterable[int]) -> None:
        """Give the shards whose rows will probably be read, in this order."""
        self._expected = dict.fromkeys(shards)

    def rows(self, shard: int) -> list[list[Row]]:
        """Return the sorted rows of a shard in each table, once."""
        if shard not in self._read:
            self._expected.pop(shard, None)
            following = [*islice(self._expected, _READ_AT_ONCE - 1)]
            for one in following:
                del self._expected[one]
            self._read_rows([shard, *following])
        return [*map(sorted, self._read.pop(shard))]

    def _read_rows(self, shards: Sequence[int]) -> None:
        self._read |= {shard: [[] for _ in self._names] for shard in shards}
        numbers = listed(shards)
        for place, table in enumerate(self._names):
            for shard, *cells in self._tables.select(_ROWS.format(table, numbers)):
                self._read[shard][place].append(tuple(cells))
