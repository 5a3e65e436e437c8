"""Earlier levels: the number that a score is compared with, without a named rival.

"92%, up from 46%" and "26% beats the previous best result of 13%" report one result each, with an
earlier level. "from 82% to 97%" is read by the grammar of values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from citekg.extractors.results.values import Value

_ABOUT: Final = r"(?:about |around |only |just |merely |nearly )*\$?"
_UNNAMED: Final = (
    r"(?:prior|previous|earlier|previously|existing|conventional|state[- ]of[- ]the[- ]art"
    r"|baselines?|original)"
)
_CHANGED: Final = r"(?:up|down|increased|improved|raised|reduced|decreased|rising|dropping)"
_FORMER: Final = (
    r"(?:previous|prior|previously|earlier|former|(?:highest|best) (?:reported|published|known))"
)
#: Text between a score and its earlier level.
_BETWEEN: Final = tuple(
    re.compile(pattern + r"\Z", re.IGNORECASE)
    for pattern in (
        rf"(?: [\w-]+){{0,4}}[\s,(]*{_CHANGED} from {_ABOUT}",
        rf" ?\((?:{_CHANGED} )?from {_ABOUT}",
        rf".*\b{_FORMER}(?:(?: [\w-]+){{0,4}} (?:of|at|is|was))? {_ABOUT}",
    )
)
_AGAINST: Final = re.compile(
    rf".*\b(?:compared (?:to|with)|versus|vs\.?|against) (?:the )?{_ABOUT}\Z", re.IGNORECASE
)
_OF_UNNAMED: Final = re.compile(
    r" (?:before\b|previously\b|(?:of|for|by|with|from|in) (?:the |a |an )?(?:best |strongest )?"
    rf"{_UNNAMED})",
    re.IGNORECASE,
)
#: Maximum number of characters between a score and its earlier level.
_MAX_DISTANCE: Final = 120


def earlier_level(text: str, values: Sequence[Value], number: int, end: int) -> int | None:
    """Return the number of the value that is the earlier level of a score, if there is one.

    `end` is the end of the sentence of the score. A factor may come between both, as in "26%,
    doubling the previous 13%".
    """
    score = values[number]
    if score.previous:
        return None
    for other in range(number + 1, min(number + 3, len(values))):
        level = values[other]
        if level.end > end or level.start - score.end > _MAX_DISTANCE:
            return None
        if level.kind == score.kind and level.shape != "range":
            return other if _is_earlier(text, score, level) else None
        if level.kind != "x":
            return None
    return None


def _is_earlier(text: str, score: Value, level: Value) -> bool:
    between = text[score.end : level.start].replace("\n", " ")
    if any(pattern.match(between) for pattern in _BETWEEN):
        return True
    behind = text[level.end : level.end + 60].replace("\n", " ")
    return bool(_AGAINST.match(between) and _OF_UNNAMED.match(behind))
