"""JSON Lines: an object a line with `title` and `abstract`, and what else is known of the paper.

Optional keys: `id`, `date` or `year`, `authors` (texts, or objects with a `name`), `url`,
`arxiv_id`, `doi`, `venue`, `links`, `references`. Other keys are passed over.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kg.sources.decoding import cleaned
from kg.sources.fields import Unfit, fitting, named, short, text, texts
from kg.sources.further import further
from kg.sources.reading import Line, Problem, Reader
from schemas.identifiers import doi, identifiers
from schemas.records import Paper, Source

#: The keys that are read; one that stands twice in an object leaves open which is meant.
_KEYS: Final = frozenset("title abstract id date year authors name url arxiv_id doi venue links references".split())
_DATE: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


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
        except Unfit as unfit:
            yield Problem(f"{name}:{line.number}", str(unfit))


def _object(written: str) -> dict[str, Any]:
    try:
        value = json.loads(short(written), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise Unfit(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise Unfit("JSON that cannot be read: it is nested too deeply") from error
    except ValueError as error:
        raise Unfit("JSON that cannot be read: it holds a number of too many digits") from error
    if not isinstance(value, dict):
        raise Unfit(f"{named(value)} where an object with title and abstract is due")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        if twice := [name for name in counted if counted[name] > 1 and name in _KEYS]:
            raise Unfit(f"{twice[0]!r} is given twice")
    return value


def _paper(value: dict[str, Any], source: Source) -> Paper:
    title, abstract = text(value, "title"), text(value, "abstract")
    fitting(title, abstract)
    url, arxiv, own_doi = (text(value, name).strip() for name in ("url", "arxiv_id", "doi"))
    own_doi = doi(own_doi) or own_doi
    return Paper(
        id=text(value, "id").strip(),
        title=title,
        abstract=abstract,
        date=_date(value),
        authors=tuple(_authors(value.get("authors"))),
        url=url,
        arxiv_id=arxiv,
        venue=text(value, "venue").strip(),
        sources=(source,),
        doi=own_doi,
        links=further(texts(value, "links"), url, arxiv, own_doi),
        references=identifiers(texts(value, "references")),
    )


def _date(value: dict[str, Any]) -> str:
    written = text(value, "date").strip() or text(value, "year").strip()
    found = _DATE.match(written)
    if written and not found:
        raise Unfit(f"the date {written!r} is not YYYY, YYYY-MM or YYYY-MM-DD")
    return found[0] if found else ""


def _authors(value: object) -> Iterator[str]:
    listed = [value] if isinstance(value, str) else value or []
    if not isinstance(listed, list):
        raise Unfit(f"'authors' is {named(value)} where a list is due")
    for item in listed:
        name = item.get("name") if isinstance(item, dict) else item
        if not isinstance(name, str):
            raise Unfit("an author is neither a text nor an object with a name")
        yield cleaned(name).strip()


READER: Final = Reader("JSON Lines: an object a line with title and abstract", _recognises, _read)
