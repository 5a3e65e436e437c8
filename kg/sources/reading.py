"""What every reader of a source format shares: numbered lines in, papers and problems out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from schemas.errors import InputError
from schemas.files import shown
from schemas.records import Paper

#: Characters of a message at most.
_LONG: Final = 500


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text with its 1-based number; `broken` says why it could not be read, if so."""

    number: int
    text: str
    broken: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that is wrong with the input: the file (with the line where known) and what.

    `label` says what became of it: it was skipped, or it was kept with a warning.
    """

    place: str
    message: str
    label: Literal["skipped", "warning"] = "skipped"

    @classmethod
    def of(cls, error: InputError) -> Problem:
        """The problem that an error tells of."""
        return cls(error.place, error.message)

    def in_short(self) -> Problem:
        """The problem with its message on one line and not too long, whatever it quotes of the input."""
        message = shown(self.message)
        return self if message == self.message and len(message) <= _LONG else replace(self, message=message[:_LONG])

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reader:
    """An input format.

    `recognises` sees the first lines of a file; `read` gets the file's name and all its lines. A format
    that holds no lines of text has a `magic`, with which its files begin, and `read_file`, which gets a
    file's path and its name.
    """

    about: str
    recognises: Callable[[list[str]], bool]
    read: Callable[[str, Iterable[Line]], Iterator[Paper | Problem]]
    magic: bytes = b""
    read_file: Callable[[Path, str], Iterator[Paper | Problem]] | None = None
