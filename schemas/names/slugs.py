"""Slugs: reversible encoding of a text as a part of an IRI."""

from __future__ import annotations

import re

_KEPT = re.compile(r"[a-z0-9.-]")
_ALL_KEPT = re.compile(r"[a-z0-9.-]*")


def slug(text: str) -> str:
    """Encode a text as lower-case ASCII letters, digits, dots, hyphens and `~xx` escapes.

    Every other UTF-8 byte becomes `~xx`, so different texts have different slugs and every slug is
    a valid part of an IRI (RFC 3987). The underscore never occurs, so that it can join slugs.

    >>> slug("humaneval+"), slug("c#"), slug("a_b")
    ('humaneval~2b', 'c~23', 'a~5fb')
    """
    if _ALL_KEPT.fullmatch(text):
        return text
    return "".join(
        c if _KEPT.fullmatch(c) else "".join(f"~{b:02x}" for b in c.encode("utf-8")) for c in text
    )


def unslug(text: str) -> str:
    """Return the text that `slug` encoded; raises `UnicodeError` for an invalid slug."""
    raw = re.sub(r"~([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), text)
    return raw.encode("latin-1").decode("utf-8")
