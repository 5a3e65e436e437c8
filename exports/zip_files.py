"""Several files in one: a zip file whose bytes depend on their contents alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Final

#: The first day that a zip file can tell.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o100644 << 16


class _Chunks(io.RawIOBase):
    """What a zip file writes, held until it is taken."""

    def __init__(self) -> None:
        self.held: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        self.held.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        data = b"".join(self.held)
        self.held.clear()
        return data


def zip_files(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """A zip file of these files, each a name and its chunks, without clock and owner."""
    chunks = _Chunks()
    with zipfile.ZipFile(chunks, "w") as archive:
        for name, contents in files:
            about = zipfile.ZipInfo(name, _NO_TIME)
            about.compress_type, about.create_system, about.external_attr = zipfile.ZIP_DEFLATED, _UNIX, _READABLE
            with archive.open(about, "w", force_zip64=True) as file:
                for part in contents:
                    file.write(part)
                    yield chunks.taken()
            yield chunks.taken()
    yield chunks.taken()
