"""What a service that hands out papers is: how it is asked page by page, and how its answers are read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Literal
from urllib.parse import urlencode

_SHOWN: Final = 60


class MalformedAnswer(Exception):
    """An answer that is not what the service promises, and may be better the next time; its text says why."""


class RequestRejected(Exception):
    """An answer that turns the question down; its text says why, `status` is that of HTTP where there is one."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """A page to ask for: a path below the service's address, and parameters; never a key.

    `keep` is false where the answer may still grow, so that it is asked for anew every time. A request with a
    `body` of JSON is sent as POST, any other as GET.
    """

    path: str
    parameters: tuple[tuple[str, str], ...]
    keep: bool = True
    body: str = ""

    def address(self, base: str) -> str:
        """The whole address of the page."""
        return f"{base.rstrip('/')}{self.path}?{urlencode(self.parameters)}"

    def value(self, name: str) -> str:
        """The parameter of that name, an empty text where there is none."""
        return dict(self.parameters).get(name, "")

    def setting(self, name: str, value: str) -> Request:
        """The same request with another value for a parameter."""
        return replace(self, parameters=tuple((dict(self.parameters) | {name: value}).items()))


@dataclass(frozen=True, slots=True)
class Page:
    """What an answer holds: its records as they are written, and the request for what follows, if anything does.

    `total` is how many records match in all, where the service tells; `left_out` counts those of this
    page that have no abstract; `head` is what stands above the records of a file.
    """

    records: tuple[str, ...]
    following: Request | None
    total: int | None = None
    left_out: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """Where a service wants its key: an environment variable of the user, a header or parameter of the request."""

    variable: str
    place: Literal["header", "parameter"]
    name: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a service is asked for single papers.

    `key` gives the id of a paper that the service knows, from its arXiv id and DOI (either may be empty), or an
    empty text. `by_ids` asks for at most `size` such ids at once, `by_title` for the words of a title.
    `reader` is the source format (see `citekg.sources`) of the records that `Service.read` gives. `none_known` is what
    a refusal says where the service knows none of the ids.
    """

    key: Callable[[str, str], str]
    by_ids: Callable[[Sequence[str]], Request]
    by_title: Callable[[str], Request]
    reader: str
    size: int
    none_known: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its address, the seconds between two requests, and how it is asked and read.

    `first` gives the requests that a query begins with, as of a day; it raises `RequestRejected`. `read` raises
    `MalformedAnswer` and `RequestRejected`. `tail` is what stands below the records of a file. `lookup` is there where the
    service finds single papers by id and title.
    """

    about: str
    base: str
    interval: float
    first: Callable[[str, date], tuple[Request, ...]]
    read: Callable[[Request, bytes], Page]
    key: Key | None = None
    tail: str = ""
    lookup: Lookup | None = None


_WORD: Final = re.compile(r"\w+")
#: A word with an apostrophe, which services split in different ways.
_APOSTROPHE: Final = re.compile(r"\w*['’]\w*")
_MOST_WORDS: Final = 30


def title_phrases(title: str) -> tuple[str, ...]:
    """The words of a title as a search gets them: no case, no punctuation, no operator of a query language.

    >>> title_phrases("Hello, Kites: a bird's view of Q-learning (NOT walking)")
    ('hello kites a', 'view of q learning not walking')
    """
    phrases = (" ".join(_WORD.findall(part)[:_MOST_WORDS]) for part in _APOSTROPHE.split(title.casefold()))
    return tuple(filter(None, phrases))


def parsed(body: bytes, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    """The JSON object or list of an answer; raises `MalformedAnswer`."""
    try:
        value = json.loads(body)
    except (RecursionError, ValueError) as error:
        raise MalformedAnswer(f"the answer is no JSON: {shown(body)}") from error
    if not isinstance(value, kind):
        raise MalformedAnswer(f"the answer is not the JSON that is due: {shown(body)}")
    return value


def objects(value: object, name: str) -> list[dict[str, Any]]:
    """The list of objects that an answer holds under a name; raises `MalformedAnswer`."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MalformedAnswer(f"the answer has no list of {name}")
    return value


def count(value: object) -> int | None:
    """The number of all that match, where it is one."""
    return value if type(value) is int else None


def lines(records: list[dict[str, Any]]) -> tuple[str, ...]:
    """The records as JSON Lines, in plain ASCII so that every text survives."""
    return tuple(f"{json.dumps(record)}\n" for record in records)


def shown(body: bytes) -> str:
    """How an answer begins, for a message."""
    text = " ".join(body[:1000].decode("utf-8", "replace").split())
    return repr(text[:_SHOWN]) if text else "it is empty"
