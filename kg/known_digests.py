"""Digests of the content of files, valid as long as the files do not change.

A file counts as unchanged if it has the same size, time of modification and time of change. The
system sets the last one, so a program that sets the others back does not hide a change. The state
is read before the content, so that it does not belong to a later content. It is not stored for a
file that changed in the two seconds before, because another change may leave it the same. The index
of Git works in the same way (https://git-scm.com/docs/racy-git).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FolderError

#: The size of a file in bytes, and its times of modification and change in nanoseconds.
FileState = tuple[int, int, int]
#: The state of a file, followed by its digest.
_Known = list[Any]

#: The coarsest resolution of times in a file system, in nanoseconds.
_RESOLUTION: Final = 2_000_000_000


class KnownDigests:
    """The digests of files by name, stored as JSON; a damaged file counts as empty.

    A path that is None is that of a file on another machine, whose state is unknown.
    """

    def __init__(self, file: Path | None) -> None:
        """Read the digests from a file; None stores nothing."""
        self._file = file
        self._stored = _read(file) if file else {}
        self._used: dict[str, _Known] = {}

    def of(self, name: str, path: Path | None, compute: Callable[[], str]) -> str:
        """Return the digest of a file; it is computed unless the file is unchanged.

        Raises the errors of `compute`.
        """
        state, checked = state_of(path), time.time_ns()
        *known_state, known = self._stored.get(name, (None, ""))
        digest = known if state is not None and known_state == [*state] else compute()
        self._use(name, digest, state, checked)
        return digest

    def add(self, name: str, path: Path | None, digest: str) -> None:
        """Add the digest of a file that was written, unless `of` returned it."""
        if name not in self._used or self._used[name][-1] != digest:
            self._use(name, digest, state_of(path), time.time_ns())

    def store(self) -> None:
        """Store the digests that were used or added, and no others; raise `FolderError`."""
        if self._file is None or self._used == self._stored:
            return
        try:
            write_atomically(self._file, [json.dumps(self._used, sort_keys=True).encode()])
        except OSError as error:
            reason = error.strerror or error
            raise FolderError(f"{self._file}: cannot be written: {reason}") from error

    def _use(self, name: str, digest: str, state: FileState | None, checked: int) -> None:
        self._used.pop(name, None)
        if state is not None and has_settled(state, checked):
            self._used[name] = [*state, digest]


def state_of(path: Path | None) -> FileState | None:
    """Return the state of a file of this machine, or None if there is no such file."""
    try:
        found = path.stat() if path else None
    except OSError:
        return None
    return found and (found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def has_settled(state: FileState, checked: int) -> bool:
    """Return whether any later change of a file gives it another state.

    `checked` is the time, in nanoseconds, before which the state was read.
    """
    return max(state[1:]) < checked - _RESOLUTION


def _read(file: Path) -> dict[str, _Known]:
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
