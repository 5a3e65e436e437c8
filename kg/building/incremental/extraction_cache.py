"""The readings that a folder keeps, found again by the text of a paper.

A reading counts where the same extraction made it with the same lexicon, or with another one whose
difference touches neither the text nor the names that were found in it.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from citekg.building.incremental.codec import decode, text_key
from citekg.building.incremental.fingerprints import LexiconSnapshot, digest, pipeline_fingerprint
from citekg.building.incremental.lexicon_diff import LexiconDiff
from citekg.building.incremental.part_files import PaperPart, read_lines, unpacked
from citekg.schemas.errors import FolderError
from citekg.schemas.records import Extraction, Paper
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_LEXICON: Final = "lexicon.json.gz"
#: How many part files are open at once: papers that came together are read together.
_OPEN: Final = 64

#: The part that holds each text.
_Index = dict[bytes, str]


class ExtractionCache:
    """What a folder holds for one reader: which papers it need not read again, and what it found in them."""

    def __init__(self, folder: Folder, reader: ExtractionPipeline) -> None:
        """Look through the folder; parts that are not whole count as not there."""
        known = LexiconSnapshot.of(reader.lexicon)
        self.folder, self._engine, self._lexicon = folder, pipeline_fingerprint(reader), digest(known.telling())
        self._lines = lru_cache(_OPEN)(partial(read_lines, folder))
        indexes = self._indexes()
        if self._lexicon not in indexes:
            folder.write(f"{self._engine}/{self._lexicon}/{_LEXICON}", gzip.compress(known.telling(), mtime=0))
        self._part_of = indexes.pop(self._lexicon, {})
        self._older = list(self._compared(known, indexes))

    def missing(self, papers: Iterable[Paper], size: int) -> Iterator[PaperPart]:
        """The papers that are to be read, in parts of so many; each text once."""
        waiting: dict[bytes, Paper] = {}
        for paper in papers:
            text = text_key(paper)
            if text not in waiting and not self._holds(text, paper):
                waiting[text] = paper
            if len(waiting) == size:
                yield self._taken(waiting)
        if waiting:
            yield self._taken(waiting)

    def readings(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """The papers with what was found in them, in the order given; raises `FolderError` where a part is gone."""
        for paper in papers:
            name = self._part_of[text_key(paper)]
            line = self._lines(name).get(text_key(paper))
            if line is None:
                raise missing_extractions(name)
            yield decode(paper, line)

    def files_of(self, papers: Iterable[Paper]) -> tuple[str, ...]:
        """The files of the folder that hold the readings of papers, once these are not missing any more."""
        return tuple(sorted({self._part_of[text_key(paper)] for paper in papers}))

    def _indexes(self) -> dict[str, _Index]:
        """The part of each text, by the lexicon that it was read with."""
        found: dict[str, _Index] = {}
        for name in self.folder.names(self._engine):
            lexicon, _, file = name.removeprefix(f"{self._engine}/").partition("/")
            index = found.setdefault(lexicon, {})
            if file != _LEXICON:
                index.update(dict.fromkeys(read_lines(self.folder, name), name))
        return found

    def _compared(self, known: LexiconSnapshot, indexes: dict[str, _Index]) -> Iterator[tuple[LexiconDiff, _Index]]:
        """The indexes of other lexicons, each with what has changed since."""
        for lexicon, index in sorted(indexes.items()):
            before = self._told_of(lexicon) if index else None
            if before is not None:
                yield LexiconDiff(before, known), index

    def _told_of(self, lexicon: str) -> LexiconSnapshot | None:
        """What another lexicon knew; nothing where that is not there, not whole or another's."""
        try:
            return LexiconSnapshot.told(unpacked(self.folder, f"{self._engine}/{lexicon}/{_LEXICON}") or b"")
        except (ValueError, TypeError, AttributeError):
            return None

    def _holds(self, text: bytes, paper: Paper) -> bool:
        """Whether there is a reading of the text that counts."""
        for changes, index in self._older if text not in self._part_of else ():
            if text in index and not changes.touch(decode(paper, self._lines(index[text])[text])):
                self._part_of[text] = index[text]
                break
        return text in self._part_of

    def _taken(self, waiting: dict[bytes, Paper]) -> PaperPart:
        """The waiting papers as a part, which is where their readings will be."""
        part = PaperPart(self.folder, f"{self._engine}/{self._lexicon}", tuple(waiting.values()))
        self._part_of.update(dict.fromkeys(waiting, part.name))
        waiting.clear()
        return part


def missing_extractions(name: str) -> FolderError:
    """What is said of a reading that was made and cannot be found."""
    return FolderError(f"{name}: was read, but is not there: every worker must see the folder of readings")
