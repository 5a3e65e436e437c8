"""Decode TeX accents in the titles, abstracts and names of arXiv metadata."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: The combining characters of TeX accents; accents that are letters require braces.
_MARKS: Final = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
}
_LETTERS: Final = dict(zip("ss ae AE oe OE aa AA o O l L".split(), "ßæÆœŒåÅøØłŁ", strict=True))
#: A formula (left unchanged), an accented letter or a special letter; not inside a URL.
ACCENT: Final = re.compile(
    r"""\$[^$]*\$
    | (?<!/)\\(?: (?P<sign>[`'^"~=.])(?:\{\\?(?P<in>[A-Za-z])\}|\\?(?P<by>[A-Za-z]))
              | (?P<name>[cvuHrk])\{\\?(?P<held>[A-Za-z])\}
              | (?P<letter>ss|ae|AE|oe|OE|aa|AA|[oOlL])(?![A-Za-z])(?:\{\}|\ )? )""",
    re.VERBOSE,
)
_BRACED: Final = re.compile(r"\{([^\W\d_A-Za-z])\}")


def decode_tex_accents(tex: str) -> str:
    r"""Return the text with TeX accents as Unicode letters; all other LaTeX is kept.

    >>> decode_tex_accents(r"Erd\H{o}s, Poincar\'e, M{\"o}bius, Ma{\l}y, $\hat{x}\.y$")
    'Erdős, Poincaré, Möbius, Mały, $\\hat{x}\\.y$'
    """
    return _BRACED.sub(r"\1", ACCENT.sub(decode_accent, tex)) if "\\" in tex else tex


def decode_accent(found: re.Match[str]) -> str:
    """Return the Unicode letter of a matched accent, or the matched text if there is none."""
    if letter := found["letter"]:
        return _LETTERS[letter]
    bare = found["in"] or found["by"] or found["held"] or ""
    letter = unicodedata.normalize("NFC", bare + _MARKS.get(found["sign"] or found["name"], ""))
    return letter if bare and len(letter) == 1 else found[0]
