"""A graph in many files equals the graph in one file; remote folders are supported."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from contextlib import AbstractContextManager
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.building.out_of_core.target import PartitionTarget, write_partitioned
from citekg.building.pipeline import read_papers
from citekg.cli.main import main
from citekg.exports import exporter
from citekg.exports.tables.partitioned import shards
from citekg.schemas.errors import FolderError, FormatError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.storage.folders import LocalFolder, folder_at
from tests.sample import sample_graph

EXAMPLES = Path(__file__).parents[4] / "examples" / "papers.jsonl"
OPTIONS = ExportOptions()


class InMemory:
    """A folder that is a dict."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def names(self, under: str) -> list[str]:
        return sorted(name for name in self.files if name.startswith(f"{under}/"))

    def read(self, name: str) -> bytes:
        return self.files[name]

    def path_of(self, name: str) -> None:  # noqa: ARG002
        return None

    def write(self, name: str, data: bytes) -> None:
        self.files[name] = data

    def remove(self, name: str) -> None:
        self.files.pop(name, None)

    def local_file(self, name: str) -> AbstractContextManager[Path]:
        raise FolderError(name)


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """One paper per shard, and few triples or rows of the head per file."""
    monkeypatch.setattr("citekg.building.out_of_core.target.shards", partial(shards, size=1))
    monkeypatch.setattr("citekg.exports.tables.partitioned._TRIPLES", 25)
    monkeypatch.setattr("citekg.exports.tables.partitioned._ROWS", 2)
    monkeypatch.setattr("citekg.exports.rdf.serializers._CHUNK", 10)


def parts(
    graph: KnowledgeGraph, name: str, options: ExportOptions = OPTIONS, *, packed: bool = False
) -> list[bytes]:
    """Return the files of the triples in the order of their list."""
    folder = InMemory()
    write_partitioned(graph, PartitionTarget(folder, (name,), options, packed))
    listed = json.loads(folder.files.pop(f"graph.{name}/files.json"))["files"]
    assert [f"graph.{name}/{file}" for file in listed] == sorted(folder.files)
    return [gzip.decompress(data) if packed else data for _, data in sorted(folder.files.items())]


@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize("name", ["nt", "nq"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        OPTIONS,
        ExportOptions(evidence="paper"),
        ExportOptions(evidence="none"),
        ExportOptions(part="core"),
        ExportOptions(part="provenance"),
        ExportOptions(align=True),
    ],
)
def test_the_parts_contain_each_line_of_the_single_file_once(
    name: str, packed: bool, options: ExportOptions, example_graph: KnowledgeGraph
) -> None:
    for graph in (sample_graph(), example_graph):
        files = parts(graph, name, options, packed=packed)
        assert len(files) > len(graph.papers)
        assert all(files)
        whole = b"".join(exporter(name).writer(graph, options))
        assert sorted(b"".join(files).splitlines()) == sorted(whole.splitlines())


@pytest.mark.usefixtures("small_shards")
def test_the_concatenated_table_parts_equal_the_tables_of_the_single_file() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    folder = InMemory()
    write_partitioned(sample_graph(), PartitionTarget(folder, ("parquet",)))
    whole = zipfile.ZipFile(
        io.BytesIO(b"".join(exporter("parquet").writer(sample_graph(), OPTIONS)))
    )
    for file in whole.namelist():
        table = file.removesuffix(".parquet")
        found = [
            pq.read_table(io.BytesIO(data))
            for name, data in sorted(folder.files.items())
            if f"/{table}/" in name
        ]
        one = pq.read_table(io.BytesIO(whole.read(file)))
        order = [(field.name, "ascending") for field in one.schema if field.type == pa.string()]
        assert pa.concat_tables(found).sort_by(order).equals(one.sort_by(order))
    assert len(folder.files) > len(whole.namelist())


def test_the_parts_of_a_graph_without_papers_equal_the_single_file() -> None:
    empty = KnowledgeGraph.of(
        papers=(), entities=(), mentions=(), relations=(), links=(), run=sample_graph().run
    )
    assert b"".join(parts(empty, "nt")) == b"".join(exporter("nt").writer(empty, OPTIONS))


def test_a_format_that_cannot_be_partitioned_is_rejected() -> None:
    with pytest.raises(FormatError, match="nt, parquet"):
        write_partitioned(sample_graph(), PartitionTarget(InMemory(), ("html",)))


def test_the_list_of_files_is_written_last_and_old_files_are_removed(tmp_path: Path) -> None:
    class Stopping(LocalFolder):
        def write(self, name: str, data: bytes) -> None:
            if name.endswith(".json"):
                raise FolderError(name)
            super().write(name, data)

    (tmp_path / "graph.nt").mkdir()
    (tmp_path / "graph.nt" / "part-00009.nt").touch()
    folder = LocalFolder(tmp_path)
    assert write_partitioned(sample_graph(), PartitionTarget(folder, ("nt",))) == [
        "graph.nt/files.json"
    ]
    first, *files = folder.names("graph.nt")
    assert first == "graph.nt/files.json"
    files = [file.removeprefix("graph.nt/") for file in files]
    assert len(files) == 3  # the records, the links, and the head
    for file in files:
        digest = sha256(folder.read(f"graph.nt/{file}")).hexdigest()
        assert file == f"part-{digest[:20]}.nt"
    assert json.loads(folder.read("graph.nt/files.json"))["files"] == files
    with pytest.raises(FolderError):
        write_partitioned(sample_graph(), PartitionTarget(Stopping(tmp_path), ("nt",)))
    assert folder.names("graph.nt") == [f"graph.nt/{file}" for file in files]


def test_kg_build_reads_and_writes_remote_folders(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    first, *rest = EXAMPLES.read_bytes().splitlines(keepends=True)[:3]
    files.pipe(
        {"/in/a.jsonl.gz": gzip.compress(first), "/in/b.jsonl": b"".join(rest), "/in/.hidden": b"?"}
    )
    arguments = [
        "build",
        "memory://in",
        "-o",
        str(tmp_path),
        "-f",
        "nt",
        "--cache",
        "memory://kept",
    ]
    result = CliRunner().invoke(main, [*arguments, "--partitioned", "memory://out"])
    assert result.exit_code == 0, result.output
    assert "memory://out/graph.nt/files.json" in result.output
    assert CliRunner().invoke(main, arguments).exit_code == 0
    written = b"".join(files.cat(name) for name in files.glob("/out/graph.nt/*.nt"))
    assert sorted(written.splitlines()) == sorted((tmp_path / "graph.nt").read_bytes().splitlines())
    assert not (tmp_path / "readings").exists()
    assert [len(read_papers([url])[0]) for url in ("memory://in/*.gz", "memory://in/b.jsonl")] == [
        1,
        2,
    ]
    assert "not found" in read_papers(["memory://in/gone"])[1][0].message


def test_a_url_with_an_unknown_protocol_is_reported() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(FolderError, match="cannot be opened"):
        folder_at("kites://bucket").names("")


def test_the_option_partitioned_requires_a_format_that_can_be_partitioned(tmp_path: Path) -> None:
    arguments = [
        "build",
        str(EXAMPLES),
        "-o",
        str(tmp_path),
        "-f",
        "html",
        "--partitioned",
        str(tmp_path),
    ]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "--partitioned needs one of the formats nt, nq, parquet" in result.output
