"""A cache of extractions in a folder, keyed by the text of a paper.

An extraction is valid if the same pipeline made it with the same lexicon, or if the rows that
differ affect neither the text nor the names found in it.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from citekg.building.incremental.codec import decode
from citekg.building.incremental.fingerprints import (
    LexiconSnapshot,
    digest,
    pipeline_fingerprint,
    snapshot_json,
)
from citekg.building.incremental.lexicon_diff import LexiconDiff
from citekg.building.incremental.part_files import PaperPart, read_lines
from citekg.building.incremental.part_index import PartIndex
from citekg.building.incremental.stored_index import INDEX, index_of
from citekg.schemas.errors import FolderError
from citekg.schemas.records import Extraction, Paper
from citekg.sources.keyed_papers import KeyedPaper, text_key
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.extractors.candidates.lexicon import Lexicon
    from citekg.extractors.pipeline import ExtractionPipeline

_LEXICON: Final = "lexicon.json.gz"
#: The compression level of that file: higher ones take up to eight times as long for 10 % less.
_COMPRESSION: Final = 3
#: The number of part files in memory: neighbouring papers lie in the same part.
_OPEN_PARTS: Final = 64


class ExtractionCache:
    """The extractions that a folder holds for one pipeline."""

    def __init__(self, folder: Folder, pipeline: ExtractionPipeline) -> None:
        """Index the part files of the folder; incomplete ones count as missing."""
        snapshot = snapshot_json(pipeline.lexicon)
        self.folder, self._fingerprint, self._lexicon = (
            folder,
            pipeline_fingerprint(pipeline),
            digest(snapshot),
        )
        self._lines = lru_cache(_OPEN_PARTS)(partial(read_lines, folder))
        indexes = self._indexes()
        if self._lexicon not in indexes:
            folder.write(
                f"{self._fingerprint}/{self._lexicon}/{_LEXICON}",
                gzip.compress(snapshot, _COMPRESSION, mtime=0),
            )
        self._part_of = indexes.pop(self._lexicon, PartIndex())
        self._other_lexicons = list(self._lexicon_diffs(pipeline.lexicon, indexes))

    def missing(self, papers: Iterable[KeyedPaper], size: int) -> Iterator[PaperPart]:
        """Yield the papers without an extraction in parts of `size`, each text once."""
        pending: dict[bytes, Paper] = {}
        for paper in papers:
            if paper.text not in pending and not self._has(paper):
                pending[paper.text] = paper.read()
            if len(pending) == size:
                yield self._make_part(pending)
        if pending:
            yield self._make_part(pending)

    def extractions(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield the extractions of papers in order; raise `FolderError` if a part is missing."""
        for paper in papers:
            name = self._part_of.name(text_key(paper))
            line = self._lines(name).get(text_key(paper))
            if line is None:
                raise missing_extractions(name)
            yield decode(paper, line)

    def files_of(self, papers: Iterable[KeyedPaper]) -> tuple[str, ...]:
        """Return the names of the part files that hold the extractions of these papers."""
        return tuple(sorted({self._part_of.name(paper.text) for paper in papers}))

    def has_all(self, texts: bytes | memoryview) -> bool:
        """Return whether the present lexicon has an extraction of each text (joined `text_key`)."""
        return bool(self._part_of.contains(texts).all())

    def _indexes(self) -> dict[str, PartIndex]:
        """Return the index of each lexicon, by the digest of the lexicon."""
        parts: dict[str, list[str]] = {}
        for name in self.folder.names(self._fingerprint):
            lexicon, _, file = name.removeprefix(f"{self._fingerprint}/").partition("/")
            own = parts.setdefault(lexicon, [])
            if file not in (_LEXICON, INDEX):
                own.append(name)
        return {
            lexicon: index_of(self.folder, f"{self._fingerprint}/{lexicon}", names)
            for lexicon, names in parts.items()
        }

    def _lexicon_diffs(
        self, lexicon: Lexicon, indexes: dict[str, PartIndex]
    ) -> Iterator[tuple[LexiconDiff, PartIndex]]:
        """Yield the indexes of other lexicons, each with its difference from the present one."""
        for other, index in sorted(indexes.items()):
            before = self._snapshot(other) if index else None
            if before is not None:
                yield LexiconDiff(before, LexiconSnapshot.of(lexicon)), index

    def _snapshot(self, lexicon: str) -> LexiconSnapshot | None:
        """Return another lexicon by its digest, or None if its file is missing or invalid."""
        name = f"{self._fingerprint}/{lexicon}/{_LEXICON}"
        try:
            return LexiconSnapshot.from_json(gzip.decompress(self.folder.read(name)))
        except (OSError, EOFError, zlib.error, ValueError, TypeError, AttributeError):
            return None

    def _has(self, paper: KeyedPaper) -> bool:
        """Return whether the folder holds a valid extraction of the text of a paper."""
        text = paper.text
        for difference, index in self._other_lexicons if text not in self._part_of else ():
            if text in index and not difference.affects(
                decode(paper.read(), self._lines(index.name(text))[text])
            ):
                self._part_of.add((text,), index.name(text))
                break
        return text in self._part_of

    def _make_part(self, pending: dict[bytes, Paper]) -> PaperPart:
        """Return the pending papers as a part and register it in the index."""
        part = PaperPart(
            self.folder, f"{self._fingerprint}/{self._lexicon}", tuple(pending.values())
        )
        self._part_of.add(pending, part.name)
        pending.clear()
        return part


def missing_extractions(name: str) -> FolderError:
    """Return the error for a part file that was written but cannot be found."""
    return FolderError(
        f"{name}: was written, but cannot be found: every worker must see the cache folder"
    )
