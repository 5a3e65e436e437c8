"""A cache of the results of build steps, keyed by a digest of their inputs.

A step is a function that a worker runs on some data and that returns named bytes. The digest covers
the data and `version`, which identifies all other inputs: the code, the libraries and the
configuration. A step with a cached result is not run again, and its data is not read.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.known_digests import KnownDigests
from citekg.schemas.code_digest import add_code
from citekg.schemas.errors import FolderError
from citekg.storage.folders import Folder

if TYPE_CHECKING:
    from citekg.building.execution.processes import Runner
    from citekg.extractors.pipeline import ExtractionPipeline

#: The subfolder of the results.
STEPS: Final = "steps"
_CODE: Final = ("citekg", "citekg.extractors", "citekg.schemas", "citekg.exports")
_LIBRARIES: Final = ("citekg", "duckdb", "pyarrow")

Result = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a step: a digest of its data, and a function that reads the data."""

    digest: bytes
    read: Callable[[], Any]


Step = Callable[[Any, Any], Result]


class CachedSteps:
    """The results of earlier builds in a folder, and those that this build uses."""

    def __init__(self, folder: Folder, version: str) -> None:
        """List the results in the folder; those of another version are never used."""
        self._folder, self._version = folder, version
        self._stored, self._used = {*folder.names(STEPS)}, set[str]()

    def run(
        self,
        runner: Runner,
        step: Step,
        tasks: Iterable[Task],
        entries: Collection[str],
        is_valid: Callable[[Result], bool] = lambda _: True,
    ) -> Iterator[Result]:
        """Yield the result of each task in order, with these entries; only missing ones are run.

        Results for which `is_valid` is false are computed again. Cached results that wait for one
        that is computed are in memory, so `entries` should be small.
        """
        waiting: deque[Result | None] = deque()

        def chosen(result: Result) -> Result:
            return {name: content for name, content in result.items() if name in entries}

        def missing() -> Iterator[tuple[str, Any]]:
            for task in tasks:
                name = self._name(step, task.digest)
                found = self._read(name) if name in self._stored else None
                self._used.add(name)
                if found is None or not is_valid(found):
                    waiting.append(None)
                    yield name, task.read()
                else:
                    waiting.append(chosen(found))

        def cached() -> Iterator[Result]:
            while waiting and (found := waiting[0]) is not None:
                waiting.popleft()
                yield found

        for result in runner(_StoringStep(step, self._folder), missing()):
            yield from cached()
            waiting.popleft()
            yield chosen(result)
        yield from cached()

    def is_stored(self, step: Step, digest: bytes) -> bool:
        """Return whether an earlier build stored a result for a task; it may be damaged."""
        return self._name(step, digest) in self._stored

    def result(self, step: Step, digest: bytes) -> Result:
        """Return the result of a task that was run; raise `FolderError` if it is missing."""
        name = self._name(step, digest)
        found = self._read(name)
        if found is None:
            raise FolderError(f"{name}: was removed during the build; build again")
        return found

    def database(self) -> AbstractContextManager[Path]:
        """Return the file of a database of results, for the tables of linking."""
        name = self._named("database", b"", "duckdb")
        self._used |= {name, f"{name}.wal"}
        return self._folder.local_file(name)

    def known_digests(self) -> KnownDigests:
        """Return the digests of files in the folder that earlier builds wrote or read."""
        name = self._named("digests", b"", "json")
        self._used.add(name)
        return KnownDigests(self._folder.path_of(name))

    def forget_others(self) -> None:
        """Remove the results that this build did not use."""
        for name in sorted(self._stored - self._used):
            self._folder.remove(name)

    def _name(self, step: Step, digest: bytes) -> str:
        return self._named(step.__name__, digest, "zip")

    def _named(self, label: str, digest: bytes, ending: str) -> str:
        hasher = hashlib.sha256(f"{self._version} {label}\n".encode() + digest)
        return f"{STEPS}/{hasher.hexdigest()[:32]}.{ending}"

    def _read(self, name: str) -> Result | None:
        try:
            with zipfile.ZipFile(io.BytesIO(self._folder.read(name))) as file:
                return {entry: file.read(entry) for entry in file.namelist()}
        except (OSError, ValueError, zipfile.BadZipFile):
            return None


@dataclass(frozen=True)
class _StoringStep:
    """A step that also stores its result, in the worker."""

    function: Step
    folder: Folder

    def __call__(self, pipeline: ExtractionPipeline, named: tuple[str, Any]) -> Result:
        name, data = named
        result = self.function(pipeline, data)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            for entry, content in result.items():
                file.writestr(zipfile.ZipInfo(entry), content)
        self.folder.write(name, packed.getvalue())
        return result


def code_version() -> str:
    """Return a digest of the code, and of the libraries that make the results."""
    hasher = hashlib.sha256()
    add_code(hasher, _LIBRARIES, _CODE, lambda path: path.suffix == ".py")
    return hasher.hexdigest()
