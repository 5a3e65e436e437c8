"""Singletons: stored records that share no join key with another record.

Each is a paper of its own, so that only the other records need to be joined. Record linkage calls
this blocking (Fellegi and Sunter, "A theory for record linkage", 1969).
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from zipfile import BadZipFile

from citekg.sources.paper_columns import PaperColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The columns of the join keys of a record. The id made from its title (`alone`) stands for the
#: title, and the first author is a key only together with the title.
KEY_COLUMNS: Final = ("known", "doi", "corpus", "arxiv", "alone")
_HASH_BYTES: Final = 8
_COLUMNS: Final = tuple(field.name for field in fields(PaperColumns))


@dataclass(frozen=True)
class StoredRecords:
    """The stored records of an input file, with the problems found in it.

    `keys` are the hashes of the join keys, `(records, keys)`; `papers` are the papers that the
    records are as singletons. `is_changed`, `(records,)`, is true if merging changes such a paper.
    """

    keys: NDArray[np.int64]
    is_changed: NDArray[np.bool_]
    papers: PaperColumns
    problems: list[tuple[str, str, bool]]

    def changed(self) -> StoredRecords:
        """Return the records, all marked as changed by merging."""
        import numpy as np

        return replace(self, is_changed=np.ones_like(self.is_changed))

    def to_bytes(self) -> bytes:
        """Return the records as a file of numpy."""
        import numpy as np

        file = io.BytesIO()
        problems = json.dumps(self.problems).encode()
        np.savez(
            file,
            keys=self.keys,
            is_changed=self.is_changed,
            problems=np.frombuffer(problems, dtype=np.uint8),
            **{name: getattr(self.papers, name) for name in _COLUMNS},
        )
        return file.getvalue()

    @classmethod
    def of_bytes(cls, data: bytes) -> StoredRecords | None:
        """Return the records of such a file, or None for other data."""
        import numpy as np

        try:
            with np.load(io.BytesIO(data)) as stored:
                problems = [(*one,) for one in json.loads(stored["problems"].tobytes())]
                papers = PaperColumns(*(stored[name] for name in _COLUMNS))
                return cls(stored["keys"], stored["is_changed"], papers, problems)
        except (BadZipFile, EOFError, KeyError, ValueError):
            return None


def key_hashes(records: Iterable[Sequence[bytes]]) -> NDArray[np.int64]:
    """Return a hash of each key of records, each key of a record once; 0 for no key."""
    import numpy as np

    hashes = [[_hash(key) for key in dict.fromkeys(keys) if key] for keys in records]
    rows = np.zeros((len(hashes), len(KEY_COLUMNS)), dtype=np.int64)
    for row, own in zip(rows, hashes, strict=True):
        row[: len(own)] = own
    return rows


def _hash(key: bytes) -> int:
    return int.from_bytes(blake2b(key, digest_size=_HASH_BYTES).digest(), "little", signed=True)


def find_singletons(
    stored: Sequence[NDArray[np.int64]], others: NDArray[np.int64]
) -> list[NDArray[np.bool_]]:
    """Return which stored records share no key with another record, `(records,)` for each file.

    `stored` are the hashes of the keys of each file, and `others` those of all other records.
    Records with equal hashes of different keys do not count as singletons.
    """
    import numpy as np

    keys = np.concatenate([own.ravel() for own in (*stored, others)])
    keys = np.sort(keys[keys != 0])
    shared = keys[1:][keys[1:] == keys[:-1]]
    return [_are_in(own, shared).sum(axis=1) == 0 for own in stored]


def _are_in(numbers: NDArray[np.int64], some: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which numbers are among some sorted ones, which are few."""
    import numpy as np

    if not len(some):
        return np.zeros(numbers.shape, dtype=bool)
    places = np.searchsorted(some, numbers)
    found: NDArray[np.bool_] = some[np.minimum(places, len(some) - 1)] == numbers
    return found
