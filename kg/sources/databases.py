"""SQLite databases of records on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, Final

from citekg.sources.record_contents import damaged, storage_error, storing_errors

if TYPE_CHECKING:
    from sqlite3 import Connection

#: For a database, attached as `cached`, that is written once, and copied when it is complete.
WRITTEN_ONCE: Final = (
    "PRAGMA cached.journal_mode = OFF",
    "PRAGMA cached.synchronous = OFF",
)


@contextmanager
def attached(database: Connection, file: Path) -> Iterator[None]:
    """Attach a database as `cached`, which SQLite allows between transactions only."""
    database.commit()
    database.execute("ATTACH ? AS cached", (str(file),))
    try:
        yield
        database.commit()
    finally:
        database.rollback()
        database.execute("DETACH cached")


@contextmanager
def attached_copy(database: Connection, place: Path, offset: int) -> Iterator[None]:
    """Attach a copy of the database that begins at an offset of a file, as `cached`.

    Raises `FolderError` if the file is missing, or the disk for temporary files is full.
    """
    try:
        stored = place.open("rb")
    except OSError as error:
        raise damaged(place) from error
    with stored, tempfile.TemporaryDirectory(prefix="kg-") as folder:
        file = Path(folder) / "records"
        stored.seek(offset)
        with storing_errors(), file.open("wb") as copy:
            copyfileobj(stored, copy)
        with attached(database, file):
            yield


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turn an error of the temporary database into a `FolderError`."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        raise storage_error(error) from error
