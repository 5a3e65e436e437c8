"""Find and open input files: files, folders, glob patterns, URLs and standard input."""

from __future__ import annotations

import glob
import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citekg.remote import is_url, list_urls, open_url
from citekg.schemas.errors import FolderError, InputError, InputMissing, MissingPackage
from citekg.schemas.files import decompress, open_file, printable
from citekg.sources.limits import MAX_LINE_BYTES, MAX_SKIPPED_BYTES, megabytes

STANDARD_INPUT: Final = "-"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a file that could not be read, and the reason."""

    reason: str


@dataclass(frozen=True, slots=True, order=True)
class InputFile:
    """One input file, with the path that the user gave (`-` is standard input), or a part of it.

    A part has the span of its bytes, the number of its first line and the format of the file.
    """

    path: str
    span: tuple[int, int] | None = None
    first_line: int = 1
    input_format: str | None = None

    @property
    def name(self) -> str:
        """Return the path as messages and records show it, on one line."""
        return printable(self.path)

    @property
    def is_local_file(self) -> bool:
        """Return whether it is a regular file of this machine: no URL, no pipe."""
        return self.path != STANDARD_INPUT and Path(self.path).is_file()

    def lines(self) -> Iterator[bytes | Unreadable]:
        """Yield the lines with their line ends, decompressed if the file is gzip.

        A line that is too long is `Unreadable`, and so is the rest of broken gzip data. Raises
        `InputError` if the file cannot be read.
        """
        try:
            with self._open() as file:
                yield from (
                    _lines_between(file, *self.span) if self.span else _lines(decompress(file))
                )
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield Unreadable(f"the gzip data is broken from here on ({error})")
        except FileNotFoundError as error:
            raise InputMissing(
                self.name, _NOTHING_FOUND if is_url(self.path) else "there is no such file"
            ) from error
        except (OSError, ValueError) as error:
            raise InputError(self.name, _read_error(error)) from error

    def first_bytes(self, size: int) -> bytes:
        """Return the first bytes of a file or URL; none of a pipe, which can be read only once."""
        if not is_url(self.path) and not Path(self.path).is_file():
            return b""
        try:
            with self._open() as file:
                return file.read(size)
        except (OSError, ValueError):
            return b""

    @contextmanager
    def local_path(self) -> Iterator[Path]:
        """Yield a local path of the file: a temporary copy for a URL. Raises `InputError`."""
        if not is_url(self.path):
            yield Path(self.path)
            return
        with tempfile.TemporaryDirectory(prefix="kg-") as folder:
            copy = Path(folder) / "copy"
            try:
                with self._open() as file, copy.open("wb") as target:
                    shutil.copyfileobj(file, target)
            except (OSError, ValueError) as error:
                raise InputError(self.name, _read_error(error)) from error
            yield copy

    @contextmanager
    def _open(self) -> Iterator[io.BufferedReader]:
        """Open the file. Raises `OSError` and `ValueError`."""
        if self.path != STANDARD_INPUT:
            with open_url(self.path) if is_url(self.path) else open_file(Path(self.path)) as file:
                yield file
            return
        if sys.stdin is None:
            raise OSError("standard input is closed")
        file = io.BufferedReader(sys.stdin.buffer)  # type: ignore[arg-type]  # it has `readinto`
        yield file
        file.detach()


def _lines(file: io.BufferedReader) -> Iterator[bytes | Unreadable]:
    """Yield the lines of a file up to `MAX_LINE_BYTES` each."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) <= MAX_LINE_BYTES:
            yield line
        elif _skip_line(file, line):
            yield Unreadable(f"the line is longer than {megabytes(MAX_LINE_BYTES)}")
        else:
            yield Unreadable(
                f"the line is longer than {megabytes(MAX_SKIPPED_BYTES)};"
                " the rest of the file is left out"
            )
            return


def _lines_between(file: io.BufferedReader, start: int, end: int) -> Iterator[bytes | Unreadable]:
    """Yield the lines of a file between two offsets, at which lines begin."""
    file.seek(start)
    for line in _lines(file):
        yield line
        if file.tell() >= end:
            return


def _skip_line(file: io.BufferedReader, line: bytes) -> bool:
    """Skip the rest of a line; return False if it is longer than `MAX_SKIPPED_BYTES`."""
    passed = 0
    while line and not line.endswith(b"\n") and passed <= MAX_SKIPPED_BYTES:
        line = file.readline(io.DEFAULT_BUFFER_SIZE)
        passed += len(line)
    return passed <= MAX_SKIPPED_BYTES


def input_files(inputs: Iterable[str]) -> Iterator[InputFile | InputError]:
    """Yield every file of the inputs once, sorted by name, then the errors.

    A folder yields all files below it, without hidden ones and without links to folders. A pattern
    with `*`, `?` or `[` yields the files that it matches. A URL of any fsspec scheme is a remote
    file, folder or pattern. Errors are yielded and not raised, so that the other inputs are still
    read: `InputMissing` for an input without files, else `InputError`.
    """
    found: set[InputFile] = set()
    unread: dict[str, InputError] = {}
    for name in inputs:
        files = list(_files(name))
        found.update(file for file in files if isinstance(file, InputFile))
        unread |= {str(error): error for error in files if isinstance(error, InputError)}
        if not files:
            missing = InputMissing(printable(name), _missing_reason(name))
            unread[str(missing)] = missing
    yield from sorted(found)
    yield from unread.values()


def _files(name: str) -> Iterator[InputFile | InputError]:
    """Yield the files of one input."""
    try:
        if name == STANDARD_INPUT:
            yield InputFile(name)
        elif is_url(name):
            yield from map(InputFile, list_urls(name))
        elif Path(name).is_dir():
            yield from _below(str(Path(name)))
        elif Path(name).exists():
            yield InputFile(str(Path(name)))
        elif Path(name).is_symlink():
            yield InputError(printable(name), _BROKEN_LINK)
        else:
            yield from map(InputFile, _matching(name))
    except (OSError, ValueError) as error:
        yield InputError(printable(name), _read_error(error))
    except (FolderError, MissingPackage) as error:  # the message begins with the URL
        yield InputError(printable(name), str(error).removeprefix(name).lstrip(": "))


_BROKEN_LINK: Final = "a broken link"
_NOTHING_FOUND: Final = "not found, or the server does not answer"


def _matching(pattern: str) -> Iterator[str]:
    """Yield the files that a pattern matches; `**` enters each folder once, despite links."""
    above, deep, rest = pattern.partition("**")
    if not deep or above[-1:] not in ("", "/") or rest[:1] not in ("", "/") or "**" in rest:
        matches = glob.iglob(pattern, recursive=True)  # noqa: PTH207 - absolute and relative patterns alike
        yield from (str(Path(match)) for match in matches if Path(match).is_file())
        return
    for folder in glob.glob(above) if above else [""]:  # noqa: PTH207
        below = (
            Path(found.path)
            for found in _below(folder, follow=True)
            if isinstance(found, InputFile)
        )
        yield from (
            str(path) for path in below if path.relative_to(folder).match(rest.strip("/") or "*")
        )


def _below(folder: str, *, follow: bool = False) -> Iterator[InputFile | InputError]:
    """Yield the files below a folder, and an error for each entry that cannot be read."""
    pending, seen = ["" if folder == os.curdir else folder], set[tuple[int, int]]()
    while pending:
        where = pending.pop()
        try:
            status = os.stat(where or os.curdir)  # noqa: PTH116
            entries = [] if (status.st_dev, status.st_ino) in seen else _listed(where or os.curdir)
        except OSError as error:
            yield InputError(printable(where), _read_error(error))
            continue
        seen.add((status.st_dev, status.st_ino))
        for entry in entries:
            path = os.path.join(where, entry.name)  # noqa: PTH118 - a folder may hold very many
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False) or (follow and os.path.isdir(path)):  # noqa: PTH112
                pending.append(path)
            else:
                is_file = os.path.isfile(path)  # noqa: PTH113
                yield (
                    InputFile(path) if is_file else InputError(printable(path), _skip_reason(path))
                )


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _skip_reason(path: str) -> str:
    if Path(path).is_dir():
        return "a link to a folder is not followed; give that folder itself"
    if Path(path).is_symlink():
        return _BROKEN_LINK
    return "a pipe, a socket or a device, not a file"


def _missing_reason(name: str) -> str:
    if Path(name).is_dir():
        return "the folder holds no files"
    if glob.has_magic(name):
        return "the pattern matches no file"
    if is_url(name):
        return _NOTHING_FOUND
    return "there is no such file or folder"


def _read_error(error: Exception) -> str:
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"
