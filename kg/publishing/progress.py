"""The progress of an upload, for resuming it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citekg.schemas.atomic_files import write_atomically

if TYPE_CHECKING:
    from citekg.publishing.servers import Place


class Progress:
    """A progress file beside the graph file, valid only for the same content and destination."""

    def __init__(self, path: Path, place: Place, lines: Iterable[str]) -> None:
        digest = hashlib.sha256(repr(place).encode())
        for line in lines:
            digest.update(line.encode())
        self.file = path.with_name(f".{path.name}.publishing")
        self.fingerprint = digest.hexdigest()

    def sent(self) -> int | None:
        """Return the number of triples sent by an interrupted run, `None` if there is none."""
        try:
            state: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return int(state["sent"]) if state.get("what") == self.fingerprint else None

    def save(self, sent: int) -> None:
        """Store the number of triples sent."""
        state = {"what": self.fingerprint, "sent": sent}
        write_atomically(self.file, [json.dumps(state).encode()])

    def delete(self) -> None:
        """Delete the progress file."""
        self.file.unlink(missing_ok=True)
