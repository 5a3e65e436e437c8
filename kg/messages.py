"""The one-line message for an exception that ends `kg`: the problem and a remedy."""

from __future__ import annotations

import errno
import re
from typing import Final

from citekg.schemas.errors import CitekgError

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_MAX_LENGTH: Final = 2_000
#: Advice for errors of the operating system.
_ADVICE: Final[dict[int, str]] = {
    errno.ENOSPC: "free some space on this disk and run the command again",
    errno.EDQUOT: "free some space on this disk and run the command again",
    errno.EROFS: "choose a writable folder",
    errno.EACCES: "change its permissions, or choose another location",
    errno.EPERM: "change its permissions, or choose another location",
    errno.EMFILE: "allow more open files (ulimit -n)",
}
#: Advice for other errors whose cause is not in kg.
_OTHER_ADVICE: Final[tuple[tuple[type[Exception], str], ...]] = (
    (
        UnicodeEncodeError,
        "this terminal or pipe cannot show some of the characters: set PYTHONIOENCODING=utf-8",
    ),
    (
        MemoryError,
        "not enough memory: process fewer papers at a time, or use fewer --workers",
    ),
    (RecursionError, "the input is nested too deeply to be read"),
    (ImportError, "a library cannot be loaded: kg doctor lists which are missing or broken"),
)


def error_message(error: Exception) -> str:
    """Return the message of an exception: those of citekg unchanged, others with advice."""
    if isinstance(error, CitekgError):
        return one_line(str(error))
    if isinstance(error, OSError) and error.errno is not None:
        return one_line(_os_error_message(error))
    for kind, advice in _OTHER_ADVICE:
        if isinstance(error, kind):
            return one_line(f"{advice} ({detail})" if (detail := str(error)) else advice)
    what = f"a bug in kg, {type(error).__name__}: {error}"
    return one_line(f"{what}; kg --debug ... shows the traceback; please report it")


def one_line(text: str) -> str:
    r"""Return a text on one line, without control characters and bidirectional overrides.

    >>> one_line("no\n\x1b[2J file\u202e")
    'no [2J file'
    """
    plain = " ".join(_CONTROL.sub(" ", text).split())
    return plain if len(plain) <= _MAX_LENGTH else f"{plain[:_MAX_LENGTH]} …"


def _os_error_message(error: OSError) -> str:
    """Return the file, the reason and the advice of an `OSError`."""
    place = f"{error.filename}: " if error.filename else ""
    advice = _ADVICE.get(error.errno or 0, "kg --debug ... shows the traceback")
    return f"{place}{error.strerror or error}: {advice}"
