"""Digests of code, with which caches notice that other code made their content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash


def add_code(
    hasher: _Hash,
    libraries: Iterable[str],
    packages: Iterable[str],
    is_part: Callable[[Path], bool],
) -> None:
    """Add versions of libraries, and files of packages with their paths, to a hash.

    `is_part` is given a path relative to its package.
    """
    for library in libraries:
        hasher.update(f"{library} {metadata.version(library)}".encode())
    for package in packages:
        folder = Path(str(resources.files(package)))
        for path in sorted(file.relative_to(folder) for file in folder.rglob("*")):
            if is_part(path):
                hasher.update(path.as_posix().encode() + (folder / path).read_bytes())
