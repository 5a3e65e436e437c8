"""Names: what makes two spellings the same, and how a name becomes part of an IRI.

Case, dashes and spaces fold; digits, dots, `+`, `*` and every other sign never do, so
Llama-3.1 and Llama-3.2, CIFAR-10 and CIFAR-100, HumanEval and HumanEval+ stay apart.
"""

from __future__ import annotations

import re
import unicodedata

_DASHES = re.compile(r"[\s\-_\u2010-\u2015\u2212]+")
_LETTER_DASH_DIGIT = re.compile(r"(?<=[^\W\d_])-(?=\d)")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_KEPT = re.compile(r"[a-z0-9.-]")


def key(name: str) -> str:
    """Fold a name to what identifies it.

    >>> key("Proximal  Policy Optimization"), key("proximal policy-optimization")
    ('proximal-policy-optimization', 'proximal-policy-optimization')
    >>> key("Qwen-2.5"), key("Qwen2.5"), key("HumanEval+")
    ('qwen2.5', 'qwen2.5', 'humaneval+')
    """
    folded = unicodedata.normalize("NFKC", name).translate(_QUOTES).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    return _LETTER_DASH_DIGIT.sub("", _DASHES.sub("-", folded).strip("-"))


def slug(text: str) -> str:
    """Write a text in lower-case ASCII letters, digits, dots and hyphens, reversibly.

    Every other UTF-8 byte becomes `~xx`, so different texts have different slugs and every
    slug is a valid part of an IRI; the underscore is left free to join slugs.

    >>> slug("humaneval+"), slug("c#"), slug("a_b")
    ('humaneval~2b', 'c~23', 'a~5fb')
    """
    return "".join(c if _KEPT.fullmatch(c) else "".join(f"~{b:02x}" for b in c.encode("utf-8")) for c in text)


def unslug(text: str) -> str:
    """The text that `slug` wrote."""
    raw = re.sub(r"~([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), text)
    return raw.encode("latin-1").decode("utf-8")
