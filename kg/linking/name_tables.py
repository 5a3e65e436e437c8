"""The tables of linking, queried in SQL, so that only the results of a query are in memory.

The same queries run in SQLite, for a graph built in memory, and in DuckDB, which spills to disk,
for a graph built out of core (`citekg.building.out_of_core.shards`).
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from citekg.schemas.errors import FolderError, MissingPackage, first_line

if TYPE_CHECKING:
    import sqlite3

    import duckdb
    import pyarrow as pa

Row = tuple[Any, ...]
ColumnType = Literal["text", "number", "share"]

#: The tables and their columns: the names in papers (`citekg.linking.input_rows`), the results of
#: the steps of linking, and the data of builds out of core: dates of papers, introductions, lists
#: of references with the names of papers in them, and the entities of each paper for the topics,
#: as a JSON object of their weights.
TABLES: Final[dict[str, dict[str, ColumnType]]] = {
    "paper_name": {
        "shard": "number", "paper": "text", "since": "text", "key": "text", "name": "text",
        "type": "text", "short": "text", "introduced": "number",
    },
    "short_form": {"paper": "text", "key": "text", "short": "text"},
    "surface_form": {"paper": "text", "key": "text", "form": "text"},
    "paper_role": {"paper": "text", "key": "text", "role": "text", "confidence": "share"},
    "lexicon_name": {"key": "text", "data": "number"},
    "type_kind": {"type": "text", "data": "number"},
    "second_sense": {"key": "text", "type": "text", "target": "text"},
    "name_since": {"key": "text", "since": "text"},
    "corpus_name": {"key": "text", "name": "text", "type": "text"},
    "name_kind": {"key": "text", "kinds": "number"},
    "long_form": {"short": "text", "long": "text"},
    "name_part": {"key": "text", "part": "text"},
    "name_group": {"rule": "text", "place": "text", "key": "text", "open": "text"},
    "head_variant": {"key": "text", "bare": "text", "kinds": "number"},
    "group_member": {"place": "number", "node": "number"},
    "node": {"id": "number", "key": "text"},
    "label": {"step": "number", "node": "number", "label": "number"},
    "cluster": {"key": "text", "target": "text"},
    "definition": {"short": "text", "long": "text", "target": "text", "ambiguous": "number"},
    "homonym": {"key": "text", "short": "text"},
    "paper_sense": {"paper": "text", "key": "text", "target": "text"},
    "sense_context": {
        "short": "text", "long": "text", "target": "text", "papers": "number", "total": "number",
    },
    "entity": {
        "key": "text", "id": "text", "name": "text", "type": "text", "more": "text",
        "step": "number",
    },
    "acronym": {"alias": "text", "key": "text"},
    "only_acronym": {"alias": "text", "key": "text"},
    "asked_name": {"pass": "number", "key": "text", "acronym": "number", "asked": "text"},
    "family_guess": {
        "step": "number", "key": "text", "type": "text", "surface": "text", "family": "text",
    },
    "family_of": {"key": "text", "family": "text"},
    "family_cycle": {"key": "text", "family": "text"},
    "paper": {"shard": "number", "paper": "text", "date": "text"},
    "listed_name": {"name": "text", "paper": "text"},
    "title_head": {"shard": "number", "key": "text"},
    "known_paper": {"paper": "text"},
    "listed_as": {"target": "text", "name": "text"},
    "listed_paper": {
        "name": "text", "paper": "text", "title": "text", "date": "text", "arxiv_id": "text",
        "here": "share",
    },
    "listed": {"target": "text", "paper": "text"},
    "listed_form": {"target": "text", "name": "text", "key": "text"},
    "plain": {"target": "text"},
    "introduced_by": {"target": "text", "paper": "text", "date": "text"},
    "introduction": {"paper": "text", "target": "text", "entity": "text"},
    "stub": {"paper": "text", "title": "text", "date": "text", "arxiv_id": "text"},
    "citation_name": {"paper": "text", "name": "text", "stub": "number"},
    "reference": {"shard": "number", "paper": "text", "name": "text"},
    "named_entities": {"paper": "text", "entities": "text"},
}  # fmt: skip
_SQL_TYPES: Final[dict[ColumnType, str]] = {
    "text": "VARCHAR",
    "number": "BIGINT",
    "share": "DOUBLE",
}
#: The number of rows that are transferred to or from DuckDB at once.
_BATCH: Final = 50_000
#: The memory limit of DuckDB, beyond which it spills to disk.
_MEMORY_LIMIT: Final = "256MB"


class Tables(Protocol):
    """An SQL database of `TABLES`."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows into a table."""

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""

    def select(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query."""


class SqliteTables:
    """The tables in an SQLite database in memory."""

    def __init__(self, original: SqliteTables | None = None) -> None:
        """Create the tables, empty or with the rows of other ones."""
        import sqlite3

        # Threads may copy one database.
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        if original:
            original.copy_to(self._connection)
            return
        for statement in (*_schema_statements(), "CREATE INDEX of_lexicon ON lexicon_name (key)"):
            self._connection.execute(statement)

    def copy_to(self, database: sqlite3.Connection) -> None:
        """Copy all tables with their rows to an empty database."""
        self._connection.commit()  # a backup waits for the end of the transaction
        self._connection.backup(database)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows into a table."""
        slots = ", ".join("?" * len(TABLES[table]))
        self._connection.executemany(f"INSERT INTO {table} VALUES ({slots})", rows)  # noqa: S608

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""
        self._connection.execute(statement)

    def select(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query."""
        return self._connection.execute(query)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


class DuckDbTables:
    """The tables in DuckDB, which spills to a folder what exceeds a limit of memory.

    Every method raises `FolderError` if the disk is full or cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        """Spill to this folder; raise `MissingPackage` without DuckDB and pyarrow."""
        if not (find_spec("duckdb") and find_spec("pyarrow")):
            raise MissingPackage("--partitioned", "duckdb and pyarrow", "scale")
        self._folder = folder
        self._loaded: defaultdict[str, list[pa.Table]] = defaultdict(list)
        self._numbers = count()

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        """The database, with empty tables.

        It is opened on first use. Both packages start threads, after which no process can fork.
        """
        import duckdb

        spilled = self._folder / "spilled"
        spilled.mkdir(exist_ok=True)  # a folder that cannot be written to is reported at once
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": _MEMORY_LIMIT,
            "temp_directory": str(spilled),
            # Compression takes more time than it saves: most rows are read once or twice.
            "force_compression": "uncompressed",
        }
        # A database in a file would write and flush each statement to a log.
        connection = duckdb.connect(":memory:", config=settings)
        for statement in _schema_statements():
            connection.execute(statement)
        return connection

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows into a table, in batches through Arrow."""
        import pyarrow as pa

        rest = iter(rows)
        while batch := list(islice(rest, _BATCH)):
            columns = list(zip(*batch, strict=True))
            self._insert(table, pa.table(columns, names=[*map(str, range(len(columns)))]))

    def load(self, table: str, data: bytes, shard: int) -> None:
        """Insert the rows of a Parquet file into a table in order, with the number of the shard.

        The rows are buffered, because each statement has a fixed cost.
        """
        import pyarrow as pa

        rows = rows_of(data)
        if "shard" in TABLES[table]:
            column = pa.array([shard] * len(rows), pa.int64())
            rows = rows.set_column(rows.column_names.index("shard"), "shard", column)
        waiting = self._loaded[table]
        waiting.append(rows)
        if sum(map(len, waiting)) >= _BATCH:
            self._insert_loaded(table)

    def append(self, table: str, data: bytes) -> None:
        """Insert the rows of a Parquet file, as `parts` yields it, into a table."""
        self._insert(table, rows_of(data))

    def parts(self, query: str, size: int) -> Iterator[bytes]:
        """Yield the rows of a query as Parquet files of up to `size` rows.

        The same rows in the same order give the same bytes.
        """
        import pyarrow as pa

        self._insert_loaded(*self._loaded)
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            reader = cursor.sql(query).to_arrow_reader(size)
            waiting = reader.schema.empty_table()
            for batch in reader:
                waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
                while len(waiting) >= size:
                    yield _parquet(waiting[:size])
                    waiting = waiting[size:]
            if len(waiting):
                yield _parquet(waiting)

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""
        self._insert_loaded(*self._loaded)
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            cursor.execute(statement)

    def select(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query, fetched in batches; sorted ones are stored first.

        A sort holds its memory until all its rows are read, so several that are read at once
        would exceed the limit.
        """
        self._insert_loaded(*self._loaded)
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            if "ORDER BY" not in query:
                yield from _fetched(cursor, query)
                return
            table = f"sorted_{next(self._numbers)}"
            cursor.execute(f"CREATE TABLE {table} AS {query}")
            yield from _fetched(cursor, f"SELECT * FROM {table}")  # noqa: S608  # an internal name
            cursor.execute(f"DROP TABLE {table}")

    def close(self) -> None:
        """Close the database, if it was opened."""
        if "_connection" in self.__dict__:
            self._connection.close()

    def _insert_loaded(self, *tables: str) -> None:
        """Insert the buffered rows of these tables."""
        import pyarrow as pa

        for table in tables:
            if waiting := self._loaded.pop(table, []):
                self._insert(table, pa.concat_tables(waiting))

    def _insert(self, table: str, rows: pa.Table) -> None:
        with self._folder_errors(), closing(self._connection.cursor()) as cursor:
            cursor.register("rows", rows)
            cursor.execute(f"INSERT INTO {table} SELECT * FROM rows")  # noqa: S608  # an internal name

    @contextmanager
    def _folder_errors(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (duckdb.Error, OSError) as error:
            reason = f"the tables of names cannot be kept there: {first_line(error)}"
            raise FolderError(f"{self._folder}: {reason}") from error


def _fetched(cursor: duckdb.DuckDBPyConnection, query: str) -> Iterator[Row]:
    cursor.execute(query)
    while batch := cursor.fetchmany(_BATCH):
        yield from batch


def rows_of(data: bytes) -> pa.Table:
    """Return the rows of a Parquet file; `pyarrow.parquet.read_table` takes twice as long."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(pa.BufferReader(data)).read(use_threads=False)


def _parquet(rows: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(rows.combine_chunks(), buffer, compression="zstd")
    return buffer.getvalue()


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def typed(columns: Mapping[str, ColumnType]) -> str:
    """Return the columns of a table as SQL defines them."""
    return ", ".join(f"{name} {_SQL_TYPES[kind]}" for name, kind in columns.items())


def _schema_statements() -> Iterator[str]:
    """Yield the statements that create the tables and the views `resolved_...` of those with keys.

    A view adds the column `target`: the sense of the name in that paper, or else its cluster, or
    else the name itself.
    """
    for table, columns in TABLES.items():
        yield f"CREATE TABLE {table} ({typed(columns)})"
    for table in ("paper_name", "surface_form", "paper_role"):
        yield f"""
            CREATE VIEW resolved_{table} AS
            SELECT r.*, COALESCE(t.target, s.target, r.key) AS target
            FROM {table} AS r LEFT JOIN cluster AS s ON s.key = r.key
            LEFT JOIN paper_sense AS t ON t.paper = r.paper AND t.key = r.key"""  # noqa: S608  # internal names
