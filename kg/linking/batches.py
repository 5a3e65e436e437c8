"""Batches of rows: what one process of linking has in memory, and one worker gets as a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Protocol

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.name_tables import Row, Tables

#: The approximate number of rows of a batch.
BATCH_ROWS: Final = 10_000

Rows = dict[str, list[Row]]


class Workers(Protocol):
    """Runs a function on every batch of rows: in this process, in several, or on a cluster."""

    def __call__(
        self, function: Callable[[Lexicon, Any], Rows], batches: Iterable[Any]
    ) -> Iterator[Rows]:
        """Yield the rows that the function returns for each batch, by table."""


def here(lexicon: Lexicon) -> Workers:
    """Return the workers that run everything in this process."""

    def run(function: Callable[[Lexicon, Any], Rows], batches: Iterable[Any]) -> Iterator[Rows]:
        return map(partial(function, lexicon), batches)

    return run


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


def store(tables: Tables, found: Iterable[Rows]) -> None:
    """Insert the rows that workers return, batch by batch."""
    for rows in found:
        for table, some in rows.items():
            tables.insert(table, some)


class Groups:
    """The rows of a sorted stream by their first cell, which is asked for in ascending order."""

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
