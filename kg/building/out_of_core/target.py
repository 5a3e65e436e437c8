"""Writing a graph as many files to a local or remote folder; a list of them is written last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain, starmap

from citekg.exports.graph_files import PARTS_LIST
from citekg.exports.rdf.triples import ShardCounts
from citekg.exports.tables.partitioned import (
    NO_COLUMNS,
    Columns,
    digest_in,
    head,
    head_files,
    part_name,
    shard_files,
    shards,
)
from citekg.known_digests import KnownDigests
from citekg.schemas.graph import KnowledgeGraph, Shard
from citekg.schemas.plugins import ExportOptions
from citekg.storage.folders import Folder


@dataclass(frozen=True)
class WrittenShard:
    """The names of a shard's files in one format, and the counts that the head needs."""

    name: str
    files: tuple[str, ...]
    rest: ShardCounts


@dataclass(frozen=True)
class PartitionTarget:
    """The folder, the formats and the options of a partitioned graph.

    Every format must support partitions; triples are compressed if `packed`.
    """

    folder: Folder
    formats: tuple[str, ...]
    options: ExportOptions = field(default_factory=ExportOptions)
    packed: bool = False

    def begin(self) -> None:
        """Remove the lists of an earlier graph: without `files.json` a graph is incomplete.

        Raises `FolderError` if the folder cannot be written to.
        """
        for name in self.formats:
            self.folder.remove(_list_of(name))

    def is_whole(self, file: str, known: KnownDigests) -> bool:
        """Return whether a file exists and its content has the digest in its name.

        A file with a known digest is not read.
        """
        try:
            return known.of(file, self.folder.path_of(file), partial(self._digest, file)) in file
        except OSError:
            return False

    def add_digests(self, written: Iterable[WrittenShard], known: KnownDigests) -> None:
        """Add the digests of written files, which are their names."""
        for file in chain.from_iterable(one.files for one in written):
            known.add(file, self.folder.path_of(file), digest_in(file))

    def _digest(self, file: str) -> str:
        return part_name(self.folder.read(file))

    def write_shard(self, shard: Shard) -> tuple[WrittenShard, ...]:
        """Write the files of a shard.

        Raises `FormatError` for a format without partitions, and `FolderError`.
        """
        return tuple(self._shard(shard, name) for name in self.formats)

    def _shard(self, shard: Shard, name: str) -> WrittenShard:
        files, rest = shard_files(shard, name, self.options, packed=self.packed)
        return WrittenShard(name, tuple(starmap(self._put, files)), rest)

    def finish(
        self,
        graph: KnowledgeGraph,
        written: Sequence[WrittenShard],
        columns: Mapping[str, Columns] = NO_COLUMNS,
    ) -> list[str]:
        """Write the head and the lists of all files; return the names of the lists.

        `columns` are tables of the graph as Arrow tables. Removes the remaining files of an earlier
        graph.
        """
        return [
            self._finish(graph, [w for w in written if w.name == name], name, columns)
            for name in self.formats
        ]

    def _finish(
        self,
        graph: KnowledgeGraph,
        written: Sequence[WrittenShard],
        name: str,
        columns: Mapping[str, Columns],
    ) -> str:
        files = [file for one in written for file in one.files]
        found = head_files(
            graph,
            [one.rest for one in written],
            name,
            self.options,
            packed=self.packed,
            columns=columns,
        )
        files += starmap(self._put, found)
        for file in {*self.folder.names(_subfolder_of(name))} - {*files}:
            self.folder.remove(file)
        names = sorted({file.removeprefix(f"{_subfolder_of(name)}/") for file in files})
        listing = json.dumps({"files": names, "run": asdict(graph.run)}, indent=1)
        self.folder.write(_list_of(name), listing.encode() + b"\n")
        return _list_of(name)

    def _put(self, file: str, data: bytes) -> str:
        self.folder.write(file, data)
        return file


def write_partitioned(graph: KnowledgeGraph, target: PartitionTarget) -> list[str]:
    """Write a graph as many files; return the names of their lists, one for each format.

    Raises `FormatError` for a format without partitions, and `FolderError` if the folder cannot be
    written to.
    """
    target.begin()
    written = [one for shard in shards(graph) for one in target.write_shard(shard)]
    rest = head(
        graph.entities,
        graph.stubs,
        graph.introductions,
        graph.run,
        graph.vocabulary,
        graph.topics,
    )
    return target.finish(rest, written)


def _subfolder_of(name: str) -> str:
    return f"graph.{name}"


def _list_of(name: str) -> str:
    return f"{_subfolder_of(name)}/{PARTS_LIST}"
