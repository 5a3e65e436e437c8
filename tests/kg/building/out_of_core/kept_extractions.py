"""Extractions as a cache keeps them, for builds out of core."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from citekg.building.incremental.codec import encode
from citekg.schemas.records import Extraction
from citekg.storage.folders import LocalFolder


class Kept:
    """Extractions in one file of a folder."""

    def __init__(self, folder: Path, extractions: list[Extraction]) -> None:
        self.folder = LocalFolder(folder)
        self.folder.write("part.jsonl.gz", gzip.compress(b"".join(map(encode, extractions))))

    def files_of(self, _papers: Any) -> tuple[str, ...]:
        return ("part.jsonl.gz",)
