"""A Dask cluster gives the results of one machine, also with lost workers and remote folders."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from benchmarks.workers import die_once
from citekg.building.execution.dask_cluster import local_cluster
from citekg.building.pipeline import build
from citekg.cli.main import main
from citekg.schemas.errors import FolderError, MissingPackage
from citekg.storage.folders import RemoteFolder, open_folder
from tests.kg.learning.invented import papers, write

if TYPE_CHECKING:
    from distributed import LocalCluster

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")

EXAMPLES = Path(__file__).parents[4] / "examples" / "papers.jsonl"


@pytest.fixture(scope="module")
def whole(short_examples: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The graph that one process of this machine builds."""
    return _built(short_examples, tmp_path_factory.mktemp("whole"), "--no-cache")


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    """A cluster of two processes."""
    with local_cluster(2) as started:
        yield started


def _built(papers: Path, out: Path, *more: str) -> bytes:
    result = CliRunner().invoke(main, ["build", str(papers), "-o", str(out), "-f", "nt", *more])
    assert result.exit_code == 0, result.output
    return (out / "graph.nt").read_bytes()


@contextmanager
def _worker_killed_on_file(cluster: LocalCluster, folder: Path, pattern: str) -> Iterator[None]:
    """Kill a worker of the cluster as soon as a file in the folder matches the pattern."""
    worker = next(iter(cluster.workers.values())).pid
    killed, stop = threading.Event(), threading.Event()

    def kill_one() -> None:
        while not stop.wait(0.01):
            if [*folder.rglob(pattern)] and not killed.is_set():
                os.kill(worker, signal.SIGKILL)
                killed.set()

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        yield
    finally:
        stop.set()
        killer.join()
    assert killed.is_set()


def test_a_cluster_with_a_killed_worker_writes_the_same_bytes(
    short_examples: Path, tmp_path: Path, whole: bytes, cluster: LocalCluster
) -> None:
    with _worker_killed_on_file(cluster, tmp_path, "*.jsonl.gz"):
        assert (
            _built(
                short_examples,
                tmp_path,
                "--engine",
                "dask",
                "--scheduler",
                cluster.scheduler_address,
            )
            == whole
        )
    assert len([*tmp_path.rglob("*.jsonl.gz")]) > 3


@pytest.mark.parametrize("pattern", ["*.jsonl.gz", "part-*.nt"])
def test_a_cluster_with_a_killed_worker_writes_the_parts_of_the_same_graph(
    short_examples: Path,
    tmp_path: Path,
    whole: bytes,
    cluster: LocalCluster,
    pattern: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setattr("citekg.building.out_of_core.paper_shards.SHARD_SIZE", 8)
    arguments = [
        "build",
        str(short_examples),
        "-o",
        str(tmp_path),
        "-f",
        "nt",
        "--partitioned",
        str(tmp_path / "parts"),
    ]
    with _worker_killed_on_file(cluster, tmp_path, pattern):
        result = CliRunner().invoke(
            main, [*arguments, "--engine", "dask", "--scheduler", cluster.scheduler_address]
        )
    assert result.exit_code == 0, result.output
    files = [*(tmp_path / "parts" / "graph.nt").glob("*.nt")]
    assert len(files) > 3
    assert sorted(b"".join(file.read_bytes() for file in files).splitlines()) == sorted(
        whole.splitlines()
    )


def test_without_a_scheduler_a_local_cluster_is_started_also_without_a_cache(
    short_examples: Path, tmp_path: Path, whole: bytes
) -> None:
    assert (
        _built(short_examples, tmp_path, "--engine", "dask", "--workers", "2", "--no-cache")
        == whole
    )


def test_a_local_cluster_waits_for_a_lost_worker_to_restart(tmp_path: Path) -> None:
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 ms"}),
        local_cluster(1) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.submit(die_once, tmp_path / "killed").result(timeout=120)
    assert (tmp_path / "killed").exists()


def test_a_scheduler_that_does_not_answer_is_reported(tmp_path: Path) -> None:
    arguments = [
        "build",
        str(EXAMPLES),
        "-o",
        str(tmp_path),
        "--engine",
        "dask",
        "--scheduler",
        "tcp://127.0.0.1:9",
    ]
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "tcp://127.0.0.1:9 does not answer" in result.output


def test_workers_with_another_version_are_reported(
    short_examples: Path, tmp_path: Path, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citekg.extractors.pipeline.version", lambda _package: "99.0")
    result = CliRunner().invoke(
        main,
        [
            "build", str(short_examples), "-o", str(tmp_path), "--engine", "dask",
            "--scheduler", cluster.scheduler_address,
        ],
    )  # fmt: skip
    assert result.exit_code == 1
    assert "the workers cannot load citekg" in result.output
    assert "install the same version" in result.output


def test_the_option_scheduler_requires_the_dask_engine(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["build", str(EXAMPLES), "-o", str(tmp_path), "--scheduler", "tcp://x:1"]
    )
    assert result.exit_code == 2
    assert "--engine dask" in result.output


def test_extractions_are_cached_in_folders_that_fsspec_opens(tmp_path: Path) -> None:
    paper = tmp_path / "papers.jsonl"
    paper.write_text(EXAMPLES.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    for url in ("memory://citekg/readings", f"file://{tmp_path}/far"):
        first = build([str(paper)], cache=url).graph
        with open_folder(url) as folder:
            names = folder.names("")
            assert len(names) == 2
            part = next(name for name in names if name.endswith(".jsonl.gz"))
            before = folder.read(part)
            assert vars(build([str(paper)], cache=url).graph) == vars(first)
            assert folder.names("") == names
            assert folder.read(part) == before


def test_a_remote_folder_that_is_not_writable_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        open_folder(f"file://{tmp_path}/file") as folder,
        pytest.raises(FolderError, match="cannot be written"),
    ):
        folder.write("part", b"")


def test_a_remote_folder_without_fsspec_reports_the_required_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingPackage, match=r"citekg\[dask\]"):
        RemoteFolder("s3://bucket/readings").names("")


def test_a_cluster_with_learnt_weights_gives_the_graph_of_one_process(
    tmp_path: Path, cluster: LocalCluster
) -> None:
    annotated = write(tmp_path, papers(16))
    schema, weights = ("--schema", str(tmp_path / "schema.yaml")), tmp_path / "mine.weights"
    result = CliRunner().invoke(main, ["learn", str(annotated), *schema, "-o", str(weights)])
    assert result.exit_code == 0, result.output
    unseen = write(tmp_path, papers(12, start=40), "unseen.jsonl")
    adapted = (*schema, "--weights", str(weights), "--no-cache")
    dask_engine = ("--engine", "dask", "--scheduler", cluster.scheduler_address)
    on_cluster = _built(unseen, tmp_path / "there", *adapted, *dask_engine)
    assert on_cluster == _built(unseen, tmp_path / "here", *adapted, "--workers", "1")
    assert on_cluster != _built(unseen, tmp_path / "shipped", *schema, "--no-cache")
