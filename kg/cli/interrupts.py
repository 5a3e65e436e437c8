"""The message after Ctrl+C: the saved results, and the command that resumes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

#: The results that a command has saved, so that the same command resumes.
_SAVED: Final = {
    "build": "The papers read so far are saved",
    "fetch": "The responses received so far are saved",
}
#: The message of a command that saves nothing.
_NOT_SAVED: Final = {
    "extract": "All lines printed so far are complete; the next run starts again. "
    "kg build saves its extractions.",
}
_NO_CACHE: Final = "--no-cache"


def stopped(command: str | None, arguments: Sequence[str]) -> str:
    """Return the message for an interrupted command, with the command line that resumes it.

    >>> print(stopped("build", ["build", "my papers.jsonl", "-o", "out"]))
    Stopped. The papers read so far are saved; resume with: kg build 'my papers.jsonl' -o out
    """
    if command in _SAVED and _NO_CACHE in arguments:
        return f"Stopped. Nothing is saved, because of {_NO_CACHE}."
    if command in _SAVED:
        return f"Stopped. {_SAVED[command]}; resume with: {shlex.join(['kg', *arguments])}"
    return " ".join(filter(None, ("Stopped.", _NOT_SAVED.get(command or ""))))
