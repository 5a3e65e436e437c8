"""What an earlier `kg build` left in a folder: files that a build with fewer formats does not write again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from citekg.cli.options import file_of
from citekg.exports import EXPORTERS, PARTITIONED
from citekg.exports.graph_files import LIST
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import part_of
from citekg.storage.folders import Folder


def earlier_files(output: Path, written: Iterable[Path | str]) -> list[str]:
    """The graph files in a folder that are not among those just written, sorted.

    Only files with a name that `kg build` gives to one of our formats count: everything else is the user's.
    """
    found = {path for name in EXPORTERS for path in _names(output, name) if path.is_file()}
    return sorted(map(str, found.difference(map(Path, written))))


def earlier_lists(folder: Folder, formats: Iterable[str]) -> list[str]:
    """The names of the lists of graphs in many files that lie in a folder in other formats, sorted.

    Raises `FolderError` where the folder cannot be read.
    """
    lists = {name: f"graph.{name}/{LIST}" for name in sorted({*PARTITIONED}.difference(formats))}
    return [file for name, file in lists.items() if file in folder.names(f"graph.{name}")]


def _names(output: Path, name: str) -> Iterator[Path]:
    """Every file that a build may write in a format: whole or split, compressed or not."""
    for path in {file_of(output, name, packed=packed) for packed in (False, True)}:
        yield path
        if name in RDF_FORMATS:
            yield from (part_of(path, part) for part in ("core", "provenance"))
