"""Letters with accents as TeX writes them, which arXiv's metadata hold in titles, abstracts and names."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

#: The combining characters of TeX's accents; those whose name is a letter have their letter in braces.
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
#: Mathematics, which stays as it is, an accent and its letter, or a letter of its own; never in a web address.
_ACCENT: Final = re.compile(
    r"""\$[^$]*\$
    | (?<!/)\\(?: (?P<sign>[`'^"~=.])(?:\{\\?(?P<in>[A-Za-z])\}|\\?(?P<by>[A-Za-z]))
              | (?P<name>[cvuHrk])\{\\?(?P<held>[A-Za-z])\}
              | (?P<letter>ss|ae|AE|oe|OE|aa|AA|[oOlL])(?![A-Za-z])(?:\{\}|\ )? )""",
    re.VERBOSE,
)
_BRACED: Final = re.compile(r"\{([^\W\d_A-Za-z])\}")


def accented(tex: str) -> str:
    r"""The text with TeX's accents as letters; all other LaTeX stays.

    >>> accented(r"Erd\H{o}s, Poincar\'e, M{\"o}bius, Ma{\l}y, $\hat{x}\.y$")
    'Erdős, Poincaré, Möbius, Mały, $\\hat{x}\\.y$'
    """
    return _BRACED.sub(r"\1", _ACCENT.sub(_written, tex)) if "\\" in tex else tex


def _written(found: re.Match[str]) -> str:
    if letter := found["letter"]:
        return _LETTERS[letter]
    bare = found["in"] or found["by"] or found["held"] or ""
    letter = unicodedata.normalize("NFC", bare + _MARKS.get(found["sign"] or found["name"], ""))
    return letter if bare and len(letter) == 1 else found[0]
