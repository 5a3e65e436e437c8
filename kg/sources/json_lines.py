"""JSON Lines: an object a line with `title` and `abstract`, and what else is known of the paper.

Optional keys: `id`, `date` or `year`, `authors` (texts, or objects with a `name`), `url`,
`arxiv_id`, `venue`. Other keys are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kg.sources.decoding import cleaned
from kg.sources.reading import Line, Problem, Reader
from schemas.records import Paper, Source

_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


class _Unfit(Exception):
    """A line that is no paper; its text says why."""


def _recognises(head: list[str]) -> bool:
    """At least half of the lines open an object, so that a broken first line hides nothing."""
    opens = [text.lstrip().startswith("{") for text in head if text.strip()]
    return any(opens) and 2 * sum(opens) >= len(opens)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    for line in lines:
        if line.broken or not line.text.strip():
            continue
        try:
            yield _paper(_object(line.text), Source(name, line.number))
        except _Unfit as unfit:
            yield Problem(f"{name}:{line.number}", str(unfit))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise _Unfit(f"not JSON: {error.msg} at column {error.colno}") from error
    except (RecursionError, ValueError) as error:
        raise _Unfit(f"JSON that cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise _Unfit(f"{_named(value)} where an object with title and abstract is due")
    return value


def _paper(value: dict[str, Any], source: Source) -> Paper:
    title, abstract = _text(value, "title"), _text(value, "abstract")
    if not title.strip():
        raise _Unfit("the paper has no title")
    if not abstract.strip():
        raise _Unfit(f"the paper has no abstract: {title[:60]!r}")
    return Paper(
        id=_text(value, "id").strip(),
        title=title,
        abstract=abstract,
        date=_date(value),
        authors=tuple(_authors(value.get("authors"))),
        url=_text(value, "url").strip(),
        arxiv_id=_text(value, "arxiv_id").strip(),
        venue=_text(value, "venue").strip(),
        sources=(source,),
    )


def _text(value: dict[str, Any], name: str) -> str:
    item = value.get(name)
    if item is None:
        return ""
    if isinstance(item, bool) or not isinstance(item, (str, int)):
        raise _Unfit(f"{name!r} is {_named(item)} where text is due")
    return cleaned(str(item))


def _date(value: dict[str, Any]) -> str:
    written = _text(value, "date").strip() or _text(value, "year").strip()
    found = _DATE.match(written)
    if written and not found:
        raise _Unfit(f"the date {written!r} is not YYYY, YYYY-MM or YYYY-MM-DD")
    return found[0] if found else ""


def _authors(value: object) -> Iterator[str]:
    listed = [value] if isinstance(value, str) else value or []
    if not isinstance(listed, list):
        raise _Unfit(f"'authors' is {_named(value)} where a list is due")
    for item in listed:
        name = item.get("name") if isinstance(item, dict) else item
        if not isinstance(name, str):
            raise _Unfit("an author is neither a text nor an object with a name")
        yield cleaned(name).strip()


def _named(value: object) -> str:
    """What JSON calls the value."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


READER: Final = Reader("JSON Lines: an object a line with title and abstract", _recognises, _read)
