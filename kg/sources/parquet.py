"""Parquet, read by pyarrow in batches of rows (`pip install 'citekg[parquet]'`).

A file whose columns are the keys of a site that we know (OpenAlex, arXiv, Semantic Scholar and the like,
nested as there) is read as that site's JSON is, any other as a table is whose header names a title and
an abstract. The line of a paper's source is its row, from 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.errors import InputError, first_line
from citekg.schemas.files import FREELY, MAX_UNPACKED
from citekg.schemas.records import Paper, Source
from citekg.sources import arxiv_json, csl_json, hugging_face, openalex, papers_with_code, semantic_scholar, tables
from citekg.sources.field_names import LISTS, folded, holds_papers, wanted
from citekg.sources.fields import InvalidRecord
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import missing

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_SITES: Final = tuple(
    module.READER for module in (openalex, arxiv_json, papers_with_code, hugging_face, semantic_scholar, csl_json)
)
#: How many rows are held at a time, and how many bytes of them where a row may be long.
_ROWS: Final = 256
_HELD: Final = 1 << 26
#: How many bytes of a column are read at a time.
_BYTES: Final = 1 << 16


def _read_file(path: Path, name: str) -> Iterator[Paper | Problem]:
    file = _opened(path, name)
    if fault := _disproportion(file.metadata, path.stat().st_size):
        raise InputError(name, f"not read: {fault}")
    columns = [str(column) for column in file.schema_arrow.names]
    yield from (Problem(name, told, warning=True) for told in tables.named_twice(columns))
    keys = [json.dumps(dict.fromkeys(columns))]
    site = next((reader for reader in _SITES if reader.recognises(keys)), None)
    if site:
        yield from _of_site(site, name, _rows(name, file, columns))
    else:
        yield from _table(name, file, columns)


def _opened(path: Path, name: str) -> pq.ParquetFile:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise missing(name, "Parquet", "pyarrow", "parquet") from None
    try:
        return pq.ParquetFile(path, buffer_size=_BYTES, pre_buffer=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(name, f"not a Parquet file: {first_line(error)}") from error


def _disproportion(about: pq.FileMetaData, size: int) -> str:
    """What tells that a file of so many bytes holds little and unpacks to very much, if anything does."""
    if not about.num_rows:
        return "it has no rows"
    if about.num_rows > max(size, _ROWS):
        return f"it has more rows ({about.num_rows}) than bytes"
    sizes = ((chunk.total_uncompressed_size, chunk.total_compressed_size) for chunk in _chunks(about))
    if any(unpacked > max(FREELY, MAX_UNPACKED * packed) for unpacked, packed in sizes):
        return f"it unpacks to more than {MAX_UNPACKED} times its size"
    return ""


def _chunks(about: pq.FileMetaData) -> Iterator[pq.ColumnChunkMetaData]:
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        yield from map(group.column, range(group.num_columns))


def _rows(name: str, file: pq.ParquetFile, columns: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Any] | Problem]]:
    """The rows with their numbers, as plain values, or why one cannot be read.

    Raises `InputError` where the file is broken.
    """
    import pyarrow as pa

    # Every row of a column may stand for one long text that the file holds once.
    largest = max((chunk.total_uncompressed_size for chunk in _chunks(file.metadata)), default=0)
    number = 0
    try:
        for batch in file.iter_batches(max(1, min(_ROWS, _HELD // max(1, largest))), columns=list(columns)):
            for row in _values(batch):
                number += 1
                yield number, row if isinstance(row, Mapping) else Problem(f"{name}:{number}", row)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{name}:{number + 1}", f"cannot be read from here on: {first_line(error)}") from error


def _values(batch: pa.RecordBatch) -> list[Mapping[str, Any] | str]:
    """The rows as plain values; of one that holds what Python cannot, such as a date of the year 300,000, why."""
    try:
        return [{column: _plain(value) for column, value in row.items()} for row in batch.to_pylist()]
    except Exception as error:  # noqa: BLE001  # each type of column raises its own
        if batch.num_rows == 1:
            return [f"the row cannot be read: {first_line(error)}"]
        return [row for place in range(batch.num_rows) for row in _values(batch.slice(place, 1))]


def _plain(value: Any) -> Any:
    """The value as JSON has it: maps are objects, dates texts, and what is no number is nothing."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) for item in value):
            return {str(key): _plain(item) for key, item in value}
        return [_plain(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _of_site(
    site: SourceFormat, name: str, rows: Iterable[tuple[int, Mapping[str, Any] | Problem]]
) -> Iterator[Paper | Problem]:
    unread: list[Problem] = []
    for item in site.read(name, _as_json(rows, unread)):
        yield item
        yield from unread
        unread.clear()
    yield from unread


def _as_json(rows: Iterable[tuple[int, Mapping[str, Any] | Problem]], unread: list[Problem]) -> Iterator[Line]:
    for number, row in rows:
        if isinstance(row, Problem):
            unread.append(row)
        else:
            yield Line(number, json.dumps(row, ensure_ascii=False))


def _table(name: str, file: pq.ParquetFile, columns: Sequence[str]) -> Iterator[Paper | Problem]:
    called = {column: folded(column) for column in columns}
    if not holds_papers(called.values()):
        raise InputError(name, wanted(columns))
    read = [column for column in columns if called[column] in tables.READ]
    for number, row in _rows(name, file, read):
        if isinstance(row, Problem):
            yield row
            continue
        try:
            yield from tables.papers({called[c]: cell(v, called[c]) for c, v in row.items()}, Source(name, number))
        except InvalidRecord as unfit:
            yield Problem(f"{name}:{number}", str(unfit))


def cell(value: Any, column: str = "") -> str:
    """The value as a table has it: a list as JSON where the column may hold one, of an object its name."""
    if isinstance(value, list):
        texts = [*filter(None, map(cell, value))]
        return json.dumps(texts) if column in LISTS else "; ".join(texts)
    if isinstance(value, Mapping):
        return cell(value.get("name"))
    return "" if value is None else str(value)


def _no_lines(name: str, _lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    raise InputError(name, "Parquet holds no lines that could be read one by one: give the file itself")


READER: Final = SourceFormat(
    "Parquet: a table with title and abstract, or the columns of a site's JSON",
    lambda _head: False,
    _no_lines,
    magic=b"PAR1",
    read_file=_read_file,
)
