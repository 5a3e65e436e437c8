"""Read papers from memory: `Paper` records, dictionaries with the keys of JSON Lines, DataFrames.

The line of a paper's source is the number of its record, from 1.
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
from citekg.schemas.plugins import Line, Problem
from citekg.schemas.records import Paper, Source
from citekg.sources import json_lines, parquet, tables
from citekg.sources.field_names import FIELD_KEYS, missing_columns_message, normalise_key
from citekg.sources.fields import InvalidRecord

Record = Mapping[str, Any] | Paper

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd

    #: The inputs of a build: one or several paths, or one or several records.
    Inputs: TypeAlias = (
        str
        | os.PathLike[str]
        | Iterable[str | os.PathLike[str]]
        | Record
        | Iterable[Record]
        | pd.DataFrame
    )

#: The name used for a file in sources and messages.
SOURCE_NAME: Final = "records"


def is_dataframe(given: object) -> TypeGuard[pd.DataFrame]:
    """Return whether a value is a pandas DataFrame, without importing pandas."""
    return type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "columns")


def paths_or_records(given: Inputs) -> tuple[list[str], Iterable[Record] | pd.DataFrame | None]:
    """Return the paths, or else an empty list and the records; the first item decides.

    Raises `InputError` for another type, or for paths and records together.
    """
    if is_dataframe(given):
        return [], given
    if isinstance(given, (str, os.PathLike, Mapping, Paper)):
        given = [given]
    if not isinstance(given, Iterable):
        raise InputError(
            SOURCE_NAME,
            f"{_type_with_article(given)} where paths, records or a DataFrame are expected",
        )
    items = iter(given)
    first = [*islice(items, 1)]
    if all(isinstance(item, (str, os.PathLike)) for item in first):
        return [
            _path(number, item) for number, item in enumerate(chain(first, items), start=1)
        ], None
    return [], cast("Iterable[Record]", chain(first, items))


def _path(number: int, item: object) -> str:
    """Return a path as text. Raises `InputError` for another type."""
    if not isinstance(item, (str, os.PathLike)):
        raise InputError(
            f"input {number}",
            f"{_type_with_article(item)} among paths: give paths alone, or records alone",
        )
    return str(item)


def read_records(given: Iterable[Record] | pd.DataFrame) -> Iterator[Paper | Problem]:
    """Yield the paper or the problem of each record.

    Raises `InputError` for a DataFrame without a column of titles.
    """
    if is_dataframe(given):
        yield from _read_frame(given)
        return
    for number, record in enumerate(given, start=1):
        try:
            yield from _read_record(number, record)
        except InvalidRecord as error:
            yield Problem(f"{SOURCE_NAME}:{number}", str(error))


def _read_record(number: int, record: object) -> Iterator[Paper | Problem]:
    if isinstance(record, Paper):
        yield _check_paper(record, Source(SOURCE_NAME, number))
    elif isinstance(record, Mapping):
        values = {str(key): _to_json_value(str(key), value) for key, value in record.items()}
        yield from json_lines.FORMAT.read(SOURCE_NAME, [Line(number, json.dumps(values))])
    else:
        raise InvalidRecord(
            f"{_type_with_article(record)} where a dictionary or a Paper is expected"
        )


def _check_paper(paper: Paper, source: Source) -> Paper:
    """Return the paper, with a source. Raises `InvalidRecord` if a text is not a string."""
    for field in ("title", "abstract"):
        if not isinstance(getattr(paper, field), str):
            raise InvalidRecord(
                f"{field!r} is {_type_with_article(getattr(paper, field))} where text is expected"
            )
    return paper if paper.sources else replace(paper, sources=(source,))


def _to_json_value(field: str, value: object) -> object:
    """Return the JSON value of a Python value; NaN is null. Raises `InvalidRecord`."""
    if hasattr(value, "tolist"):  # a number or an array of numpy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _to_json_value(field, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_to_json_value(field, item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    if value is None or isinstance(value, (str, int)):
        return value
    raise InvalidRecord(f"{field!r} is {_type_with_article(value)} where text is expected")


def _type_with_article(value: object) -> str:
    """Return the name of a value's type, with its article."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _read_frame(frame: pd.DataFrame) -> Iterator[Paper | Problem]:
    names = [str(column).strip() for column in frame.columns]
    columns = [*map(normalise_key, names)]
    if not {*columns} & {*FIELD_KEYS["title"]}:
        raise InputError("DataFrame", missing_columns_message(names))
    yield from (
        Problem("DataFrame", message, warning=True) for message in tables.duplicate_columns(names)
    )
    values = frame.astype(object).where(frame.notna(), None)
    for number, row in enumerate(values.itertuples(index=False, name=None), start=1):
        cells = {
            column: value
            for column, value in zip(columns, row, strict=True)
            if column in tables.READ_COLUMNS
        }
        try:
            texts = {
                column: parquet.cell_text(_to_json_value(column, value), column)
                for column, value in cells.items()
            }
            yield from tables.parse_row(texts, Source(SOURCE_NAME, number))
        except InvalidRecord as error:
            yield Problem(f"{SOURCE_NAME}:{number}", str(error))
