"""The entities that papers name, from which topics follow, as a file of each shard.

A file holds, after the lengths of its columns, ids of papers, numbers of their entities, ids of
entities and weights (see `NamedColumns`). A column of texts is two columns: the ends of the texts,
and the texts in UTF-8. A build reads the files of all shards: Parquet files take ten times as long.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from citekg.building.out_of_core.named_arrays import NamedArrays
from citekg.schemas.topics import NamedColumns, NamedEntities

if TYPE_CHECKING:
    import pyarrow as pa

#: The lengths of the six columns, in bytes.
_HEADER: Final = struct.Struct("<6q")


def named_file(columns: NamedColumns) -> bytes:
    """Return the entities that the papers of a shard name as a file."""
    parts = [
        *_text_columns(columns.papers),
        array("q", columns.counts).tobytes(),
        *_text_columns(columns.entities),
        array("d", columns.weights).tobytes(),
    ]
    return b"".join((_HEADER.pack(*map(len, parts)), *parts))


def named_entities(files: Iterable[bytes]) -> NamedEntities:
    """Return the entities that the papers of all shards name, from the files of the shards."""
    import pyarrow as pa

    shards = [[*_columns(file)] for file in files]
    if not shards:
        return NamedEntities.of(NamedColumns.of({}))
    paper_ends, paper_texts, counts, entity_ends, entity_texts, weights = zip(*shards, strict=True)
    named = pa.chunked_array(map(_texts, entity_ends, entity_texts))
    entities, indexes = _sorted_dictionary(named)
    papers = pa.chunked_array(map(_texts, paper_ends, paper_texts)).to_pylist()
    sizes, shares = array("q", b"".join(counts)), array("d", b"".join(weights))
    return NamedArrays.indexed(papers, sizes, entities, indexes, shares)


def _text_columns(texts: Sequence[str]) -> tuple[bytes, bytes]:
    encoded = [text.encode() for text in texts]
    return array("i", accumulate(map(len, encoded), initial=0)).tobytes(), b"".join(encoded)


def _columns(file: bytes) -> Iterator[memoryview]:
    """Yield the columns of a file."""
    start = _HEADER.size
    for length in _HEADER.unpack_from(file):
        yield memoryview(file)[start : start + length]
        start += length


def _texts(ends: memoryview, texts: memoryview) -> pa.StringArray:
    """Return the texts of a column."""
    import pyarrow as pa

    aligned = bytes(ends)
    number = len(aligned) // array("i").itemsize - 1
    return pa.StringArray.from_buffers(number, pa.py_buffer(aligned), pa.py_buffer(texts))


def _sorted_dictionary(column: pa.ChunkedArray) -> tuple[list[str], Any]:
    """Return the distinct texts of a column, sorted, and the index of each text among them."""
    import numpy as np
    import pyarrow.compute as pc

    encoded = column.combine_chunks().dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    ranks = np.empty(len(order), np.int64)
    ranks[order.to_numpy()] = np.arange(len(order))
    texts = encoded.dictionary.take(order).to_pylist()
    return texts, array("q", ranks[encoded.indices.to_numpy()].tobytes())
