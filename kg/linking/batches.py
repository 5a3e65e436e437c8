"""Functions of the rows of one key, applied to many keys: in this process or by workers.

The linking process has one batch of keys in memory at a time; with workers, a batch is a task.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Protocol

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.name_tables import Row, Tables

#: The approximate number of rows of a batch.
BATCH_ROWS: Final = 10_000

Rows = dict[str, list[Row]]
#: Returns rows by table, from all rows of one key, which is their first cell.
KeyFunction = Callable[[Lexicon, list[Row]], Rows]


class PerKey(Protocol):
    """Applies a function to the rows of each key."""

    def __call__(self, function: KeyFunction, query: str, touched: str = "") -> None:
        """Insert the rows that the function returns for each key of a query into the tables.

        The rows of the query are distinct; the function gets them sorted by all cells. `touched` is
        a query of the keys that may have changed since the last call with the stored results; it
        contains all keys of the first query. By default, all keys may have changed.
        """


def in_this_process(tables: Tables, lexicon: Lexicon) -> PerKey:
    """Return a `PerKey` that applies functions in this process."""

    def apply(function: KeyFunction, query: str, touched: str = "") -> None:  # noqa: ARG001
        for batch in in_batches(tables.select_sorted(query)):
            for table, rows in by_key(function, lexicon, batch).items():
                tables.insert(table, (row[1:] for row in rows))

    return apply


def name_of(function: KeyFunction) -> str:
    """Return the name of a function, to which arguments may be bound."""
    return str(getattr(function, "func", function).__name__)


def by_key(function: KeyFunction, lexicon: Lexicon, batch: Iterable[Row]) -> Rows:
    """Return the results of the function for each key of a batch, with the key before each row."""
    found: Rows = defaultdict(list)
    for key, rows in groupby(batch, itemgetter(0)):
        for table, some in function(lexicon, [*rows]).items():
            found[table] += ((key, *row) for row in some)
    return dict(found)


def in_batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows in batches; consecutive rows with the same first cell stay together."""
    batch: list[Row] = []
    for _, some in groupby(rows, itemgetter(0)):
        batch += some
        if len(batch) >= BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


class Groups:
    """The rows of a sorted stream by their first cell, looked up in ascending order."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Read the first group."""
        self._groups = groupby(rows, itemgetter(0))
        self._next = next(self._groups, None)

    def of(self, first: Any) -> list[Row]:
        """Return the rows with this first cell, skipping those before it."""
        while self._next is not None and self._next[0] < first:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != first:
            return []
        rows = [*self._next[1]]
        self._next = next(self._groups, None)
        return rows
