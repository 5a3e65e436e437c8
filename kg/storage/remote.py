"""Files on other machines by their URLs (`s3://bucket/papers`), opened with fsspec.

Its file systems raise whatever they like; here all of that is an `OSError` with one line.
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
    """Whether a place is one that fsspec opens.

    >>> is_url("s3://bucket/papers"), is_url("papers/a.jsonl")
    (True, False)
    """
    return "://" in place


def filesystem(url: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """The file system of a URL, and the path there.

    Raises `MissingPackage` without fsspec, and `FolderError` for a kind of URL that needs yet another package.
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
def reached(url: str) -> Iterator[tuple[fsspec.AbstractFileSystem, str]]:
    """The file system of a URL, and the path there, for as long as they are used.

    Every store has errors of its own, for a network that is down as for keys that are not there: they come out
    as an `OSError` that says the same.
    """
    with _telling():
        yield filesystem(url)


def files_at(url: str) -> Iterator[str]:
    """The URLs of the files that a URL names: itself, those below it, or those that its pattern matches.

    An address of the web is that of one file: it has no folders, but pages whose links may lead anywhere.
    """
    with reached(url) as (files, path):
        if "http" in files.protocol:
            yield url
            return
        found = files.find(path) or [name for name in files.glob(path) if files.isfile(name)]
        urls = [files.unstrip_protocol(name) for name in found if not name.rpartition("/")[2].startswith(".")]
    yield from urls


@contextmanager
def opened_at(url: str) -> Iterator[io.BufferedReader]:
    """A file, open to read its bytes; raises `OSError` where it is not there or cannot be read."""
    with reached(url) as (files, path):
        file: IO[bytes] = open_file(Path(path)) if _is_here(files) else files.open(path, "rb")
    with file:
        yield io.BufferedReader(_Far(file))


def _is_here(files: fsspec.AbstractFileSystem) -> bool:
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(files, LocalFileSystem)


class _Far(io.RawIOBase):
    """The bytes of a file elsewhere, as they come."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        with _telling():
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except (OSError, CitekgError):
        raise
    except Exception as error:
        raise OSError(errno.EIO, first_line(error)) from error
