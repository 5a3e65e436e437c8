"""The context of each shard in the whole corpus: rows of the tables, and a digest of them.

The database computes the digest; the rows are only read for shards that are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from citekg.building.out_of_core.shards import ContextRows
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.vocabulary import INTRODUCES, MIN_CONFIDENCE

_SENSES: Final = "SELECT DISTINCT shard, paper, key, target FROM resolved_paper_name"
#: The entities that the papers of each shard name or introduce, with the data that the shard needs.
#: The introducer is included only if a paper of the shard links to it, under the conditions of
#: `citekg.inference.citation_links`: another paper, not an earlier one, and no plain words. Counts
#: and most names are left out, because they change with every paper that names the entity.
_ENTITIES: Final = f"""
    WITH used AS (
        SELECT shard, target FROM resolved_paper_name
        UNION SELECT p.shard, i.target FROM introduction AS i JOIN paper AS p ON p.paper = i.paper
    ),
    head AS (
        SELECT t.shard, f.target, LIST(DISTINCT f.name ORDER BY f.name) AS names
        FROM listed_form AS f JOIN title_head AS t ON t.key = f.key GROUP BY t.shard, f.target
    ),
    introducer AS (
        SELECT b.target, b.paper, COALESCE(b.date, p.date) AS date FROM introduced_by AS b
        LEFT JOIN paper AS p ON p.paper = b.paper WHERE b.target NOT IN (SELECT target FROM plain)
    ),
    cited AS (
        SELECT DISTINCT p.shard, b.target, b.paper, b.date FROM resolved_paper_role AS r
        JOIN introducer AS b ON b.target = r.target AND b.paper <> r.paper
        JOIN paper AS p ON p.paper = r.paper LEFT JOIN listed AS l ON l.target = r.target
        WHERE (r.role <> '{INTRODUCES}' OR r.confidence < {MIN_CONFIDENCE} OR l.paper IS NOT NULL)
            AND LEFT(b.date, LENGTH(p.date)) <= LEFT(p.date, LENGTH(b.date))
    )
    SELECT u.shard, e.id, e.type, COALESCE(h.names, []) AS names, l.paper AS listed,
        b.paper AS introducer, b.date
    FROM used AS u JOIN entity AS e ON e.key = u.target
    LEFT JOIN listed AS l ON l.target = u.target
    LEFT JOIN head AS h ON h.shard = u.shard AND h.target = u.target
    LEFT JOIN cited AS b ON b.shard = u.shard AND b.target = u.target"""  # noqa: S608  # constants
_INTRODUCTIONS: Final = """
    SELECT DISTINCT p.shard, i.paper, i.entity FROM introduction AS i
    JOIN paper AS p ON p.paper = i.paper"""
#: The papers that papers cite, by their names in reference lists. A paper of the corpus takes
#: precedence over a stub of the same name, and of several papers the last one by id.
_CITATIONS: Final = """
    WITH own AS (SELECT name, MAX(paper) AS paper FROM citation_name WHERE stub = 0 GROUP BY name),
    other AS (
        SELECT name, MAX(paper) AS paper FROM citation_name
        WHERE stub = 1 AND name NOT IN (SELECT name FROM own) GROUP BY name
    )
    SELECT DISTINCT r.shard, r.paper AS citing, c.paper AS cited FROM reference AS r
    JOIN (SELECT * FROM own UNION ALL SELECT * FROM other) AS c ON c.name = r.name
    WHERE r.paper <> c.paper"""
#: The tables of the rows by shard, in the order of the fields of `ContextRows`.
_ROWS: Final = {
    "shard_sense": _SENSES,
    "shard_entity": _ENTITIES,
    "shard_introduction": _INTRODUCTIONS,
    "shard_citation": _CITATIONS,
}
#: The digest of the distinct rows of each shard, without the number of the shard.
_DIGESTS: Final = """
    SELECT shard, HEX(BIT_XOR(MD5_NUMBER(line))) FROM ({}) AS l GROUP BY shard ORDER BY shard"""
_LINES: Final = """
    SELECT shard, '{table} ' || CAST(JSON_ARRAY(*COLUMNS(* EXCLUDE (shard))) AS VARCHAR) AS line
    FROM {table}"""


@dataclass(frozen=True)
class ShardRows:
    """The rows of a shard, with their digest."""

    shard: int
    digest: str
    tables: Tables

    def read(self) -> ContextRows:
        """Return the rows."""
        return ContextRows(*map(self._rows, _ROWS))

    def _rows(self, table: str) -> list[Row]:
        query = f"SELECT * EXCLUDE (shard) FROM {table} WHERE shard = {self.shard}"  # noqa: S608  # an internal name
        return [*self.tables.select(query)]


def contexts_of(tables: Tables) -> Iterator[ShardRows]:
    """Yield the context of each shard, in the order of the shards.

    A shard without context rows has an empty digest.
    """
    for table, query in _ROWS.items():
        tables.execute(f"CREATE TABLE {table} AS {query} ORDER BY ALL")
    lines = " UNION ALL ".join(_LINES.format(table=table) for table in _ROWS)
    digests: dict[int, str] = dict(tables.select(_DIGESTS.format(lines)))
    ((number,),) = tables.select("SELECT MAX(shard) + 1 FROM paper")
    for shard in range(number or 0):
        yield ShardRows(shard, digests.get(shard, ""), tables)
