"""A cache of the results of functions of keys, so that a build runs them only for changed keys.

The result for a key depends only on its rows; the database computes a digest of them. If the key
had the same digest in the last build, the stored rows that the function returned then are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from citekg.linking.batches import KeyFunction, Rows, by_key, in_batches, name_of
from citekg.linking.duckdb_tables import STORED, DuckDbTables, digest_of
from citekg.linking.name_tables import RESULT_TABLES, TABLES, Row, typed

if TYPE_CHECKING:
    from citekg.building.execution.processes import Runner
    from citekg.extractors.pipeline import ExtractionPipeline

#: The digests of the keys are stored like the rows of a table.
_DIGEST: Final = "digest"
_COLUMNS: Final[Mapping[str, str]] = {
    **{table: typed(columns) for table, columns in TABLES.items()},
    _DIGEST: "digest UBIGINT",
}
#: The temporary tables of a call, and their rows. The digest of a key does not depend on the order
#: of its rows, which are distinct.
_TEMPORARY: Final = {
    "input": "SELECT * FROM ({query}) AS q(key)",
    "input_digest": f"""
        SELECT key, {digest_of("*COLUMNS(*)")} AS digest FROM input GROUP BY key""",  # noqa: S608  # a constant
    "outdated": """
        SELECT COALESCE(i.key, s.of) AS key FROM input_digest AS i
        FULL JOIN (SELECT * FROM {digests} {where}) AS s ON s.of = i.key
        WHERE s.digest IS DISTINCT FROM i.digest""",
    f"new_{_DIGEST}": "SELECT * FROM input_digest WHERE key IN (SELECT key FROM outdated)",
}
_CHANGED: Final = "SELECT * FROM input WHERE key IN (SELECT key FROM outdated)"


class CachedRows:
    """A `PerKey` in which workers apply functions to the keys that changed since the last build.

    The results of each call are stored in a schema of their own, and change together.
    """

    def __init__(
        self,
        tables: DuckDbTables,
        runner: Runner,
        pipeline: ExtractionPipeline,
        *,
        compares_all: bool = True,
    ) -> None:
        """Store the results in the tables.

        With `compares_all`, all keys are compared with the stored results, not only those that may
        have changed.
        """
        self._tables, self._runner, self._pipeline = tables, runner, pipeline
        self._compares_all = compares_all
        self._calls = Counter[str]()
        #: The queries of the rows of each table that is a view.
        self._views = defaultdict[str, list[str]](list)

    def __call__(self, function: KeyFunction, query: str, touched: str = "") -> None:
        """Insert the rows that the function returns for each key of a query into the tables."""
        where = f"WHERE of IN ({touched})" if touched and not self._compares_all else ""
        name = name_of(function)
        self._calls[name] += 1
        results = _Results(self._tables, f"{name}_{self._calls[name]}")
        for table, selected in _TEMPORARY.items():
            found = selected.format(query=query, digests=results.place(_DIGEST), where=where)
            self._tables.execute(f"CREATE TABLE {table} AS {found}")
        for batch in self._run(function, in_batches(self._tables.select_sorted(_CHANGED))):
            for table, rows in batch.items():
                results.add(table, rows)
        results.replace_outdated()
        for table in _TEMPORARY:
            self._tables.execute(f"DROP TABLE {table}")
        for table, selected in results.selections():
            self._add(table, selected)

    def remove_others(self) -> None:
        """Remove the results of calls that this build did not make."""
        for schema in self._tables.stored_schemas():
            name, _, call = schema.rpartition("_")
            if int(call) > self._calls[name]:
                self._tables.execute(f"DROP SCHEMA {STORED}.{schema} CASCADE")

    def _add(self, table: str, rows: str) -> None:
        """Add the rows of a query to a table of linking, which is a view if it has no others."""
        if table not in RESULT_TABLES:
            self._tables.execute(f"INSERT INTO {table} {rows}")
            return
        queries = self._views[table]
        queries.append(rows)
        union = " UNION ALL ".join(queries)
        replaced = [f"DROP TABLE {table}"] if len(queries) == 1 else []
        self._tables.execute(*replaced, f"CREATE OR REPLACE VIEW {table} AS {union}")

    def _run(self, function: KeyFunction, batches: Iterator[list[Row]]) -> Iterator[Rows]:
        """Yield the results for each batch; a single batch is processed without workers."""
        first = [*islice(batches, 2)]
        if len(first) > 1:
            return self._runner(_ByKey(function), chain(first, batches))
        return (by_key(function, self._pipeline.lexicon, batch) for batch in first)


class _Results:
    """The stored results of a call: tables with a key before the columns of the result."""

    def __init__(self, tables: DuckDbTables, schema: str) -> None:
        self._tables, self._schema = tables, schema
        self._stored, self._new = {*tables.stored_in(schema)}, set[str]()
        self._make(_DIGEST)
        self._new.add(_DIGEST)

    def place(self, table: str) -> str:
        """Return the name of a stored table in SQL."""
        return f"{STORED}.{self._schema}.{table}"

    def add(self, table: str, rows: Iterable[Row]) -> None:
        """Add new rows, which `replace_outdated` stores."""
        if table not in self._new:
            self._new.add(table)
            self._make(table)
            self._tables.execute(f"CREATE TABLE new_{table} ({_typed(table)})")
        self._tables.insert(f"new_{table}", rows)

    def replace_outdated(self) -> None:
        """Store the new rows in place of those of outdated keys."""
        deleted = (
            f"DELETE FROM {self.place(table)} WHERE of IN (SELECT key FROM outdated)"  # noqa: S608  # an internal name
            for table in self._stored
        )
        inserted = (
            f"INSERT INTO {self.place(table)} SELECT * FROM new_{table}"  # noqa: S608  # internal names
            for table in self._new
        )
        self._tables.execute(*deleted, *inserted)
        for table in self._new - {_DIGEST}:
            self._tables.execute(f"DROP TABLE new_{table}")

    def selections(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each table of linking with the query of all rows for it."""
        for table in sorted(self._stored - {_DIGEST}):
            yield table, f"SELECT * EXCLUDE (of) FROM {self.place(table)}"  # noqa: S608  # an internal name

    def _make(self, table: str) -> None:
        if table not in self._stored:
            self._stored.add(table)
            self._tables.execute(f"CREATE TABLE {self.place(table)} ({_typed(table)})")


def _typed(table: str) -> str:
    return f"of VARCHAR, {_COLUMNS[table]}"


@dataclass(frozen=True)
class _ByKey:
    """A function of keys as a function of a pipeline and a batch, for a runner."""

    of_key: KeyFunction

    @property
    def __name__(self) -> str:
        return name_of(self.of_key)

    def __call__(self, pipeline: ExtractionPipeline, batch: Iterable[Row]) -> Rows:
        return by_key(self.of_key, pipeline.lexicon, batch)
