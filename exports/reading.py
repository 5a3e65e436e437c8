"""The bytes of a graph file, unpacked where they are compressed."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from schemas.errors import GraphError


def contents(path: Path) -> bytes:
    """All bytes of the file; `.gz` is unpacked, told by its first bytes.

    Raises `GraphError` for a file that is missing, unreadable or broken.
    """
    try:
        raw = path.read_bytes()
        return gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
    except FileNotFoundError as error:
        raise GraphError(f"{path}: no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise GraphError(f"{path}: cannot be read: {error}") from error
