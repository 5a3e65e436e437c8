"""Build invalid inputs: each function returns one that writes files and returns their names."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: Writes into the folder, which is the current one, and returns what the user then gives.
Make = Callable[[Path], Iterable[str]]

ABSTRACT = (
    "We describe a kite that learns to fly. It stays up for an hour, and a second kite follows it."
)


BOTH: Final = ("Kites", "Nests")
ONE: Final = ("Kites",)
NONE: Final = ()


@dataclass(frozen=True)
class Bad:
    """A bad input and what becomes of it.

    `form` forces a format, `heavy` gives it a process of its own, `needs` is the package without which it is not read.
    """

    what: str
    make: Make
    reported: tuple[str, ...] = ()
    kept: tuple[str, ...] = BOTH
    form: str | None = None
    heavy: bool = False
    needs: str = ""


def line(title: str = "Kites", abstract: str = ABSTRACT, **more: Any) -> bytes:
    """A paper as a line of JSON."""
    return (
        json.dumps({"title": title, "abstract": abstract, **more}, ensure_ascii=False).encode()
        + b"\n"
    )


KITES, NESTS = line(), line("Nests")


def file(*parts: bytes | str | tuple[str, int], name: str = "x") -> Make:
    """One file of these parts; a text with a number stands so many times."""

    def make(folder: Path) -> list[str]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as made:
            for part in parts:
                text, times = part if isinstance(part, tuple) else (part, 1)
                made.write((text.encode() if isinstance(text, str) else text) * times)
        return [name]

    return make


def beside(bad: Make, name: str = "good.jsonl") -> Make:
    """The bad input with a good file beside it, which must be read."""
    return lambda folder: [*bad(folder), *file(KITES, name=name)(folder)]


def sparse(size: int, before: bytes = b"", behind: bytes = b"") -> Make:
    """A file with so many zero bytes in it that take no room on the disk."""

    def make(folder: Path) -> list[str]:
        with (folder / "x").open("wb") as made:
            made.write(before)
            made.seek(size, io.SEEK_CUR)
            made.write(behind or b"\0")
        return ["x"]

    return make


def packed_blanks(megabytes: int, before: bytes = b"", end: bytes = b"") -> Make:
    """A gzip bomb: so many megabytes of blanks or blank lines."""

    def make(folder: Path) -> list[str]:
        with gzip.open(folder / "x.gz", "wb") as made:
            made.write(before)
            for _ in range(megabytes):
                made.write((end or b" ") * (2**20 // len(end or b" ")))
        return ["x.gz"]

    return make


def zip_of(**files: bytes) -> Make:
    """A zip archive that stores these files as they are."""

    def make(folder: Path) -> list[str]:
        with zipfile.ZipFile(folder / "x.zip", "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return ["x.zip"]

    return make


def tar_of(name: str, content: bytes) -> Make:
    """A tar archive of one file."""

    def make(folder: Path) -> list[str]:
        with tarfile.open(folder / "x.tar", "w") as archive:
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
        return ["x.tar"]

    return make


def linked(**links: str) -> Make:
    """Symbolic links by what they lead to, in the folder `d`; the user gives that folder."""

    def make(folder: Path) -> list[str]:
        (folder / "d").mkdir(exist_ok=True)
        for name, target in links.items():
            (folder / "d" / name).symlink_to(target)
        return ["d"]

    return make


def given(make: Make, *inputs: str) -> Make:
    """The same, but the user gives other inputs."""

    def made(folder: Path) -> tuple[str, ...]:
        list(make(folder))
        return inputs

    return made


def pipe(folder: Path) -> list[str]:
    """A named pipe that nobody writes into."""
    os.mkfifo(folder / "pipe")
    return ["pipe"]


def listening(folder: Path) -> list[str]:
    """A socket of the file system."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(folder / "socket"))  # a short name: long ones are refused
    return ["socket"]


def many(count: int, name: str, content: bytes = b"") -> Make:
    """A folder with so many files."""

    def make(folder: Path) -> list[str]:
        (folder / "d").mkdir(exist_ok=True)
        for number in range(count):
            (folder / "d" / name.format(number)).write_bytes(content)
        return ["d"]

    return make


def deep_folders(count: int) -> Make:
    """A paper at the bottom of so many folders inside one another."""

    def make(folder: Path) -> list[str]:
        path = folder
        for _ in range(count):
            path /= "d"
            path.mkdir()
        (path / "x").write_bytes(KITES)
        return ["d"]

    return make
