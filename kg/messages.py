"""What is said of an exception that ends `kg`, in one line that tells what to do."""

from __future__ import annotations

import errno
import re
from typing import Final

from citekg.schemas.errors import CitekgError

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_LONGEST: Final = 2_000
#: What to do about a fault of the machine.
_ADVICE: Final[dict[int, str]] = {
    errno.ENOSPC: "make room there and run the command again",
    errno.EDQUOT: "make room there and run the command again",
    errno.EROFS: "choose a folder that can be written",
    errno.EACCES: "change its rights, or choose another place",
    errno.EPERM: "change its rights, or choose another place",
    errno.EMFILE: "allow more open files (ulimit -n)",
}
#: What to do about the other faults that are not of kg's making.
_KNOWN: Final[tuple[tuple[type[Exception], str], ...]] = (
    (UnicodeEncodeError, "this terminal or pipe cannot show some of the signs: set PYTHONIOENCODING=utf-8"),
    (MemoryError, "there was not enough memory: read fewer papers at a time, or use fewer --workers"),
    (RecursionError, "something in the input is nested too deeply to be read"),
    (ImportError, "a library cannot be loaded: kg doctor tells which are missing or broken"),
)


def error_message(error: Exception) -> str:
    """The one line for an exception: our own as they are, others with what to do about them."""
    if isinstance(error, CitekgError):
        return one_line(str(error))
    if isinstance(error, OSError) and error.errno is not None:
        return one_line(_of_the_machine(error))
    for kind, advice in _KNOWN:
        if isinstance(error, kind):
            return one_line(f"{advice} ({told})" if (told := str(error)) else advice)
    return one_line(f"a fault of kg, {type(error).__name__}: {error}; kg --debug ... shows where, please report it")


def one_line(text: str) -> str:
    r"""A text on one line, without what would move a terminal's cursor or turn the direction of reading.

    >>> one_line("no\n\x1b[2J file\u202e")
    'no [2J file'
    """
    plain = " ".join(_CONTROL.sub(" ", text).split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} …"


def _of_the_machine(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    advice = _ADVICE.get(error.errno or 0, "kg --debug ... shows where it happened")
    return f"{place}{error.strerror or error}: {advice}"
