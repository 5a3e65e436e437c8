"""What every reader of a source format shares: numbered lines in, papers and problems out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from citekg.schemas.errors import InputError
from citekg.schemas.files import printable
from citekg.schemas.records import Paper

#: Characters of a message at most.
_LONG: Final = 500


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its 1-based number; `broken` says why it could not be read, if so.

    `windows` is the text of a line that is no UTF-8, if it can be read as Windows-1252.
    """

    number: int
    text: str
    broken: str = ""
    windows: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with the input: the file (with the line where known) and what.

    Of a `warning` the paper was read, but not all that the source says of it; what has none was skipped.
    Problems sort by file and line.
    """

    place: str
    message: str
    warning: bool = False

    @classmethod
    def of(cls, error: InputError) -> Problem:
        """The problem that an error tells of."""
        return cls(error.place, error.message)

    def in_short(self) -> Problem:
        """The problem with its message on one line and not too long, whatever it quotes of the input."""
        message = printable(self.message)
        return self if message == self.message and len(message) <= _LONG else replace(self, message=message[:_LONG])

    def __lt__(self, other: Problem) -> bool:
        """Whether this one stands above the other in the input; what belongs to no line stands below its file's."""
        return (*self._position(), self.message) < (*other._position(), other.message)

    def _position(self) -> tuple[str, int]:
        file, _, line = self.place.rpartition(":")
        return (file, int(line)) if line.isascii() and line.isdecimal() else (self.place, sys.maxsize)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """An input format.

    `recognises` sees the first lines of a file; `read` gets the file's name and all its lines. A format
    that holds no lines of text has a `magic`, with which its files begin, and `read_file`, which gets a
    file's path and its name. `windows` says that lines which are no UTF-8 may be Windows-1252.
    """

    about: str
    recognises: Callable[[list[str]], bool]
    read: Callable[[str, Iterable[Line]], Iterator[Paper | Problem]]
    magic: bytes = b""
    read_file: Callable[[Path, str], Iterator[Paper | Problem]] | None = None
    windows: bool = False
