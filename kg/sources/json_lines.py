"""JSON of one's own: objects with `title` and `abstract`, and what else is known of the paper.

They may stand a line each (JSON Lines), or in a list on one line or over many; `citekg.sources.field_names` lists the keys.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final, TypeVar

from citekg.schemas.errors import InputError
from citekg.schemas.identifiers import arxiv_id, doi, identifiers
from citekg.schemas.records import Paper, Source
from citekg.sources.authors import authors
from citekg.sources.dates import dated
from citekg.sources.extra_links import further
from citekg.sources.field_names import KNOWN, folded, values_by_field
from citekg.sources.fields import InvalidRecord, first, fitting, short, text, texts
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.json_records import from_records, records
from citekg.sources.limits import RECOGNISED

_Read = TypeVar("_Read")

#: The keys that are read; one that stands twice in an object leaves open which is meant.
_KEYS: Final = KNOWN | {"name"}
#: The keys of an object that holds a list of papers.
_LISTS: Final = frozenset({"papers", "records"})
#: A list of objects, an object over several lines, or an object that holds a list, at the beginning of a file.
_NO_LINES: Final = re.compile(
    rf'\s*(?:\[\s*[{{\]]|\{{[^\n{{}}]*\n\s*"|\{{\s*"(?:{"|".join(sorted(_LISTS))})"\s*:\s*\[)'
)
#: How many lines tell whether a file is JSON Lines.
_HEAD: Final = 50


def _recognises(head: list[str]) -> bool:
    """At least half of the lines open an object, so that a broken first line hides nothing; or a list does."""
    opens = [text.lstrip().startswith("{") for text in head if text.strip()]
    return (any(opens) and 2 * sum(opens) >= len(opens)) or _in_one(head)


def _in_one(head: list[str]) -> bool:
    """Whether the records are not a line each."""
    return _NO_LINES.match("\n".join(head)) is not None


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    rest = iter(lines)
    head = list(islice(rest, _HEAD))
    whole = chain(head, rest)
    if not _in_one([line.text[:RECOGNISED] for line in head]):
        a_line_each = ((line.number, _record(line.text)) for line in whole if not line.broken and line.text.strip())
        yield from from_records(name, a_line_each, _papers)
        return
    found = records(whole, _LISTS, _once)
    first_one = list(islice(found, 1))
    if not first_one:
        raise InputError(name, "the JSON holds no record")
    yield from from_records(name, chain(first_one, found), _papers)


def _record(written: str) -> object:
    """The value on one line; an `Unfit` where it cannot be read."""
    try:
        return json.loads(short(written).rstrip().removesuffix(","), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        return InvalidRecord(f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return InvalidRecord("JSON that cannot be read: it is nested too deeply")
    except ValueError:
        return InvalidRecord("JSON that cannot be read: it holds a number of too many digits")
    except InvalidRecord as unfit:
        return unfit


def _once(pairs: list[tuple[str, Any]]) -> object:
    """The object of these keys and values; an `Unfit` where it names a field twice."""
    value = dict(pairs)
    counted = Counter(name for name, _ in pairs) if len(value) < len(pairs) else {}
    twice = next((name for name in counted if counted[name] > 1 and folded(name) in _KEYS), None)
    return value if twice is None else InvalidRecord(f"{twice!r} is given twice")


def _papers(value: dict[str, Any], source: Source) -> Iterator[Paper | Problem]:
    """The paper of an object, and a warning for each field that cannot be read.

    Raises `Unfit` where that is the title or the abstract.
    """
    held = values_by_field(value)
    title, abstract = (text({field: next(iter(held[field]), None)}, field) for field in ("title", "abstract"))
    fitting(title, abstract)
    warnings: list[str] = []

    def readable(field: str, read: Callable[[object], _Read]) -> Iterator[_Read]:
        for item in held[field]:
            try:
                yield read(item)
            except InvalidRecord as unfit:
                warnings.append(f"{unfit}; it is left out")

    def one(field: str) -> str:
        return next(readable(field, lambda item: text({field: item}, field).strip()), "")

    def several(field: str) -> list[str]:
        return [*chain.from_iterable(readable(field, lambda item: texts({field: item}, field)))]

    url, own_id = one("url"), one("id")
    arxiv, own_doi = _arxiv_and_doi(own_id, url, one("arxiv_id"), one("doi"), warnings)
    date = dated(held["date"])
    yield Paper(
        id=first(arxiv_id(own_id), doi(own_id), own_id),
        title=title,
        abstract=abstract,
        date=date.date,
        authors=next(readable("authors", authors), ()),
        url=url,
        arxiv_id=arxiv,
        venue=one("venue"),
        sources=(source,),
        doi=own_doi,
        links=further(several("links"), url, arxiv, own_doi),
        references=identifiers(several("references")),
    )
    for warning in (*filter(None, [date.warning]), *warnings):
        yield Problem(str(source), warning, warning=True)


def _arxiv_and_doi(own_id: str, url: str, arxiv: str, own_doi: str, warnings: list[str]) -> tuple[str, str]:
    """The arXiv id without its version, wherever it is written, and the DOI; what is no arXiv id becomes a warning."""
    if arxiv and not arxiv_id(arxiv):
        warnings.append(f"{arxiv[:60]!r} is no arXiv id; it is left out")
    named = "" if arxiv_id(own_id) else doi(own_id)
    return first(*map(arxiv_id, (arxiv, own_id, url, own_doi))), first(doi(own_doi), own_doi, named)


READER: Final = SourceFormat("JSON: objects with title and abstract, a line each or in a list", _recognises, _read)
