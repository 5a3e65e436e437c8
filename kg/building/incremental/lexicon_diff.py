"""Which readings stay as they are when the lexicon changes: all but those of texts that hold a name it changed.

Extraction asks a lexicon three things: which of its names a text holds, what most names are that begin
like another, and, of the names that it found, which are things of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from citekg.building.incremental.fingerprints import LexiconSnapshot
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.pipeline import head_stripped_key
from citekg.schemas.names import key
from citekg.schemas.records import Extraction


class LexiconDiff:
    """What differs between two lexicons, for extraction."""

    def __init__(self, before: LexiconSnapshot, after: LexiconSnapshot) -> None:
        """Compare them; what is known of introductions counts as part of a row."""
        old, new = Lexicon.of(before.entries), Lexicon.of(after.entries)
        self._keys = old.entries.keys() ^ new.entries.keys()
        self._kinds = {first for first, _ in old.prefix_types.items() ^ new.prefix_types.items()}
        introduced = {name for name, _ in before.introduced_in.items() ^ after.introduced_in.items()}
        changed = {entry for spelling in _respelled(old, new) for entry in spelling}
        self._names = Lexicon.of(
            entry
            for entry in {*old.rows, *new.rows}
            if entry in changed or entry.key in introduced or {entry.key, head_stripped_key(entry.key)} & self._keys
        )

    def touch(self, reading: Extraction) -> bool:
        """Whether the paper might be read otherwise with the other lexicon."""
        text = reading.paper.text
        if self._names.spells(text) or (self._kinds and self._kinds & {*_firsts(text)}):
            return True
        found = {key(surface) for entity in reading.entities for surface in entity.surfaces}
        found |= {entity.key for entity in reading.entities}
        return bool(self._keys & (found | {*map(head_stripped_key, found)}))


def _respelled(old: Lexicon, new: Lexicon) -> Iterator[list[Entry]]:
    """The entries that go by a spelling, where they differ."""
    for spelling in old.forms.keys() | new.forms.keys():
        before, after = old.forms.get(spelling, []), new.forms.get(spelling, [])
        if before != after:
            yield [entry for _, entry in (*before, *after)]


def _firsts(text: str) -> Iterator[str]:
    """What names in a text may begin with, words that are broken at the end of a line taken whole and apart."""
    for read in (text, text.replace("-", " ")):
        yield from Lexicon.pieces(read)
