"""Parts of the patterns that state roles: words, articles, and where a noun phrase ends."""

from __future__ import annotations

from typing import Final

#: Words that end a noun phrase or a list of names, because they begin another constituent.
CLAUSE_WORD: Final = (
    r"(?:on|in|for|to|with|by|of|using|via|from|at|across|under|that|which|who|while|when|where"
    r"|whose|without|through"
    r"|into|over|is|are|was|were|has|have|can|we|it|they|not|than|as|and|or|such|like|based"
    r"|trained|towards?)\b"
)
WORD: Final = rf"(?!{CLAUSE_WORD})[^\s,;:()]+"
ARTICLE: Final = r"(?:(?:the|an?|our|its|both|any|all|some|these|several|two|three|four|five) )?"
