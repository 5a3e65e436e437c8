"""The bytes of a graph file, unpacked where they are compressed."""

from __future__ import annotations

import zlib
from pathlib import Path

from schemas.errors import GraphError
from schemas.files import opened, unpacked


def contents(path: Path) -> bytes:
    """All bytes of the file; `.gz` is unpacked, told by its first bytes.

    Raises `GraphError` for a file that is missing, unreadable or broken.
    """
    try:
        with opened(path) as file:
            return unpacked(file).read()
    except FileNotFoundError as error:
        raise GraphError(f"{path}: no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise GraphError(f"{path}: cannot be read: {error}") from error
