"""Where linking looks things up: tables that are asked in SQL, so that only what is asked for comes into memory.

The same questions go to SQLite in memory, for a graph that is held there as a whole, and to DuckDB on disk, for
one that is written in parts (`citekg.building.out_of_core.shards`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from citekg.schemas.errors import FolderError, MissingPackage, first_line

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

Row = tuple[Any, ...]
Kind = Literal["text", "number", "share"]

#: What papers call things (`citekg.linking.input_rows`), then what linking finds, then what else is looked up of a graph that
#: is written in parts: papers on the list of introductions, what papers are called on lists of references, and these.
TABLES: Final[dict[str, dict[str, Kind]]] = {
    "named": {
        "shard": "number", "paper": "text", "since": "text", "key": "text", "name": "text", "type": "text",
        "short": "text", "introduced": "number",
    },
    "short_form": {"paper": "text", "key": "text", "short": "text"},
    "surface": {"paper": "text", "key": "text", "form": "text"},
    "role": {"paper": "text", "key": "text", "role": "text", "confidence": "share"},
    "same": {"key": "text", "target": "text"},
    "definition": {"short": "text", "long": "text", "contested": "number"},
    "namesake": {"key": "text", "short": "text"},
    "told": {"paper": "text", "key": "text", "target": "text"},
    "listed": {"paper": "text"},
    "called": {"paper": "text", "name": "text", "stub": "number"},
    "reference": {"shard": "number", "paper": "text", "name": "text"},
}  # fmt: skip
_SQL_TYPES: Final[dict[Kind, str]] = {"text": "VARCHAR", "number": "BIGINT", "share": "DOUBLE"}
#: How many rows are handed over at once.
_MANY: Final = 50_000
#: What DuckDB may hold in memory before it goes to disk.
_MEMORY: Final = "512MB"


class Tables(Protocol):
    """The tables, wherever they lie."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table."""

    def select(self, question: str) -> Iterator[Row]:
        """The rows that answer a question."""


class SqliteTables:
    """The tables in SQLite, in memory."""

    def __init__(self) -> None:
        """Empty tables."""
        import sqlite3

        self._base = sqlite3.connect(":memory:")
        for made in _made():
            self._base.execute(made)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table."""
        self._base.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(TABLES[table]))})", rows)  # noqa: S608

    def select(self, question: str) -> Iterator[Row]:
        """The rows that answer a question."""
        return self._base.execute(question)


class DuckDbTables:
    """The tables in DuckDB, in a file of a folder; what does not fit into memory lies there.

    Everything raises `FolderError` where the disk is full or cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        """Empty tables; raises `MissingPackage` without DuckDB and pyarrow."""
        try:
            import duckdb
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError as error:
            raise MissingPackage("--partitioned", "duckdb and pyarrow", "scale") from error
        self._folder, self._fault, self._arrow, self._parquet = folder, duckdb.Error, pa, pq
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": _MEMORY,
            "temp_directory": str(folder / "spilled"),
        }
        with self._telling():
            self._base: duckdb.DuckDBPyConnection = duckdb.connect(str(folder / "tables.duckdb"), config=settings)
            for made in _made():
                self._base.execute(made)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table, many at a time through Arrow."""
        rest = iter(rows)
        while some := list(islice(rest, _MANY)):
            self._insert(table, self._arrow.table(list(zip(*some, strict=True)), names=[*TABLES[table]]))

    def load(self, table: str, data: bytes) -> None:
        """Put the rows of a Parquet file into a table, in their order."""
        self._insert(table, self._parquet.read_table(self._arrow.BufferReader(data)))

    def select(self, question: str) -> Iterator[Row]:
        """The rows that answer a question, some at a time."""
        with self._telling(), closing(self._base.cursor()) as cursor:
            cursor.execute(question)
            while some := cursor.fetchmany(_MANY):
                yield from some

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def _insert(self, table: str, rows: pa.Table) -> None:
        with self._telling(), closing(self._base.cursor()) as cursor:
            cursor.register("rows", rows)
            cursor.execute(f"INSERT INTO {table} SELECT * FROM rows")  # noqa: S608  # a name of ours

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except self._fault as error:
            told = f"{self._folder}: the tables of names cannot be kept there: {first_line(error)}"
            raise FolderError(told) from error


def _made() -> Iterator[str]:
    """What makes the tables, and a view `meant_...` of each that says what its rows' names mean.

    That is what the row's paper means by the name, where it tells, or else what the name stands for everywhere.
    """
    for table, columns in TABLES.items():
        yield f"CREATE TABLE {table} ({', '.join(f'{name} {_SQL_TYPES[kind]}' for name, kind in columns.items())})"
    for table in ("named", "surface", "role"):
        yield f"""
            CREATE VIEW meant_{table} AS SELECT r.*, COALESCE(t.target, s.target) AS target
            FROM {table} AS r JOIN same AS s ON s.key = r.key
            LEFT JOIN told AS t ON t.paper = r.paper AND t.key = r.key"""  # noqa: S608  # names of ours
