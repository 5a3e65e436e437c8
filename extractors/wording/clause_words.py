"""Words that end a noun phrase, because they begin another constituent."""

from __future__ import annotations

from typing import Final

#: Alternatives of a regular expression, without the group around them.
CLAUSE_WORDS: Final = (
    r"on|in|for|to|with|by|of|using|via|from|at|across|under|that|which|who|while|when|where|whose|without|through"
    r"|into|over|is|are|was|were|has|have|can|we|it|they|than|as|based|trained"
)
