"""Normal forms of names: without maker, head noun and plural, with known acronyms spelled out.

"Optimistic MWU algorithms" and "optimistic multiplicative weights updates" have one normal form.
Normal forms are only compared with each other; they are never shown as names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.wording.head_nouns import (
    COINED_METHOD_KINDS,
    DATA_KINDS,
    METHOD_KINDS,
)
from citekg.schemas.names import key, without_maker

#: The maximum number of words of a name that is looked up inside another one.
_MAX_WORDS: Final = 6
#: The minimum length of an acronym that is expanded after its head noun is removed: a "BP network"
#: need not be one of belief propagation.
_MIN_LETTERS: Final = 3
_PLURAL: Final = re.compile(r"(?<=[^\W\d_]{3})(?<![sui])s$")
_COINED: Final = re.compile(r"\S*[A-Z][^\W_]*[A-Z]\S*")
_PLAIN_WORD: Final = re.compile(r"[^\W\d_A-Z]+")


def _heads(words: Set[str]) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:[\s-]+(?:{'|'.join(sorted(words))}))+$")


_DATA_HEAD: Final = _heads(DATA_KINDS)
_METHOD_HEAD: Final = _heads(METHOD_KINDS)
_COINED_METHOD_HEAD: Final = _heads(METHOD_KINDS | COINED_METHOD_KINDS)


def without_head(name: str, *, data: bool) -> str:
    """Return a name without the nouns at its end that only denote its kind.

    A single plain word is not a name, so "stochastic methods" stays. Nouns such as *network* are
    only removed from a coined name: "LSTM network" is LSTM, "neural network" stays.

    >>> without_head("SGDA algorithms", data=False), without_head("Kite treebank", data=True)
    ('SGDA', 'Kite')
    >>> without_head("LSTM network", data=False), without_head("neural network", data=False)
    ('LSTM', 'neural network')
    """
    if data:
        return _DATA_HEAD.sub("", name)
    coined = _COINED_METHOD_HEAD.sub("", name)
    rest = coined if is_coined(coined) else _METHOD_HEAD.sub("", name)
    return name if _PLAIN_WORD.fullmatch(rest) else rest


def is_coined(name: str) -> bool:
    """Return whether a name is one word, a part of which has two capitals: "LSTM", "KiteNet"."""
    return bool(_COINED.fullmatch(name))


@dataclass(frozen=True)
class NormalForms:
    """The normal forms of the names of a corpus; `long_of` are its unambiguous short forms."""

    lexicon: Lexicon
    long_of: Mapping[str, str]

    def of(self, name_key: str, name: str, *, data: bool) -> str:
        """Return the normal form of a name with this key."""
        if name_key in self.lexicon.entries:
            return _PLURAL.sub("", name_key)
        written = name if key(name) == name_key.partition("-(")[0] else name_key
        bare = without_head(without_maker(written) or written, data=data)
        bare_key = key(bare)
        known = self._key_with_other_form(bare_key.split("-"))
        return _PLURAL.sub("", known) or self._normal(bare_key, data, whole=bare != written)

    def _normal(self, name_key: str, data: bool, *, whole: bool) -> str:  # noqa: FBT001
        """Return a key with the names in it expanded; with `whole`, also the key as a whole."""
        words = name_key.split("-")
        whole = whole and len(name_key) >= _MIN_LETTERS
        if len(words) == 1 and not whole:
            return name_key
        return _PLURAL.sub("", "-".join(self._expanded(words, data, whole=whole)))

    def _key_with_other_form(self, words: list[str]) -> str:
        """Return the key of the entry that has this name with another form of its last words.

        For example, the lexicon has "Auxiliary Classifier GAN", and a paper spells out GAN. The
        text is empty if there is no such entry.
        """
        forms = self.lexicon.forms
        for start in range(1, len(words)):
            for form, inner in forms.get(" ".join(words[start:]), ()):
                for other in _other_forms(form, inner):
                    spelling = " ".join([*words[:start], *self.lexicon.pieces(other)])
                    found = {entry.key for _, entry in forms.get(spelling, ())}
                    if len(found) == 1:
                        return found.pop()
        return ""

    def _expanded(self, words: list[str], data: bool, *, whole: bool) -> Iterator[str]:  # noqa: FBT001
        """Yield the words with the longest known names among them replaced by their keys."""
        start = 0
        while start < len(words):
            longest = min(len(words), start + _MAX_WORDS)
            ends = (e for e in range(longest, start, -1) if whole or e - start < len(words))
            found = ((end, self._full_name("-".join(words[start:end]), data)) for end in ends)
            start, name = next(((e, n) for e, n in found if n), (start + 1, words[start]))
            yield name

    def _full_name(self, part: str, data: bool) -> str:  # noqa: FBT001
        """Return the key of the entity that a part of a name denotes, or an empty text.

        Of several entries, those of the kind of the whole name count.
        """
        entries = {
            entry.key: self.lexicon.vocabulary.is_data(entry.type)
            for form, entry in self.lexicon.forms.get(part.replace("-", " "), ())
            if _may_be_nested(form, entry)
        }
        fitting = [name for name, kind in entries.items() if len(entries) == 1 or kind == data]
        if len(fitting) == 1:
            return fitting[0]
        return "" if entries else self.long_of.get(part, "")


def _other_forms(form: str, entry: Entry) -> Iterator[str]:
    """Yield the acronyms of an entry for a long form, and its long forms for an acronym."""
    if _may_be_nested(form, entry):
        for other in (entry.name, *entry.aliases):
            if is_coined(other) != is_coined(form):
                yield other


def _may_be_nested(form: str, entry: Entry) -> bool:
    """Return whether a form of the lexicon also denotes its entry inside another name."""
    return not entry.sense and (" " in form or "-" in form or is_coined(form))
