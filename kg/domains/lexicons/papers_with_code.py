"""Read the names of the Papers with Code archive: methods, data sets and evaluation tables.

Only names and topics are taken; the description of a data set determines its type, but is not
copied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Problem
from citekg.schemas.vocabulary import BENCHMARK, DATASET, METHOD, MODEL
from citekg.sources.decoding import decode_lines
from citekg.sources.fields import InvalidRecord, get_list, get_object, get_text
from citekg.sources.input_files import InputFile
from citekg.sources.json_records import iter_records

_BENCHMARK: Final = re.compile(
    r"(?i)\b(?:benchmarks?|challenge|competition|leaderboard|suite|environments?)\b|(?:bench|eval|gym)\b"
)
_MODELS: Final = re.compile(r"(?i)\blanguage models?\b|\bpre-?trained models?\b")


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name of the archive with its type, long form, variants, topics and number of papers.

    `variants` are the names of versions and parts, or other spellings; `umbrella` marks the name of
    a whole class of methods.
    """

    name: str
    type: str
    full_name: str = ""
    variants: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    papers: int = 0
    umbrella: bool = False


def listed_names(file: str) -> Iterator[ListedName | Problem]:
    """Yield every name of an archive file, gzipped or not, and a `Problem` per unreadable record.

    Raises `InputError` for a file that is missing or of no known kind.
    """
    known = False
    for line, record in iter_records(decode_lines(InputFile(file)), frozenset()):
        try:
            yield from _names(record)
            known = True
        except _UnknownRecord as unknown:
            if not known:
                raise InputError(file, str(unknown)) from unknown
            yield Problem(f"{file}:{line}", str(unknown))
        except InvalidRecord as invalid:
            yield Problem(f"{file}:{line}", str(invalid))
    if not known:
        raise InputError(file, "the file holds no record")


class _UnknownRecord(Exception):
    """A record of no known kind; its text gives the expected kinds."""


def _names(record: object) -> Iterator[ListedName]:
    if isinstance(record, InvalidRecord):
        raise record
    if isinstance(record, Mapping):
        for keys, names in _FILES:
            if record.keys() >= keys:
                yield from names(record)
                return
    raise _UnknownRecord(
        "expected methods, datasets or evaluation tables of the Papers with Code archive"
    )


def _method(record: Mapping[str, Any]) -> Iterator[ListedName]:
    collections = [one for one in get_list(record, "collections") if isinstance(one, Mapping)]
    classes = [get_text(one, "collection") for one in collections]
    about = (*classes, *(get_text(one, "area") for one in collections))
    name = get_text(record, "name")
    yield ListedName(
        name,
        MODEL if any(map(_MODELS.search, classes)) else METHOD,
        get_text(record, "full_name"),
        about=tuple(filter(None, about)),
        papers=_number(record),
        umbrella=name.lower().rstrip("s") in {one.lower().rstrip("s") for one in classes},
    )


def _dataset(record: Mapping[str, Any]) -> Iterator[ListedName]:
    name, full_name = get_text(record, "name"), get_text(record, "full_name")
    about = [
        get_text(one, "task") if isinstance(one, Mapping) else str(one)
        for one in get_list(record, "tasks")
    ]
    yield ListedName(
        name,
        _kind(name, full_name, get_text(record, "description").partition(". ")[0]),
        full_name,
        variants=_texts(record, "variants"),
        about=tuple(filter(None, (*about, *_texts(record, "modalities")))),
        papers=_number(record),
    )


def _table(record: Mapping[str, Any]) -> Iterator[ListedName]:
    """Yield the data sets of a task and of its subtasks."""
    for dataset in _parts(record, "datasets"):
        name, rows = get_text(dataset, "dataset"), get_list(get_object(dataset, "sota"), "rows")
        yield ListedName(name, _kind(name), about=(get_text(record, "task"),), papers=len(rows))
    for task in get_list(record, "subtasks"):
        if isinstance(task, Mapping):
            yield from _table(task)


def _parts(record: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the data sets of a field, each before its parts."""
    for dataset in get_list(record, name):
        if isinstance(dataset, Mapping):
            yield dataset
            yield from _parts(dataset, "subdatasets")


def _kind(*texts: str) -> str:
    return BENCHMARK if any(map(_BENCHMARK.search, texts)) else DATASET


def _texts(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(one for one in get_list(record, name) if isinstance(one, str))


def _number(record: Mapping[str, Any]) -> int:
    count = record.get("num_papers")
    return count if isinstance(count, int) else 0


#: The keys that identify the records of each file, and the function that yields their names.
_FILES: Final[
    tuple[tuple[frozenset[str], Callable[[Mapping[str, Any]], Iterator[ListedName]]], ...]
] = (
    (frozenset({"name", "collections"}), _method),
    (frozenset({"name", "variants"}), _dataset),
    (frozenset({"name", "modalities"}), _dataset),
    (frozenset({"task", "datasets"}), _table),
)
