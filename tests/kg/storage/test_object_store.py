"""Papers, extractions and graphs in a bucket of an S3-compatible object store on loopback.

The package has no S3 code: fsspec opens the URLs with s3fs, and moto's server simulates S3.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from citekg.building.out_of_core.shards import name_tables
from citekg.building.pipeline import read_papers
from citekg.cli.main import main
from citekg.schemas.errors import FolderError
from citekg.storage.folders import open_folder
from tests.paths import ROOT

pytest.importorskip("s3fs", reason="what opens s3:// needs s3fs")
server = pytest.importorskip(
    "moto.server", reason="the store that stands in for S3 needs moto's server"
)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

LINES = (ROOT / "examples" / "papers.jsonl").read_bytes().splitlines(keepends=True)[:6]
PAPERS = "s3://bucket/papers/*.jsonl"
FORMATS = ("-f", "nt", "-f", "parquet")
#: The file of stored tables, whose bytes depend on the order of changes.
DATABASE = ".duckdb"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The file system of a store with one bucket that contains two files of papers."""
    import s3fs

    _set_connection(monkeypatch, endpoint)
    files = s3fs.S3FileSystem(skip_instance_cache=True, use_listings_cache=False)
    files.mkdir("bucket")
    files.pipe(
        {"bucket/papers/a.jsonl": b"".join(LINES[:2]), "bucket/papers/b.jsonl": b"".join(LINES[2:])}
    )
    yield files
    files.rm("bucket", recursive=True)
    s3fs.S3FileSystem.clear_instance_cache()


def _set_connection(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Set the connection to the store, for this process and its worker processes."""
    s3fs = pytest.importorskip("s3fs")
    s3fs.S3FileSystem.clear_instance_cache()
    keys = dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "any")
    for name, value in {
        **keys,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)


def _build(*arguments: object) -> None:
    result = CliRunner().invoke(main, ["build", *map(str, arguments)])
    assert result.exit_code == 0, result.output


def _bucket_files(files: Any, root: str) -> dict[str, bytes]:
    found = (name for name in files.find(root) if not name.endswith(DATABASE))
    return {name.removeprefix(f"{root}/"): files.cat_file(name) for name in found}


def _folder_files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and path.name != ".lock")
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in found
        if path.suffix != DATABASE
    }


def test_papers_read_from_a_bucket_and_from_a_folder_are_equal(bucket: Any, tmp_path: Path) -> None:
    for name, data in _bucket_files(bucket, "bucket/papers").items():
        (tmp_path / name).write_bytes(data)
    from_bucket, from_folder = (
        read_papers([pattern])[0] for pattern in (PAPERS, str(tmp_path / "*.jsonl"))
    )
    assert [*from_bucket] == [*from_folder]
    assert {source.name for paper in from_bucket for source in paper.sources} == {
        "a.jsonl",
        "b.jsonl",
    }


def test_a_build_writes_the_same_cache_and_parts_to_a_bucket_and_to_folders(
    bucket: Any, tmp_path: Path
) -> None:
    to_folders = ("--cache", tmp_path / "kept", "--partitioned", tmp_path / "parts")
    _build(PAPERS, "-o", tmp_path / "near", *FORMATS, *to_folders)
    to_bucket = (
        "--cache",
        "s3://bucket/kept",
        "--partitioned",
        "s3://bucket/parts",
        "--workers",
        2,
    )
    _build(PAPERS, "-o", tmp_path / "far", *FORMATS, *to_bucket)
    assert _bucket_files(bucket, "bucket/parts") == _folder_files(tmp_path / "parts")
    assert {"graph.nt/files.json", "graph.parquet/files.json"} < _folder_files(
        tmp_path / "parts"
    ).keys()
    assert _bucket_files(bucket, "bucket/kept") == _folder_files(tmp_path / "kept")


def test_a_build_into_a_bucket_uses_the_names_that_the_last_build_stored_there(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[object] = []

    def counted(pipeline: Any, task: Any) -> dict[str, bytes]:
        named.append(task)
        return name_tables(pipeline, task)

    monkeypatch.setattr("citekg.building.out_of_core.stored_names.name_tables", counted)
    places = ("--cache", "s3://bucket/kept", "--partitioned", "s3://bucket/parts", *FORMATS)
    _build(PAPERS, "-o", tmp_path, *places)
    assert named
    assert len([name for name in bucket.find("bucket") if name.endswith(DATABASE)]) == 1
    parts = _bucket_files(bucket, "bucket/parts")
    named.clear()
    _build(PAPERS, "-o", tmp_path, *places)
    assert not named
    assert _bucket_files(bucket, "bucket/parts") == parts


def test_truncated_files_in_a_bucket_are_written_again(bucket: Any, tmp_path: Path) -> None:
    places = ("--cache", "s3://bucket/kept", "--partitioned", "s3://bucket/parts", *FORMATS)
    _build(PAPERS, "-o", tmp_path, *places)
    kept, parts = _bucket_files(bucket, "bucket/kept"), _bucket_files(bucket, "bucket/parts")
    part = next(name for name in kept if name.endswith(".jsonl.gz"))
    bucket.pipe_file(f"bucket/kept/{part}", kept[part][:-20])
    bucket.pipe_file(f"bucket/kept/{part.replace('/', '/.')}", b"half")
    for part in (name for name in parts if not name.endswith(".json")):
        bucket.pipe_file(f"bucket/parts/{part}", parts[part][:9])
    bucket.rm_file("bucket/parts/graph.nt/files.json")
    _build(PAPERS, "-o", tmp_path, *places)
    assert _bucket_files(bucket, "bucket/parts") == parts
    assert _bucket_files(bucket, "bucket/kept").items() >= kept.items()


def test_a_missing_bucket_is_created_for_extractions(bucket: Any) -> None:
    with open_folder("s3://another/kept") as folder:
        assert folder.names("part") == []
        folder.write("part/one", b"1")
        assert folder.names("part") == ["part/one"]
        bucket.pipe_file("another/kept/part/two", b"2")  # as a worker on another machine does
        assert folder.names("part") == ["part/one", "part/two"]
        folder.remove("part/one")
        folder.remove("part/one")
        assert folder.names("part") == ["part/two"]
    bucket.rm("another", recursive=True)


def test_an_unreachable_store_is_reported_like_an_unreadable_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _set_connection(monkeypatch, "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 1)
    [problem] = read_papers(["s3://bucket/papers"])[1]
    assert "s3://bucket/papers: cannot be read: Could not connect" in str(problem)
    with open_folder("s3://bucket/kept") as folder:
        with pytest.raises(
            FolderError, match="s3://bucket/kept: cannot be read: Could not connect"
        ):
            folder.names("part")
        with pytest.raises(
            FolderError, match="s3://bucket/kept/part: cannot be written: Could not connect"
        ):
            folder.write("part", b"")
        with pytest.raises(OSError, match="Could not connect"):
            folder.read("part")
