"""Where papers come from: files, folders, globs and standard input, as lines of bytes."""

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

from citekg.schemas.errors import FolderError, InputError, InputMissing, MissingPackage
from citekg.schemas.files import decompressed, open_file, printable
from citekg.sources.limits import LINE, SKIPPED, megabytes
from citekg.storage.remote import files_at, is_url, opened_at

STANDARD_INPUT: Final = "-"


@dataclass(frozen=True, slots=True)
class Broken:
    """What stands where bytes could not be had, and why."""

    reason: str


@dataclass(frozen=True, slots=True, order=True)
class InputFile:
    """One file to read, under the path the user gave it (`-` is standard input)."""

    path: str

    @property
    def name(self) -> str:
        """The path as messages and records show it, on one line."""
        return printable(self.path)

    def lines(self) -> Iterator[bytes | Broken]:
        """The lines with their line ends; gzip is unpacked, and where it is broken a `Broken` ends the lines.

        A line that is too long is `Broken`, too. Raises `InputError` where the file cannot be read.
        """
        try:
            with self._open() as file:
                yield from _lines(decompressed(file))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield Broken(f"the gzip data is broken from here on ({error})")
        except FileNotFoundError as error:
            raise InputMissing(self.name, _NO_ANSWER if is_url(self.path) else "there is no such file") from error
        except (OSError, ValueError) as error:
            raise InputError(self.name, _why_unread(error)) from error

    def start(self, size: int) -> bytes:
        """The first bytes of a file; none of what is no regular file, which may be read only once."""
        if not is_url(self.path) and not Path(self.path).is_file():
            return b""
        try:
            with self._open() as file:
                return file.read(size)
        except (OSError, ValueError):
            return b""

    @contextmanager
    def here(self) -> Iterator[Path]:
        """The file on this machine: a copy where it is on another. Raises `InputError` where it cannot be read."""
        if not is_url(self.path):
            yield Path(self.path)
            return
        with tempfile.TemporaryDirectory(prefix="kg-") as folder:
            copy = Path(folder) / "copy"
            try:
                with self._open() as file, copy.open("wb") as made:
                    shutil.copyfileobj(file, made)
            except (OSError, ValueError) as error:
                raise InputError(self.name, _why_unread(error)) from error
            yield copy

    @contextmanager
    def _open(self) -> Iterator[io.BufferedReader]:
        if self.path != STANDARD_INPUT:
            with opened_at(self.path) if is_url(self.path) else open_file(Path(self.path)) as file:
                yield file
            return
        if sys.stdin is None:
            raise OSError("standard input is closed")
        file = io.BufferedReader(sys.stdin.buffer)  # type: ignore[arg-type]  # whatever can be read into
        yield file
        file.detach()


def _lines(file: io.BufferedReader) -> Iterator[bytes | Broken]:
    while line := file.readline(LINE + 1):
        if len(line) <= LINE:
            yield line
        elif _skipped(file, line):
            yield Broken(f"the line is longer than {megabytes(LINE)}")
        else:
            yield Broken(f"the line is longer than {megabytes(SKIPPED)}; the rest of the file is left out")
            return


def _skipped(file: io.BufferedReader, line: bytes) -> bool:
    """Go on to the end of a line; False where it does not come."""
    passed = 0
    while line and not line.endswith(b"\n") and passed <= SKIPPED:
        line = file.readline(io.DEFAULT_BUFFER_SIZE)
        passed += len(line)
    return passed <= SKIPPED


def input_files(inputs: Iterable[str]) -> Iterator[InputFile | InputError]:
    """Every file that the inputs name, each once, in sorted order of its name.

    A folder stands for all files below it (hidden ones left out, links to folders not followed), a pattern
    with `*`, `?` or `[` for what it matches; a URL of any kind that fsspec knows stands for the same elsewhere. An
    input that names nothing comes out as an `InputMissing`, and what cannot be read as an `InputError`, not
    raised, so that the others are still read.
    """
    found: set[InputFile] = set()
    unread: dict[str, InputError] = {}
    for name in inputs:
        files = list(_files(name))
        found.update(file for file in files if isinstance(file, InputFile))
        unread |= {str(error): error for error in files if isinstance(error, InputError)}
        if not files:
            missing = InputMissing(printable(name), _why_nothing(name))
            unread[str(missing)] = missing
    yield from sorted(found)
    yield from unread.values()


def _files(name: str) -> Iterator[InputFile | InputError]:
    """The files that an input names."""
    try:
        if name == STANDARD_INPUT:
            yield InputFile(name)
        elif is_url(name):
            yield from map(InputFile, files_at(name))
        elif Path(name).is_dir():
            yield from _below(str(Path(name)))
        elif Path(name).exists():
            yield InputFile(str(Path(name)))
        elif Path(name).is_symlink():
            yield InputError(printable(name), _LEADS_NOWHERE)
        else:
            yield from map(InputFile, _matching(name))
    except (OSError, ValueError) as error:
        yield InputError(printable(name), _why_unread(error))
    except (FolderError, MissingPackage) as error:  # of a URL, whose name they begin with
        yield InputError(printable(name), str(error).removeprefix(name).lstrip(": "))


_LEADS_NOWHERE: Final = "a link that leads nowhere"
_NO_ANSWER: Final = "nothing is there, or it does not answer"


def _matching(pattern: str) -> Iterator[str]:
    """The files that a pattern matches; below `**` each folder is entered once, however links lead back to it."""
    above, deep, rest = pattern.partition("**")
    if not deep or above[-1:] not in ("", "/") or rest[:1] not in ("", "/") or "**" in rest:
        matches = glob.iglob(pattern, recursive=True)  # noqa: PTH207 - absolute and relative patterns alike
        yield from (str(Path(match)) for match in matches if Path(match).is_file())
        return
    for folder in glob.glob(above) if above else [""]:  # noqa: PTH207
        below = (Path(found.path) for found in _below(folder, follow=True) if isinstance(found, InputFile))
        yield from (str(path) for path in below if path.relative_to(folder).match(rest.strip("/") or "*"))


def _below(folder: str, *, follow: bool = False) -> Iterator[InputFile | InputError]:
    """The files below a folder, and what stands there and cannot be read."""
    waiting, seen = ["" if folder == os.curdir else folder], set[tuple[int, int]]()
    while waiting:
        where = waiting.pop()
        try:
            about = os.stat(where or os.curdir)  # noqa: PTH116
            entries = [] if (about.st_dev, about.st_ino) in seen else _listed(where or os.curdir)
        except OSError as error:
            yield InputError(printable(where), _why_unread(error))
            continue
        seen.add((about.st_dev, about.st_ino))
        for entry in entries:
            path = os.path.join(where, entry.name)  # noqa: PTH118 - a folder may hold very many
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False) or (follow and os.path.isdir(path)):  # noqa: PTH112
                waiting.append(path)
            else:
                yield InputFile(path) if os.path.isfile(path) else InputError(printable(path), _why_left_out(path))  # noqa: PTH113


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _why_left_out(path: str) -> str:
    if Path(path).is_dir():
        return "a link to a folder is not followed; give that folder itself"
    if Path(path).is_symlink():
        return _LEADS_NOWHERE
    return "a pipe, a socket or a device, not a file"


def _why_nothing(name: str) -> str:
    if Path(name).is_dir():
        return "the folder holds no files"
    if glob.has_magic(name):
        return "the pattern matches no file"
    if is_url(name):
        return _NO_ANSWER
    return "there is no such file or folder"


def _why_unread(error: Exception) -> str:
    return f"cannot be read: {getattr(error, 'strerror', None) or error}"
