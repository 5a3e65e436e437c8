"""Check that builds with several workers write the same files, even if workers are killed.

    python -m benchmarks.workers PAPERS... -o FOLDER [--workers 1 2 4] [--dask 4] [--extracted CACHE]

builds the same papers with processes and on a local Dask cluster, each time into a new folder
below FOLDER, and prints a Markdown table. In every build with several workers, the worker of
the first task of each kind is killed (SIGKILL). A cluster repeats the task; with processes, the
build ends with an error and is started again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cpu import cpu_time
from citekg.building.execution.processes import Engine, Runner
from citekg.building.out_of_core.target import PartitionTarget
from citekg.building.pipeline import (
    build_out_of_core,
    dask_engine,
    make_pipeline,
    process_engine,
    read_papers,
)
from citekg.schemas.errors import ExtractionError
from citekg.storage.folders import open_folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="+", help="files or folders of papers")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--extracted", type=Path, help="a cache to copy: the rest is extracted")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--dask", type=int, nargs="*", default=[4])
    args = parser.parse_args()
    print(
        "| workers | killed | builds | seconds | CPU ms a paper | files | same as the first |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
        flush=True,
    )
    builds = [
        (f"{n} processes" if n > 1 else "1 process", process_engine(n), n > 1) for n in args.workers
    ]
    builds += [(f"Dask, {n} workers", dask_engine(None, n), n > 1) for n in args.dask]
    first: dict[str, str] = {}
    for name, engine, kills_workers in builds:
        folder = args.output / name.replace(", ", "-").replace(" ", "-").lower()
        row, files = build(args.papers, engine, folder, args.extracted, kills_workers=kills_workers)
        first = first or files
        same = "yes" if files == first else "NO"
        print(f"| {name} | {row} | {len(files):,} | {same} |", flush=True)


def build(
    inputs: list[str], engine: Engine, folder: Path, extracted: Path | None, *, kills_workers: bool
) -> tuple[str, dict[str, str]]:
    """Build until no worker is killed; return columns of the table and the digests of all files."""
    shutil.rmtree(folder, ignore_errors=True)
    markers = folder / "killed"
    markers.mkdir(parents=True)
    if extracted:
        shutil.copytree(extracted, folder / "readings")
    start, cpu = time.monotonic(), cpu_time()
    count = builds = 0
    is_done = False
    while not is_done:
        builds += 1
        papers, _ = read_papers(inputs, cache=str(folder / "readings"))
        count = len(papers)
        try:
            with open_folder(folder / "graph") as graph:
                build_out_of_core(
                    papers,
                    make_pipeline(),
                    PartitionTarget(graph, ("nt", "parquet")),
                    engine=WorkerKillingEngine(engine, markers) if kills_workers else engine,
                    cache=str(folder / "readings"),
                )
            is_done = True
        except ExtractionError as error:
            print(f"<!-- {error} -->", flush=True)
    killed = len([*markers.iterdir()])
    seconds, ms = time.monotonic() - start, 1000 * (cpu_time() - cpu) / count
    return f"{killed} | {builds} | {seconds:.0f} | {ms:.1f}", digests(folder / "graph")


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of a folder, by its path.

    The database and the known digests of files are left out: the bytes of the one depend on the
    order of changes, and the other holds times.
    """
    left_out = {*folder.glob("steps/*.duckdb"), *folder.glob("steps/*.json")}
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file not in left_out
    }


@dataclass(frozen=True)
class WorkerKillingEngine:
    """An engine that kills the worker of the first task of each kind, once for each marker."""

    engine: Engine
    markers: Path

    @contextmanager
    def __call__(self, pipeline: Any) -> Iterator[Runner]:
        """Yield a runner whose first task of each kind kills its worker."""
        with self.engine(pipeline) as runner:
            yield partial(self._run, runner)

    def _run(
        self, runner: Runner, function: Callable[[Any, Any], Any], tasks: Iterable[Any]
    ) -> Iterator[Any]:
        name = getattr(function, "function", function).__name__
        return runner(partial(_kill_first, self.markers / name, function), tasks)


def _kill_first(marker: Path, function: Callable[[Any, Any], Any], pipeline: Any, task: Any) -> Any:
    die_once(marker)
    return function(pipeline, task)


def die_once(marker: Path) -> None:
    """Kill this process, unless the marker shows that one was killed already."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
