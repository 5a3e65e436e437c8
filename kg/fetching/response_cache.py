"""Answers of services kept on disk, so that no page is asked for twice."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

from citekg.exports import write_atomically
from citekg.fetching.service import Request


class ResponseCache:
    """A folder of answers as they came, a compressed file each, named by what was asked of which address."""

    def __init__(self, folder: Path, base: str) -> None:
        self.folder = folder
        self.base = base

    def get(self, request: Request) -> bytes | None:
        """The answer to a request, `None` where there is none that can be read."""
        try:
            return gzip.decompress(self._file(request).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None

    def put(self, request: Request, body: bytes) -> None:
        """Keep an answer."""
        write_atomically(self._file(request), [gzip.compress(body, mtime=0)])

    def forget(self, request: Request) -> None:
        """Keep the answer no longer."""
        self._file(request).unlink(missing_ok=True)

    def _file(self, request: Request) -> Path:
        asked = request.address(self.base) + (f"\n{request.body}" if request.body else "")
        digest = hashlib.sha256(asked.encode()).hexdigest()
        return self.folder / f"{digest[:32]}.gz"
