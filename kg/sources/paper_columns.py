"""Papers in columns, which take about 100 bytes of memory a paper."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from citekg.sources.keyed_papers import DIGEST_BYTES, KEY_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: An id in UTF-8, the `digest` and the `text` of a `KeyedPaper`, whether the content is merged, and
#: its place: the number of its file, its offset and its size (see `RecordContents`).
PaperRow = tuple[bytes, bytes, bytes, int, int, int, int]

_PLACE: Final = (("merged", "?"), ("contents", "<i4"), ("offset", "<i8"), ("size", "<i4"))


@dataclass(frozen=True)
class PaperColumns:
    """Papers in columns: those of `PaperRow`.

    `ids` are joined bytes, `ends` the end of each in them, `(papers,)`, and `checksums` their
    CRC-32, `(papers,)`. `digests` and `texts` are `(papers, bytes)`, and `places` records of the
    last four columns, `(papers,)`.
    """

    ids: NDArray[np.uint8]
    ends: NDArray[np.int64]
    checksums: NDArray[np.uint32]
    digests: NDArray[np.uint8]
    texts: NDArray[np.uint8]
    places: NDArray[np.void]

    @classmethod
    def of(cls, rows: Iterable[PaperRow]) -> PaperColumns:
        """Return the columns of rows; empty digests become zeros."""
        import numpy as np

        ids: list[bytes] = []
        digests, texts, places = bytearray(), bytearray(), array("q")
        for own, digest, text, *place in rows:
            ids.append(own)
            digests += digest.ljust(DIGEST_BYTES, b"\0")
            texts += text.ljust(KEY_BYTES, b"\0")
            places.extend(place)
        records = np.empty(len(ids), dtype=[*_PLACE])
        numbers = np.frombuffer(places, dtype=np.int64).reshape(-1, len(_PLACE))
        for column, (name, _) in enumerate(_PLACE):
            records[name] = numbers[:, column]
        return cls(
            *_joined(ids),
            np.fromiter(map(zlib.crc32, ids), np.uint32, len(ids)),
            np.frombuffer(digests, dtype=np.uint8).reshape(-1, DIGEST_BYTES),
            np.frombuffer(texts, dtype=np.uint8).reshape(-1, KEY_BYTES),
            records,
        )

    @classmethod
    def sorted_by_id(cls, parts: Sequence[PaperColumns]) -> PaperColumns:
        """Return the papers of several columns, sorted by id."""
        import numpy as np

        ids = [own for part in parts for own in part.all_ids()]
        order = sorted(range(len(ids)), key=ids.__getitem__)
        others = (
            np.concatenate([getattr(part, name) for part in parts])[order]
            for name in ("checksums", "digests", "texts", "places")
        )
        return cls(*_joined([ids[number] for number in order]), *others)

    def __len__(self) -> int:
        return len(self.ends)

    def all_ids(self) -> list[bytes]:
        """Return the ids of all papers."""
        joined = self.ids.tobytes()
        return [joined[start:end] for start, end in pairwise([0, *self.ends.tolist()])]

    def row(self, number: int) -> PaperRow:
        """Return the row of a paper."""
        start = int(self.ends[number - 1]) if number else 0
        own = self.ids[start : int(self.ends[number])].tobytes()
        digest, text = self.digests[number].tobytes(), self.texts[number].tobytes()
        return own, digest, text, *self.places[number].item()

    def only(self, chosen: NDArray[np.bool_]) -> PaperColumns:
        """Return the papers for which `chosen`, `(papers,)`, is true."""
        import numpy as np

        lengths = np.diff(self.ends, prepend=0)
        return PaperColumns(
            self.ids[np.repeat(chosen, lengths)],
            lengths[chosen].cumsum(),
            self.checksums[chosen],
            self.digests[chosen],
            self.texts[chosen],
            self.places[chosen],
        )

    def in_contents(self, number: int, start: int) -> PaperColumns:
        """Return the papers with their contents in another file, from an offset in it on."""
        places = self.places.copy()
        places["contents"] = number
        places["offset"] += start
        return replace(self, places=places)


def _joined(ids: Sequence[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the columns `ids` and `ends`."""
    import numpy as np

    lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
    return np.frombuffer(b"".join(ids), dtype=np.uint8), lengths.cumsum()
