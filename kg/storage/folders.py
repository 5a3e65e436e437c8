"""Where parts are kept: a folder of this machine, or one that fsspec can open, such as a bucket.

A file is there whole or not at all: it is written under another name and then renamed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from citekg.exports import write_atomically
from citekg.schemas.errors import FolderError
from citekg.storage.remote import is_url, reached


class Folder(Protocol):
    """Files by name, where a name may hold slashes."""

    def names(self, under: str) -> list[str]:
        """The names of the files below a folder of it, sorted; none where it is not there; raises `FolderError`."""

    def read(self, name: str) -> bytes:
        """The content of a file; raises `OSError` where it cannot be read."""

    def write(self, name: str, data: bytes) -> None:
        """Put a file there, whole or not at all; raises `FolderError`."""

    def remove(self, name: str) -> None:
        """Take a file away, if it is there; raises `FolderError`."""


@dataclass(frozen=True)
class LocalFolder:
    """A folder of this machine, or of a drive that every machine mounts under the same path."""

    path: Path

    def names(self, under: str) -> list[str]:
        """The names of the files below `under`, hidden ones left out."""
        found = (p.relative_to(self.path) for p in (self.path / under).rglob("*") if p.is_file())
        return sorted(p.as_posix() for p in found if not p.name.startswith("."))

    def read(self, name: str) -> bytes:
        """The content of a file."""
        return (self.path / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file under another name, flush it to disk, rename it."""
        file = self.path / name
        with telling(file):
            write_atomically(file, [data])

    def remove(self, name: str) -> None:
        """Take a file away."""
        with telling(self.path / name):
            (self.path / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class RemoteFolder:
    """A folder by its URL (`s3://bucket/readings`), opened with fsspec."""

    url: str

    def names(self, under: str) -> list[str]:
        """The names of the files below `under`, hidden ones left out."""
        found: list[str] = []
        with telling(self.url, "read"), suppress(FileNotFoundError), reached(self.url) as (files, root):
            found = [name[len(root) :].strip("/") for name in files.find(f"{root}/{under}")]
        return sorted(name for name in found if not name.rpartition("/")[2].startswith("."))

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with reached(self.url) as (files, root):
            return bytes(files.cat_file(f"{root}/{name}"))

    def write(self, name: str, data: bytes) -> None:
        """Write a file in one piece; a store of objects shows it only then, elsewhere it is renamed into place."""
        with telling(f"{self.url}/{name}"), reached(self.url) as (files, root):
            file = f"{root}/{name}"
            files.makedirs(file.rpartition("/")[0], exist_ok=True)
            hidden = "/.".join(file.rsplit("/", 1))
            files.pipe_file(hidden, data)
            files.mv(hidden, file)

    def remove(self, name: str) -> None:
        """Take a file away."""
        with telling(f"{self.url}/{name}"), suppress(FileNotFoundError), reached(self.url) as (files, root):
            files.rm_file(f"{root}/{name}")


@contextmanager
def alone_in(path: Path) -> Iterator[None]:
    """Keeps others out of a folder while this process writes there; the lock of one that was killed is open.

    What a killed one had half written is taken away. Raises `FolderError` where another is at work.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path / ".lock")
    with telling(path):
        path.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise FolderError(f"{path}: another build is writing there; wait for it, or give another folder") from error
    try:
        for half in path.rglob(".*.part"):
            half.unlink(missing_ok=True)
        yield
    finally:
        lock.release()


@contextmanager
def open_folder(place: str | Path) -> Iterator[Folder]:
    """The folder at a path, locked, or at a URL."""
    folder = folder_at(place)
    with alone_in(folder.path) if isinstance(folder, LocalFolder) else nullcontext():
        yield folder


def folder_at(place: str | Path) -> Folder:
    """The folder at a path, or at a URL of any kind that fsspec knows."""
    remote = isinstance(place, str) and is_url(place)
    return RemoteFolder(str(place).rstrip("/")) if remote else LocalFolder(Path(place).absolute())


@contextmanager
def telling(place: Any, done: str = "written") -> Iterator[None]:
    """Tells that a place cannot be written (or read) by a `FolderError`, and that nothing done before is lost."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise FolderError(f"{place}: cannot be {done}: {reason}; what was read before is kept") from error
