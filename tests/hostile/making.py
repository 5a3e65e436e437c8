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

#: Writes into the folder, which is the current one, and returns the inputs of the user.
Make = Callable[[Path], Iterable[str]]

ABSTRACT = (
    "We describe a kite that learns to fly. It stays up for an hour, and a second kite follows it."
)


BOTH: Final = ("Kites", "Nests")
ONE: Final = ("Kites",)
NONE: Final = ()


@dataclass(frozen=True)
class Bad:
    """An invalid input and its expected outcome.

    `form` forces a format. A `heavy` input is read in a separate process. `needs` names the package
    that reading requires.
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
    """One file of these parts; a pair of a text and a number repeats the text."""

    def make(folder: Path) -> list[str]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as made:
            for part in parts:
                text, times = part if isinstance(part, tuple) else (part, 1)
                made.write((text.encode() if isinstance(text, str) else text) * times)
        return [name]

    return make


def with_valid_file(bad: Make, name: str = "good.jsonl") -> Make:
    """The invalid input and a valid file, which must be read."""
    return lambda folder: [*bad(folder), *file(KITES, name=name)(folder)]


def sparse(size: int, before: bytes = b"", behind: bytes = b"") -> Make:
    """A sparse file with `size` zero bytes, which take no disk space."""

    def make(folder: Path) -> list[str]:
        with (folder / "x").open("wb") as made:
            made.write(before)
            made.seek(size, io.SEEK_CUR)
            made.write(behind or b"\0")
        return ["x"]

    return make


def packed_blanks(megabytes: int, before: bytes = b"", end: bytes = b"") -> Make:
    """A gzip bomb: `megabytes` of blanks or blank lines."""

    def make(folder: Path) -> list[str]:
        with gzip.open(folder / "x.gz", "wb") as made:
            made.write(before)
            for _ in range(megabytes):
                made.write((end or b" ") * (2**20 // len(end or b" ")))
        return ["x.gz"]

    return make


def zip_of(**files: bytes) -> Make:
    """A zip archive that stores these files uncompressed."""

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


def symbolic_links(**links: str) -> Make:
    """Symbolic links with their targets, in the folder `d`; the user gives that folder."""

    def make(folder: Path) -> list[str]:
        (folder / "d").mkdir(exist_ok=True)
        for name, target in links.items():
            (folder / "d" / name).symlink_to(target)
        return ["d"]

    return make


def with_inputs(make: Make, *inputs: str) -> Make:
    """The same files, but the user gives these inputs."""

    def made(folder: Path) -> tuple[str, ...]:
        list(make(folder))
        return inputs

    return made


def named_pipe(folder: Path) -> list[str]:
    """A named pipe without a writer."""
    os.mkfifo(folder / "pipe")
    return ["pipe"]


def unix_socket(folder: Path) -> list[str]:
    """A Unix socket in the folder."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(folder / "socket"))  # a short name: long ones are refused
    return ["socket"]


def many_files(count: int, name: str, content: bytes = b"") -> Make:
    """A folder with `count` files."""

    def make(folder: Path) -> list[str]:
        (folder / "d").mkdir(exist_ok=True)
        for number in range(count):
            (folder / "d" / name.format(number)).write_bytes(content)
        return ["d"]

    return make


def deep_folders(count: int) -> Make:
    """A paper within `count` nested folders."""

    def make(folder: Path) -> list[str]:
        path = folder
        for _ in range(count):
            path /= "d"
            path.mkdir()
        (path / "x").write_bytes(KITES)
        return ["d"]

    return make
