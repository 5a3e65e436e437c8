"""Papers by digests of their content, so that a build reads only those that it needs.

The id and two digests are all that most steps of a build need of a paper that has not changed.
`MergedPapers` stores them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple, Protocol, runtime_checkable

from citekg.schemas.records import Paper

_FIELDS: Final = tuple(field.name for field in fields(Paper))
_values: Final = attrgetter(*_FIELDS)
_encode: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
#: The number of bytes of the digest of a paper, and of the key of a text.
DIGEST_BYTES: Final = 32
KEY_BYTES: Final = 16


def paper_digest(paper: Paper) -> bytes:
    """Return a SHA-256 of all fields of a paper."""
    record = dict(zip(_FIELDS, _values(paper), strict=True))
    record["sources"] = [{"line": one.line, "name": one.name} for one in paper.sources]
    return hashlib.sha256(as_bytes(_encode(record))).digest()


def text_key(paper: Paper) -> bytes:
    """Return the first 16 bytes of the SHA-256 of title and abstract, all that extraction reads."""
    return hashlib.sha256(json.dumps([paper.title, paper.abstract]).encode()).digest()[:KEY_BYTES]


def as_bytes(text: str) -> bytes:
    """Return a text in UTF-8, which sorts by code point; lone surrogates are also encoded."""
    return text.encode("utf-8", "surrogatepass")


def as_text(stored: bytes) -> str:
    """Return the text that `as_bytes` encoded."""
    return stored.decode("utf-8", "surrogatepass")


def split_digests(joined: bytes, size: int) -> Iterator[bytes]:
    """Yield the digests or keys, of `size` bytes each, that are joined."""
    return (joined[at : at + size] for at in range(0, len(joined), size))


class KeyedPaper(NamedTuple):
    """A paper by its id, `paper_digest` and `text_key`; `read` returns the paper."""

    id: str
    digest: bytes
    text: bytes
    read: Callable[[], Paper]

    @classmethod
    def of(cls, paper: Paper) -> KeyedPaper:
        """Return a paper that is in memory."""
        return cls(paper.id, paper_digest(paper), text_key(paper), lambda: paper)


class PaperKeys(NamedTuple):
    """The CRC-32 of the ids of papers, and the joined digests and text keys of `KeyedPaper`."""

    checksums: Sequence[int]
    digests: bytes | memoryview
    texts: bytes | memoryview


@runtime_checkable
class StoresKeys(Protocol):
    """Papers that are stored with their keys."""

    def keys(self) -> PaperKeys:
        """Return the keys of all papers, in the order of their ids."""

    def keyed(self, first: int = 0) -> Iterator[KeyedPaper]:
        """Yield the papers from a number on, in the order of their ids, without reading them."""


def keys_of(papers: Iterable[Paper]) -> PaperKeys:
    """Return the keys of papers; those that are stored with their keys are not read."""
    if isinstance(papers, StoresKeys):
        return papers.keys()
    checksums, digests, texts = [], bytearray(), bytearray()
    for paper in papers:
        checksums.append(zlib.crc32(as_bytes(paper.id)))
        digests += paper_digest(paper)
        texts += text_key(paper)
    return PaperKeys(checksums, bytes(digests), bytes(texts))


def keyed_papers(papers: Iterable[Paper], first: int = 0) -> Iterator[KeyedPaper]:
    """Yield the papers from a number on, in their order.

    Papers that are stored with their keys are not read.
    """
    if isinstance(papers, StoresKeys):
        return papers.keyed(first)
    return map(KeyedPaper.of, islice(papers, first, None))
