"""The entities that papers name, from which topics follow, as Parquet files of each shard."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.tables.tables import Kind, parquet
from citekg.linking.duckdb_tables import rows_of
from citekg.schemas.topics import NamedColumns, NamedEntities

if TYPE_CHECKING:
    import pyarrow as pa

#: The names of the files: the entities that papers name, in the order of the papers, and these
#: papers with the number of their entities.
NAMED: Final = "named"
NAMING: Final = "naming"
_COLUMNS_OF_NAMED: Final[Mapping[str, Kind]] = {"entity": "text", "weight": "share"}
_COLUMNS_OF_NAMING: Final[Mapping[str, Kind]] = {"paper": "text", "entities": "number"}


def named_files(columns: NamedColumns) -> dict[str, bytes]:
    """Return the entities that the papers of a shard name as Parquet files."""
    return {
        NAMED: parquet(_COLUMNS_OF_NAMED, zip(columns.entities, columns.weights, strict=True)),
        NAMING: parquet(_COLUMNS_OF_NAMING, zip(columns.papers, columns.counts, strict=True)),
    }


def named_entities(files: Iterable[Mapping[str, bytes]]) -> NamedEntities:
    """Return the entities that the papers of all shards name, from the files of each shard."""
    import pyarrow as pa

    shards = [(rows_of(one[NAMING]), rows_of(one[NAMED])) for one in files]
    if not shards:
        return NamedEntities.of(NamedColumns.of({}))
    naming, named = (pa.concat_tables([*tables]) for tables in zip(*shards, strict=True))
    entities, indexes = _sorted_dictionary(named["entity"])
    papers, sizes = (column.to_pylist() for column in naming.columns)
    weights = array("d", named["weight"].to_numpy().tobytes())
    return NamedEntities.indexed(papers, sizes, entities, indexes, weights)


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
