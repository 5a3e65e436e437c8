"""Folders that hold the parts of a build: local, or any that fsspec opens, such as a bucket.

Writes are atomic: a file is written under a temporary name and then renamed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from citekg.remote import is_url, open_filesystem
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FolderError


class Folder(Protocol):
    """Files by name; a name may contain slashes."""

    def names(self, under: str) -> list[str]:
        """Return the sorted names of the files below a subfolder; raise `FolderError`."""

    def read(self, name: str) -> bytes:
        """Return the content of a file; raise `OSError` if it cannot be read."""

    def path_of(self, name: str) -> Path | None:
        """Return the path of a file, or None if the folder is not on this machine."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically; raise `FolderError`."""

    def remove(self, name: str) -> None:
        """Remove a file if it exists; raise `FolderError`."""

    def local_file(self, name: str) -> AbstractContextManager[Path]:
        """Return a file of this machine whose content is stored at the end; raise `FolderError`."""


@dataclass(frozen=True)
class LocalFolder:
    """A folder of this machine, or of a drive that every machine mounts under the same path."""

    path: Path

    def names(self, under: str) -> list[str]:
        """Return the names of the files below `under`, without hidden ones."""
        found = (p.relative_to(self.path) for p in (self.path / under).rglob("*") if p.is_file())
        return sorted(p.as_posix() for p in found if not p.name.startswith("."))

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.path / name).read_bytes()

    def path_of(self, name: str) -> Path:
        """Return the path of a file."""
        return self.path / name

    def write(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name, flush it to disk and rename it."""
        file = self.path / name
        with folder_errors(file):
            write_atomically(file, [data])

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with folder_errors(self.path / name):
            (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def local_file(self, name: str) -> Iterator[Path]:
        """Return the file itself, in a folder that exists."""
        file = self.path / name
        with folder_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        yield file


@dataclass(frozen=True)
class RemoteFolder:
    """A folder at a URL (`s3://bucket/readings`), opened with fsspec."""

    url: str

    def names(self, under: str) -> list[str]:
        """Return the names of the files below `under`, without hidden ones."""
        found: list[str] = []
        with (
            folder_errors(self.url, "read"),
            suppress(FileNotFoundError),
            open_filesystem(self.url) as (files, root),
        ):
            found = [name[len(root) :].strip("/") for name in files.find(f"{root}/{under}")]
        return sorted(name for name in found if not name.rpartition("/")[2].startswith("."))

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        with open_filesystem(self.url) as (files, root):
            return bytes(files.cat_file(f"{root}/{name}"))

    def path_of(self, name: str) -> None:
        """Return None."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically."""
        self._replace(name, lambda files, hidden: files.pipe_file(hidden, data))

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with (
            folder_errors(f"{self.url}/{name}"),
            suppress(FileNotFoundError),
            open_filesystem(self.url) as (files, root),
        ):
            files.rm_file(f"{root}/{name}")

    @contextmanager
    def local_file(self, name: str) -> Iterator[Path]:
        """Return a copy of the file, or the path for a new one; it replaces the file at the end."""
        with tempfile.TemporaryDirectory(prefix="kg-") as folder:
            copy = Path(folder) / name.rpartition("/")[2]
            with (
                folder_errors(f"{self.url}/{name}", "read"),
                suppress(FileNotFoundError),
                open_filesystem(self.url) as (files, root),
            ):
                files.get_file(f"{root}/{name}", str(copy))
            yield copy
            if copy.exists():
                self._replace(name, lambda files, hidden: files.put_file(str(copy), hidden))

    def _replace(self, name: str, write: Callable[[Any, str], None]) -> None:
        """Write a file under a hidden name, and rename it.

        An object store shows a file only when it is complete; on other file systems the rename
        makes it visible.
        """
        with folder_errors(f"{self.url}/{name}"), open_filesystem(self.url) as (files, root):
            file = f"{root}/{name}"
            files.makedirs(file.rpartition("/")[0], exist_ok=True)
            hidden = "/.".join(file.rsplit("/", 1))
            write(files, hidden)
            files.mv(hidden, file)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Lock a folder for this process; the lock of a killed process is released by the system.

    Removes partial files: before, those that a killed process left, and in the end those of lost
    workers. Raises `FolderError` if another process holds the lock.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path / ".lock")
    with folder_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise FolderError(
                f"{path}: another build is writing there; wait for it, or give another folder"
            ) from error
    try:
        _remove_partial_files(path)
        yield
        _remove_partial_files(path)
    finally:
        lock.release()


def _remove_partial_files(path: Path) -> None:
    for partial in path.rglob(".*.part"):
        partial.unlink(missing_ok=True)


@contextmanager
def open_folder(place: str | Path) -> Iterator[Folder]:
    """Open the folder at a path, locked, or at a URL."""
    folder = folder_at(place)
    with exclusive(folder.path) if isinstance(folder, LocalFolder) else nullcontext():
        yield folder


def folder_at(place: str | Path) -> Folder:
    """Return the folder at a path, or at a URL of any kind that fsspec supports."""
    remote = isinstance(place, str) and is_url(place)
    return RemoteFolder(str(place).rstrip("/")) if remote else LocalFolder(Path(place).absolute())


@contextmanager
def folder_errors(place: Any, action: str = "written") -> Iterator[None]:
    """Turn an `OSError` into a `FolderError` that names the place and the reason."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise FolderError(
            f"{place}: cannot be {action}: {reason}; what was read before is kept"
        ) from error
