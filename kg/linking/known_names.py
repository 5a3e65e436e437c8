"""The names of a corpus and of the lexicon, by surface form and alias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.linking.normal_forms import is_coined
from citekg.schemas.names import key, without_maker
from citekg.schemas.records import Entity

_MIN_LENGTH: Final = 3


@dataclass
class KnownNames:
    """The entities by key, and their keys by acronyms that only one of them has."""

    entities: dict[str, Entity]
    lexicon: Lexicon
    key_of_acronym: Mapping[str, str]

    def key_of(self, surface: str) -> str:
        """Return the key of the entity that a surface form denotes, or else the key of the form.

        The names in papers come first, then those of the lexicon, then acronyms: "IRM" is the
        acronym of invariant risk minimization.
        """
        own = key(surface)
        if own in self.entities:
            return own
        entry = entry_of(surface, self.lexicon) or self._entry_of_acronym(surface)
        return entry.key if entry else self.key_of_acronym.get(own, own)

    def key_of_coined(self, surface: str) -> str:
        """Return the key of the entity with exactly this coined name, or an empty text.

        Acronyms that need a context do not count, nor short ones that only a paper defines.
        """
        if not is_coined(surface) or len(surface) < _MIN_LENGTH:
            return ""
        if hit := exact_entry(surface, self.lexicon):
            return hit.key
        own = key(surface)
        named = self.entities.get(own)
        if named is not None and named.name == surface:
            return own
        return self.key_of_acronym.get(own, "") if len(surface) > _MIN_LENGTH else ""

    def type_of(self, surface: str) -> str | None:
        """Return the type of the entity that a surface form denotes, or None if it is unknown."""
        return self.type_of_key(self.key_of(surface))

    def type_of_key(self, name_key: str) -> str | None:
        """Return the type of an entity of the papers or the lexicon, or None."""
        found = self.entities.get(name_key) or self.lexicon.entries.get(name_key)
        return found.type if found else None

    def is_data(self, type_: str) -> bool:
        """Return whether a type is one of data."""
        return self.lexicon.vocabulary.is_data(type_)

    def _entry_of_acronym(self, surface: str) -> Entry | None:
        """Return the only entry of the lexicon with this acronym, independent of the context."""
        spelling = " ".join(self.lexicon.pieces(surface))
        forms = self.lexicon.forms.get(spelling, ()) if is_coined(surface) else ()
        entries = {entry.key: entry for form, entry in forms if form == surface}
        return next(iter(entries.values())) if len(entries) == 1 else None


def entry_of(surface: str, lexicon: Lexicon) -> Entry | None:
    """Return the lexicon's entry for exactly this surface form, with or without its maker.

    Case counts if another entry has the same letters.
    """
    bare = without_maker(surface)
    found = exact_entry(surface, lexicon) or lexicon.entries.get(key(surface))
    return found or (exact_entry(bare, lexicon) if bare else None)


def exact_entry(surface: str, lexicon: Lexicon) -> Entry | None:
    """Return the entry of a name of the lexicon that needs no context."""
    hits = lexicon.find(surface)
    return next((h.entry for h in hits if (h.start, h.end) == (0, len(surface))), None)
