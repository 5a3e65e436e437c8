"""The tables of linking in DuckDB, which spills to disk, for a graph built out of core.

The data of papers and of the last build, and tables that callers create, are stored in a database
file, which later builds of the same folder use. All other tables are temporary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakSet

from citekg.linking.name_tables import STORED_TABLES, TABLES, VIEWS, Row, quoted, typed
from citekg.schemas.errors import FolderError, MissingPackage, first_line

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_Read = TypeVar("_Read")

#: The name of the database of the stored tables in SQL.
STORED: Final = "stored"
#: The number of rows that are transferred to or from DuckDB at once.
_BATCH: Final = 50_000
#: The memory limit of DuckDB, beyond which it spills to disk.
_MEMORY_LIMIT: Final = "256MB"
_TABLES_IN: Final = f"""
    SELECT table_name FROM duckdb_tables()
    WHERE database_name = '{STORED}' AND schema_name = '{{}}'"""  # noqa: S608  # a constant
_SCHEMAS: Final = f"""
    SELECT schema_name FROM duckdb_schemas()
    WHERE database_name = '{STORED}' AND NOT internal AND schema_name <> 'main'"""  # noqa: S608  # a constant


class DuckDbTables:
    """The tables in DuckDB, which spills to a folder what exceeds a limit of memory.

    Every method raises `FolderError` if the disk is full or cannot be written to, or if the file of
    the stored tables is damaged.
    """

    def __init__(self, folder: Path, stored: Path) -> None:
        """Spill to a folder; `stored` is the file of the stored tables.

        A file that is not a database is replaced. Raises `MissingPackage` without DuckDB and
        pyarrow.
        """
        if not (find_spec("duckdb") and find_spec("pyarrow")):
            raise MissingPackage("--partitioned", "duckdb and pyarrow", "scale")
        self._folder, self._stored = folder, stored
        self._numbers = count()
        self._readers = WeakSet[Generator[Any, None, None]]()

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        """The database.

        It is opened on first use. Both packages start threads, after which no process can fork.
        """
        import duckdb

        spilled = self._folder / "spilled"
        spilled.mkdir(exist_ok=True)  # a folder that cannot be written to is reported at once
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": _MEMORY_LIMIT,
            "temp_directory": str(spilled),
        }
        # The temporary tables are in memory: a file would have a log of each statement.
        connection = duckdb.connect(":memory:", config=settings)
        self._attach(connection)
        for statement in _schema():
            connection.execute(statement)
        return connection

    def _attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Open the stored tables; a file that cannot be opened is replaced, unless it is in use."""
        import duckdb

        attach = f"ATTACH {quoted(str(self._stored))} AS {STORED}"
        try:
            connection.execute(attach)
        except duckdb.Error as error:
            if "Could not set lock" in str(error):
                raise
            self._stored.unlink(missing_ok=True)
            self._stored.with_name(f"{self._stored.name}.wal").unlink(missing_ok=True)
            connection.execute(attach)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows into a table, in batches through Arrow."""
        import pyarrow as pa

        rest = iter(rows)
        while batch := list(islice(rest, _BATCH)):
            columns = list(zip(*batch, strict=True))
            self.insert_arrow({table: pa.table(columns, names=[*map(str, range(len(columns)))])})

    def insert_arrow(self, rows: Mapping[str, pa.Table]) -> None:
        """Insert the rows of several tables, all or none."""
        with self._transaction() as cursor:
            for table, some in rows.items():
                cursor.register("rows", some)
                place = f"{STORED}.{table}" if table in STORED_TABLES else table
                cursor.execute(f"INSERT INTO {place} SELECT * FROM rows")  # noqa: S608  # an internal name

    def execute(self, *statements: str) -> None:
        """Run statements that return no rows, all or none; they may change one database."""
        with self._transaction() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def select(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query, fetched in batches; sorted ones are stored first.

        A sort holds its memory until all its rows are read, so several that are read at once
        would exceed the limit.
        """
        return self._reader(self._rows(query))

    def select_sorted(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query, sorted by all cells; empty cells come first."""
        return self.select(f"SELECT * FROM ({query}) AS q ORDER BY ALL NULLS FIRST")  # noqa: S608  # an internal query

    def select_arrow(self, query: str, rows: int) -> Iterator[pa.Table]:
        """Yield Arrow tables of so many rows of a query, which are stored first."""
        return self._reader(self._arrow_tables(query, rows))

    def _reader(self, rows: Generator[_Read, None, None]) -> Generator[_Read, None, None]:
        self._readers.add(rows)
        return rows

    def _arrow_tables(self, query: str, rows: int) -> Generator[pa.Table, None, None]:
        with (
            self._folder_errors(),
            closing(self._connection.cursor()) as cursor,
            self._stored_result(cursor, query) as table,
        ):
            starts = count(0, rows)
            while len(found := _arrow_rows(cursor, table, next(starts), rows)):
                yield found

    def _rows(self, query: str) -> Generator[Row, None, None]:
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            if "ORDER BY" not in query:
                yield from _fetched(cursor, query)
                return
            with self._stored_result(cursor, query) as table:
                yield from _fetched(cursor, f"SELECT * FROM {table}")  # noqa: S608  # an internal name

    @contextmanager
    def _stored_result(self, cursor: duckdb.DuckDBPyConnection, query: str) -> Iterator[str]:
        """Store the rows of a query in a new table; return its name, and drop it at the end."""
        table = f"result_{next(self._numbers)}"
        cursor.execute(f"CREATE TABLE {table} AS {query}")
        yield table
        cursor.execute(f"DROP TABLE {table}")

    def stored_in(self, schema: str) -> list[str]:
        """Return the names of the stored tables in a schema, which is created if it is missing."""
        self.execute(f"CREATE SCHEMA IF NOT EXISTS {STORED}.{schema}")
        return [name for (name,) in self.select(_TABLES_IN.format(schema))]

    def stored_schemas(self) -> list[str]:
        """Return the names of the schemas of stored tables, without that of the data of papers."""
        return [name for (name,) in self.select(_SCHEMAS)]

    def close(self) -> None:
        """Close the database, if it was opened, also while rows of a query are read.

        Otherwise this process could not open the file again after an error.
        """
        if "_connection" in self.__dict__:
            for rows in [*self._readers]:
                rows.close()
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            cursor.begin()
            yield cursor
            cursor.commit()

    @contextmanager
    def _folder_errors(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (duckdb.Error, OSError) as error:
            if "orrupt" in str(error) or str(self._stored) in str(error):
                reason = f"cannot be used; if it is damaged, delete it: {first_line(error)}"
                raise FolderError(f"{self._stored}: {reason}") from error
            reason = f"the tables of names cannot be kept there: {first_line(error)}"
            raise FolderError(f"{self._folder}: {reason}") from error


class ParquetRows:
    """The rows of Parquet files on their way into tables.

    They are inserted in large batches, because each statement has a fixed cost. As a context
    manager, it inserts the last ones at the end.
    """

    def __init__(self, tables: DuckDbTables) -> None:
        """Collect no rows yet."""
        self._tables = tables
        self._waiting: defaultdict[str, list[pa.Table]] = defaultdict(list)

    def __enter__(self) -> ParquetRows:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._insert()

    def add(self, files: Mapping[str, bytes], shard: int) -> None:
        """Add the rows of Parquet files by table; they are inserted together.

        The shard is the value of the column of that name.
        """
        import pyarrow as pa

        for table, data in files.items():
            rows = rows_of(data)
            column = pa.array([shard] * len(rows), pa.int64())
            place = rows.column_names.index("shard")
            self._waiting[table].append(rows.set_column(place, "shard", column))
        if any(sum(map(len, waiting)) >= _BATCH for waiting in self._waiting.values()):
            self._insert()

    def _insert(self) -> None:
        import pyarrow as pa

        waiting = {table: pa.concat_tables(some) for table, some in self._waiting.items()}
        self._tables.insert_arrow(waiting)
        self._waiting.clear()


def _schema() -> Iterator[str]:
    """Yield the statements that create the tables, unless they are stored, and the views."""
    for table, columns in TABLES.items():
        if table in STORED_TABLES:
            yield f"CREATE TABLE IF NOT EXISTS {STORED}.{table} ({typed(columns)})"
            yield f"CREATE VIEW {table} AS SELECT * FROM {STORED}.{table}"  # noqa: S608  # internal names
        else:
            yield f"CREATE TABLE {table} ({typed(columns)})"
    yield from VIEWS


def digest_of(columns: str) -> str:
    """Return the SQL of a digest of the rows of a group, which are distinct, in any order.

    It has 64 bits. The inner hash combines the columns; without the outer one, rows that exchange
    the values of a column would have the same digest.
    """
    return f"BIT_XOR(HASH(HASH({columns})))"


def _fetched(cursor: duckdb.DuckDBPyConnection, query: str) -> Iterator[Row]:
    """Yield the rows of a query; by columns, they are read twice as fast as by rows."""
    for batch in cursor.sql(query).to_arrow_reader(_BATCH):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _arrow_rows(cursor: duckdb.DuckDBPyConnection, table: str, start: int, rows: int) -> pa.Table:
    """Return some rows of a table in their order."""
    query = f"SELECT * FROM {table} LIMIT {rows} OFFSET {start}"  # noqa: S608  # an internal name
    return cursor.sql(query).to_arrow_table()


def rows_of(data: bytes) -> pa.Table:
    """Return the rows of a Parquet file; `pyarrow.parquet.read_table` takes twice as long."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(pa.BufferReader(data)).read(use_threads=False)
