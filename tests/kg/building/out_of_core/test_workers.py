"""The parts of a graph have the same bytes however many workers link, and where workers are lost."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from citekg.building.execution.dask_cluster import cluster_workers, local_cluster
from citekg.building.execution.processes import Engine, Runner, this_process
from citekg.building.incremental.kept_steps import KeptSteps
from citekg.building.out_of_core.build import build_partitions
from citekg.building.out_of_core.target import PartitionTarget
from citekg.storage.folders import LocalFolder
from tests.kg.building.lost_workers import die_once
from tests.kg.building.out_of_core.kept_extractions import LISTED, PIPELINE, Kept, many_papers
from tests.kg.extractions import RUN

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Engine, int], dict[str, bytes]]:
    """Builds the parts of 200 papers with an engine and so many rows a batch; returns the files."""
    monkeypatch.setattr("citekg.building.out_of_core.build.SHARD_SIZE", 60)
    extractions = many_papers(200)
    kept: Any = Kept(tmp_path, extractions)

    def build(engine: Engine, rows: int) -> dict[str, bytes]:
        monkeypatch.setattr("citekg.linking.batches.BATCH_ROWS", rows)
        out = tmp_path / f"out-{rows}-{random.random()}"
        papers = [one.paper for one in extractions]
        target = PartitionTarget(LocalFolder(out), ("nt", "parquet"))
        steps = KeptSteps(target.folder, "")
        with engine(PIPELINE) as runner:
            build_partitions(papers, PIPELINE, kept, RUN, target, runner, LISTED, steps)
        files = (file for file in out.rglob("*") if file.is_file())
        return {str(file.relative_to(out)): file.read_bytes() for file in files}

    return build


@dataclass
class LosingEngine:
    """An engine on a cluster that kills the worker of the first task of each kind."""

    folder: Path
    engine: Engine
    seen: set[str] = field(default_factory=set)

    @contextmanager
    def __call__(self, pipeline: Any) -> Iterator[Runner]:
        with self.engine(pipeline) as runner:
            yield partial(self._run, runner)

    def _run(
        self, runner: Runner, function: Callable[[Any, Any], Any], tasks: Iterable[Any]
    ) -> Iterator[Any]:
        name = getattr(function, "function", function).__name__
        self.seen.add(name)
        return runner(partial(_lose_first, self.folder / name, function), tasks)


def _lose_first(marker: Path, function: Callable[[Any, Any], Any], pipeline: Any, task: Any) -> Any:
    die_once(marker)
    return function(pipeline, task)


def test_small_batches_and_large_ones_give_the_same_parts(
    built: Callable[[Engine, int], dict[str, bytes]],
) -> None:
    assert built(this_process, 10_000) == built(this_process, 7)


@pytest.mark.timeout(900)  # eight workers start anew
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_that_loses_a_worker_in_each_phase_writes_the_parts_of_one_process(
    built: Callable[[Engine, int], dict[str, bytes]], tmp_path: Path, workers: int
) -> None:
    whole = built(this_process, 10_000)
    with local_cluster(workers) as cluster:
        engine = partial(cluster_workers, scheduler=cluster.scheduler_address, workers=workers)
        losing = LosingEngine(tmp_path, engine)
        assert built(losing if workers == 2 else engine, 20) == whole
    if workers == 2:
        assert losing.seen == {
            "name_tables", "name_groups", "expanded_forms", "make_entity", "guess_family",
            "make_family", "introductions_of", "write_shard",
        }  # fmt: skip
