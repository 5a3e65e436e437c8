"""How far a graph file has come on its way to a server."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citekg.exports import write_atomically

if TYPE_CHECKING:
    from citekg.publishing.servers import Place


class Progress:
    """A small file beside the graph's, valid for this content and this place alone."""

    def __init__(self, path: Path, place: Place, lines: Iterable[str]) -> None:
        digest = hashlib.sha256(repr(place).encode())
        for line in lines:
            digest.update(line.encode())
        self.file = path.with_name(f".{path.name}.publishing")
        self.what = digest.hexdigest()

    def sent(self) -> int | None:
        """How many triples have been sent, `None` where no such run was stopped."""
        try:
            told: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return int(told["sent"]) if told.get("what") == self.what else None

    def note(self, sent: int) -> None:
        """Remember that so many triples have been sent."""
        write_atomically(self.file, [json.dumps({"what": self.what, "sent": sent}).encode()])

    def forget(self) -> None:
        """Remember nothing any more."""
        self.file.unlink(missing_ok=True)
