"""Writing a graph in many files to a folder, here or elsewhere, with a list of them that comes last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import starmap

from citekg.exports import ExportOptions
from citekg.exports.graph_files import LIST
from citekg.exports.rdf.triples import Rest
from citekg.exports.tables.partitioned import head, head_files, shard_files, shards
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.storage.folders import Folder


@dataclass(frozen=True)
class WrittenShard:
    """The files of a shard in one format, by their names, and what is in them."""

    name: str
    files: tuple[str, ...]
    rest: Rest


@dataclass(frozen=True)
class PartitionTarget:
    """Where the files go and how they are written: `formats` are those that can be parted, triples may be `packed`."""

    folder: Folder
    formats: tuple[str, ...]
    options: ExportOptions = field(default_factory=ExportOptions)
    packed: bool = False

    def begin(self) -> None:
        """Take away the lists of an earlier graph: while there is no `files.json` the files are not all there.

        Raises `FolderError` where the folder cannot be written to.
        """
        for name in self.formats:
            self.folder.remove(_list_of(name))

    def write_shard(self, shard: Shard, number: int) -> tuple[WrittenShard, ...]:
        """Write the files of a shard; `number` is its place among the others.

        Raises `FormatError` for a format that cannot be parted, and `FolderError`.
        """
        return tuple(self._shard(shard, number, name) for name in self.formats)

    def _shard(self, shard: Shard, number: int, name: str) -> WrittenShard:
        files, rest = shard_files(shard, number, name, self.options, packed=self.packed)
        return WrittenShard(name, tuple(starmap(self._put, files)), rest)

    def finish(self, graph: KnowledgeGraph, written: Sequence[WrittenShard]) -> list[str]:
        """Write the head of a graph, and the lists of its files and those of its shards; returns the lists' names.

        Files of an earlier graph are taken away.
        """
        return [self._finish(graph, [w for w in written if w.name == name], name) for name in self.formats]

    def _finish(self, graph: KnowledgeGraph, written: Sequence[WrittenShard], name: str) -> str:
        files = [file for one in written for file in one.files]
        found = head_files(graph, [one.rest for one in written], name, self.options, packed=self.packed)
        files += starmap(self._put, found)
        for file in {*self.folder.names(_place(name))} - {*files}:
            self.folder.remove(file)
        inside = sorted(file.removeprefix(f"{_place(name)}/") for file in files)
        told = json.dumps({"files": inside, "run": asdict(graph.run)}, indent=1)
        self.folder.write(_list_of(name), told.encode() + b"\n")
        return _list_of(name)

    def _put(self, file: str, data: bytes) -> str:
        self.folder.write(file, data)
        return file


def write_partitioned(graph: KnowledgeGraph, target: PartitionTarget) -> list[str]:
    """Write a graph in many files; returns the names of their lists, one a format.

    Raises `FormatError` for a format that cannot be parted, and `FolderError` where the folder cannot be written to.
    """
    target.begin()
    written = [one for n, shard in enumerate(shards(graph)) for one in target.write_shard(shard, n)]
    rest = head(graph.entities, graph.stubs, graph.introductions, graph.run, graph.vocabulary)
    return target.finish(rest, written)


def _place(name: str) -> str:
    return f"graph.{name}"


def _list_of(name: str) -> str:
    return f"{_place(name)}/{LIST}"
