"""The entities that may have changed since the last build of a folder: only they are linked again.

An entity depends on the names in papers that denote it. It may have changed if a changed shard
contains such a name, or if the cluster or the sense of a name changed. The stored tables therefore
hold the clusters and senses of the last build. If that build was killed, the stored results may
belong to its papers or to earlier ones: then all entities count as changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from citekg.linking import touch_all
from citekg.linking.duckdb_tables import STORED, DuckDbTables
from citekg.linking.name_tables import Tables, listed

#: The tables that the next build compares with its own, by the table that holds their rows.
_LAST: Final = {"last_cluster": "cluster", "last_sense": "paper_sense"}
_IS_COMPLETE: Final = "SELECT shards FROM last_build"
_FORGET: Final = f"DELETE FROM {STORED}.last_build"  # noqa: S608  # a constant
_COMPLETE: Final = f"INSERT INTO {STORED}.last_build SELECT COUNT(*) FROM stored_shard"  # noqa: S608  # a constant
_NAMES_OF_SHARDS: Final = """
    INSERT INTO changed_name SELECT DISTINCT key FROM paper_name WHERE shard IN ({})"""
_NAMES_WITH_OTHER_MEANINGS: Final = """
    INSERT INTO changed_name
    SELECT key FROM (SELECT * FROM cluster EXCEPT SELECT * FROM last_cluster) AS a
    UNION SELECT key FROM (SELECT * FROM last_cluster EXCEPT SELECT * FROM cluster) AS b
    UNION SELECT key FROM (SELECT * FROM paper_sense EXCEPT SELECT * FROM last_sense) AS c
    UNION SELECT key FROM (SELECT * FROM last_sense EXCEPT SELECT * FROM paper_sense) AS d"""
#: The entities that changed names denote, or denoted in the last build.
_TOUCHED: Final = """
    INSERT INTO touched_entity
    WITH meaning AS (
        SELECT key, target FROM cluster UNION ALL SELECT key, target FROM last_cluster
        UNION ALL SELECT key, target FROM paper_sense UNION ALL SELECT key, target FROM last_sense
    )
    SELECT key FROM changed_name
    UNION SELECT target FROM meaning WHERE key IN (SELECT key FROM changed_name)"""


class TouchedEntities:
    """Determines the entities that may have changed, and stores what the next build compares.

    `are_all` is whether there is no complete build to compare with.
    """

    def __init__(self, tables: DuckDbTables) -> None:
        """Compare with the last build of the tables."""
        self._tables = tables
        self.are_all = not [*tables.select(_IS_COMPLETE)]
        tables.execute(_FORGET)

    def add_names_of(self, shards: Iterable[int]) -> None:
        """Add the names in shards that are new, or whose rows are about to be removed."""
        if numbers := listed(shards):
            self._tables.execute(_NAMES_OF_SHARDS.format(numbers))

    def touch(self, tables: Tables) -> None:
        """Store the entities that may have changed, after the senses of all names are stored."""
        if self.are_all:
            touch_all(tables)
        else:
            tables.execute(_NAMES_WITH_OTHER_MEANINGS)
            tables.execute(_TOUCHED)

    def complete(self) -> None:
        """Store what the next build compares, after the last result for an entity is stored."""
        replaced = (
            statement
            for last, table in _LAST.items()
            for statement in (
                f"DELETE FROM {STORED}.{last}",  # noqa: S608  # internal names
                f"INSERT INTO {STORED}.{last} SELECT * FROM {table}",  # noqa: S608  # internal names
            )
        )
        self._tables.execute(*replaced, _COMPLETE)
