"""A part: papers that one task extracts into one file.

Workers run only `extract_part`, on this machine or another. It is idempotent: the texts of the
papers and the pipeline determine the name and the content of the file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citekg.building.incremental.codec import encode, line_key
from citekg.schemas.records import Extraction, Paper
from citekg.sources.keyed_papers import KEY_BYTES, split_digests, text_key
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

#: The format of zlib for gzip files.
_GZIP: Final = 16 + zlib.MAX_WBITS


@dataclass(frozen=True)
class PaperPart:
    """Papers to extract, the cache folder, and the subfolder of the pipeline in it."""

    folder: Folder
    place: str
    papers: tuple[Paper, ...]

    @property
    def name(self) -> str:
        """The name of the file: the subfolder and a hash of the papers' texts."""
        hasher = hashlib.sha256(b"".join(map(text_key, self.papers)))
        return f"{self.place}/{hasher.hexdigest()[:32]}.jsonl.gz"


def extract_part(pipeline: ExtractionPipeline, part: PaperPart) -> int:
    """Extract the papers of a part into its file; return how many papers it has.

    Raises `FolderError` if the file cannot be written.
    """
    part.folder.write(part.name, packed(pipeline.extract_all(part.papers)))
    return len(part.papers)


def packed(extractions: Iterable[Extraction], level: int = 9) -> bytes:
    """Return extractions as a part file, compressed with this level of zlib.

    It has two members of gzip (RFC 1952), so that the keys are read without the lines: a line with
    the keys and the CRC-32 of the second member, and the lines.
    """
    lines = [*map(encode, extractions)]
    content = gzip.compress(b"".join(lines), level, mtime=0)
    keys = b"".join(line_key(line.rstrip()) for line in lines)
    head = json.dumps({"crc32": zlib.crc32(content), "keys": keys.hex()}).encode() + b"\n"
    return gzip.compress(head, mtime=0) + content


def read_keys(folder: Folder, name: str) -> list[bytes]:
    """Return the keys of a part file; none if it is missing, incomplete or invalid."""
    try:
        head, content = _members(folder.read(name))
        stored = json.loads(head)
        keys = bytes.fromhex(stored["keys"])
        is_whole = stored["crc32"] == zlib.crc32(content)
    except (OSError, zlib.error, ValueError, TypeError, LookupError):
        return []
    return [*split_digests(keys, KEY_BYTES)] if is_whole else []


def read_lines(folder: Folder, name: str) -> dict[bytes, bytes]:
    """Return the lines of a part file by key; none if it is missing, incomplete or invalid."""
    try:
        _, content = _members(folder.read(name))
        return {line_key(line): line for line in gzip.decompress(content).splitlines()}
    except (OSError, EOFError, zlib.error, ValueError):
        return {}


def _members(data: bytes) -> tuple[bytes, bytes]:
    """Return the content of the first member of a gzip file, and the other members."""
    reader = zlib.decompressobj(_GZIP)
    return reader.decompress(data), reader.unused_data
