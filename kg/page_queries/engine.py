"""Oxigraph's WebAssembly, which answers SPARQL in the page: the npm package `oxigraph`.

citekg does not contain it. `kg sparql-engine` downloads it once, or takes it from a file, and keeps
its two files in a cache folder of the user. Every use compares their SHA-512 with the pinned ones,
so that a page never contains any other code.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from citekg.schemas.errors import EngineError
from citekg.schemas.user_cache import user_cache

VERSION: Final = "0.5.11"
REGISTRY: Final = "https://registry.npmjs.org"
#: The environment variable that names a folder or an npm package in place of the cache.
VARIABLE: Final = "CITEKG_OXIGRAPH"
#: The files of the package that the page needs, with the Base64 of their SHA-512.
FILES: Final = {
    "web.js": (
        "1XvHwwMjkqO5Gsx8Da4IUZ6IffFnHwkOR65U6jlwsx4sFQ66LW5CGZWR4wjSgQe/r0cvIlN3o3kc+DiDUDOrpA=="
    ),
    "web_bg.wasm": (
        "V198WlRH1So+ZUCfLqGGQFqxWA7Qg1Go4rvHCKsu8wY19ofMH74MdxsCZkbaCa8lvcQaucmdDBFnFNHbYfYJDA=="
    ),
}
#: The `integrity` of the package in the npm registry: the Base64 of its SHA-512.
INTEGRITY: Final = (
    "zKdgmp1tsrutGzC1lCCywwZRPpLJKaJnKSDWoY2hIhMiwiCRRXNN1DU7WUyTInBvgPKT8Y5N+RgwTL8qKXpLng=="
)
#: The maximum size in bytes of what is downloaded or unpacked; the package has 2.9 MB, a file 4.1.
_MAX_BYTES: Final = 20_000_000
_TIMEOUT: Final = 60.0


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine: its JavaScript module and its WebAssembly."""

    bindings: str
    wasm: bytes


def find_engine() -> Engine:
    """Return the engine of `CITEKG_OXIGRAPH` or of the cache; raises `EngineError` if missing."""
    given = os.environ.get(VARIABLE)
    if given:
        return read_engine(Path(given))
    folder = cache_folder()
    if not folder.is_dir():
        raise EngineError(
            f"the page needs Oxigraph {VERSION} as WebAssembly, which is not in {folder}: "
            "run kg sparql-engine once to download it (2.9 MB), or kg sparql-engine --from FILE "
            f"with the file of npm pack oxigraph@{VERSION}"
        )
    return read_engine(folder)


def read_engine(source: Path) -> Engine:
    """Return the engine of a folder with its files, or of an npm package (`.tgz`).

    Raises `EngineError` if a file is missing or is not the pinned one.
    """
    files = _folder_files(source) if source.is_dir() else _package_files(source)
    return _engine(files, str(source))


def install(source: Path | None = None, registry: str = REGISTRY) -> Path:
    """Download the engine, or take it from a folder or a package; return its cache folder.

    Raises `EngineError` if the registry cannot be reached, or for any other package.
    """
    from citekg.schemas.atomic_files import write_atomically

    engine = read_engine(source) if source else _downloaded(registry)
    folder = cache_folder()
    try:
        for name, content in (
            ("web.js", engine.bindings.encode("utf-8")),
            ("web_bg.wasm", engine.wasm),
        ):
            write_atomically(folder / name, (content,))
    except OSError as error:
        raise EngineError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return folder


def cache_folder() -> Path:
    """Return the folder of the engine in the cache of the user, which may not exist."""
    return user_cache() / f"oxigraph-{VERSION}"


def sha512(content: bytes) -> str:
    """Return the SHA-512 of bytes as npm writes it, in Base64."""
    return base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")


def _download(registry: str) -> bytes:
    address = f"{registry.rstrip('/')}/oxigraph/-/oxigraph-{VERSION}.tgz"
    if not address.startswith(("https://", "http://")):
        raise EngineError(f"{registry}: give the address of an npm registry")
    try:
        with urlopen(address, timeout=_TIMEOUT) as response:  # noqa: S310  # http(s), see above
            package: bytes = response.read(_MAX_BYTES)
    except (OSError, ValueError) as error:
        raise EngineError(
            f"{address}: cannot be downloaded: {getattr(error, 'reason', error)}; "
            f"without a connection, use --from with the file of npm pack oxigraph@{VERSION}"
        ) from error
    if sha512(package) != INTEGRITY:
        raise EngineError(f"{address}: is not the expected package (its SHA-512 differs)")
    return package


def _downloaded(registry: str) -> Engine:
    return _engine(_members(io.BytesIO(_download(registry)), registry), registry)


def _engine(files: Mapping[str, bytes], place: str) -> Engine:
    """Return the engine of files; raises `EngineError` if one is not the pinned one."""
    for name, expected in FILES.items():
        if sha512(files[name]) != expected:
            raise EngineError(
                f"{place}: {name} is not that of oxigraph {VERSION}: run kg sparql-engine, "
                f"or npm install oxigraph@{VERSION}"
            )
    return Engine(files["web.js"].decode("utf-8"), files["web_bg.wasm"])


def _folder_files(folder: Path) -> dict[str, bytes]:
    try:
        return {name: (folder / name).read_bytes() for name in FILES}
    except OSError as error:
        raise EngineError(
            f"{folder}: is not an unpacked npm package oxigraph {VERSION}: "
            f"{error.filename}: {error.strerror}"
        ) from error


def _package_files(package: Path) -> dict[str, bytes]:
    try:
        with package.open("rb") as file:
            return _members(file, str(package))
    except OSError as error:
        raise EngineError(f"{package}: cannot be read: {error.strerror or error}") from error


def _members(file: io.IOBase, place: str) -> dict[str, bytes]:
    """Return the files of an npm package; nothing is written to disk."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=file, mode="r:gz") as archive:
            for name in FILES:
                member = archive.extractfile(f"package/{name}")
                found[name] = member.read(_MAX_BYTES) if member else b""
    except (tarfile.TarError, EOFError, KeyError, OSError) as error:
        raise EngineError(f"{place}: is not an npm package oxigraph {VERSION}: {error}") from error
    return found
