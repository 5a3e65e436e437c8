"""What a query must not do: change the graph, call another endpoint, or nest without end."""

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
    (?: <[^>]*> | [?$][^\s{{}}]* | [^\s{{}}<>"'?$:]*:[^\s{{}}]* )  # an IRI, a variable or a prefixed name
    {_BETWEEN} \{{
    """,
    re.IGNORECASE | re.VERBOSE,
)

#: How many brackets a query may have open at a time, and how many parts it may join: the engine reads them by
#: calling itself, and some thousands of them would end the whole process.
MOST_OPEN: Final = 100
MOST_JOINED: Final = 1_000
#: What is passed over: escaped signs, texts, comments, and IRIs that cannot be two comparisons; the group is one that
#: can be either.
_WHOLE: Final = re.compile(
    r"""\\. | \"{3}[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3} | '{3}[^'\\]*(?:(?:\\.|'{1,2}(?!'))[^'\\]*)*'{3}
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | \#[^\r\n]*
    | <(?:[^<>\s"{}|^`\\(),&]|\\[uU])*> | (<[^<>\s"{}|^`]*>)""",
    re.VERBOSE | re.DOTALL,
)
_SIGN: Final = re.compile(r"[?$]\w+|[A-Za-z_:@][\w:.~%\\-]*|[\[({})\]]|\|\||&&|[.;,!|^/+*-]")
_JOINING: Final = frozenset("|| && ! | ^ / + * - union optional minus filter bind graph exists".split())


def complexity_problem(sparql: str) -> str:
    """What makes a query too deep or too long for the engine; an empty text where nothing does."""
    doubtful = next((found[1] for found in _WHOLE.finditer(sparql) if _hides(found[1] or "")), "")
    if doubtful:
        told = r"put a space behind <, or write ( ) , & in an IRI as \u0028 \u0029 \u002C \u0026"
        return f"has {doubtful[:60]}, an IRI or two comparisons: {told}"
    around: list[str] = []
    joined = 0
    for sign in (found[0].lower() for found in _SIGN.finditer(_WHOLE.sub(lambda found: found[1] or " ", sparql))):
        if sign in ("(", "[", "{"):
            around.append(sign)
        elif sign in (")", "]", "}"):
            del around[-1:]
        else:
            apart = sign[-1] in ".;," and (not around or around[-1] != "(")
            joined += apart or sign in _JOINING
        if len(around) > MOST_OPEN:
            return f"has more than {MOST_OPEN} brackets open at a time: nest it less deeply"
        if joined > MOST_JOINED:
            return f"joins more than {MOST_JOINED} parts: ask it in smaller ones"
    return ""


def _hides(either: str) -> bool:
    """Whether brackets count otherwise where this is an IRI than where it is two comparisons."""
    return "'" in either or "#" in either or either.count("(") != either.count(")")


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
