"""A part: some hundred papers that are read in one go, into one file.

`extract_part` is all that a worker does, on this machine or on another. Doing it again does no harm: the
file's name follows from what is read and from what reads it, and so does its content.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citekg.building.incremental.codec import encode, line_key, text_key
from citekg.schemas.records import Paper
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


@dataclass(frozen=True)
class PaperPart:
    """Papers to read, the folder that keeps the readings, and the place in it that is theirs."""

    folder: Folder
    place: str
    papers: tuple[Paper, ...]

    @property
    def name(self) -> str:
        """The file: named for the texts of the papers, in a place that is named for what reads them."""
        told = hashlib.sha256(b"".join(map(text_key, self.papers)))
        return f"{self.place}/{told.hexdigest()[:32]}.jsonl.gz"


def extract_part(reader: ExtractionPipeline, part: PaperPart) -> int:
    """Read the papers of a part and keep what is found; returns how many papers it has.

    Raises `FolderError` where the file cannot be written.
    """
    lines = b"".join(encode(reader.read(paper)) for paper in part.papers)
    part.folder.write(part.name, gzip.compress(lines, mtime=0))
    return len(part.papers)


def read_lines(folder: Folder, name: str) -> dict[bytes, bytes]:
    """The lines of a part file by their keys; none where it is not there, not whole or another's."""
    lines = (unpacked(folder, name) or b"").splitlines()
    with suppress(ValueError):
        return {line_key(line): line for line in lines}
    return {}


def unpacked(folder: Folder, name: str) -> bytes | None:
    """What a file holds; nothing where it is not there or not whole, as the checksum at gzip's end tells."""
    try:
        return gzip.decompress(folder.read(name)) or None
    except (OSError, EOFError, zlib.error):
        return None
