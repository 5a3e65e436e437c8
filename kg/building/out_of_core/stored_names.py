"""The names of papers in the stored tables of linking, by shard.

The next build uses the names of the shards whose papers are the same. A shard has a number, which
it keeps while its papers do not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from citekg.building.incremental.cached_steps import Task
from citekg.building.out_of_core.shards import name_tables
from citekg.building.out_of_core.touched_entities import TouchedEntities
from citekg.exports.tables.tables import parquet
from citekg.linking.duckdb_tables import STORED, DuckDbTables, ParquetRows
from citekg.linking.name_tables import PAPER_TABLES, TABLES, listed

if TYPE_CHECKING:
    from citekg.building.execution.processes import Runner

_SHARDS: Final = "stored_shard"
_NUMBERS: Final = f"SELECT digest, shard FROM {_SHARDS}"  # noqa: S608  # a constant


def store_names(
    tables: DuckDbTables, runner: Runner, tasks: Iterable[Task], touched: TouchedEntities
) -> list[int]:
    """Store the names of the shard of each task, and remove all others; return their numbers.

    Workers run `name_tables` for the shards that are not stored. `touched` gets the names in these
    shards and in those that are removed.
    """
    stored: dict[str, int] = dict(tables.select(_NUMBERS))
    numbers, new = [], count(max(stored.values(), default=-1) + 1)
    missing: list[tuple[int, str]] = []

    def data() -> Iterator[Any]:
        for task in tasks:
            digest = task.digest.hex()
            numbers.append(stored[digest] if digest in stored else next(new))
            if digest not in stored:
                missing.append((numbers[-1], digest))
                yield task.read()

    with ParquetRows(tables) as rows:
        for place, found in enumerate(runner(name_tables, data())):
            shard, digest = missing[place]
            rows.add(found | {_SHARDS: parquet(TABLES[_SHARDS], [(shard, digest)])}, shard)
    outdated = {*stored.values()}.difference(numbers)
    touched.add_names_of([*outdated, *(shard for shard, _ in missing)])
    if outdated:
        _remove(tables, outdated)
    return numbers


def _remove(tables: DuckDbTables, shards: Iterable[int]) -> None:
    """Remove all rows of these shards."""
    numbers = listed(sorted(shards))
    tables.execute(
        *(f"DELETE FROM {STORED}.{table} WHERE shard IN ({numbers})" for table in PAPER_TABLES)  # noqa: S608  # internal names
    )
