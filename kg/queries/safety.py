"""Checks of queries: they must not change the graph, call another endpoint, or be too complex."""

from __future__ import annotations

import re
from typing import Final

_UPDATE: Final = re.compile(
    r"\s*(?:(?:prefix\s+\S*|base)\s*)*(insert|delete|load|clear|drop|create|add|move|copy|with)\b",
    re.IGNORECASE,
)
_CALL: Final = r"""
    (?<![:?$]) service BETWEEN (?: silent BETWEEN )?
    # an IRI, a variable or a prefixed name:
    (?: <[^>]*> | [?$][^\s{}]* | [^\s{}<>"'?$:]*:[^\s{}]* )
    BETWEEN \{
    """
#: Spaces and comments. In SPARQL a comment ends at a carriage return or a line feed; some parsers,
#: such as rdflib's, end it at a line feed only.
_BETWEEN: Final = (r"(?: \s | \#[^\r\n]*[\r\n] )*", r"(?: \s | \#[^\n]*\n )*")
_CALLS: Final = tuple(
    re.compile(_CALL.replace("BETWEEN", between), re.IGNORECASE | re.VERBOSE)
    for between in _BETWEEN
)

#: The limits of open brackets and of joined parts in a query: the engine parses both recursively,
#: so some thousands of them would overflow the stack and crash the process.
MAX_OPEN_BRACKETS: Final = 100
MAX_JOINED_PARTS: Final = 1_000
#: What is skipped: escaped characters, strings, comments and IRIs. The group is a text that may be
#: an IRI or two comparisons.
_SKIPPED: Final = re.compile(
    r"""\\. | \"{3}[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3}
    | '{3}[^'\\]*(?:(?:\\.|'{1,2}(?!'))[^'\\]*)*'{3}
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | \#[^\r\n]*
    | <(?:[^<>\s"{}|^`\\(),&]|\\[uU])*> | (<[^<>\s"{}|^`]*>)""",
    re.VERBOSE | re.DOTALL,
)
_SIGN: Final = re.compile(r"[?$]\w+|[A-Za-z_:@][\w:.~%\\-]*|[\[({})\]]|\|\||&&|[.;,!|^/+*-]")
_JOINING: Final = frozenset(
    "|| && ! | ^ / + * - union optional minus filter bind graph exists".split()
)


def complexity_problem(sparql: str) -> str:
    """Return why a query is too complex for the engine, or an empty string."""
    doubtful = next(
        (found[1] for found in _SKIPPED.finditer(sparql) if _is_ambiguous(found[1] or "")), ""
    )
    if doubtful:
        advice = r"put a space after <, or write ( ) , & in an IRI as \u0028 \u0029 \u002C \u0026"
        return f"has {doubtful[:60]}, an IRI or two comparisons: {advice}"
    brackets: list[str] = []
    joined = 0
    for sign in (
        found[0].lower()
        for found in _SIGN.finditer(_SKIPPED.sub(lambda found: found[1] or " ", sparql))
    ):
        if sign in ("(", "[", "{"):
            brackets.append(sign)
        elif sign in (")", "]", "}"):
            del brackets[-1:]
        else:
            separates = sign[-1] in ".;," and (not brackets or brackets[-1] != "(")
            joined += separates or sign in _JOINING
        if len(brackets) > MAX_OPEN_BRACKETS:
            return f"has more than {MAX_OPEN_BRACKETS} brackets open at a time: nest it less deeply"
        if joined > MAX_JOINED_PARTS:
            return f"joins more than {MAX_JOINED_PARTS} parts: split it into smaller queries"
    return ""


def _is_ambiguous(either: str) -> bool:
    """Return whether the brackets count differently for an IRI and for two comparisons."""
    return "'" in either or "#" in either or either.count("(") != either.count(")")


def is_update(bare: str) -> bool:
    """Return whether a query without its IRIs, strings and comments begins like an update.

    The engine refuses every update by its grammar; this only distinguishes them from other errors.
    """
    return bool(_UPDATE.match(bare))


def calls_service(sparql: str) -> bool:
    """Return whether a query may call another endpoint by SERVICE.

    The patterns match every call that the engine parses: the engine has no escapes outside of names
    and strings, so the raw text is enough. They also match what only other parsers read as a call.
    False positives are possible: a call inside a string counts too.
    """
    return any(call.search(sparql) for call in _CALLS)
