"""What a query must not do: change the graph, or call another endpoint."""

from __future__ import annotations

import re
from typing import Final

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
