"""Parquet, read by pyarrow in batches of rows (`pip install 'citekg[parquet]'`).

A file whose columns are the keys of a known JSON format (OpenAlex, arXiv, Semantic Scholar and so
on) is read as that format. Any other file is read as a table with columns for title and abstract.
The line of a paper's source is its row, from 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.errors import InputError, first_line
from citekg.schemas.files import MAX_UNPACK_RATIO, MIN_CHECKED_BYTES
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import (
    arxiv_json,
    csl_json,
    hugging_face,
    openalex,
    papers_with_code,
    semantic_scholar,
    tables,
)
from citekg.sources.field_names import (
    LIST_KEYS,
    are_paper_columns,
    missing_columns_message,
    normalise_key,
)
from citekg.sources.fields import InvalidRecord
from citekg.sources.text_records import missing_package

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_JSON_FORMATS: Final = tuple(
    module.FORMAT
    for module in (openalex, arxiv_json, papers_with_code, hugging_face, semantic_scholar, csl_json)
)
#: The maximum number of rows in a batch, and of their uncompressed bytes.
_BATCH_ROWS: Final = 256
_BATCH_BYTES: Final = 1 << 26
#: The size of the read buffer of a column, in bytes.
_BUFFER_SIZE: Final = 1 << 16


def _read_file(path: Path, name: str) -> Iterator[Paper | Problem]:
    """Yield the papers and problems of a file. Raises `InputError`."""
    file = _open(path, name)
    if fault := _suspicion(file.metadata, path.stat().st_size):
        raise InputError(name, f"not read: {fault}")
    columns = [str(column) for column in file.schema_arrow.names]
    yield from (
        Problem(name, message, warning=True) for message in tables.duplicate_columns(columns)
    )
    keys = [json.dumps(dict.fromkeys(columns))]
    json_format = next((each for each in _JSON_FORMATS if each.recognises(keys)), None)
    if json_format:
        yield from _read_as_json(json_format, name, _rows(name, file, columns))
    else:
        yield from _read_as_table(name, file, columns)


def _open(path: Path, name: str) -> pq.ParquetFile:
    """Open a file. Raises `InputError` without pyarrow or for another format."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise missing_package(name, "Parquet", "pyarrow", "parquet") from None
    try:
        return pq.ParquetFile(path, buffer_size=_BUFFER_SIZE, pre_buffer=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(name, f"not a Parquet file: {first_line(error)}") from error


def _suspicion(about: pq.FileMetaData, size: int) -> str:
    """Return why a file of this size may be empty or a decompression bomb; empty if it is not."""
    if not about.num_rows:
        return "it has no rows"
    if about.num_rows > max(size, _BATCH_ROWS):
        return f"it has more rows ({about.num_rows}) than bytes"
    sizes = (
        (chunk.total_uncompressed_size, chunk.total_compressed_size) for chunk in _chunks(about)
    )
    if any(
        unpacked > max(MIN_CHECKED_BYTES, MAX_UNPACK_RATIO * packed) for unpacked, packed in sizes
    ):
        return f"it unpacks to more than {MAX_UNPACK_RATIO} times its size"
    return ""


def _chunks(about: pq.FileMetaData) -> Iterator[pq.ColumnChunkMetaData]:
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        yield from map(group.column, range(group.num_columns))


def _rows(
    name: str, file: pq.ParquetFile, columns: Sequence[str]
) -> Iterator[tuple[int, Mapping[str, Any] | Problem]]:
    """Yield each row, as JSON values, or its problem, with the row number from 1.

    Raises `InputError` if the file is corrupt.
    """
    import pyarrow as pa

    # Dictionary encoding may repeat one long text in every row of a column.
    largest = max((chunk.total_uncompressed_size for chunk in _chunks(file.metadata)), default=0)
    number = 0
    try:
        for batch in file.iter_batches(
            max(1, min(_BATCH_ROWS, _BATCH_BYTES // max(1, largest))), columns=list(columns)
        ):
            for row in _values(batch):
                number += 1
                yield number, row if isinstance(row, Mapping) else Problem(f"{name}:{number}", row)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{name}:{number + 1}", f"cannot be read from here on: {first_line(error)}"
        ) from error


def _values(batch: pa.RecordBatch) -> list[Mapping[str, Any] | str]:
    """Return the rows as JSON values, or a message for a row that Python cannot represent."""
    try:
        return [
            {column: _to_json_value(value) for column, value in row.items()}
            for row in batch.to_pylist()
        ]
    except Exception as error:  # noqa: BLE001  # each type of column raises its own
        if batch.num_rows == 1:
            return [f"the row cannot be read: {first_line(error)}"]
        return [row for place in range(batch.num_rows) for row in _values(batch.slice(place, 1))]


def _to_json_value(value: Any) -> Any:
    """Return a value as JSON: maps are objects, dates are texts, NaN is null."""
    if isinstance(value, Mapping):
        return {str(key): _to_json_value(item) for key, item in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) for item in value):
            return {str(key): _to_json_value(item) for key, item in value}
        return [_to_json_value(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _read_as_json(
    json_format: SourceFormat, name: str, rows: Iterable[tuple[int, Mapping[str, Any] | Problem]]
) -> Iterator[Paper | Problem]:
    unread: list[Problem] = []
    for item in json_format.read(name, _as_json(rows, unread)):
        yield item
        yield from unread
        unread.clear()
    yield from unread


def _as_json(
    rows: Iterable[tuple[int, Mapping[str, Any] | Problem]], unread: list[Problem]
) -> Iterator[Line]:
    for number, row in rows:
        if isinstance(row, Problem):
            unread.append(row)
        else:
            yield Line(number, json.dumps(row, ensure_ascii=False))


def _read_as_table(
    name: str, file: pq.ParquetFile, columns: Sequence[str]
) -> Iterator[Paper | Problem]:
    keys_by_column = {column: normalise_key(column) for column in columns}
    if not are_paper_columns(keys_by_column.values()):
        raise InputError(name, missing_columns_message(columns))
    read = [column for column in columns if keys_by_column[column] in tables.READ_COLUMNS]
    for number, row in _rows(name, file, read):
        if isinstance(row, Problem):
            yield row
            continue
        try:
            yield from tables.parse_row(
                {keys_by_column[c]: cell_text(v, keys_by_column[c]) for c, v in row.items()},
                Source(name, number),
            )
        except InvalidRecord as error:
            yield Problem(f"{name}:{number}", str(error))


def cell_text(value: Any, column: str = "") -> str:
    """Return a value as the text of a table cell; a list is JSON if the column may hold one."""
    if isinstance(value, list):
        texts = [*filter(None, map(cell_text, value))]
        return json.dumps(texts) if column in LIST_KEYS else "; ".join(texts)
    if isinstance(value, Mapping):
        return cell_text(value.get("name"))
    return "" if value is None else str(value)


def _no_lines(name: str, _lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    raise InputError(
        name, "Parquet holds no lines that could be read one by one: give the file itself"
    )


FORMAT: Final = SourceFormat(
    "Parquet: a table with title and abstract, or the columns of a site's JSON",
    lambda _head: False,
    _no_lines,
    magic=b"PAR1",
    read_file=_read_file,
)
