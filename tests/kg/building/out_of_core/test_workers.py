"""The parts have the same bytes with any number of workers, also if workers are lost."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.workers import WorkerKillingEngine
from citekg.building.execution.dask_cluster import cluster_workers, local_cluster
from citekg.building.execution.processes import Engine, this_process
from citekg.building.incremental.cached_steps import CachedSteps
from citekg.building.out_of_core.build import build_partitions
from citekg.building.out_of_core.paper_shards import shards_of
from citekg.building.out_of_core.target import PartitionTarget
from citekg.storage.folders import LocalFolder
from tests.kg.building.out_of_core.cached_extractions import (
    LISTED,
    PIPELINE,
    CachedExtractions,
    files,
    many_papers,
)
from tests.kg.extractions import RUN

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


def built(engine: Engine, rows: int, folder: Path) -> dict[str, bytes]:
    """Return the files of 200 papers that are built with an engine and a batch size."""
    extractions = many_papers(200)
    kept: Any = CachedExtractions(folder, extractions)
    out = folder / "out"
    target = PartitionTarget(LocalFolder(out), ("nt", "parquet"))
    papers = [one.paper for one in extractions]
    with pytest.MonkeyPatch.context() as patch, engine(PIPELINE) as runner:
        patch.setattr("citekg.building.out_of_core.paper_shards.SHARD_SIZE", 60)
        patch.setattr("citekg.linking.batches.BATCH_ROWS", rows)
        steps = CachedSteps(target.folder, "")
        shards = shards_of(papers)
        build_partitions(shards, PIPELINE, kept, RUN, target, runner, LISTED, steps)
    return files(out)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that one process writes."""
    return built(this_process, 10_000, tmp_path_factory.mktemp("whole"))


def test_the_batch_size_does_not_change_the_parts(whole: dict[str, bytes], tmp_path: Path) -> None:
    assert built(this_process, 7, tmp_path) == whole


@pytest.mark.timeout(900)  # eleven workers are restarted
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_that_loses_a_worker_in_each_phase_writes_the_parts_of_one_process(
    whole: dict[str, bytes], tmp_path: Path, workers: int
) -> None:
    with local_cluster(workers) as cluster:
        engine = partial(cluster_workers, scheduler=cluster.scheduler_address, workers=workers)
        markers = tmp_path / "killed"
        markers.mkdir()
        losing = WorkerKillingEngine(engine, markers)
        assert built(losing if workers == 2 else engine, 20, tmp_path) == whole
    if workers == 2:
        assert {marker.name for marker in markers.iterdir()} == {
            "name_tables", "name_groups", "same_long_forms", "expanded_forms", "make_entity",
            "guess_family", "make_family", "link_data_of", "introductions_of", "write_shard",
            "write_links",
        }  # fmt: skip
