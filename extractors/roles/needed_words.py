"""An index of rules by the substrings that the matched texts must contain.

Most texts contain none of the words that a pattern needs, and looking up the words of a text is
much faster than searching it for every pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Generic, TypeVar

from citekg.extractors.cached_results import cached_results


@dataclass(frozen=True)
class Rule:
    """A pattern, for entities of the given types.

    Each text that the pattern matches contains one of the `needed` substrings inside a word. A rule
    outside an index has none.
    """

    words: re.Pattern[str]
    types: frozenset[str]
    needed: tuple[str, ...]


AnyRule = TypeVar("AnyRule", bound=Rule)


class RuleIndex(Generic[AnyRule]):
    """Rules by the substrings that they need."""

    def __init__(self, rules: Sequence[AnyRule]) -> None:
        self.rules = rules
        self._needed = _pattern_of(part for rule in rules for part in rule.needed)
        self._met_by_word = cached_results(1 << 14)(self._met)
        self._rules_of = lru_cache(maxsize=1 << 12)(self._rules)

    def possible(self, text: str) -> tuple[AnyRule, ...]:
        """Return the rules of which the text contains a needed substring, in their order."""
        return self._rules_of(reduce(or_, map(self._met_by_word, text.split()), 0))

    def _met(self, word: str) -> int:
        """Return the rules that need a part of the word, each as the bit of its number."""
        if not self._needed.search(word):
            return 0
        return sum(
            1 << n
            for n, rule in enumerate(self.rules)
            if any(needed in word for needed in rule.needed)
        )

    def _rules(self, met: int) -> tuple[AnyRule, ...]:
        return tuple(rule for n, rule in enumerate(self.rules) if met >> n & 1)


def _pattern_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some texts, grouped by first letter, which is fast."""
    endings: dict[str, list[str]] = {}
    for text in sorted({*texts}):
        endings.setdefault(text[0], []).append(re.escape(text[1:]))
    return re.compile("|".join(f"{re.escape(a)}(?:{'|'.join(b)})" for a, b in endings.items()))
