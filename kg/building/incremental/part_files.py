"""A part: papers that one task extracts into one file.

Workers run only `extract_part`, on this machine or another. It is idempotent: the texts of the
papers and the pipeline determine the name and the content of the file.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citekg.building.incremental.codec import encode, line_key
from citekg.schemas.records import Paper
from citekg.sources.keyed_papers import text_key
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


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
    lines = b"".join(map(encode, pipeline.extract_all(part.papers)))
    part.folder.write(part.name, gzip.compress(lines, mtime=0))
    return len(part.papers)


def read_lines(folder: Folder, name: str) -> dict[bytes, bytes]:
    """Return the lines of a part file by key; none if it is missing, incomplete or invalid."""
    lines = (decompressed(folder, name) or b"").splitlines()
    with suppress(ValueError):
        return {line_key(line): line for line in lines}
    return {}


def decompressed(folder: Folder, name: str) -> bytes | None:
    """Return the content of a gzip file, or None if it is missing or fails its checksum."""
    try:
        return gzip.decompress(folder.read(name)) or None
    except (OSError, EOFError, zlib.error):
        return None
