"""Opening what a user names: files and pipes, but nothing that never ends or that is no file.

Whoever reads a file of the user's opens it here, so that a device, a socket or a gzip bomb costs a
message and not the memory of the machine.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import select
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from citekg.schemas.errors import CitekgError

GZIP_MAGIC: Final = b"\x1f\x8b"
#: How many bytes may come out of gzip data for each that went in, once it is more than `FREELY`; text gives about five.
MAX_UNPACKED: Final = 200
FREELY: Final = 10_000_000
#: Bytes of a file that a person writes at most: a query, decisions, a table of names.
WRITTEN: Final = 16 * 1024 * 1024
#: How many seconds a named pipe may wait for someone to write into it.
PIPE_WAIT: Final = 5.0

_NO_FILE: Final = (
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
)
#: What would break a line or turn it around where a name is shown.
_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

#: Who asks for a URL, with the password.
_USER: Final = re.compile(r"(?<=://)[^/?#\s]*@")


def printable(name: str) -> str:
    r"""The name of a file as a message and the records show it.

    It is on one line, in letters that every output holds, and without the user and password of a URL.

    >>> shown("https://ada:secret@a.example/b@c.jsonl")
    'https://a.example/b@c.jsonl'
    >>> shown("two\nlines"), shown("caf\udce9"), shown("\u5f37\u5316 1.jsonl")
    ('two\\nlines', 'caf\\udce9', '\u5f37\u5316 1.jsonl')
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), _USER.sub("", name))


def open_file(path: Path) -> io.BufferedReader:
    """A file or a pipe, open to read its bytes.

    A pipe that nobody writes into reads as empty after `PIPE_WAIT` seconds. Raises `OSError` for what
    is not there or may not be read, and for folders, devices and sockets.
    """
    mode = path.stat().st_mode
    for is_such, told in _NO_FILE:
        if is_such(mode):
            raise OSError(errno.EINVAL, told)
    return _pipe(path) if stat.S_ISFIFO(mode) else path.open("rb")


def read_text(path: Path) -> str:
    """The text of a file that a person wrote, such as a query.

    Raises `OSError` where it cannot be read, and `ValueError` where it is no UTF-8 text or longer than `WRITTEN` bytes.
    """
    with open_file(path) as file:
        data = file.read(WRITTEN + 1)
    if len(data) > WRITTEN:
        raise ValueError(f"longer than {WRITTEN // 2**20} MB")
    return data.decode("utf-8")


def read_text_or(path: Path, fault: Callable[[str, str], CitekgError]) -> str:
    """The same text; raises what `fault` makes of the file's name and of what keeps it from being read."""
    try:
        return read_text(path)
    except OSError as error:
        raise fault(str(path), f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise fault(str(path), f"is not UTF-8 text: {error}") from error
    except ValueError as error:
        raise fault(str(path), f"cannot be read: {error}") from error


def _pipe(path: Path) -> io.BufferedReader:
    """A pipe, open whether or not someone writes into it: until then reading it would wait for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    select.select([descriptor], [], [], PIPE_WAIT)
    os.set_blocking(descriptor, True)
    return io.open(descriptor, "rb")  # noqa: UP020 - a descriptor, not a path; who asked closes it


def decompressed(file: io.BufferedReader) -> io.BufferedReader:
    """The bytes of a file, unpacked where they are gzip data, as their first bytes tell.

    Reading raises `EOFError`, `zlib.error` or `gzip.BadGzipFile` where the data is broken, the latter also
    where it unpacks to so much that it can only be a bomb.
    """
    return io.BufferedReader(_Unpacked(file), io.DEFAULT_BUFFER_SIZE) if file.peek(2)[:2] == GZIP_MAGIC else file


class _Counted:
    """A file with the number of bytes that were taken from it."""

    def __init__(self, file: io.BufferedReader) -> None:
        self.file = file
        self.count = 0

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
        self.count += len(data)
        return data


class _Unpacked(io.RawIOBase):
    """What gzip data holds, as long as there is some proportion to it."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._packed = _Counted(file)
        self._gzip = gzip.GzipFile(fileobj=self._packed)  # type: ignore[call-overload]  # it only reads
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._gzip.read1(len(buffer))
        self._size += len(data)
        if self._size > max(FREELY, MAX_UNPACKED * self._packed.count):
            raise gzip.BadGzipFile(f"it unpacks to more than {MAX_UNPACKED} times its size")
        buffer[: len(data)] = data
        return len(data)
