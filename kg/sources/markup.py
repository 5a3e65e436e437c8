"""Remove HTML, JATS and MathML tags and decode character references in titles and abstracts."""

from __future__ import annotations

import html
import re
from html.entities import html5
from typing import Final

from citekg.sources.decoding import replace_controls

_REFERENCE: Final = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_HEADING: Final = re.compile(r"<jats:title>\s*(?:abstract|summary)\W*</jats:title>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?(?:(jats|mml):)?([A-Za-z][\w-]{0,30})(?:\s[^<>]{0,500})?/?>")
#: Inline tags, which occur inside words, and block tags, which separate words.
_INLINE: Final = frozenset(
    "b bold em emph i inf italic math sc scp small span strong sub sup tt u xref".split()
)
_BLOCK: Final = frozenset("br div h1 h2 h3 h4 label li list list-item p sec title ul ol".split())


def strip_markup(written: str) -> str:
    """Return the text without tags and with character references decoded.

    An HTML tag is only removed if its end tag is also in the text.

    >>> strip_markup("<jats:title>Abstract</jats:title><jats:p>Kites &amp; <i>Q</i>, n <b</jats:p>")
    '  Kites & Q, n <b '
    >>> strip_markup("H<sub>2</sub>O, where a <b> c")
    'H2O, where a <b> c'
    """
    if "&" not in written and "<" not in written:
        return written
    for _ in range(2):  # some sites escape text that is already escaped
        written = _REFERENCE.sub(_character, written)
    ended = {name.lower() for name in re.findall(r"</([A-Za-z][\w-]{0,30})>", written)} | {
        "br",
        "p",
    }

    def shown(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if not tag[1] and (name not in ended or name not in _INLINE | _BLOCK):
            return tag[0]
        return " " if name in _BLOCK else ""

    return replace_controls(_TAG.sub(shown, _HEADING.sub(" ", written)))


def _character(found: re.Match[str]) -> str:
    """Return the character of a reference; an unknown reference is kept."""
    return (
        html.unescape(found[0]) if found[1].startswith("#") else html5.get(found[1] + ";", found[0])
    )
