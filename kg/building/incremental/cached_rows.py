"""A cache of the results of functions of keys, so that a build runs them only for changed keys.

The result for a key depends only on its rows; the database computes a digest of them. If the key
had the same digest in the last build, the rows that the function returned then are used again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from citekg.building.incremental.cached_steps import CachedSteps
from citekg.linking.batches import KeyFunction, Rows, by_key, in_batches, name_of
from citekg.linking.name_tables import TABLES, ColumnType, DuckDbTables, Row, typed

if TYPE_CHECKING:
    from citekg.building.execution.processes import Runner
    from citekg.extractors.pipeline import ExtractionPipeline

#: The maximum number of rows of a file.
_FILE_ROWS: Final = 200_000
#: The digests of the keys are stored like the rows of a table.
_DIGEST: Final = "digest"
_COLUMNS: Final[Mapping[str, dict[str, ColumnType]]] = {**TABLES, _DIGEST: {"digest": "text"}}
_INPUT: Final = "CREATE TABLE input AS SELECT * FROM ({}) AS q(key)"
#: The digest of a key does not depend on the order of its rows, which are distinct.
_INPUT_DIGEST: Final = """
    CREATE TABLE input_digest AS
    SELECT key, HEX(BIT_XOR(MD5_NUMBER(CAST(TO_JSON(i) AS VARCHAR)))) AS digest
    FROM input AS i GROUP BY key"""
_UNCHANGED: Final = """
    CREATE TABLE unchanged AS SELECT i.key FROM input_digest AS i
    JOIN cached_digest AS k ON k.of = i.key AND k.digest = i.digest"""
_TEMPORARY: Final = ("input", "input_digest", "unchanged")
_CHANGED: Final = "SELECT * FROM input WHERE key NOT IN (SELECT key FROM unchanged) ORDER BY ALL"


class CachedRows:
    """A `PerKey` in which workers apply functions to the keys that changed since the last build."""

    def __init__(
        self, tables: DuckDbTables, steps: CachedSteps, runner: Runner, pipeline: ExtractionPipeline
    ) -> None:
        """Store the results in the folder of the steps."""
        self._tables, self._steps = tables, steps
        self._runner, self._pipeline = runner, pipeline
        self._calls = Counter[str]()

    def __call__(self, function: KeyFunction, query: str) -> None:
        """Insert the rows that the function returns for each key of a query into the tables."""
        name = name_of(function)
        self._calls[name] += 1
        label = f"{name} {self._calls[name]}"
        cached = self._load(label)
        for statement in (_INPUT.format(query), _INPUT_DIGEST, _UNCHANGED):
            self._tables.execute(statement)
        cached.remove_changed()
        for found in self._run(function, in_batches(self._tables.select(_CHANGED))):
            for table, rows in found.items():
                cached.insert(table, rows)
        self._steps.keep(label, cached.parts())
        cached.move()
        for table in _TEMPORARY:
            self._tables.execute(f"DROP TABLE {table}")

    def _load(self, label: str) -> _CachedTables:
        """Return the tables of the last build, or empty ones if a part of them is damaged."""
        cached = _CachedTables(self._tables)
        for table, parts in self._steps.parts(label).items():
            for name in parts:
                data = self._steps.part(name)
                if data is None:
                    cached.clear()
                    return cached
                cached.append(table, data)
        return cached

    def _run(self, function: KeyFunction, batches: Iterator[list[Row]]) -> Iterator[Rows]:
        """Yield the results for each batch; a single batch is processed without workers."""
        first = [*islice(batches, 2)]
        if len(first) > 1:
            return self._runner(_ByKey(function), chain(first, batches))
        return (by_key(function, self._pipeline.lexicon, batch) for batch in first)


class _CachedTables:
    """The tables `cached_...`: the key, then the columns of the result."""

    def __init__(self, tables: DuckDbTables) -> None:
        self._tables, self._names = tables, list[str]()
        self._make(_DIGEST)

    def append(self, table: str, data: bytes) -> None:
        """Insert the rows of a Parquet file."""
        self._make(table)
        self._tables.append(f"cached_{table}", data)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert new rows."""
        self._make(table)
        self._tables.insert(f"cached_{table}", rows)

    def clear(self) -> None:
        """Remove all rows."""
        for table in self._names:
            self._tables.execute(f"DELETE FROM cached_{table}")  # noqa: S608  # an internal name

    def remove_changed(self) -> None:
        """Remove the rows of keys that are not `unchanged`, and replace the digests."""
        for table in self._names[1:]:
            delete = f"DELETE FROM cached_{table} WHERE of NOT IN (SELECT key FROM unchanged)"  # noqa: S608  # an internal name
            self._tables.execute(delete)
        self._tables.execute("DELETE FROM cached_digest")
        self._tables.execute("INSERT INTO cached_digest SELECT * FROM input_digest")

    def parts(self) -> Iterator[tuple[str, bytes]]:
        """Yield the tables as Parquet files."""
        for table in self._names:
            rows = f"SELECT * FROM cached_{table} ORDER BY ALL"  # noqa: S608  # an internal name
            yield from ((table, data) for data in self._tables.parts(rows, _FILE_ROWS))

    def move(self) -> None:
        """Insert all rows, without their keys, into the tables of linking."""
        for table in self._names:
            if table != _DIGEST:
                rows = f"SELECT * EXCLUDE (of) FROM cached_{table}"  # noqa: S608  # an internal name
                self._tables.execute(f"INSERT INTO {table} {rows}")
            self._tables.execute(f"DROP TABLE cached_{table}")

    def _make(self, table: str) -> None:
        if table not in self._names:
            self._names.append(table)
            self._tables.execute(
                f"CREATE TABLE cached_{table} (of VARCHAR, {typed(_COLUMNS[table])})"
            )


@dataclass(frozen=True)
class _ByKey:
    """A function of keys as a function of a pipeline and a batch, for a runner."""

    of_key: KeyFunction

    @property
    def __name__(self) -> str:
        return name_of(self.of_key)

    def __call__(self, pipeline: ExtractionPipeline, batch: Iterable[Row]) -> Rows:
        return by_key(self.of_key, pipeline.lexicon, batch)
