"""Escaping of texts for Markdown, so that they are shown literally."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTED: Final = re.compile("[\\s\x00-\x1f\x7f-\x9f\ufffe\uffff]+")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|$~=%^!&])")
_BULLET: Final = re.compile(r"^([0-9]*)([-+.)])")
_WEB_ADDRESS: Final = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)


def one_line(text: str) -> str:
    """Return the text on one line, without control characters."""
    return _UNPRINTED.sub(" ", text).strip()


def plain(text: str) -> str:
    r"""Return the text on one line, with all markup of Markdown and Obsidian escaped.

    >>> plain("*C#*")
    '\\*C\\#\\*'
    """
    return _BULLET.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", one_line(text)))


def web_link(address: str) -> str:
    """Return a web address as an autolink in angle brackets; empty for any other text."""
    return f"<{address}>" if _WEB_ADDRESS.fullmatch(address) else ""
