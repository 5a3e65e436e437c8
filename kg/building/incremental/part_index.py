"""A memory-efficient index of the part files with the extractions of many texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast

from citekg.sources.keyed_papers import KEY_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The minimum number of keys that are sorted into the arrays together.
_MERGED: Final = 1 << 16


class PartIndex:
    """The names of part files by the keys of texts (`text_key`), in 20 bytes for each text.

    Sorted arrays hold most keys; a dict would take ten times their memory. The latest keys are in a
    dict until there are enough of them.
    """

    def __init__(self) -> None:
        """Create an index without keys."""
        import numpy as np

        self._names: dict[str, int] = {}
        self._names_by_number: list[str] = []
        self._latest: dict[bytes, int] = {}
        self._keys: NDArray[np.bytes_] = np.empty(0, f"S{KEY_BYTES}")
        self._heads: NDArray[np.uint64] = _heads(self._keys)
        self._parts: NDArray[np.uint32] = np.empty(0, np.uint32)

    def add(self, keys: Iterable[bytes], name: str) -> None:
        """Add the keys that a part file holds; the file added last counts for a key."""
        if name not in self._names:
            self._names[name] = len(self._names)
            self._names_by_number.append(name)
        self._latest.update(dict.fromkeys(keys, self._names[name]))
        if len(self._latest) > max(_MERGED, len(self._keys) // 4):
            self._merge()

    def name(self, key: bytes) -> str:
        """Return the name of the part file that holds a key; raise `KeyError` without one."""
        return self._names_by_number[self._number(key)]

    def __contains__(self, key: bytes) -> bool:
        return self.contains(key)[0]

    def contains(self, keys: bytes | memoryview) -> list[bool]:
        """Return for each of several keys, which are joined, whether it is in the index."""
        import numpy as np

        wanted = np.frombuffer(keys, self._keys.dtype)
        found = np.zeros(len(wanted), np.bool_)
        if len(self._keys):
            found = self._are_at(self._heads.searchsorted(_heads(wanted)), wanted)
            others = np.flatnonzero(~found)  # missing keys, and those after another with their head
            found[others] = self._are_at(self._keys.searchsorted(wanted[others]), wanted[others])
        for at in np.flatnonzero(~found):
            found[at] = bytes(keys[at * KEY_BYTES : (at + 1) * KEY_BYTES]) in self._latest
        return cast("list[bool]", found.tolist())

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

    def _are_at(self, places: NDArray[Any], keys: NDArray[Any]) -> NDArray[Any]:
        """Return whether the keys are at these places, which may be behind the last one."""
        places[places == len(self._keys)] = 0  # any key that is not the wanted one
        return cast("NDArray[Any]", self._keys[places] == keys)

    def _merge(self) -> None:
        """Sort the latest keys into the arrays, after equal keys of earlier files."""
        import numpy as np

        keys = np.concatenate([self._keys, np.array([*self._latest], self._keys.dtype)])
        parts = np.concatenate([self._parts, np.array([*self._latest.values()], np.uint32)])
        order = keys.argsort(kind="stable")
        self._keys, self._parts = keys[order], parts[order]
        self._heads = _heads(self._keys)
        self._latest.clear()


def _heads(keys: NDArray[Any]) -> NDArray[Any]:
    """Return the first 8 bytes of keys as numbers in the same order, which are found faster."""
    import numpy as np

    heads: NDArray[Any] = np.ndarray(len(keys), ">u8", keys.tobytes(), strides=(KEY_BYTES,))
    return heads.astype(np.uint64)
