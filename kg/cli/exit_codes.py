"""The exit codes of `kg`, in one table."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILED: Final = 1
WRONG_LINE: Final = 2
SKIPPED: Final = 3
DIFFERENT: Final = 4
INVALID: Final = 5
NOT_BETTER: Final = 6
STOPPED: Final = 130

#: What each exit code means; the help and the documentation show this table.
EXITS: Final[dict[int, str]] = {
    OK: "success",
    FAILED: "an error, nothing was written; kg doctor: a required part does not work",
    WRONG_LINE: "the command line is invalid",
    SKIPPED: "finished, but some input was skipped",
    DIFFERENT: "kg diff: the graphs differ",
    INVALID: "kg validate: the graph is invalid",
    NOT_BETTER: "kg learn: the weights are written, but not shown to be better",
    STOPPED: "stopped with Ctrl+C",
}


def table() -> str:
    """Return the exit codes as the help shows them, one per line."""
    return "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXITS.items())
