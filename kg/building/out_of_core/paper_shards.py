"""The papers of a build in shards, of which only the keys are in memory.

One pass over the papers gives all keys; after it, only shards with changed papers are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice, pairwise

from citekg.exports.tables.partitioned import SHARD_SIZE, shard_ends
from citekg.schemas.records import Paper
from citekg.sources.keyed_papers import (
    DIGEST_BYTES,
    KEY_BYTES,
    KeyedPaper,
    keyed_papers,
    keys_of,
)


@dataclass(frozen=True, slots=True)
class PaperShard:
    """Consecutive papers: the number of the first, and the joined `digest` and `text` of all."""

    papers: Collection[Paper]
    first: int
    digests: bytes | memoryview
    texts: bytes | memoryview

    def __len__(self) -> int:
        """Return the number of papers."""
        return len(self.texts) // KEY_BYTES

    @property
    def digest(self) -> bytes:
        """A digest of the papers, on which the names of the shard depend."""
        return hashlib.sha256(self.digests).digest()

    def read(self) -> tuple[KeyedPaper, ...]:
        """Return the papers."""
        return tuple(islice(keyed_papers(self.papers, self.first), len(self)))


def shards_of(papers: Collection[Paper]) -> list[PaperShard]:
    """Return the shards of papers, which are in the order of their ids."""
    keys = keys_of(papers)
    return [
        PaperShard(
            papers,
            first,
            keys.digests[first * DIGEST_BYTES : end * DIGEST_BYTES],
            keys.texts[first * KEY_BYTES : end * KEY_BYTES],
        )
        for first, end in pairwise([0, *shard_ends(keys.checksums, SHARD_SIZE)])
    ]
