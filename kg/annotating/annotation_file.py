"""The file that annotators write: JSON Lines in the format of `citekg.evaluation.annotations`.

Each line is the annotation of one paper by one annotator. Saving a paper replaces the file
atomically, so that a killed process loses no saved paper. The lines of other annotators stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from citekg.evaluation.annotations import parse_annotated
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FolderError, InputError
from citekg.schemas.records import Paper, Source
from citekg.schemas.vocabulary import Vocabulary

Row = dict[str, Any]
#: The timeout in seconds for the lock of the file, which another process may hold.
_LOCK_TIMEOUT: Final = 10.0


@dataclass(frozen=True)
class AnnotationFile:
    """The annotations of one annotator in a file, which may also contain those of others.

    A line without an annotator counts as a line of every annotator. It gets the name of the first
    annotator who saves its paper again.
    """

    path: Path
    annotator: str
    vocabulary: Vocabulary

    def rows(self) -> dict[str, Row]:
        """Return the rows of this annotator by paper id, in file order.

        Raises `InputError` with file and line for a line that is not a valid annotation.
        """
        found: dict[str, Row] = {}
        for number, line in enumerate(self._lines(), start=1):
            text = self._text(line, number)
            if not text.strip():
                continue
            source = Source(str(self.path), number)
            parsed = parse_annotated(text, source, self.vocabulary)
            row = json.loads(text)
            if self._is_own(row):
                if parsed.paper.id in found:
                    raise InputError(str(source), f"a second annotation of {parsed.paper.id!r}")
                found[parsed.paper.id] = row
        return found

    def save(self, paper: Paper, entities: list[Row]) -> Row:
        """Write the entities of a paper, in place of those saved before, and return the row.

        Raises `InputError` for entities that the format does not allow, and `FolderError` if
        another process does not release the lock of the file in time.
        """
        row = {
            "id": paper.id,
            "title": paper.title,
            "abstract": paper.abstract,
            "entities": entities,
            "annotator": self.annotator,
        }
        line = json.dumps(row, ensure_ascii=False)
        parse_annotated(line, Source(paper.id), self.vocabulary)
        with self._locked():
            lines = [*self._lines()]
            at = next((n for n, old in enumerate(lines) if self._is_of(old, paper.id)), len(lines))
            lines[at : at + 1] = [line.encode()]
            write_atomically(self.path.resolve(), (one + b"\n" for one in lines))
        return row

    def _lines(self) -> list[bytes]:
        """Return the lines as bytes, so that those of other annotators stay unchanged."""
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().split(b"\n")
        return lines if lines[-1] else lines[:-1]

    def _text(self, line: bytes, number: int) -> str:
        try:
            return line.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = "not UTF-8 text: give a JSON Lines file to add to, or a new one"
            raise InputError(f"{self.path}:{number}", message) from error

    def _is_of(self, line: bytes, paper: str) -> bool:
        """Return whether a line is an annotation of a paper by this annotator."""
        try:
            row = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and row.get("id") == paper and self._is_own(row)

    def _is_own(self, row: Row) -> bool:
        return row.get("annotator", "") in ("", self.annotator)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the file for this process; the lock of a killed process is released."""
        from filelock import FileLock, Timeout

        path = self.path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(path.with_name(f".{path.name}.lock"), timeout=_LOCK_TIMEOUT):
                yield
        except Timeout as error:
            message = f"{self.path}: another process is writing it: save again"
            raise FolderError(message) from error
