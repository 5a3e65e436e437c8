"""Files on other machines by their URLs (`s3://bucket/papers`), opened with fsspec."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from schemas.errors import FolderError, MissingPackage

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
    except (ImportError, ValueError) as error:
        raise FolderError(f"{url}: cannot be opened: {error}") from error
    return files, path.rstrip("/")


@contextmanager
def reached(url: str) -> Iterator[tuple[fsspec.AbstractFileSystem, str]]:
    """The file system of a URL, and the path there, for as long as they are used.

    Every store has errors of its own, for a network that is down as for keys that are not there: they come out
    as an `OSError` that says the same.
    """
    files, path = filesystem(url)
    try:
        yield files, path
    except (OSError, EOFError, zlib.error):
        raise
    except Exception as error:
        raise ConnectionError(str(error)) from error


def files_at(url: str) -> Iterator[str]:
    """The URLs of the files that a URL names: itself, those below it, or those that its pattern matches."""
    with reached(url) as (files, path):
        found = files.find(path) or [name for name in files.glob(path) if files.isfile(name)]
        yield from (files.unstrip_protocol(name) for name in found if not name.rpartition("/")[2].startswith("."))


@contextmanager
def opened_at(url: str) -> Iterator[io.BufferedReader]:
    """A file, opened for reading as bytes; raises `OSError` where it is not there or cannot be read."""
    with reached(url) as (files, path), files.open(path, "rb") as file:
        yield io.BufferedReader(cast("io.RawIOBase", file))
