"""What a query must not do: change the graph, call another endpoint, or nest without end."""

from __future__ import annotations

import re
from typing import Final

#: How many brackets a query may have open at a time.
MOST_OPEN: Final = 100
_BRACKET: Final = re.compile(r"[()\[\]{}]")
_UPDATE: Final = re.compile(
    r"\s*(?:(?:prefix\s+\S*|base)\s*)*(insert|delete|load|clear|drop|create|add|move|copy|with)\b", re.IGNORECASE
)
_BETWEEN: Final = r"(?: \s | \#[^\r\n]*[\r\n] )*"
_CALL: Final = re.compile(
    rf"""
    (?<![:?$]) service {_BETWEEN} (?: silent {_BETWEEN} )?
    (?: <[^>]*> | [?$][^\s{{}}]* | [^\s{{}}<>"'?$]*:[^\s{{}}]* )  # an IRI, a variable or a prefixed name
    {_BETWEEN} \{{
    """,
    re.IGNORECASE | re.VERBOSE,
)


def updates(bare: str) -> bool:
    """Whether a query, its IRIs, texts and comments left out, begins like an update.

    The engine refuses every update by its grammar; this only tells them from other faults.
    """
    return bool(_UPDATE.match(bare))


def calls_elsewhere(sparql: str) -> bool:
    """Whether a query may call another endpoint.

    Wherever the engine reads such a call, the pattern matches: the engine knows no escapes outside
    of names and texts, so the raw text is enough. It errs on the safe side: a text in quotes that
    holds a whole call counts too.
    """
    return bool(_CALL.search(sparql))


def nests_too_deeply(bare: str) -> bool:
    """Whether a query, its IRIs, texts and comments left out, has more open brackets at a time than are allowed.

    The engine reads brackets by calling itself, and some thousands of them would end the whole process.
    """
    depth = 0
    for sign in _BRACKET.findall(bare):
        depth += 1 if sign in "([{" else -1
        if depth > MOST_OPEN:
            return True
    return False
