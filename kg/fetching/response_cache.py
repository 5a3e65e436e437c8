"""A cache of HTTP responses on disk, so that no page is requested twice."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

from citekg.fetching.service import Request
from citekg.schemas.atomic_files import write_atomically


class ResponseCache:
    """A folder of response bodies, one gzip file each, named by the SHA-256 of URL and body."""

    def __init__(self, folder: Path, base: str) -> None:
        self.folder = folder
        self.base = base

    def get(self, request: Request) -> bytes | None:
        """Return the cached response to a request, `None` if there is none that can be read."""
        try:
            return gzip.decompress(self._file(request).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None

    def put(self, request: Request, body: bytes) -> None:
        """Store a response."""
        write_atomically(self._file(request), [gzip.compress(body, mtime=0)])

    def delete(self, request: Request) -> None:
        """Delete the response to a request, if it is cached."""
        self._file(request).unlink(missing_ok=True)

    def _file(self, request: Request) -> Path:
        key = request.address(self.base) + (f"\n{request.body}" if request.body else "")
        digest = hashlib.sha256(key.encode()).hexdigest()
        return self.folder / f"{digest[:32]}.gz"
