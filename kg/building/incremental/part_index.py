"""A memory-efficient index of the part files with the extractions of many texts.

An index can be stored, so that the next build reads only the keys of new parts.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from citekg.known_digests import FileState
from citekg.sources.keyed_papers import KEY_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The minimum number of keys that are sorted into the arrays together.
_MERGED: Final = 1 << 16
#: The number of bytes of the checksum of a stored index.
_CHECKSUM: Final = 4


class PartIndex:
    """The names of part files by the keys of texts (`text_key`), in 20 bytes for each text.

    Sorted arrays hold most keys; a dict would take ten times their memory. The latest keys are in a
    dict until there are enough of them.
    """

    def __init__(self) -> None:
        """Create an index without keys."""
        import numpy as np

        #: The states of the part files that an index which is stored describes, by name.
        self.states: dict[str, FileState] = {}
        self._names: dict[str, int] = {}
        self._names_by_number: list[str] = []
        self._latest: dict[bytes, int] = {}
        self._keys: NDArray[np.bytes_] = np.empty(0, f"S{KEY_BYTES}")
        self._heads: NDArray[np.uint64] = _heads(self._keys)
        self._parts: NDArray[np.uint32] = np.empty(0, np.uint32)

    def add(self, keys: Iterable[bytes], name: str, state: FileState | None = None) -> None:
        """Add the keys that a part file holds; the file added last counts for a key.

        With a state of the file, a stored index describes this state.
        """
        if state is not None:
            self.states[name] = state
        if name not in self._names:
            self._names[name] = len(self._names)
            self._names_by_number.append(name)
        self._latest.update(dict.fromkeys(keys, self._names[name]))
        if len(self._latest) > max(_MERGED, len(self._keys) // 4):
            self._merge()

    @classmethod
    def of_bytes(cls, data: bytes) -> PartIndex | None:
        """Return the index that `to_bytes` returned, or None for other data."""
        import numpy as np

        checksum, content = data[:_CHECKSUM], memoryview(data)[_CHECKSUM:]
        if checksum != _checksum(content):
            return None
        index, end = cls(), data.index(b"\n", _CHECKSUM)
        index._names_by_number, states = json.loads(data[_CHECKSUM:end])
        index.states = {name: (size, own, of) for name, (size, own, of) in states.items()}
        index._names = {name: number for number, name in enumerate(index._names_by_number)}
        number = (len(data) - end) // (KEY_BYTES + index._parts.itemsize)
        index._keys = np.frombuffer(data, index._keys.dtype, number, end + 1)
        index._parts = np.frombuffer(data, index._parts.dtype, offset=end + 1 + index._keys.nbytes)
        index._heads = _heads(index._keys)
        return index

    def to_bytes(self) -> bytes:
        """Return the index as a file: a checksum, a line with the names, keys and their parts."""
        self._merge()
        names = json.dumps([self._names_by_number, self.states]).encode()
        content = b"".join([names, b"\n", self._keys.tobytes(), self._parts.tobytes()])
        return _checksum(content) + content

    def name(self, key: bytes) -> str:
        """Return the name of the part file that holds a key; raise `KeyError` without one."""
        return self._names_by_number[self._number(key)]

    def __contains__(self, key: bytes) -> bool:
        return bool(self.contains(key)[0])

    def contains(self, keys: bytes | memoryview) -> NDArray[np.bool_]:
        """Return for each of several keys, which are joined, whether it is in the index."""
        import numpy as np

        wanted = np.frombuffer(keys, self._keys.dtype)
        found = np.zeros(len(wanted), np.bool_)
        if len(self._keys):
            heads = _heads(wanted)
            order = heads.argsort()  # neighbours are found faster
            places = np.empty(len(wanted), np.int64)
            places[order] = self._heads.searchsorted(heads[order])
            found = self._are_at(places, wanted)
            others = np.flatnonzero(~found)  # missing keys, and those after another with their head
            found[others] = self._are_at(self._keys.searchsorted(wanted[others]), wanted[others])
        for at in np.flatnonzero(~found):
            found[at] = bytes(keys[at * KEY_BYTES : (at + 1) * KEY_BYTES]) in self._latest
        return found

    def __bool__(self) -> bool:
        return bool(self._names)

    def _number(self, key: bytes) -> int:
        if key in self._latest:
            return self._latest[key]
        at = int(self._keys.searchsorted(key, side="right")) - 1
        # numpy returns bytes without the zeros at their end
        if at < 0 or self._keys[at] != key.rstrip(b"\0"):
            raise KeyError(key)
        return int(self._parts[at])

    def _are_at(self, places: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether the keys are at these places, which may be behind the last one."""
        places[places == len(self._keys)] = 0  # any key that is not the wanted one
        found: NDArray[np.bool_] = self._keys[places] == keys
        return found

    def _merge(self) -> None:
        """Sort the latest keys into the arrays, after equal keys of earlier files."""
        import numpy as np

        keys = np.concatenate([self._keys, np.array([*self._latest], self._keys.dtype)])
        parts = np.concatenate([self._parts, np.array([*self._latest.values()], np.uint32)])
        order = keys.argsort(kind="stable")
        self._keys, self._parts = keys[order], parts[order]
        self._heads = _heads(self._keys)
        self._latest.clear()


def _checksum(data: bytes | memoryview) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECKSUM, "little")


def _heads(keys: NDArray[Any]) -> NDArray[Any]:
    """Return the first 8 bytes of keys as numbers in the same order, which are found faster."""
    import numpy as np

    heads: NDArray[Any] = np.ndarray(len(keys), ">u8", keys.tobytes(), strides=(KEY_BYTES,))
    return heads.astype(np.uint64)
