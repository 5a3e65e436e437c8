"""Where papers come from: files, folders, globs and standard input, as lines of bytes."""

from __future__ import annotations

import glob
import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from schemas.errors import InputError, InputMissing

STANDARD_INPUT: Final = "-"
_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Broken:
    """What stands where bytes could not be had, and why."""

    reason: str


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One file to read, under the name the user gave it (`-` is standard input)."""

    name: str

    def lines(self) -> Iterator[bytes | Broken]:
        """The lines with their line ends; gzip is unpacked, and where it is broken a `Broken` ends the lines.

        Raises `InputError` where the file cannot be read.
        """
        try:
            with self._open() as file:
                yield from _unpacked(file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield Broken(f"the gzip data is broken from here on ({error})")
        except OSError as error:
            raise InputError(self.name, f"cannot be read: {error.strerror or error}") from error

    def _open(self) -> io.BufferedReader:
        if self.name == STANDARD_INPUT:
            return io.BufferedReader(io.BytesIO(sys.stdin.buffer.read()))
        return Path(self.name).open("rb")


def _unpacked(file: io.BufferedReader) -> Iterable[bytes]:
    return gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == _GZIP_MAGIC else file


def places(inputs: Iterable[str]) -> Iterator[Place | InputMissing]:
    """Every file that the inputs name, each once, in sorted order of its name.

    A folder stands for all files below it (hidden ones left out), a pattern with `*`, `?` or `[`
    for what it matches. An input that names nothing comes out as an `InputMissing`, not raised,
    so that the others are still read.
    """
    found: set[Place] = set()
    missing: list[InputMissing] = []
    for name in inputs:
        files = list(_files(name))
        found.update(Place(f) for f in files)
        if not files:
            missing.append(InputMissing(name, _why_nothing(name)))
    yield from sorted(found)
    yield from missing


def _files(name: str) -> Iterator[str]:
    if name == STANDARD_INPUT:
        yield name
    elif Path(name).is_dir():
        below = (p for p in Path(name).rglob("*") if p.is_file())
        yield from (str(p) for p in below if not any(part.startswith(".") for part in p.relative_to(name).parts))
    elif Path(name).exists():
        yield str(Path(name))
    else:
        matches = glob.glob(name, recursive=True)  # noqa: PTH207 - absolute and relative patterns alike
        yield from (str(Path(match)) for match in matches if Path(match).is_file())


def _why_nothing(name: str) -> str:
    if Path(name).is_dir():
        return "the folder holds no files"
    if glob.has_magic(name):
        return "the pattern matches no file"
    return "there is no such file or folder"
