"""Feature hashing: the weight columns of features, as arrays (Weinberger et al. 2009).

A feature is a text, and its column is its CRC-32 modulo the number of columns. The CRC-32 of two
joined texts follows from those of both and the length of the second, so that crossed features are
computed from checksums alone. A *code* is such a checksum with the length: `length << 32 | CRC-32`.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise, repeat
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Number of hash buckets, that is, rows of a weight table.
COLUMNS: Final = 1 << 18
_LAST: Final = COLUMNS - 1
_COLUMN_BITS: Final = COLUMNS.bit_length() - 1
_CRC_BITS: Final = 32
#: Features up to this length, in bytes, are joined by table.
_MAX_LENGTH: Final = 96


def hash_features(texts: Iterable[str]) -> set[int]:
    """Return the weight columns of features, by CRC-32, which is the same on every platform."""
    return {checksum & _LAST for checksum in map(crc32, map(str.encode, texts))}


def hash_crossed(texts: Iterable[str], ending: str) -> set[int]:
    """Return the weight columns of features, and of the same features followed by an ending."""
    checksums = [*map(crc32, map(str.encode, texts))]
    crossed = map(crc32, repeat(ending.encode()), checksums)
    return {checksum & _LAST for checksum in chain(checksums, crossed)}


def code_of(text: str) -> int:
    """Return the code of a feature: its length in bytes and its CRC-32."""
    encoded = text.encode()
    return len(encoded) << _CRC_BITS | crc32(encoded)


def pack(codes: Iterable[int]) -> bytes:
    """Return codes as bytes, which are joined faster than lists of codes; see `unpack`."""
    return array("q", codes).tobytes()


def unpack(packed: Iterable[bytes]) -> NDArray[np.int64]:
    """Return the codes of joined results of `pack`."""
    import numpy as np

    return np.frombuffer(b"".join(packed), dtype=np.int64)


def joined_columns(checksums: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the columns of features after texts with these CRC-32 checksums; 0 for no text."""
    import numpy as np

    lengths = codes >> _CRC_BITS
    table = _shift_table()
    at = np.minimum(lengths, _MAX_LENGTH) << 10
    columns: NDArray[np.int64] = codes ^ table[at + (checksums & 255)]
    for byte in (1, 2, 3):
        columns ^= table[at + (256 * byte) + ((checksums >> (8 * byte)) & 255)]
    for i in np.flatnonzero(lengths > _MAX_LENGTH).tolist():
        columns[i] = int(codes[i]) ^ _shifted(int(checksums[i]), int(lengths[i]))
    columns &= _LAST
    return columns


def _shifted(checksum: int, length: int) -> int:
    """Return what the checksum of a text contributes to that of a text that extends it."""
    zeros = bytes(length)
    return crc32(zeros, checksum) ^ crc32(zeros)


@cache
def _shift_table() -> NDArray[np.int64]:
    """Return `_shifted` of each byte of a checksum by length: `(lengths, 4, 256)`, flattened."""
    import numpy as np

    step = np.array([_shifted(byte, 1) for byte in range(256)], dtype=np.int64)
    table = np.empty((_MAX_LENGTH + 1, 4, 256), dtype=np.int64)
    table[0] = np.arange(256) << (8 * np.arange(4)[:, None])
    for length in range(_MAX_LENGTH):
        table[length + 1] = step[table[length] & 255] ^ (table[length] >> 8)
    return table.ravel()


def _changes(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each number differs from the one before; the first one does."""
    import numpy as np

    changed = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=changed[1:])
    return changed


@dataclass(frozen=True)
class FeatureRows:
    """Rows of weight columns: `columns` ascend in each row, `starts` are the starts of the rows.

    No row is empty, and none holds a column twice.
    """

    columns: NDArray[np.int64]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, rows: Sequence[set[int]] | FeatureRows) -> FeatureRows:
        """Return the rows of sets of columns; an instance of this class is returned unchanged."""
        import numpy as np

        if isinstance(rows, FeatureRows):
            return rows
        counts = np.fromiter(map(len, rows), np.int64, len(rows))
        columns = np.fromiter(chain.from_iterable(rows), np.int64, int(counts.sum()))
        return cls.gather(np.arange(len(rows), dtype=np.int64).repeat(counts), columns)

    @classmethod
    def gather(cls, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> FeatureRows:
        """Return the rows of columns in any order; `rows` are the row numbers of the columns."""
        # With the number of its row in the higher bits, one sort orders all rows.
        places = rows << _COLUMN_BITS
        places |= columns
        places.sort()
        places = places[_changes(places)]
        starts = _changes(places >> _COLUMN_BITS).nonzero()[0]
        places &= _LAST
        return cls(places, starts)

    def joined(self, others: Sequence[Collection[int]]) -> FeatureRows:
        """Return each row with further columns."""
        import numpy as np

        counts = np.fromiter(map(len, others), dtype=np.int64, count=len(others))
        further = np.fromiter(chain.from_iterable(others), dtype=np.int64, count=int(counts.sum()))
        lengths = np.append(self.starts[1:], len(self.columns)) - self.starts
        rows = np.arange(len(self), dtype=np.int64)
        return self.gather(
            np.concatenate([rows.repeat(lengths), rows.repeat(counts)]),
            np.concatenate([self.columns, further]),
        )

    def sets(self) -> list[set[int]]:
        """Return each row as a set of columns."""
        columns = self.columns.tolist()
        starts = [*self.starts.tolist(), len(columns)]
        return [{*columns[a:b]} for a, b in pairwise(starts)]

    def sums(
        self, table: NDArray[np.float32], row_of: NDArray[np.int32] | None = None
    ) -> NDArray[np.float32]:
        """Return the sum of the weights of each row, added in the order of its columns.

        `row_of` is the row of each column in `table`, by default its number. The order makes the
        sum reproducible to the last bit.
        """
        import numpy as np

        if not len(self):
            return np.zeros((0, table.shape[1]), dtype=table.dtype)
        places = self.columns if row_of is None else row_of.take(self.columns)
        # `take` copies rows of a few weights several times as fast as `table[places]`.
        weights = table.take(places, axis=0)
        sums: NDArray[np.float32] = np.add.reduceat(weights, self.starts, axis=0)
        return sums
