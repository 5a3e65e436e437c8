"""Normalisation of spellings: case, typography, TeX, dashes, plurals and British endings."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from citekg.schemas.names.words import AMERICAN_SPELLINGS, IZE_STEMS, PLURAL_NOUNS, TEX_WORDS

_SIGNS: Final = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u00b4": "'",
        "`": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2217": "*",
        "\u22c6": "*",
    }
    | {"\u00d7": "x"}
)
_DROPPED: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff\u00ae\u2122\u00a9]")
#: TeX commands of style, also without the braces of their argument: `\textslKite`.
_TEX_STYLE: Final = re.compile(
    r"\\(?:(?:math|text)(?:bb|bf|cal|frak|it|md|rm|scr|sc|sf|sl|tt|up)|emph) *|"
    r"\\(?:(?:math|text)[a-z]*|operatorname|ensuremath|sc|bf|it|tt|rm|sf|em)(?![A-Za-z]) *|\\[,;! ]"
)
_TEX_SIGN: Final = re.compile(r"[${}^]")
_TEX_LETTER: Final = re.compile(r"\\([a-z]+)", re.IGNORECASE)
_ACCENTED: Final = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_AND: Final = re.compile(r"\s&\s")
_SEPARATORS: Final = re.compile(r"[\s\-_\u2010-\u2015\u2212]+")
#: Words that only their spelling may change.
_FOLDED: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ABBREVIATED: Final = re.compile(r"(?<=[^\W\d_]{2})\.(?=[\s-]|$)")
_BRITISH: Final = re.compile("|".join(AMERICAN_SPELLINGS))
_ISING: Final = re.compile(rf"({'|'.join(IZE_STEMS)})is(?=[aei])")
_MARKED: Final = re.compile(r"(\*\*?|')(\w.*\w)\1")
_CAPITAL: Final = re.compile(r"[A-Z]")
#: Words that few of the rules can change.
_PLAIN_WORDS: Final = re.compile(r"[A-Za-z]+(?:[ -][A-Za-z]+)*")


def fold(surface: str) -> str:
    r"""Return the normalised surface: in lower case, with single hyphens between its words.

    >>> fold("$\\pi_0$"), fold("Tülu  3"), fold("Decision Transformers"), fold("VAEs")
    ('π-0', 'tulu-3', 'decision-transformer', 'vae')
    """
    if not surface.isascii():
        surface = unicodedata.normalize("NFKC", _DROPPED.sub("", surface))
    return _fixed_point(_singular_acronym(surface.strip()))


def fold_plain(surface: str) -> str:
    """Return the normalised surface of plain words, or nothing for what needs all rules of `fold`.

    >>> fold_plain("Decision Tree"), fold_plain("Decision Trees"), fold_plain("Llama 3")
    ('decision-tree', '', '')
    """
    if surface.endswith(("s", "S")) or not _PLAIN_WORDS.fullmatch(surface):
        return ""
    text = surface.lower().replace(" ", "-")
    return text if all(map(_is_american, text.split("-"))) else ""


@lru_cache(maxsize=1 << 16)
def _is_american(word: str) -> bool:
    return _american(word) == word


def _fixed_point(text: str) -> str:
    """Return the text folded until nothing changes, because one rule may enable another."""
    while True:
        hyphenated = _hyphenated(text)
        folded = _inflected(hyphenated)
        if folded == text or (folded == hyphenated and _FOLDED.fullmatch(folded)):
            return folded
        text = folded


def _hyphenated(text: str) -> str:
    """Return the text in plain lower case, with single hyphens between its words."""
    text = _without_tex(text)
    text = text.lower().replace("`", "'") if text.isascii() else _plain_letters(text)
    text = _AND.sub(" and ", text) if "&" in text else text
    text = _ABBREVIATED.sub("", text) if "." in text else text
    return _SEPARATORS.sub("-", _strip_ends(text)).strip("-")


def _inflected(text: str) -> str:
    """Return the text in American spelling, its last noun in the singular."""
    head, hyphen, last = _american(text).rpartition("-")
    return f"{head}-{_singular(last)}" if hyphen else last


def _plain_letters(text: str) -> str:
    """Return the text in lower case with plain quotes and without accents (Unicode NFKC)."""
    text = _DROPPED.sub("", text.translate(_SIGNS))
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", _ACCENTED.sub("", text))


def _strip_ends(text: str) -> str:
    """Strip marks of emphasis, stray quotes, punctuation and unbalanced brackets from both ends."""
    if text[:1].isalnum() and text[-1:].isalnum():
        return text
    text = text.lstrip('"~,;: ').rstrip('"~,;:\\ ')
    text = _MARKED.sub(r"\2", text) if _MARKED.fullmatch(text) else text
    for opening, closing in ("()", "[]", "{}"):
        if text.endswith(closing) and opening not in text:
            text = text.rstrip(closing)
        if text.startswith(opening) and closing not in text:
            text = text.lstrip(opening)
    return text


def _without_tex(text: str) -> str:
    if "$" not in text and "\\" not in text:
        return text
    text = _TEX_SIGN.sub("", _TEX_STYLE.sub("", text))
    return _TEX_LETTER.sub(lambda m: TEX_WORDS.get(m[1].lower(), m[0]), text)


def _american(text: str) -> str:
    text = _BRITISH.sub(lambda m: AMERICAN_SPELLINGS[m[0]], text)
    return _ISING.sub(r"\1iz", text) if "is" in text else text


def _singular(word: str) -> str:
    """Return a noun in the singular."""
    if not word.endswith("s"):
        return word
    for plain in (word[:-1], word[:-2], word[:-3] + "y"):
        if plain in PLURAL_NOUNS:
            return plain
    return word


def _singular_acronym(text: str) -> str:
    """Strip the plural `s` of an acronym: "VAEs", "CoTs"."""
    if not text.endswith("s") or not _CAPITAL.match(text[-2:]):
        return text
    return text[:-1] if len(_CAPITAL.findall(text.split()[-1])) > 1 else text
