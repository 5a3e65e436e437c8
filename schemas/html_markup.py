"""HTML, JATS and MathML tags, and character references, in titles and abstracts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from html.entities import html5
from typing import Final

#: A reference to a character: "&amp;", "&#45;".
REFERENCE: Final = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_HEADING: Final = r"(?i:<jats:title>\s*(?:abstract|summary)\W*</jats:title>)"
#: The heading "Abstract", or one tag.
TAG: Final = re.compile(
    rf"{_HEADING}|</?(?:(?P<space>jats|mml):)?(?P<name>[A-Za-z][\w-]{{0,30}})(?:\s[^<>]{{0,500}})?/?>"
)
_END_TAG: Final = re.compile(r"</([A-Za-z][\w-]{0,30})>")
#: Inline tags, which occur inside words, and block tags, which separate words.
_INLINE: Final = frozenset(
    "b bold em emph i inf italic math sc scp small span strong sub sup tt u xref".split()
)
_BLOCK: Final = frozenset("br div h1 h2 h3 h4 label li list list-item p sec title ul ol".split())
#: HTML tags that need no end tag.
_SINGLE: Final = frozenset({"br", "p"})


def decode_reference(found: re.Match[str]) -> str:
    """Return the character of a reference; an unknown reference is kept."""
    if found[1].startswith("#"):
        return html.unescape(found[0])
    return html5.get(found[1] + ";", found[0])


def tag_replacer(text: str) -> Callable[[re.Match[str]], str]:
    """Return the function that gives the text in place of a match of `TAG` in this text.

    A block tag becomes a space, and an inline tag is removed. An HTML tag is kept if it is unknown
    or if its end tag is not in the text: "a <b and c> d".
    """
    ended = {name.lower() for name in _END_TAG.findall(text)} | _SINGLE

    def replacement(tag: re.Match[str]) -> str:
        if tag["name"] is None:
            return " "
        name = tag["name"].lower()
        if not tag["space"] and (name not in ended or name not in _INLINE | _BLOCK):
            return tag[0]
        return " " if name in _BLOCK else ""

    return replacement
