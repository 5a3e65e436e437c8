"""What stands in titles, abstracts and names and is no text: tags of pages and journals, named characters."""

from __future__ import annotations

import html
import re
from html.entities import html5
from typing import Final

from citekg.sources.decoding import cleaned

_NAMED: Final = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_HEADING: Final = re.compile(r"<jats:title>\s*(?:abstract|summary)\W*</jats:title>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?(?:(jats|mml):)?([A-Za-z][\w-]{0,30})(?:\s[^<>]{0,500})?/?>")
#: Tags of pages and journals that stand inside words, and those that part them.
_INSIDE: Final = frozenset("b bold em emph i inf italic math sc scp small span strong sub sup tt u xref".split())
_PARTING: Final = frozenset("br div h1 h2 h3 h4 label li list list-item p sec title ul ol".split())


def plain(written: str) -> str:
    """The text without the tags of pages and journals, named characters written out.

    A tag that may be something else is one only where its end stands in the text, too.

    >>> plain("<jats:title>Abstract</jats:title><jats:p>Kites &amp; <i>Q</i>-learning, n <b</jats:p>").strip()
    'Kites & Q-learning, n <b'
    >>> plain("H<sub>2</sub>O, where a <b> c")
    'H2O, where a <b> c'
    """
    if "&" not in written and "<" not in written:
        return written
    for _ in range(2):  # sites pass on what others have escaped
        written = _NAMED.sub(_character, written)
    ended = {name.lower() for name in re.findall(r"</([A-Za-z][\w-]{0,30})>", written)} | {"br", "p"}

    def shown(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if not tag[1] and (name not in ended or name not in _INSIDE | _PARTING):
            return tag[0]
        return " " if name in _PARTING else ""

    return cleaned(_TAG.sub(shown, _HEADING.sub(" ", written)))


def _character(found: re.Match[str]) -> str:
    """The character that is named or numbered; what names none stays."""
    return html.unescape(found[0]) if found[1].startswith("#") else html5.get(found[1] + ";", found[0])
