"""Parts of the patterns that state roles: words, articles, and ends of noun phrases."""

from __future__ import annotations

from typing import Final

from citekg.extractors.wording.clause_words import CLAUSE_WORDS

#: A word of a noun phrase, in a list of names too.
WORD: Final = rf"(?!(?:{CLAUSE_WORDS}|not|and|or|such|like|towards?)\b)[^\s,;:()]+"
ARTICLE: Final = r"(?:(?:the|an?|our|its|both|any|all|some|these|several|two|three|four|five) )?"
