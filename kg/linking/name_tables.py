"""The tables of linking, queried in SQL, so that only the results of a query are in memory.

The same queries run in SQLite, for a graph built in memory, and in DuckDB
(`citekg.linking.duckdb_tables`), for a graph built out of core.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

if TYPE_CHECKING:
    import sqlite3

Row = tuple[Any, ...]
ColumnType = Literal["text", "number", "share"]

#: The tables and their columns: the names in papers (`citekg.linking.input_rows`), the results of
#: the steps of linking, and the data of builds out of core: dates of papers, introductions, and
#: lists of references with the names of papers in them.
TABLES: Final[dict[str, dict[str, ColumnType]]] = {
    "paper_name": {
        "shard": "number", "paper": "text", "since": "text", "key": "text", "name": "text",
        "type": "text", "short": "text", "introduced": "number",
    },
    "short_form": {"shard": "number", "paper": "text", "key": "text", "short": "text"},
    "surface_form": {"shard": "number", "paper": "text", "key": "text", "form": "text"},
    "paper_role": {
        "shard": "number", "paper": "text", "key": "text", "role": "text", "confidence": "share",
        "date": "text",
    },
    "lexicon_name": {"key": "text", "data": "number"},
    "type_kind": {"type": "text", "data": "number"},
    "name_use": {"key": "text", "name": "text", "type": "text", "since": "text"},
    "second_sense": {"key": "text", "type": "text", "target": "text"},
    "name_since": {"key": "text", "since": "text"},
    "corpus_name": {"key": "text", "name": "text", "type": "text"},
    "name_kind": {"key": "text", "kinds": "number"},
    "long_form": {"short": "text", "long": "text"},
    "name_part": {"key": "text", "part": "text"},
    "abbreviated_name": {"key": "text", "short": "text", "long": "text"},
    "name_group": {"rule": "text", "place": "text", "key": "text", "open": "text"},
    "head_variant": {"key": "text", "bare": "text", "kinds": "number"},
    "member": {"place": "number", "key": "text"},
    "group_member": {"place": "number", "node": "number"},
    "node": {"id": "number", "key": "text"},
    "label": {"step": "number", "node": "number", "label": "number"},
    "cluster": {"key": "text", "target": "text"},
    "definition": {"short": "text", "long": "text", "target": "text", "ambiguous": "number"},
    "homonym": {"key": "text", "short": "text"},
    "paper_sense": {"paper": "text", "key": "text", "target": "text"},
    "open_use": {"short": "text", "paper": "text", "type": "text", "long": "text", "own": "text"},
    "sense_context": {
        "short": "text", "long": "text", "target": "text", "papers": "number", "total": "number",
    },
    "entity": {
        "key": "text", "id": "text", "name": "text", "type": "text", "more": "text",
        "step": "number",
    },
    "wanted_entity": {"id": "text"},
    "entity_papers": {"key": "text", "papers": "number"},
    "acronym": {"alias": "text", "key": "text"},
    "only_acronym": {"alias": "text", "key": "text"},
    "asked_name": {"pass": "number", "key": "text", "acronym": "number", "asked": "text"},
    "family_guess": {
        "step": "number", "key": "text", "type": "text", "surface": "text", "family": "text",
    },
    "family_of": {"key": "text", "family": "text"},
    "family_cycle": {"key": "text", "family": "text"},
    "changed_name": {"key": "text"},
    "touched_entity": {"key": "text"},
    "last_build": {"shards": "number"},
    "last_cluster": {"key": "text", "target": "text"},
    "last_sense": {"paper": "text", "key": "text", "target": "text"},
    "stored_shard": {"shard": "number", "digest": "text"},
    "paper": {"shard": "number", "paper": "text", "date": "text"},
    "listed_name": {"shard": "number", "name": "text", "paper": "text"},
    "title_head": {"shard": "number", "key": "text"},
    "known_paper": {"paper": "text"},
    "claim": {"target": "text", "paper": "text", "role": "text", "confidence": "share"},
    "other_kind": {"paper": "text", "target": "text"},
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
    "citation_name": {"shard": "number", "paper": "text", "name": "text"},
    "stub_name": {"paper": "text", "name": "text"},
    "reference": {"shard": "number", "paper": "text", "name": "text"},
}  # fmt: skip
#: The keys of the entities that may have changed since their results were stored.
TOUCHED: Final = "SELECT key FROM touched_entity"
_SQL_TYPES: Final[dict[ColumnType, str]] = {
    "text": "VARCHAR",
    "number": "BIGINT",
    "share": "DOUBLE",
}
#: The tables that contain only data of papers. The first column is the number of their shard.
PAPER_TABLES: Final = (
    "stored_shard", "paper", "paper_name", "short_form", "surface_form", "paper_role",
    "listed_name", "title_head", "reference", "citation_name",
)  # fmt: skip
#: The tables that only functions of keys fill.
RESULT_TABLES: Final = (
    "head_variant", "name_part", "entity_papers", "acronym", "asked_name", "plain", "listed_as",
    "listed_form", "listed", "stub", "introduction", "introduced_by",
)  # fmt: skip
#: The tables that later builds of the same folder use.
STORED_TABLES: Final = (*PAPER_TABLES, "last_build", "last_cluster", "last_sense")


class Tables(Protocol):
    """An SQL database of `TABLES`."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert rows into a table."""

    def execute(self, statement: str) -> None:
        """Run a statement that returns no rows."""

    def select(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query."""

    def select_sorted(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query, sorted by all cells; empty cells come first."""


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
        for table, columns in TABLES.items():
            self._connection.execute(f"CREATE TABLE {table} ({typed(columns)})")
        for statement in (*VIEWS, "CREATE INDEX of_lexicon ON lexicon_name (key)"):
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

    def select_sorted(self, query: str) -> Iterator[Row]:
        """Yield the rows of a query, sorted by all cells; empty cells come first."""
        rows = f"SELECT * FROM ({query})"  # noqa: S608  # an internal query
        columns = self._connection.execute(f"{rows} LIMIT 0").description
        places = ", ".join(str(place) for place, _ in enumerate(columns, 1))
        return self._connection.execute(f"{rows} ORDER BY {places}")

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def listed(numbers: Iterable[int]) -> str:
    """Return numbers as SQL lists them."""
    return ", ".join(map(str, numbers))


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def typed(columns: Mapping[str, ColumnType]) -> str:
    """Return the columns of a table as SQL defines them."""
    return ", ".join(f"{name} {_SQL_TYPES[kind]}" for name, kind in columns.items())


#: The statements that create the views `resolved_...` of the tables with keys. A view adds the
#: column `target`: the sense of the name in that paper, or else its cluster, or else the name.
VIEWS: Final = tuple(
    f"""
    CREATE VIEW resolved_{table} AS
    SELECT r.*, COALESCE(t.target, s.target, r.key) AS target
    FROM {table} AS r LEFT JOIN cluster AS s ON s.key = r.key
    LEFT JOIN paper_sense AS t ON t.paper = r.paper AND t.key = r.key"""  # noqa: S608  # internal names
    for table in ("paper_name", "surface_form", "paper_role")
)
