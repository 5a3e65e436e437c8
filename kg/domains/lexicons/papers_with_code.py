"""What the Papers with Code archive says of names: its files of methods, datasets and evaluation tables.

Only names and what they are about are taken; descriptions say what kind of thing a data set is, and are
never copied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from citekg.schemas.errors import InputError
from citekg.schemas.vocabulary import BENCHMARK, DATASET, METHOD, MODEL
from citekg.sources.decoding import decoded
from citekg.sources.fields import InvalidRecord, below, listed, text
from citekg.sources.format import Problem
from citekg.sources.input_files import InputFile
from citekg.sources.json_records import records

_BENCHMARK: Final = re.compile(
    r"(?i)\b(?:benchmarks?|challenge|competition|leaderboard|suite|environments?)\b|(?:bench|eval|gym)\b"
)
_MODELS: Final = re.compile(r"(?i)\blanguage models?\b|\bpre-?trained models?\b")


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name as the archive has it: what it is, what else it is called, what it is about, in how many papers.

    `variants` are the names of versions and parts, or other spellings; `umbrella` says that it names a
    whole class of things.
    """

    name: str
    type: str
    full_name: str = ""
    variants: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    papers: int = 0
    umbrella: bool = False


def listed_names(file: str) -> Iterator[ListedName | Problem]:
    """Every name in a file of the archive, which may be gzipped, and what could not be read.

    Raises `InputError` for a file that is missing or none of the three.
    """
    known = False
    for line, record in records(decoded(InputFile(file)), frozenset()):
        try:
            yield from _names(record)
            known = True
        except _Unknown as unknown:
            if not known:
                raise InputError(file, str(unknown)) from unknown
            yield Problem(f"{file}:{line}", str(unknown))
        except InvalidRecord as unfit:
            yield Problem(f"{file}:{line}", str(unfit))
    if not known:
        raise InputError(file, "it holds no record")


class _Unknown(Exception):
    """A record of none of the three files; its text says what is due."""


def _names(record: object) -> Iterator[ListedName]:
    if isinstance(record, InvalidRecord):
        raise record
    if isinstance(record, Mapping):
        for keys, names in _FILES:
            if record.keys() >= keys:
                yield from names(record)
                return
    raise _Unknown("want methods, datasets or evaluation tables of the Papers with Code archive")


def _method(record: Mapping[str, Any]) -> Iterator[ListedName]:
    collections = [one for one in listed(record, "collections") if isinstance(one, Mapping)]
    classes = [text(one, "collection") for one in collections]
    about = (*classes, *(text(one, "area") for one in collections))
    name = text(record, "name")
    yield ListedName(
        name,
        MODEL if any(map(_MODELS.search, classes)) else METHOD,
        text(record, "full_name"),
        about=tuple(filter(None, about)),
        papers=_number(record),
        umbrella=name.lower().rstrip("s") in {one.lower().rstrip("s") for one in classes},
    )


def _dataset(record: Mapping[str, Any]) -> Iterator[ListedName]:
    name, full_name = text(record, "name"), text(record, "full_name")
    about = [text(one, "task") if isinstance(one, Mapping) else str(one) for one in listed(record, "tasks")]
    yield ListedName(
        name,
        _kind(name, full_name, text(record, "description").partition(". ")[0]),
        full_name,
        variants=_texts(record, "variants"),
        about=tuple(filter(None, (*about, *_texts(record, "modalities")))),
        papers=_number(record),
    )


def _table(record: Mapping[str, Any]) -> Iterator[ListedName]:
    """The data sets of a task and of the tasks below it."""
    for dataset in _parts(record, "datasets"):
        name, rows = text(dataset, "dataset"), listed(below(dataset, "sota"), "rows")
        yield ListedName(name, _kind(name), about=(text(record, "task"),), papers=len(rows))
    for task in listed(record, "subtasks"):
        if isinstance(task, Mapping):
            yield from _table(task)


def _parts(record: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The data sets listed in a field, each before its parts."""
    for dataset in listed(record, name):
        if isinstance(dataset, Mapping):
            yield dataset
            yield from _parts(dataset, "subdatasets")


def _kind(*said: str) -> str:
    return BENCHMARK if any(map(_BENCHMARK.search, said)) else DATASET


def _texts(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(one for one in listed(record, name) if isinstance(one, str))


def _number(record: Mapping[str, Any]) -> int:
    count = record.get("num_papers")
    return count if isinstance(count, int) else 0


#: What tells the records of each file, and how names are read from one.
_FILES: Final[tuple[tuple[frozenset[str], Callable[[Mapping[str, Any]], Iterator[ListedName]]], ...]] = (
    (frozenset({"name", "collections"}), _method),
    (frozenset({"name", "variants"}), _dataset),
    (frozenset({"name", "modalities"}), _dataset),
    (frozenset({"task", "datasets"}), _table),
)
