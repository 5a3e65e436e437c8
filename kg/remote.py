"""Remote files by URL (`s3://bucket/papers`), opened with fsspec.

Its file systems raise exceptions of many kinds; this module turns all of them into an `OSError`
with a message of one line.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from citekg.schemas.errors import CitekgError, FolderError, MissingPackage, first_line
from citekg.schemas.files import open_file

if TYPE_CHECKING:
    import fsspec


def is_url(place: str) -> bool:
    """Return whether a place is a URL for fsspec.

    >>> is_url("s3://bucket/papers"), is_url("papers/a.jsonl")
    (True, False)
    """
    return "://" in place


def filesystem(url: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """Return the fsspec file system of a URL, and the path in it.

    Raises `MissingPackage` without fsspec, and `FolderError` for a scheme that needs another
    package.
    """
    try:
        import fsspec
    except ImportError as error:
        raise MissingPackage(url, "fsspec", "dask") from error
    try:
        files, path = fsspec.core.url_to_fs(url)
    except Exception as error:
        raise FolderError(f"{url}: cannot be opened: {first_line(error)}") from error
    return files, path.rstrip("/")


@contextmanager
def open_filesystem(url: str) -> Iterator[tuple[fsspec.AbstractFileSystem, str]]:
    """Open the file system of a URL and the path in it.

    Each store has its own exceptions, for network failures as for missing keys. In this context
    they become an `OSError` with the same text.
    """
    with _os_errors():
        yield filesystem(url)


def list_urls(url: str) -> Iterator[str]:
    """Yield the URLs of the files that a URL names: itself, those below it, or those of its glob.

    A web address (http, https) names one file: its pages' links are not followed.
    """
    with open_filesystem(url) as (files, path):
        if "http" in files.protocol:
            yield url
            return
        found = files.find(path) or [name for name in files.glob(path) if files.isfile(name)]
        urls = [
            files.unstrip_protocol(name)
            for name in found
            if not name.rpartition("/")[2].startswith(".")
        ]
    yield from urls


@contextmanager
def open_url(url: str) -> Iterator[io.BufferedReader]:
    """Open a file for reading bytes; raise `OSError` if it is missing or cannot be read."""
    with open_filesystem(url) as (files, path):
        file: IO[bytes] = open_file(Path(path)) if _is_local(files) else files.open(path, "rb")
    with file:
        yield io.BufferedReader(_RemoteFile(file))


def _is_local(files: fsspec.AbstractFileSystem) -> bool:
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(files, LocalFileSystem)


class _RemoteFile(io.RawIOBase):
    """A raw stream of a remote file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read up to `len(buffer)` bytes into the buffer and return their number."""
        with _os_errors():
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _os_errors() -> Iterator[None]:
    """Turn any other exception into an `OSError` with its first line."""
    try:
        yield
    except (OSError, CitekgError):
        raise
    except Exception as error:
        raise OSError(errno.EIO, first_line(error)) from error
