"""The entities of a graph in the tables of linking, read on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from citekg.linking.entity_rows import ENTITY, WITH_FAMILY, entity_of
from citekg.linking.name_tables import Tables, quoted
from citekg.schemas.records import Entity

if TYPE_CHECKING:
    import pyarrow as pa

    from citekg.linking.duckdb_tables import DuckDbTables

_ALL: Final = f"""
    SELECT {ENTITY} FROM {WITH_FAMILY} ORDER BY e.id"""  # noqa: S608  # constants
_ONE: Final = f"""
    SELECT {ENTITY} FROM {WITH_FAMILY} WHERE e.id = {{}}"""  # noqa: S608  # constants
#: The columns of the table of entities.
_COLUMNS: Final = """
    SELECT e.id, e.name, e.type, CAST(e.more->'$[0]' AS VARCHAR[]) AS aliases,
        [(one->>0) || ' ' || (one->>1) for one in CAST(e.more->'$[1]' AS JSON[])] AS types,
        COALESCE(p.id, '') AS family, CAST(e.more->'$[2]' AS VARCHAR[]) AS hidden_names
    FROM entity AS e LEFT JOIN family_of AS f ON f.key = e.key
    LEFT JOIN entity AS p ON p.key = f.family ORDER BY e.id"""
_SOME: Final = f"""
    SELECT {ENTITY} FROM {WITH_FAMILY} JOIN wanted_entity AS w ON w.id = e.id"""  # noqa: S608  # constants


class StoredEntities:
    """All entities, sorted by id; each iteration reads them again."""

    def __init__(self, tables: DuckDbTables) -> None:
        """Read from these tables."""
        self._tables = tables
        self._by_id = _ById(tables)
        self.by_id: Mapping[str, Entity] = self._by_id

    def read_at_once(self, ids: Iterable[str]) -> None:
        """Read the entities with these ids, which is faster than one at a time."""
        self._tables.insert("wanted_entity", ((one,) for one in ids))
        self._by_id.read(_SOME)

    def columns(self, rows: int) -> Iterator[pa.Table]:
        """Yield Arrow tables of so many rows of the table of entities."""
        return self._tables.select_arrow(_COLUMNS, rows)

    def __len__(self) -> int:
        return len(self.by_id)

    def __iter__(self) -> Iterator[Entity]:
        return map(entity_of, self._tables.select(_ALL))


class _ById(Mapping[str, Entity]):
    """The entities by id, each read once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read: dict[str, Entity | None] = {}

    def read(self, query: str) -> None:
        """Read the entities that a query selects."""
        self._read.update((row[0], entity_of(row)) for row in self._tables.select(query))

    def __getitem__(self, name: str) -> Entity:
        if name not in self._read:
            rows = self._tables.select(_ONE.format(quoted(name)))
            self._read[name] = next(map(entity_of, rows), None)
        found = self._read[name]
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._tables.select("SELECT id FROM entity ORDER BY id"))

    def __len__(self) -> int:
        ((number,),) = self._tables.select("SELECT COUNT(*) FROM entity")
        return int(number)
