"""Papers that lie in memory: `Paper` records, dictionaries with the keys of JSON Lines, and pandas DataFrames.

Each is read as its file would be. The line of a paper's source is the number of its record, from 1.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

from citekg.schemas.errors import InputError
from citekg.schemas.records import Paper, Source
from citekg.sources import json_lines, parquet, tables
from citekg.sources.field_names import KEYS, folded, wanted
from citekg.sources.fields import InvalidRecord
from citekg.sources.format import Line, Problem

Record = Mapping[str, Any] | Paper

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd

    #: What a graph is built of: one or several paths, or one or several records.
    Inputs: TypeAlias = (
        str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Record | Iterable[Record] | pd.DataFrame
    )

#: What stands for the name of a file in sources and messages.
NAME: Final = "records"


def is_frame(given: object) -> TypeGuard[pd.DataFrame]:
    """Whether it is a pandas DataFrame; pandas is not imported for this."""
    return type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "columns")


def paths_or_records(given: Inputs) -> tuple[list[str], Iterable[Record] | pd.DataFrame | None]:
    """Paths, or else records: one or several of them, as the first one tells.

    Raises `InputError` for what is neither, or both.
    """
    if is_frame(given):
        return [], given
    if isinstance(given, (str, os.PathLike, Mapping, Paper)):
        given = [given]
    if not isinstance(given, Iterable):
        raise InputError(NAME, f"{_article(given)} where paths, records or a DataFrame are due")
    items = iter(given)
    first = [*islice(items, 1)]
    if all(isinstance(item, (str, os.PathLike)) for item in first):
        return [_path(number, item) for number, item in enumerate(chain(first, items), start=1)], None
    return [], cast("Iterable[Record]", chain(first, items))


def _path(number: int, item: object) -> str:
    if not isinstance(item, (str, os.PathLike)):
        raise InputError(f"input {number}", f"{_article(item)} among paths: give paths alone, or records alone")
    return str(item)


def read_records(given: Iterable[Record] | pd.DataFrame) -> Iterator[Paper | Problem]:
    """The papers of the records, and what is wrong with the others, named by their number.

    Raises `InputError` for a DataFrame without a column for titles and one for abstracts.
    """
    if is_frame(given):
        yield from _read_frame(given)
        return
    for number, record in enumerate(given, start=1):
        try:
            yield from _read_record(number, record)
        except InvalidRecord as unfit:
            yield Problem(f"{NAME}:{number}", str(unfit))


def _read_record(number: int, record: object) -> Iterator[Paper | Problem]:
    if isinstance(record, Paper):
        yield _checked(record, Source(NAME, number))
    elif isinstance(record, Mapping):
        values = {str(key): _plain(str(key), value) for key, value in record.items()}
        yield from json_lines.READER.read(NAME, [Line(number, json.dumps(values))])
    else:
        raise InvalidRecord(f"{_article(record)} where a dictionary or a Paper is due")


def _checked(paper: Paper, source: Source) -> Paper:
    for field in ("title", "abstract"):
        if not isinstance(getattr(paper, field), str):
            raise InvalidRecord(f"{field!r} is {_article(getattr(paper, field))} where text is due")
    return paper if paper.sources else replace(paper, sources=(source,))


def _plain(field: str, value: object) -> object:
    """The value as JSON has it; what is no number is nothing. Raises `Unfit` for what JSON has no form for."""
    if hasattr(value, "tolist"):  # a number or an array of numpy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(field, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(field, item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    if value is None or isinstance(value, (str, int)):
        return value
    raise InvalidRecord(f"{field!r} is {_article(value)} where text is due")


def _article(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _read_frame(frame: pd.DataFrame) -> Iterator[Paper | Problem]:
    names = [str(column).strip() for column in frame.columns]
    columns = [*map(folded, names)]
    if not {*columns} & {*KEYS["title"]}:
        raise InputError("DataFrame", wanted(names))
    yield from (Problem("DataFrame", message, warning=True) for message in tables.named_twice(names))
    values = frame.astype(object).where(frame.notna(), None)
    for number, row in enumerate(values.itertuples(index=False, name=None), start=1):
        cells = {column: value for column, value in zip(columns, row, strict=True) if column in tables.READ}
        try:
            texts = {column: parquet.cell(_plain(column, value), column) for column, value in cells.items()}
            yield from tables.papers(texts, Source(NAME, number))
        except InvalidRecord as unfit:
            yield Problem(f"{NAME}:{number}", str(unfit))
