"""Extractions that stay valid after a change of the lexicon: those of texts without a changed name.

Extraction looks up three facts in a lexicon: its names that occur in a text, the most frequent type
of names with a given first word, and whether a found name is a separate entity.
"""

from __future__ import annotations

from collections.abc import Iterator

from citekg.building.incremental.fingerprints import LexiconSnapshot
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.classification.coreference import head_stripped_key
from citekg.schemas.names import key
from citekg.schemas.records import Extraction


class LexiconDiff:
    """The difference between two lexicons, as far as extraction depends on it."""

    def __init__(self, before: LexiconSnapshot, after: LexiconSnapshot) -> None:
        """Compare two lexicons; a known introduction counts as part of its row."""
        old, new = Lexicon.of(before.entries), Lexicon.of(after.entries)
        # A copy: the difference of two large sets keeps a large table, which is slow to search.
        self._keys = {*(old.entries.keys() ^ new.entries.keys())}
        self._prefixes = {first for first, _ in old.prefix_types.items() ^ new.prefix_types.items()}
        introduced = {
            name for name, _ in before.introduced_in.items() ^ after.introduced_in.items()
        }
        changed = {entry for entries in _changed_entries(old, new) for entry in entries}
        self._names = Lexicon.of(
            entry
            for entry in {*old.rows, *new.rows}
            if entry in changed
            or entry.key in introduced
            or {entry.key, head_stripped_key(entry.key)} & self._keys
        )

    def affects(self, extraction: Extraction) -> bool:
        """Return whether the other lexicon might change the extraction."""
        text = extraction.paper.text
        if self._names.spells(text) or (self._prefixes and self._prefixes & {*_firsts(text)}):
            return True
        found = {key(surface) for entity in extraction.entities for surface in entity.surfaces}
        found |= {entity.key for entity in extraction.entities}
        return bool(self._keys & (found | {*map(head_stripped_key, found)}))


def _changed_entries(old: Lexicon, new: Lexicon) -> Iterator[list[Entry]]:
    """Yield the entries of each spelling that has different entries in the two lexicons."""
    for spelling in old.forms.keys() | new.forms.keys():
        before, after = old.forms.get(spelling, []), new.forms.get(spelling, [])
        if before != after:
            yield [entry for _, entry in (*before, *after)]


def _firsts(text: str) -> Iterator[str]:
    """Yield the possible first words of names; hyphenated words are yielded whole and split."""
    for variant in (text, text.replace("-", " ")):
        yield from Lexicon.pieces(variant)
