"""Opening files that a user names: regular files and named pipes, plain or compressed with gzip.

All code that reads a user's file opens it here, so that a device, a socket or a decompression bomb
ends in an error message and not in exhausted memory.
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
#: The maximum ratio of unpacked to packed bytes, checked above `MIN_CHECKED_BYTES`; text has about
#: 5.
MAX_UNPACK_RATIO: Final = 200
MIN_CHECKED_BYTES: Final = 10_000_000
#: The maximum size in bytes of a file that a person writes: a query, decisions, a table of names.
MAX_TEXT_BYTES: Final = 16 * 1024 * 1024
#: Seconds to wait for a writer of a named pipe.
PIPE_WAIT: Final = 5.0

_NOT_REGULAR: Final = (
    (stat.S_ISDIR, "a folder, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
)
#: Control characters, line separators, bidirectional marks and lone surrogates.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

#: The user information of a URL (RFC 3986), which may hold a password.
_CREDENTIALS: Final = re.compile(r"(?<=://)[^/?#\s]*@")


def printable(name: str) -> str:
    r"""Return a file name as messages and records show it.

    The result is one line without control characters, and a URL loses its user and password.

    >>> printable("https://ada:secret@a.example/b@c.jsonl")
    'https://a.example/b@c.jsonl'
    >>> printable("two\nlines"), printable("caf\udce9"), printable("\u5f37\u5316 1.jsonl")
    ('two\\nlines', 'caf\\udce9', '\u5f37\u5316 1.jsonl')
    """
    return _UNPRINTABLE.sub(
        lambda found: found[0].encode("unicode_escape").decode("ascii"), _CREDENTIALS.sub("", name)
    )


def open_file(path: Path) -> io.BufferedReader:
    """Open a regular file or a named pipe to read its bytes.

    A pipe without a writer reads as empty after `PIPE_WAIT` seconds. Raises `OSError` for a path
    that does not exist or may not be read, and for folders, devices and sockets.
    """
    mode = path.stat().st_mode
    for is_type, message in _NOT_REGULAR:
        if is_type(mode):
            raise OSError(errno.EINVAL, message)
    return _open_pipe(path) if stat.S_ISFIFO(mode) else path.open("rb")


def read_text(path: Path) -> str:
    """Return the text of a file that a person wrote, such as a query.

    Raises `OSError` if the file cannot be read, and `ValueError` if it is not UTF-8 or longer than
    `MAX_TEXT_BYTES`.
    """
    with open_file(path) as file:
        data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise ValueError(f"longer than {MAX_TEXT_BYTES // 2**20} MB")
    return data.decode("utf-8")


def read_text_or_raise(path: Path, fault: Callable[[str, str], CitekgError]) -> str:
    """Return the same text; raise the error that `fault` makes of the file name and the reason."""
    try:
        return read_text(path)
    except OSError as error:
        raise fault(str(path), f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise fault(str(path), f"is not UTF-8 text: {error}") from error
    except ValueError as error:
        raise fault(str(path), f"cannot be read: {error}") from error


def _open_pipe(path: Path) -> io.BufferedReader:
    """Open a named pipe without blocking, and wait at most `PIPE_WAIT` seconds for a writer."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    select.select([descriptor], [], [], PIPE_WAIT)
    os.set_blocking(descriptor, True)
    return io.open(descriptor, "rb")  # noqa: UP020 - a descriptor, not a path; the caller closes it


def decompress(file: io.BufferedReader) -> io.BufferedReader:
    """Return a stream of the file's bytes, decompressed if its magic number is that of gzip.

    Reading raises `EOFError`, `zlib.error` or `gzip.BadGzipFile` for broken data, and the last one
    also for a decompression bomb (a ratio above `MAX_UNPACK_RATIO`).
    """
    return (
        io.BufferedReader(_GzipStream(file), io.DEFAULT_BUFFER_SIZE)
        if file.peek(2)[:2] == GZIP_MAGIC
        else file
    )


class _CountingReader:
    """A file that counts the bytes read from it."""

    def __init__(self, file: io.BufferedReader) -> None:
        self.file = file
        self.count = 0

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
        self.count += len(data)
        return data


class _GzipStream(io.RawIOBase):
    """A stream of decompressed gzip data that limits the compression ratio."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._packed = _CountingReader(file)
        self._gzip = gzip.GzipFile(fileobj=self._packed)  # type: ignore[call-overload]  # it only reads
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._gzip.read1(len(buffer))
        self._size += len(data)
        if self._size > max(MIN_CHECKED_BYTES, MAX_UNPACK_RATIO * self._packed.count):
            raise gzip.BadGzipFile(f"it unpacks to more than {MAX_UNPACK_RATIO} times its size")
        buffer[: len(data)] = data
        return len(data)
