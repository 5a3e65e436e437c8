"""The text around a mention, as patterns read it."""

from __future__ import annotations

import re
from typing import Final

from citekg.extractors.nlp import Document
from citekg.extractors.prefiltered_pattern import PrefilteredPattern

#: Rules that several others ask about the same text keep their results for so many texts.
MAX_KEPT_TEXTS: Final = 256
#: Maximum numbers of code points of the sentence before and after a mention.
_MAX_BEFORE: Final = 200
_MAX_AFTER: Final = 160
_SPACE: Final = re.compile(r"\s+")
#: Quotes and emphasis.
_MARKS: Final = PrefilteredPattern(
    r"[\"“”'`*_{}$~]|\\emph|\\(?:em|it|textit|textbf|texttt|textsc|underline)(?![a-z])",
    "\"“”'`*_{}$~\\",
)


def context_around(doc: Document, span: tuple[int, int]) -> tuple[str, str]:
    """Return the text of the sentence before and after a token span.

    Both are in lower case, without quotes or emphasis, and cut to a fixed number of characters.
    """
    found = doc.contexts.get(span)
    if found is None:
        found = doc.contexts[span] = _context(doc, span)
    return found


def _context(doc: Document, span: tuple[int, int]) -> tuple[str, str]:
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    before = _plain(doc.text[doc.starts[low] : doc.starts[span[0]]])
    after = _plain(doc.text[doc.ends[span[1] - 1] : doc.ends[high - 1]])
    return before[-_MAX_BEFORE:], after[:_MAX_AFTER]


def _plain(text: str) -> str:
    """Return the text in lower case with single spaces and without quotes or emphasis."""
    lowered = text.lower()
    if _MARKS.may_match(lowered):
        lowered = _MARKS.pattern.sub("", lowered)
    # The only printable white space is the space.
    has_single_spaces = lowered.isprintable() and "  " not in lowered
    return lowered if has_single_spaces else _SPACE.sub(" ", lowered)
