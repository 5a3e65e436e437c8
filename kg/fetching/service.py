"""The interface of a service of papers: its paginated requests and the parsing of its responses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Literal
from urllib.parse import urlencode

_SHOWN: Final = 60


class MalformedResponse(Exception):
    """A response that breaks the service's format; a retry may succeed. Its text is the reason."""


class RequestRejected(Exception):
    """A response that rejects the request; its text is the reason, `status` that of HTTP or 0."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a page: a path below the service's base URL and parameters, without the key.

    `keep` is false if the response may still change, so that it is not cached. A request with a
    JSON `body` is sent as POST, any other as GET.
    """

    path: str
    parameters: tuple[tuple[str, str], ...]
    keep: bool = True
    body: str = ""

    def address(self, base: str) -> str:
        """Return the URL of the page."""
        return f"{base.rstrip('/')}{self.path}?{urlencode(self.parameters)}"

    def value(self, name: str) -> str:
        """Return the value of a parameter, an empty string if it is absent."""
        return dict(self.parameters).get(name, "")

    def with_parameter(self, name: str, value: str) -> Request:
        """Return the same request with another value for a parameter."""
        return replace(self, parameters=tuple((dict(self.parameters) | {name: value}).items()))


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed response: its records as they are written, and the request for the next page.

    `total` is the number of matching records, if the service reports it; `left_out` counts the
    records of this page without an abstract; `head` is the text before the first record of a file.
    """

    records: tuple[str, ...]
    next_request: Request | None
    total: int | None = None
    left_out: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Where an API key is read (environment variable) and sent (header or query parameter)."""

    variable: str
    place: Literal["header", "parameter"]
    name: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """How to look up single papers at a service.

    `key` maps an arXiv id and a DOI (either may be empty) to the service's id of the paper, or to
    an empty string. `by_ids` requests at most `size` such ids at once; `by_title` searches for the
    words of a title. `reader` is the source format (see `citekg.sources`) of the records that
    `Service.read` returns. `none_known` is the text of the error if the service knows none of the
    ids.
    """

    key: Callable[[str, str], str]
    by_ids: Callable[[Sequence[str]], Request]
    by_title: Callable[[str], Request]
    reader: str
    size: int
    none_known: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its base URL, the seconds between two requests, its requests and its parser.

    `first` returns the initial requests of a query, as of a day; it raises `RequestRejected`.
    `read` parses a response; it raises `MalformedResponse` and `RequestRejected`. `tail` is the
    text after the last record of a file. `lookup` is set if the service finds papers by id and
    title.
    """

    about: str
    base: str
    interval: float
    first: Callable[[str, date], tuple[Request, ...]]
    read: Callable[[Request, bytes], Page]
    key: ApiKey | None = None
    tail: str = ""
    lookup: Lookup | None = None


_WORD: Final = re.compile(r"\w+")
#: A word with an apostrophe, which services tokenise differently.
_APOSTROPHE: Final = re.compile(r"\w*['’]\w*")
_MAX_WORDS: Final = 30


def title_phrases(title: str) -> tuple[str, ...]:
    """Return the phrases of a title for a search: case-folded, without punctuation and operators.

    >>> title_phrases("Hello, Kites: a bird's view of Q-learning (NOT walking)")
    ('hello kites a', 'view of q learning not walking')
    """
    phrases = (
        " ".join(_WORD.findall(part)[:_MAX_WORDS]) for part in _APOSTROPHE.split(title.casefold())
    )
    return tuple(filter(None, phrases))


def parse_json(body: bytes, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    """Parse a JSON object or list; raises `MalformedResponse`."""
    try:
        value = json.loads(body)
    except (RecursionError, ValueError) as error:
        raise MalformedResponse(f"the response is not JSON: {excerpt(body)}") from error
    if not isinstance(value, kind):
        raise MalformedResponse(f"the response is not the expected JSON: {excerpt(body)}")
    return value


def json_objects(value: object, name: str) -> list[dict[str, Any]]:
    """Check that a value is a list of objects and return it; raises `MalformedResponse`."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MalformedResponse(f"the response has no list of {name}")
    return value


def total_count(value: object) -> int | None:
    """Return the total number of matches, `None` if the value is not an integer."""
    return value if type(value) is int else None


def json_lines(records: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the records as JSON Lines, in ASCII so that lone surrogates survive."""
    return tuple(f"{json.dumps(record)}\n" for record in records)


def excerpt(body: bytes) -> str:
    """Return the beginning of a response, for a message."""
    text = " ".join(body[:1000].decode("utf-8", "replace").split())
    return repr(text[:_SHOWN]) if text else "it is empty"
