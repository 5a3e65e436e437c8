"""Patterns that are searched only in texts with a substring that each match contains.

Most texts contain none of the words or signs that a pattern needs, and finding substrings is much
faster than searching for the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: The letters outside ASCII that patterns which ignore case take for letters of ASCII.
_LIKE_ASCII: Final = str.maketrans("İıſK", "iisk")


class PrefilteredPattern:
    """A pattern, with substrings of which each match contains at least one."""

    def __init__(self, pattern: str, needed: Iterable[str], flags: int = 0) -> None:
        """Take a pattern, the substrings, and the flags of the pattern.

        The substrings of a pattern that ignores case are in lower case.
        """
        self.pattern = re.compile(pattern, flags)
        self._needed = (*needed,)
        self._ignores_case = bool(flags & re.IGNORECASE)

    def may_match(self, text: str) -> bool:
        """Return whether the text contains one of the substrings."""
        searched = _in_lower_case(text) if self._ignores_case else text
        return any(map(searched.__contains__, self._needed))

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match of the pattern in the text, if any."""
        return self.pattern.search(text) if self.may_match(text) else None


def _in_lower_case(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LIKE_ASCII).lower()
