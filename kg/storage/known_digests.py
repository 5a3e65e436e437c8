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
from typing import Any, Final

from citekg.storage.folders import FileState, Folder

#: The state of a file, followed by its digest.
_Known = list[Any]

#: The coarsest resolution of times in a file system, in nanoseconds.
_RESOLUTION: Final = 2_000_000_000


class KnownDigests:
    """The digests of files by name, stored as JSON; a damaged file counts as empty."""

    def __init__(
        self, folder: Folder, name: str, state_of: Callable[[str], FileState | None]
    ) -> None:
        """Read the digests, stored in a folder under a name.

        `state_of` returns the state of a file by its name, or None if it is unknown.
        """
        self._folder, self._name, self._state_of = folder, name, state_of
        self._stored = self._read()
        self._used: dict[str, _Known] = {}

    def of(self, name: str, compute: Callable[[], str]) -> str:
        """Return the digest of a file; it is computed unless the file is unchanged.

        Raises the errors of `compute`.
        """
        state, checked = self._state_of(name), time.time_ns()
        *known_state, known = self._stored.get(name, (None, ""))
        digest = known if state is not None and known_state == [*state] else compute()
        self._use(name, digest, state, checked)
        return digest

    def add(self, name: str, digest: str) -> None:
        """Add the digest of a file that was written, unless `of` returned it."""
        if name not in self._used or self._used[name][-1] != digest:
            self._use(name, digest, self._state_of(name), time.time_ns())

    def store(self) -> None:
        """Store the digests that were used or added, and no others; raise `FolderError`."""
        if self._used != self._stored:
            self._folder.write(self._name, json.dumps(self._used, sort_keys=True).encode())

    def _use(self, name: str, digest: str, state: FileState | None, checked: int) -> None:
        self._used.pop(name, None)
        if state is not None and max(state[1:]) < checked - _RESOLUTION:
            self._used[name] = [*state, digest]

    def _read(self) -> dict[str, _Known]:
        try:
            found = json.loads(self._folder.read(self._name))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
