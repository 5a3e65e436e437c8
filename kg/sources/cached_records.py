"""A cache of the records of input files, so that a build reads only files that changed.

The records of a large local file, or of a part of it (`citekg.sources.file_parts`), are a file: a
header, the contents of the records, their columns with the problems found in the input file
(`citekg.sources.singletons`), and a SQLite database of their rows in the table of records
(`citekg.sources.record_table`). The header holds the offsets of columns and database, and the
CRC-32 of both, 8 bytes each. The name of the file is a digest of the path of the input file, with
the offset of a part, and one of all inputs of the rows: the path, the content, the input format and
a version, which identifies the code and the plug-ins. A file that fails its checksum is ignored.

The groups of records that were merged (`citekg.sources.merged_groups`) are another file, without
columns.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO, Final

from citekg.known_digests import FileState, KnownDigests, state_of
from citekg.remote import is_url
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FolderError
from citekg.schemas.plugins import Problem, plugins
from citekg.sources.input_files import InputFile
from citekg.sources.keyed_papers import as_bytes
from citekg.sources.limits import MAX_PROBLEMS
from citekg.sources.record_table import RecordTable
from citekg.sources.singletons import StoredRecords

#: The minimum size of a file whose records are cached: smaller ones are read as fast.
MIN_BYTES: Final = 250_000
_DIGITS: Final = 32
_SUFFIX: Final = ".records"
#: The file of the digests of input files.
_DIGESTS: Final = "digests.json"
#: The start of the name of the file of groups.
_GROUPS: Final = "groups".ljust(_DIGITS, "0")
#: The offsets of the columns and of the database, and the checksum of both.
_HEADER: Final = struct.Struct("<qqq")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class CachedRecords:
    """The cached records of input files, in a folder of this machine.

    `temporary` is a folder for records that only this build uses, or None. These are the records
    of URLs, whose content may change unnoticed, and all records if there is no other folder.
    """

    folder: Path | None
    version: str
    temporary: Path | None = None

    @classmethod
    def of(cls, folder: Path | None, code: str, temporary: Path | None = None) -> CachedRecords:
        """Return the cached records for a digest of the code and for the installed plug-ins."""
        return cls(folder, f"{code} {[*map(str, plugins('source'))]}", temporary)

    def of_files(
        self, files: Iterable[InputFile], input_format: str | None
    ) -> dict[InputFile, CachedFile]:
        """Return the cached records of the files, without files whose records are not cached.

        Records of earlier states of these files are removed.
        """
        known = KnownDigests(self.folder / _DIGESTS if self.folder else None)
        found = ((file, self._of_file(file, input_format, known)) for file in files)
        places = {file: place for file, place in found if place}
        known.store()
        current = {place.place for place in places.values() if place.is_kept}
        if groups := self.groups():
            current.add(groups.place)
        self._remove_outdated(current)
        return places

    def groups(self) -> CachedGroups | None:
        """Return the merged groups of records that are stored in the folder, if there is one."""
        if self.folder is None:
            return None
        digest = hashlib.sha256(self.version.encode()).hexdigest()[:_DIGITS]
        return CachedGroups(self.folder / f"{_GROUPS}-{digest}{_SUFFIX}")

    def _remove_outdated(self, current: set[Path]) -> None:
        """Remove the records of the same files that are not the current ones."""
        files = {place.name[:_DIGITS] for place in current}
        with suppress(OSError):  # there is no folder yet, or it cannot be written to
            for path in self.folder.iterdir() if self.folder else ():
                if path.name[:_DIGITS] in files and path not in current:
                    path.unlink(missing_ok=True)

    def _of_file(
        self, file: InputFile, input_format: str | None, known: KnownDigests
    ) -> CachedFile | None:
        stem = _stem(file)
        place = self.temporary / f"{stem}{_SUFFIX}" if self.temporary else None
        for_this_build = CachedFile(place, file, None) if place else None
        if is_url(file.path):
            return for_this_build
        if not file.is_local_file:
            return None
        path = Path(file.path)
        state = state_of(path)
        if state is None or state[0] < MIN_BYTES:
            return None
        if self.folder is None:
            return for_this_build
        with suppress(OSError):
            content = known.of(_name(file), path, partial(_digest, file))
            inputs = (self.version, file, input_format, content)
            digest = hashlib.sha256(repr(inputs).encode()).hexdigest()[:_DIGITS]
            return CachedFile(self.folder / f"{stem}-{digest}{_SUFFIX}", file, state)
        return None


@dataclass(frozen=True, slots=True)
class CachedFile:
    """The path of the cached records of a file, and the file with its state at that time.

    The state is None for records that only this build uses.
    """

    place: Path
    file: InputFile
    state: FileState | None

    @property
    def is_kept(self) -> bool:
        """Whether later builds use the records."""
        return self.state is not None

    def exists(self) -> bool:
        """Return whether records are stored for this state of the file."""
        return self.place.exists()

    def load(self, table: RecordTable, *, is_renamed: bool) -> list[Problem] | None:
        """Add the records to a table; return the problems, or None without cached records.

        `is_renamed` is whether papers may record another name for the file than its own.
        """
        found = _open(self.place, table, copies=not self.is_kept)
        if found is None:
            return None
        data, database, contents = found
        records = StoredRecords.of_bytes(data)
        if records is None:
            return None
        table.load(records.changed() if is_renamed else records, self.place, database, contents)
        return [Problem(*problem) for problem in records.problems]

    def store(self, table: RecordTable, after: int, problems: list[Problem]) -> None:
        """Store the records after a number, and the problems.

        Nothing is stored for a file that changed meanwhile, was not read to its end, or has too
        many problems to list. Raises `FolderError` if the folder cannot be written to.
        """
        if (
            len(problems) > MAX_PROBLEMS
            or any(problem.place == self.file.name for problem in problems)
            or (self.is_kept and state_of(Path(self.file.path)) != self.state)
        ):
            return
        found = [(one.place, one.message, one.warning) for one in problems]

        def fill(database: Path, contents: BinaryIO) -> bytes:
            return table.store(database, contents, after, found).to_bytes()

        _write(self.place, fill)


@dataclass(frozen=True, slots=True)
class CachedGroups:
    """The path of the cached groups of records that were merged."""

    place: Path

    def load(self, table: RecordTable) -> None:
        """Add the groups to those of a table; a missing or damaged file has none.

        Their contents are copied, because `store` replaces the file.
        """
        if found := _open(self.place, table, copies=True):
            _, database, contents = found
            table.groups.load(self.place, database, contents)

    def store(self, table: RecordTable) -> None:
        """Store the groups that were used, unless these are the cached ones.

        Nothing is stored for a few papers, which are merged as fast. Raises `FolderError` if the
        folder cannot be written to.
        """

        def fill(database: Path, contents: BinaryIO) -> bytes | None:
            table.groups.store(database, contents)
            return b"" if contents.tell() >= MIN_BYTES else None

        if table.groups.has_changed():
            _write(self.place, fill)


def _open(
    place: Path, table: RecordTable, *, copies: bool
) -> tuple[bytes, int, tuple[int, int]] | None:
    """Add the contents of a file to those of a table.

    Returns the columns, the offset of the database and the place of the contents, or None for a
    file that is missing or damaged.
    """
    try:
        with place.open("rb") as file:
            columns, database, checksum = _HEADER.unpack(file.read(_HEADER.size))
            file.seek(columns)
            data = file.read(database - columns)
            if _checksum(chain([data], _blocks(file))) != checksum:
                return None
        return data, database, table.contents.add(place, copies=copies)
    except (OSError, ValueError, struct.error):
        return None


def _write(place: Path, fill: Callable[[Path, BinaryIO], bytes | None]) -> None:
    """Write a file.

    `fill` writes the database and, behind the header, the contents; it returns the columns, or None
    for no file. Raises `FolderError` if the folder cannot be written to.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="kg-") as folder:
            database, contents = Path(folder) / "records", Path(folder) / "contents"
            with contents.open("wb") as file:
                file.seek(_HEADER.size)
                data, start = fill(database, file), file.tell()
                if data is None:
                    place.unlink(missing_ok=True)
                    return
                file.write(data)
                with database.open("rb") as rows:
                    checksum = _checksum(chain([data], _blocks(rows)))
                    rows.seek(0)
                    copyfileobj(rows, file, _BLOCK)
                file.seek(0)
                file.write(_HEADER.pack(start, start + len(data), checksum))
            with contents.open("rb") as whole:
                write_atomically(place, _blocks(whole))
    except OSError as error:
        reason = error.strerror or error
        raise FolderError(f"{place}: cannot be written: {reason}") from error


def _digest(file: InputFile) -> str:
    """Return a digest of a file, or of a part of it; raise `OSError` if it cannot be read."""
    hasher = hashlib.sha256()
    start, end = file.span or (0, sys.maxsize)
    with Path(file.path).open("rb") as data:
        data.seek(start)
        while block := data.read(min(_BLOCK, end - data.tell())):
            hasher.update(block)
    return hasher.hexdigest()


def _name(file: InputFile) -> str:
    """Return the name of a file, or of a part of it, among the known digests."""
    return f"{file.path} {file.span or ''}"


def _stem(file: InputFile) -> str:
    """Return the start of the name of the cached records of a file or of a part."""
    digest = hashlib.sha256(as_bytes(file.path)).hexdigest()[:_DIGITS]
    return f"{digest}.{file.span[0]}" if file.span else digest


def _checksum(blocks: Iterable[bytes]) -> int:
    """Return the CRC-32 of joined blocks."""
    return reduce(lambda checksum, block: zlib.crc32(block, checksum), blocks, 0)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of a file."""
    while block := file.read(_BLOCK):
        yield block
