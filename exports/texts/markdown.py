"""Texts of any kind as Markdown that shows them as they are."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTED: Final = re.compile("[\\s\x00-\x1f\x7f-\x9f\ufffe\uffff]+")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|$~=%^!&])")
_BULLET: Final = re.compile(r"^([0-9]*)([-+.)])")
_WEB: Final = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)


def one_line(text: str) -> str:
    """The text on one line, without what cannot be printed."""
    return _UNPRINTED.sub(" ", text).strip()


def plain(text: str) -> str:
    r"""The text on one line, with every sign escaped that Markdown or Obsidian would take for markup.

    >>> plain("*C#*")
    '\\*C\\#\\*'
    """
    return _BULLET.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", one_line(text)))


def web_link(address: str) -> str:
    """A web address as a link in angle brackets; empty for anything else."""
    return f"<{address}>" if _WEB.fullmatch(address) else ""
