"""A graph in many files is the graph in one, and folders of other machines are read and written like ours."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from exports import ExportOptions, exporter
from exports.partitioned import partitions
from kg.building.folders import LocalFolder, folder_at
from kg.building.partitions import write_partitioned
from kg.cli import main
from kg.pipeline import papers_of
from schemas.errors import FolderError, FormatError
from tests.sample import sample_graph

EXAMPLES = Path(__file__).parents[2] / "examples" / "papers.jsonl"
OPTIONS = ExportOptions()


@pytest.mark.parametrize("name", ["nt", "nq"])
@pytest.mark.parametrize("packed", [False, True])
def test_the_parts_of_the_triples_joined_are_the_one_file(name: str, packed: bool, monkeypatch) -> None:
    monkeypatch.setattr("exports.rdf._CHUNK", 10)
    monkeypatch.setattr("exports.partitioned._TRIPLES", 25)
    files = dict(partitions(sample_graph(), name, OPTIONS, packed=packed))
    assert list(files) == sorted(files)
    assert len(files) > 2
    whole = b"".join(map(gzip.decompress, files.values()) if packed else files.values())
    assert whole == b"".join(exporter(name).writer(sample_graph(), OPTIONS))


def test_the_parts_of_the_tables_joined_are_the_one_file() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    files = dict(partitions(sample_graph(), "parquet", OPTIONS, rows=2))
    whole = zipfile.ZipFile(io.BytesIO(b"".join(exporter("parquet").writer(sample_graph(), OPTIONS))))
    for file in whole.namelist():
        table = file.removesuffix(".parquet")
        parts = [pq.read_table(io.BytesIO(data)) for name, data in files.items() if f"/{table}/" in name]
        assert pa.concat_tables(parts).equals(pq.read_table(io.BytesIO(whole.read(file))))
    assert len(files) > len(whole.namelist())


def test_no_other_format_is_parted() -> None:
    with pytest.raises(FormatError, match="nt, parquet"):
        list(partitions(sample_graph(), "html", OPTIONS))


def test_the_list_of_files_comes_last_and_files_of_an_earlier_graph_go(tmp_path: Path) -> None:
    class Stopping(LocalFolder):
        def write(self, name: str, data: bytes) -> None:
            if name.endswith(".json"):
                raise FolderError(name)
            super().write(name, data)

    (tmp_path / "graph.nt").mkdir()
    (tmp_path / "graph.nt" / "part-00009.nt").touch()
    folder = LocalFolder(tmp_path)
    assert write_partitioned(sample_graph(), folder, "nt", OPTIONS) == "graph.nt/files.json"
    assert folder.names("graph.nt") == ["graph.nt/files.json", "graph.nt/part-00000.nt"]
    assert json.loads(folder.read("graph.nt/files.json"))["files"] == ["part-00000.nt"]
    with pytest.raises(FolderError):
        write_partitioned(sample_graph(), Stopping(tmp_path), "nt", OPTIONS)
    assert folder.names("graph.nt") == ["graph.nt/part-00000.nt"]


def test_kg_build_reads_and_writes_folders_of_other_machines(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    first, *rest = EXAMPLES.read_bytes().splitlines(keepends=True)[:3]
    files.pipe({"/in/a.jsonl.gz": gzip.compress(first), "/in/b.jsonl": b"".join(rest), "/in/.hidden": b"?"})
    arguments = ["build", "memory://in", "-o", str(tmp_path), "-f", "nt", "--cache", "memory://kept"]
    result = CliRunner().invoke(main, [*arguments, "--partitioned", "memory://out"])
    assert result.exit_code == 0, result.output
    assert "memory://out/graph.nt/files.json" in result.output
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert files.cat("/out/graph.nt/part-00000.nt") == (tmp_path / "graph.nt").read_bytes()
    assert not (tmp_path / "readings").exists()
    assert [len(papers_of([url])[0]) for url in ("memory://in/*.gz", "memory://in/b.jsonl")] == [1, 2]
    assert "no such file" in papers_of(["memory://in/gone"])[1][0].message


def test_a_url_of_an_unknown_kind_is_told() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(FolderError, match="cannot be opened"):
        folder_at("kites://bucket").names("")


def test_partitioned_wants_a_format_that_can_be_parted(tmp_path: Path) -> None:
    arguments = ["build", str(EXAMPLES), "-o", str(tmp_path), "-f", "html", "--partitioned", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "--partitioned is for nt, nq, parquet" in result.output
