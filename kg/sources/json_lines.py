"""Generic JSON: objects with `title`, `abstract` and other fields of a paper.

Objects are one per line (JSON Lines), or in a list. `citekg.sources.field_names` lists the keys.
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
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources.authors import parse_authors
from citekg.sources.dates import parse_date
from citekg.sources.extra_links import further_links
from citekg.sources.field_names import KNOWN_KEYS, normalise_key, values_by_field
from citekg.sources.fields import (
    InvalidRecord,
    check_record_length,
    check_text_length,
    first,
    get_text,
    get_texts,
)
from citekg.sources.json_records import iter_records, parse_records
from citekg.sources.limits import MAX_HEAD_LENGTH

_Read = TypeVar("_Read")

#: The keys that are read; an object with duplicates of one is ambiguous.
_KEYS: Final = KNOWN_KEYS | {"name"}
#: The keys of an object that holds a list of papers.
_LISTS: Final = frozenset({"papers", "records"})
#: The start of a file that is not JSON Lines: a list, a multi-line object or an object with a list.
_NOT_JSON_LINES: Final = re.compile(
    rf'\s*(?:\[\s*[{{\]]|\{{[^\n{{}}]*\n\s*"|\{{\s*"(?:{"|".join(sorted(_LISTS))})"\s*:\s*\[)'
)
#: The number of lines that decide whether a file is JSON Lines.
_HEAD: Final = 50


def _recognises(head: list[str]) -> bool:
    """Return whether half of the lines open an object, or the file is a JSON document."""
    opens = [text.lstrip().startswith("{") for text in head if text.strip()]
    return (any(opens) and 2 * sum(opens) >= len(opens)) or _is_document(head)


def _is_document(head: list[str]) -> bool:
    """Return whether the file is one JSON document and not JSON Lines."""
    return _NOT_JSON_LINES.match("\n".join(head)) is not None


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    rest = iter(lines)
    head = list(islice(rest, _HEAD))
    whole = chain(head, rest)
    if not _is_document([line.text[:MAX_HEAD_LENGTH] for line in head]):
        by_line = (
            (line.number, _parse_line(line.text))
            for line in whole
            if not line.broken and line.text.strip()
        )
        yield from parse_records(name, by_line, _papers)
        return
    found = iter_records(whole, _LISTS, _reject_duplicates)
    first_record = list(islice(found, 1))
    if not first_record:
        raise InputError(name, "the JSON holds no record")
    yield from parse_records(name, chain(first_record, found), _papers)


def _parse_line(written: str) -> object:
    """Return the value on one line, or an `InvalidRecord`."""
    try:
        return json.loads(
            check_record_length(written).rstrip().removesuffix(","),
            object_pairs_hook=_reject_duplicates,
        )
    except json.JSONDecodeError as error:
        return InvalidRecord(f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return InvalidRecord("JSON that cannot be read: it is nested too deeply")
    except ValueError:
        return InvalidRecord("JSON that cannot be read: it holds a number of too many digits")
    except InvalidRecord as error:
        return error


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> object:
    """Return the object of these pairs, or an `InvalidRecord` where it has a duplicate key."""
    value = dict(pairs)
    counted = Counter(name for name, _ in pairs) if len(value) < len(pairs) else {}
    twice = next(
        (name for name in counted if counted[name] > 1 and normalise_key(name) in _KEYS), None
    )
    return value if twice is None else InvalidRecord(f"{twice!r} is given twice")


def _papers(value: dict[str, Any], source: Source) -> Iterator[Paper | Problem]:
    """Yield the paper of an object, and a warning for each field that cannot be read.

    Raises `InvalidRecord` if that is the title or the abstract.
    """
    values = values_by_field(value)
    title, abstract = (
        get_text({field: next(iter(values[field]), None)}, field) for field in ("title", "abstract")
    )
    check_text_length(title, abstract)
    warnings: list[str] = []

    def readable(field: str, read: Callable[[object], _Read]) -> Iterator[_Read]:
        for item in values[field]:
            try:
                yield read(item)
            except InvalidRecord as error:
                warnings.append(f"{error}; it is left out")

    def one(field: str) -> str:
        return next(readable(field, lambda item: get_text({field: item}, field).strip()), "")

    def several(field: str) -> list[str]:
        return [*chain.from_iterable(readable(field, lambda item: get_texts({field: item}, field)))]

    url, own_id = one("url"), one("id")
    arxiv, own_doi = _arxiv_and_doi(own_id, url, one("arxiv_id"), one("doi"), warnings)
    date = parse_date(values["date"])
    yield Paper(
        id=first(arxiv_id(own_id), doi(own_id), own_id),
        title=title,
        abstract=abstract,
        date=date.date,
        authors=next(readable("authors", parse_authors), ()),
        url=url,
        arxiv_id=arxiv,
        venue=one("venue"),
        sources=(source,),
        doi=own_doi,
        links=further_links(several("links"), url, arxiv, own_doi),
        references=identifiers(several("references")),
    )
    for warning in (*filter(None, [date.warning]), *warnings):
        yield Problem(str(source), warning, warning=True)


def _arxiv_and_doi(
    own_id: str, url: str, arxiv: str, own_doi: str, warnings: list[str]
) -> tuple[str, str]:
    """Return the arXiv id, without version, and the DOI; warn about an invalid arXiv id."""
    if arxiv and not arxiv_id(arxiv):
        warnings.append(f"{arxiv[:60]!r} is not an arXiv id; it is omitted")
    named = "" if arxiv_id(own_id) else doi(own_id)
    return first(*map(arxiv_id, (arxiv, own_id, url, own_doi))), first(doi(own_doi), own_doi, named)


FORMAT: Final = SourceFormat(
    "JSON: objects with title and abstract, a line each or in a list",
    _recognises,
    _read,
    by_line=True,
)
