"""Reproducible zip files: the bytes depend on the contents alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Final

#: The earliest timestamp of the zip format.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o100644 << 16


class _Chunks(io.RawIOBase):
    """A write-only buffer of the bytes of a zip file."""

    def __init__(self) -> None:
        self.buffered: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        self.buffered.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """Return the buffered bytes and empty the buffer."""
        data = b"".join(self.buffered)
        self.buffered.clear()
        return data


def zip_files(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield the chunks of a zip file of (name, chunks) pairs, without timestamps and owners."""
    chunks = _Chunks()
    with zipfile.ZipFile(chunks, "w") as archive:
        for name, contents in files:
            about = zipfile.ZipInfo(name, _NO_TIME)
            about.compress_type, about.create_system, about.external_attr = (
                zipfile.ZIP_DEFLATED,
                _UNIX,
                _READABLE,
            )
            with archive.open(about, "w", force_zip64=True) as file:
                for part in contents:
                    file.write(part)
                    yield chunks.take()
            yield chunks.take()
    yield chunks.take()
