"""What Ctrl+C leaves behind, by command, and how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

#: What a command that was stopped has kept, so that the same command goes on from there.
_KEPT: Final = {
    "build": "The papers read so far are kept",
    "fetch": "The answers that came are kept",
}
#: What a command that was stopped has to say where it keeps nothing.
_BEGINS_ANEW: Final = {
    "extract": "The papers printed so far are whole lines; the next run begins anew. kg build keeps what it has read.",
}
_NO_CACHE: Final = "--no-cache"


def stopped(command: str | None, arguments: Sequence[str]) -> str:
    """The message for a command that was stopped, with the command line that goes on.

    >>> print(stopped("build", ["build", "my papers.jsonl", "-o", "out"]))
    Stopped. The papers read so far are kept; this goes on from there: kg build 'my papers.jsonl' -o out
    """
    if command in _KEPT and _NO_CACHE in arguments:
        return f"Stopped. Nothing is kept, because of {_NO_CACHE}."
    if command in _KEPT:
        return f"Stopped. {_KEPT[command]}; this goes on from there: {shlex.join(['kg', *arguments])}"
    return " ".join(filter(None, ("Stopped.", _BEGINS_ANEW.get(command or ""))))
