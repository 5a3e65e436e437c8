"""The text of a "Daily Papers" listing, saved as text: a title line, then an abstract line.

Blank lines between them are optional. Lines of the page's navigation above the first title are
skipped; the label of the button "Subscribe" may be attached to the first title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources.decoding import replace_controls

#: Lines of the page's navigation.
_NAVIGATION: Final = re.compile(
    r"new|subscribe|daily papers|trending papers|by\s*ak and the research community"
    r"|get trending papers in your email inbox.*"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]* \d{1,2}(?:, \d{4})?",
    re.IGNORECASE,
)
_ATTACHED_LABEL: Final = re.compile(r"^Subscribe(?=[^\s\W])")
#: The minimum length of an abstract with one sentence, in characters.
_ABSTRACT_LENGTH: Final = 300
_TWO_SENTENCES: Final = re.compile(r"[.!?]\s+\S.*[.!?]$")


def _is_navigation(text: str) -> bool:
    return _NAVIGATION.fullmatch(text.strip()) is not None


def _is_abstract(text: str) -> bool:
    return len(text) >= _ABSTRACT_LENGTH or bool(_TWO_SENTENCES.search(text))


def _recognises(head: list[str]) -> bool:
    """Return whether there is navigation, or three of four lines alternate title and abstract."""
    lines = [text for text in head if text.strip()]
    if any(map(_is_navigation, lines)):
        return True
    pairs = sum(_is_abstract(a) and not _is_abstract(t) for t, a in pairwise(lines))
    return pairs > 0 and 8 * pairs >= 3 * len(lines)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    title: Line | None = None
    skip_next = False
    for line in lines:
        text = replace_controls(line.text).strip()
        if line.broken:
            # The broken line is reported elsewhere; its title or abstract alone is useless.
            title, skip_next = None, title is None
        elif not text or _is_navigation(text):
            continue
        elif skip_next and _is_abstract(text):
            skip_next = False
        elif _is_abstract(text) and title is not None:
            yield Paper("", title.text, text, sources=(Source(name, title.number),))
            title = None
        elif _is_abstract(text):
            yield Problem(f"{name}:{line.number}", "an abstract without a title above it")
        else:
            if title is not None:
                yield Problem(
                    f"{name}:{title.number}", f"a title without an abstract: {title.text[:60]!r}"
                )
            title, skip_next = Line(line.number, _ATTACHED_LABEL.sub("", text)), False
    if title is not None:
        yield Problem(f"{name}:{title.number}", f"a title without an abstract: {title.text[:60]!r}")


FORMAT: Final = SourceFormat(
    "text of a Daily Papers page: a title line, then an abstract line", _recognises, _read
)
