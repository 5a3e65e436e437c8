"""The papers of groups of records, so that each group is merged once, also in later builds.

A group is identified by the key of its paper and the digests of its records, which are those of
papers with a single record (`citekg.sources.record_table`). A group with a record that has no
digest is not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from citekg.schemas.records import Paper
from citekg.sources.databases import WRITTEN_ONCE, attached, attached_copy
from citekg.sources.join_keys import JOIN_KEYS, join_keys
from citekg.sources.keyed_papers import paper_digest, text_key
from citekg.sources.record_contents import RecordContents, serialise
from citekg.sources.source_names import recorded_sources

if TYPE_CHECKING:
    from sqlite3 import Connection

_KEY_BYTES: Final = 16
#: The columns after the key of a group: those of `MergedGroup`.
_VALUES: Final = (*JOIN_KEYS[1:], "digest", "text", "contents", "offset", "size")
_CREATE: Final = (
    f"CREATE TABLE {{}}.merged_group (key BLOB PRIMARY KEY, {', '.join(_VALUES)}, used INTEGER)"
    " WITHOUT ROWID"
)
_ADD: Final = f"INSERT INTO {{}}.merged_group VALUES ({', '.join('?' * (len(_VALUES) + 2))})"  # noqa: S608  # constants
_FIND: Final = f"SELECT {', '.join(_VALUES)}, used FROM merged_group WHERE key = ?"  # noqa: S608  # constants
_USE: Final = "UPDATE merged_group SET used = 1 WHERE key = ?"
_LOAD: Final = f"""
    INSERT INTO main.merged_group SELECT key, {", ".join(_VALUES[:-3])}, ?, offset + ?, size, 0
    FROM cached.merged_group"""  # noqa: S608  # constants
_SELECT_USED: Final = f"""
    SELECT key, {", ".join(_VALUES)} FROM main.merged_group WHERE used ORDER BY key"""  # noqa: S608  # constants


class MergedGroup(NamedTuple):
    """The paper of a group of records.

    `keys` are its join keys, without the key of the paper. `digest`, `text` and `place` are those
    of a `PaperRow`; its sources have the names of their files.
    """

    keys: Sequence[bytes | bool]
    digest: bytes
    text: bytes
    place: tuple[int, int, int]


class MergedGroups:
    """The merged groups of a table of records, in its database."""

    def __init__(self, database: Connection, contents: RecordContents) -> None:
        """Create the table of groups in the database; their papers are among the contents."""
        self._database = database
        self._contents = contents
        database.execute(_CREATE.format("main"))
        self._loaded = 0
        self._added = 0

    def find(self, key: bytes) -> MergedGroup | None:
        """Return the group with a key of `group_key`, if it is known."""
        found = self._database.execute(_FIND, (key,)).fetchone()
        if found is None:
            return None
        *values, used = found
        if not used:
            self._database.execute(_USE, (key,))
        return _group(values)

    def add(self, key: bytes, paper: Paper) -> MergedGroup:
        """Store the merged paper of a group with a key of `group_key`."""
        named = replace(paper, sources=recorded_sources(paper.sources))
        place = self._contents.append(serialise(named))
        _, *keys = join_keys(named)
        values = (*keys, paper_digest(named), text_key(named), *place)
        self._database.execute(_ADD.format("main"), (key, *values, 1))
        self._added += 1
        return _group(values)

    def load(self, place: Path, offset: int, contents: tuple[int, int]) -> None:
        """Load groups that `store` wrote: a database that begins at an offset of a file.

        Their contents have a number of `RecordContents` and begin at an offset. An invalid database
        has none.
        """
        from sqlite3 import DatabaseError

        with suppress(DatabaseError), attached_copy(self._database, place, offset):
            self._loaded = self._database.execute(_LOAD, contents).rowcount

    def has_changed(self) -> bool:
        """Return whether other groups are used than those that were loaded."""
        ((used,),) = self._database.execute("SELECT COUNT(*) FROM merged_group WHERE used")
        return bool(self._added) or int(used) < self._loaded

    def store(self, file: Path, contents: BinaryIO) -> None:
        """Write the used groups to a new database, and their contents to a second file."""
        with attached(self._database, file):
            for statement in (*WRITTEN_ONCE, _CREATE.format("cached")):
                self._database.execute(statement)
            rows = (self._stored_row(row, contents) for row in self._database.execute(_SELECT_USED))
            self._database.executemany(_ADD.format("cached"), rows)

    def _stored_row(self, row: Sequence[Any], file: BinaryIO) -> tuple[Any, ...]:
        """Write the content of a row to a file of cached contents; return the row for it."""
        *values, contents, offset, size = row
        return *values, contents, *self._contents.copy_to(file, contents, offset, size), 1


def group_key(known: bytes, digests: Sequence[bytes]) -> bytes:
    """Return the key of a group, given the key of its paper and the digests of its records.

    It is empty if a record has no digest.
    """
    if not all(digests):
        return b""
    return blake2b(known + b"\0" + b"".join(digests), digest_size=_KEY_BYTES).digest()


def _group(values: Sequence[Any]) -> MergedGroup:
    """Return the group of the values of `_VALUES`."""
    *keys, digest, text, contents, offset, size = values
    return MergedGroup(keys, digest, text, (contents, offset, size))
