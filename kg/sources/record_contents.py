"""The contents of paper records on disk, apart from their keys: a build reads few of them again."""

from __future__ import annotations

import json
import os
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, Final

from citekg.schemas.errors import FolderError
from citekg.schemas.records import Paper, Source

_values: Final = attrgetter(*(field.name for field in fields(Paper)))
_encode: Final = json.JSONEncoder(default=lambda source: [source.name, source.line]).encode

#: The number of files of cached contents that are open at once.
_OPEN_FILES: Final = 64
#: The numbers of contents in the temporary file: as they are, and compressed like cached ones.
_OWN: Final = 0
_COPIED: Final = -1


class RecordContents:
    """Contents by a number of their file, their offset in it and their size in bytes.

    A temporary file takes new contents. The other files are cached, and their contents compressed
    (`copy_to`).
    """

    def __init__(self) -> None:
        """Create the temporary file, in the folder that SQLite uses for such files."""
        with storing_errors():
            self._own = tempfile.TemporaryFile(dir=_folder())  # noqa: SIM115  # closed with this
        weakref.finalize(self, self._own.close)
        self._paths: list[Path] = []
        self._open = lru_cache(_OPEN_FILES)(_OpenFile)

    def append(self, content: bytes) -> tuple[int, int, int]:
        """Store a content; return the number of its file, its offset and its size.

        Raises `FolderError` if the disk for temporary files is full.
        """
        with storing_errors():
            offset = self._own.seek(0, os.SEEK_END)
            return _OWN, offset, self._own.write(content)

    def add(self, path: Path, *, copies: bool) -> tuple[int, int]:
        """Add a file of cached contents; return its number, and the offset of its first byte.

        Without `copies`, the file must exist as long as this object. Raises `OSError`.
        """
        if not copies:
            self._paths.append(path)
            return len(self._paths), 0
        start = self._own.seek(0, os.SEEK_END)
        with path.open("rb") as data:
            copyfileobj(data, self._own)
        return _COPIED, start

    def read(self, number: int, offset: int, size: int) -> bytes:
        """Return a content. Raises `FolderError` if a cached one is missing or damaged."""
        stored = self._stored(number, offset, size)
        try:
            return stored if number == _OWN else zlib.decompress(stored)
        except zlib.error as error:
            found = storage_error(error) if number == _COPIED else damaged(self._paths[number - 1])
            raise found from error

    def copy_to(self, file: BinaryIO, number: int, offset: int, size: int) -> tuple[int, int]:
        """Write a content to a file of cached contents; return its offset and its size there.

        It is compressed, with a checksum. Raises `FolderError` if a cached one is missing.
        """
        stored, start = self._stored(number, offset, size), file.tell()
        return start, file.write(zlib.compress(stored, 1) if number == _OWN else stored)

    def _stored(self, number: int, offset: int, size: int) -> bytes:
        """Return the bytes of a content."""
        if number in (_OWN, _COPIED):
            with storing_errors():
                self._own.seek(offset)
                return self._own.read(size)
        path = self._paths[number - 1]
        try:
            return self._open(path).read(offset, size)
        except OSError as error:
            raise damaged(path) from error


class _OpenFile:
    """An open file, which is closed when it is not used any more."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("rb")
        weakref.finalize(self, self._file.close)

    def read(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(size)


@contextmanager
def storing_errors() -> Iterator[None]:
    """Turn an error of a temporary file, which may be that of an earlier write."""
    try:
        yield
    except OSError as error:
        raise storage_error(error.strerror or error) from error


def storage_error(reason: object) -> FolderError:
    """Return the error for papers that cannot be stored in the folder of temporary files."""
    folder = _folder() or tempfile.gettempdir()
    return FolderError(f"{folder}: the papers cannot be stored there: {reason}")


def damaged(path: Path) -> FolderError:
    """Return the error for a file of cached records that cannot be read."""
    return FolderError(f"{path}: is missing or damaged; delete it and build again")


def _folder() -> str | None:
    """Return the folder that SQLite uses for temporary files, if it is not the usual one."""
    return os.environ.get("SQLITE_TMPDIR")


def serialise(paper: Paper) -> bytes:
    """Return the values of a paper as a JSON array."""
    return _encode(_values(paper)).encode()


def deserialise(stored: bytes) -> Paper:
    """Return the paper of a JSON array."""
    values: list[Any] = [
        tuple(map(_part, v)) if isinstance(v, list) else v for v in json.loads(stored)
    ]
    return Paper(*values)


def _part(value: str | list[Any]) -> str | Source:
    return Source(*value) if isinstance(value, list) else value
